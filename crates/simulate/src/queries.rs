//! Queries of TPC-H in a run: the data at the scale of the tables, and what each query's plan asks for.

use spindle_engine::{access::Accesses, layout::StorageFormat, miniature::Miniature};
use spindle_scenario::{Problem, Scenario};
use spindle_tpch::{Database, PlanSet, QUERIES, Storing, TableName, execute};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Rows of `orders` at scale 1 (TPC-H, clause 4.2.5).
const ORDERS_AT_SCALE_1: f64 = 1_500_000.0;

/// The queries of a load.
pub(crate) struct Queries {
    database: Rc<Database>,
    plans: PlanSet,
    storing: Storing,
    /// The Scenario's number of each of TPC-H's tables, and of each of its indexes there.
    places: Vec<(usize, Vec<usize>)>,
    carried_out: RefCell<BTreeMap<u8, Rc<Accesses>>>,
}

impl Queries {
    /// The data of the Scenario's tables, or of a sample of them: the same at a smaller scale.
    pub(crate) fn new(scenario: &Scenario, sample: Miniature) -> Result<Self, Problem> {
        let plans = plan_set(scenario)?;
        let places =
            TableName::ALL.iter().map(|table| place(scenario, *table)).collect::<Result<Vec<_>, _>>()?;
        let orders = scenario.tables[places[TableName::Orders.number()].0].rows;
        let clustered = scenario.profile().is_some_and(|profile| profile.format == StorageFormat::Innodb);
        Ok(Self {
            database: data_at(orders as f64 / ORDERS_AT_SCALE_1 * sample.share()),
            plans,
            storing: Storing { clustered },
            places,
            carried_out: RefCell::default(),
        })
    }

    /// What a query, 1 to 22, asks for, by the Scenario's own tables and indexes.
    pub(crate) fn accesses(&self, query: u8) -> Rc<Accesses> {
        if let Some(known) = self.carried_out.borrow().get(&query) {
            return Rc::clone(known);
        }
        // Every plan there is can be carried out; a test does it.
        let plan = self.plans.plan(query);
        let execution = plan.and_then(|plan| execute(&plan, &self.database, self.storing));
        let mut accesses = execution.map(|execution| execution.accesses).unwrap_or_default();
        for cursor in &mut accesses.cursors {
            let (table, indexes) = &self.places[cursor.table];
            *cursor =
                spindle_engine::access::Cursor { table: *table, index: indexes[cursor.index], ..*cursor };
        }
        let accesses = Rc::new(accesses);
        self.carried_out.borrow_mut().insert(query, Rc::clone(&accesses));
        accesses
    }
}

thread_local! {
    /// The data of the last run: it takes longer to make than most queries.
    static LAST_DATA: RefCell<Option<Rc<Database>>> = const { RefCell::new(None) };
}

/// The data at a scale.
fn data_at(scale: f64) -> Rc<Database> {
    LAST_DATA.with_borrow_mut(|last| {
        let made = || Rc::new(Database::new(scale));
        let known = last.take().filter(|database| database.is_at(scale));
        Rc::clone(last.insert(known.unwrap_or_else(made)))
    })
}

/// Whose plans the Scenario's queries take.
fn plan_set(scenario: &Scenario) -> Result<PlanSet, Problem> {
    let name = &scenario.workload.plans;
    if name.is_empty() {
        let profile = &scenario.engine.profile;
        let own = PlanSet::of_profile(profile);
        return own.ok_or_else(|| Problem::new("engine.profile", profile, "an engine with plans for TPC-H"));
    }
    PlanSet::find(name).ok_or_else(|| {
        let names: Vec<&str> = PlanSet::ALL.into_iter().map(PlanSet::name).collect();
        Problem::new("workload.plans", name, format!("one of {}", names.join(", ")))
    })
}

fn place(scenario: &Scenario, table: TableName) -> Result<(usize, Vec<usize>), Problem> {
    let found = scenario.tables.iter().position(|own| own.name.eq_ignore_ascii_case(table.name()));
    let at = found.ok_or_else(|| {
        Problem::new("table", "no such table", format!("a table `{}`, as TPC-H has it", table.name()))
    })?;
    let indexes = table.indexes().iter().map(|key| {
        let found = scenario.tables[at].indexes.iter().position(|own| own.name == key.name);
        found.ok_or_else(|| {
            let path = format!("table[{at}].indexes");
            Problem::new(path, "no such index", format!("an index `{}` of `{}`", key.name, table.name()))
        })
    });
    Ok((at, indexes.collect::<Result<_, _>>()?))
}

/// The queries that a client asks, in their order.
pub(crate) fn asked(queries: &[u8]) -> Vec<u8> {
    if queries.is_empty() { QUERIES.collect() } else { queries.to_vec() }
}
