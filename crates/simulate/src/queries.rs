//! Queries of TPC-H in a run: the data at the scale of the tables, and what each query's plan asks for.

use spindle_engine::{
    access::{Accesses, Cursor},
    layout::StorageFormat,
    miniature::Miniature,
    query_places::CursorUse,
};
use spindle_report::{OperatorReport, PlanReport};
use spindle_scenario::{Problem, Scenario};
use spindle_tpch::{
    Column, Database, Execution, OperatorRows, Placement, PlanSet, QUERIES, Storing, TableName, WorkMemory,
    execute_on,
};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Rows of `orders` at scale 1 (TPC-H, clause 4.2.5).
const ORDERS_AT_SCALE_1: f64 = 1_500_000.0;

/// The queries of a load.
pub(crate) struct Queries {
    database: Rc<Database>,
    plans: PlanSet,
    storing: Storing,
    placement: Option<Placement>,
    /// The Scenario's number of each of TPC-H's tables, and of each of its indexes there.
    places: Vec<(usize, Vec<usize>)>,
    carried_out: RefCell<BTreeMap<u8, Rc<Query>>>,
    /// What came of queries since measuring began.
    answered: RefCell<BTreeMap<u8, Answered>>,
}

/// A query that was carried out.
pub(crate) struct Query {
    pub(crate) accesses: Accesses,
    operators: Vec<OperatorRows>,
    cursor_operators: Vec<usize>,
}

/// What a query has asked of the pool, over all times it was asked.
#[derive(Default)]
struct Answered {
    times: u64,
    uses: Vec<CursorUse>,
}

impl Queries {
    /// The data of the Scenario's tables, or of a sample of them: the same at a smaller scale.
    pub(crate) fn new(scenario: &Scenario, sample: Miniature) -> Result<Self, Problem> {
        let plans = plan_set(scenario)?;
        let placement = placement(scenario, plans)?;
        let places =
            TableName::ALL.iter().map(|table| place(scenario, *table)).collect::<Result<Vec<_>, _>>()?;
        let orders = scenario.tables[places[TableName::Orders.number()].0].rows;
        let clustered = scenario.profile().is_some_and(|profile| profile.format == StorageFormat::Innodb);
        Ok(Self {
            database: data_at(orders as f64 / ORDERS_AT_SCALE_1 * sample.share()),
            plans,
            placement,
            storing: Storing { clustered, memory: work_memory(scenario, sample) },
            places,
            carried_out: RefCell::default(),
            answered: RefCell::default(),
        })
    }

    /// What a query, 1 to 22, asks for, by the Scenario's own tables and indexes.
    pub(crate) fn query(&self, number: u8) -> Rc<Query> {
        if let Some(known) = self.carried_out.borrow().get(&number) {
            return Rc::clone(known);
        }
        // Every plan there is can be carried out; a test does it.
        let plan = self.plans.plan(number);
        let execution =
            plan.and_then(|plan| execute_on(&plan, &self.database, self.storing, self.placement.as_ref()));
        let mut query = execution.map_or_else(
            |_| Query { accesses: Accesses::default(), operators: Vec::new(), cursor_operators: Vec::new() },
            |Execution { operators, accesses, cursor_operators }| Query {
                accesses,
                operators,
                cursor_operators,
            },
        );
        for cursor in &mut query.accesses.cursors {
            let (table, indexes) = &self.places[cursor.table];
            *cursor = Cursor { table: *table, index: indexes[cursor.index], ..*cursor };
        }
        let query = Rc::new(query);
        self.carried_out.borrow_mut().insert(number, Rc::clone(&query));
        query
    }

    /// The share of a table of the Scenario that lies on the server that is simulated.
    pub(crate) fn share_here(&self, table: usize) -> f64 {
        let named = TableName::ALL.into_iter().find(|named| self.places[named.number()].0 == table);
        let (Some(placement), Some(named)) = (&self.placement, named) else { return 1.0 };
        placement.share(&self.database, named, placement.fullest(&self.database))
    }

    /// The most processes that one of these queries has on a node of a cluster.
    pub(crate) fn processes(&self, queries: &[u8]) -> usize {
        if self.placement.is_none() {
            return 0;
        }
        queries.iter().map(|query| self.query(*query).accesses.processes.len()).max().unwrap_or(0)
    }

    /// A query has been answered.
    pub(crate) fn answered(&self, number: u8, uses: &[CursorUse]) {
        let mut answered = self.answered.borrow_mut();
        let answered = answered.entry(number).or_default();
        answered.times += 1;
        answered.uses.resize(uses.len(), CursorUse::default());
        for (sum, one) in answered.uses.iter_mut().zip(uses) {
            sum.add(one);
        }
    }

    /// Measuring begins.
    pub(crate) fn forget(&self) {
        self.answered.borrow_mut().clear();
    }

    /// The queries answered since, each by its plan; `whole` is what a count here stands for.
    pub(crate) fn plans(&self, whole: f64) -> Vec<PlanReport> {
        let answered = self.answered.borrow();
        let known = self.carried_out.borrow();
        let plan = |(number, answered): (&u8, &Answered)| {
            let query = known.get(number)?;
            let operators = (0..).zip(&query.operators);
            let operators = operators.map(|(at, rows)| operator(at, rows, query, answered, whole)).collect();
            Some(PlanReport { query: *number, asked: answered.times, operators })
        };
        answered.iter().filter_map(plan).collect()
    }
}

fn operator(
    at: usize,
    rows: &OperatorRows,
    query: &Query,
    answered: &Answered,
    whole: f64,
) -> OperatorReport {
    let cursor = query.cursor_operators.iter().position(|operator| *operator == at);
    let used = cursor.and_then(|cursor| answered.uses.get(cursor)).copied().unwrap_or_default();
    let each = |count: u64| count as f64 / answered.times.max(1) as f64 * whole;
    OperatorReport {
        text: rows.text.clone(),
        depth: rows.depth as u32,
        loops: rows.loops as f64 * whole,
        found: rows.found as f64 * whole,
        kept: rows.kept as f64 * whole,
        page_requests: each(used.requests),
        page_reads: each(used.reads),
        temp_blocks: each(used.temp_blocks),
        network_bytes: each(used.network_bytes),
        time_ms: each(used.ns) / 1e6,
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

/// Which node has which rows, where the Scenario is of a cluster.
fn placement(scenario: &Scenario, plans: PlanSet) -> Result<Option<Placement>, Problem> {
    let Some(cluster) = &scenario.cluster else {
        if plans.is_of_cluster() {
            return Err(Problem::new("cluster", "no cluster", format!("one, for plans of {}", plans.name())));
        }
        return Ok(None);
    };
    if !plans.is_of_cluster() {
        let expected = "plans of a cluster (engine postgres-xl-9.5), or no cluster";
        return Err(Problem::new("workload.plans", plans.name(), expected));
    }
    let column = |(table, column): (&String, &String)| {
        let found = TableName::find(table).zip(Column::find(column));
        found.filter(|(table, column)| column.table() == *table).ok_or_else(|| {
            let path = format!("cluster.distribution.{table}");
            Problem::new(
                path,
                format!("`{column}`"),
                "a column of one of TPC-H's tables that queries speak of",
            )
        })
    };
    let columns = cluster.distribution.iter().map(column).collect::<Result<_, _>>()?;
    Ok(Some(Placement::new(cluster.nodes, columns)))
}

/// What a sort and a hash table may take; none where the engine's spills are not modelled.
fn work_memory(scenario: &Scenario, sample: Miniature) -> Option<WorkMemory> {
    let profile = scenario.profile()?;
    let parameters = scenario.parameters();
    let number = |name: &str| profile.parameter(name).and_then(|spec| parameters.number(spec).ok());
    Some(WorkMemory {
        bytes: number("work_mem")?,
        hash_times: number("hash_mem_multiplier").unwrap_or(1.0),
        share: sample.share(),
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
