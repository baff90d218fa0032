//! A plan with names resolved: what it reads of the data, and where its rows and values stand while it is carried out.

use crate::spill::WorkMemory;
use crate::{
    columns::{Column, TableName},
    database::{BALANCE_ZERO, Database, Feature, Values},
    expression::{Comparison, Expression},
    placement::{NodeOrders, Placement, Rows as PlacedRows},
    plan::{
        Aggregate, Computed, Crossing, Join, Lookup, Node, Nodes, Operator, Plan, PlanError, Rows, Sorting,
    },
};
use spindle_engine::access::Cursor;
use std::{collections::BTreeSet, rc::Rc};

/// Bytes of a computed value: a numeric of some digits, or a bigint.
const VALUE_BYTES: u32 = 8;

/// A row number that stands for no row: the right side of a left join that found nothing.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// An expression that can be worked out.
#[derive(Debug, Clone)]
pub(crate) enum Bound {
    Number(f64),
    /// A column of the row in a place, plus a number.
    Column(usize, Values, f64),
    /// A computed value.
    Value(usize),
    Arithmetic(char, Box<Bound>, Box<Bound>),
    Compare(Comparison, Box<Bound>, Box<Bound>),
    In(Box<Bound>, Vec<f64>),
    And(Vec<Bound>),
    Or(Vec<Bound>),
    Not(Box<Bound>),
}

impl Bound {
    /// Its value; not a number where a row is missing.
    pub(crate) fn value(&self, rows: &[u32], values: &[f64]) -> f64 {
        let of = |bound: &Self| bound.value(rows, values);
        match self {
            Self::Number(number) => *number,
            Self::Column(place, column, plus) => match rows[*place] {
                NO_ROW => f64::NAN,
                row => f64::from(column[row as usize]) + plus,
            },
            Self::Value(place) => values[*place],
            Self::Arithmetic(sign, left, right) => match sign {
                '+' => of(left) + of(right),
                '-' => of(left) - of(right),
                '*' => of(left) * of(right),
                _ => of(left) / of(right),
            },
            Self::Compare(how, left, right) => {
                let (left, right) = (of(left), of(right));
                f64::from(u8::from(!left.is_nan() && !right.is_nan() && how.holds(left, right)))
            }
            Self::In(of_what, among) => {
                let value = of(of_what);
                f64::from(u8::from(among.contains(&value)))
            }
            Self::And(parts) => f64::from(u8::from(parts.iter().all(|part| of(part) > 0.0))),
            Self::Or(parts) => f64::from(u8::from(parts.iter().any(|part| of(part) > 0.0))),
            Self::Not(part) => 1.0 - of(part),
        }
    }
}

/// How an operator reads a table.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The place of its row.
    pub(crate) place: usize,
    pub(crate) cursor: u16,
    /// The order of its entries on each node; one where there is one server, or where all nodes have all rows.
    pub(crate) orders: NodeOrders,
    /// Where its rows are among those of their node, where they are distributed.
    pub(crate) placed: Option<Rc<PlacedRows>>,
    /// Whether each row has to be fetched behind its entry.
    pub(crate) fetches: bool,
    pub(crate) before_row: Option<Bound>,
    pub(crate) keep: Option<Bound>,
}

/// A value over many rows.
#[derive(Debug)]
pub(crate) struct Total {
    pub(crate) place: usize,
    pub(crate) aggregate: Aggregate,
    pub(crate) of: Bound,
}

/// An operator that can be carried out.
#[derive(Debug)]
pub(crate) struct Step {
    /// Its number among the plan's operators.
    pub(crate) number: usize,
    pub(crate) what: What,
    pub(crate) inputs: Vec<Step>,
    /// Places that it and what is below it fill.
    pub(crate) fills: Places,
    /// Bytes of a row of each input, as far as it is needed here or above.
    pub(crate) widths: Vec<f64>,
    /// Where it keeps rows that outgrow memory, if it may.
    pub(crate) aside: Option<u16>,
    /// Who reads its rows.
    pub(crate) reader: Reader,
}

/// How an operator's rows are read by the one above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// One by one.
    Once,
    /// Only the first few, so that a sort keeps no more.
    First,
    /// Back and forth, where keys repeat: a sort puts them on one tape for that.
    Again,
}

/// Places of rows and of values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) rows: BTreeSet<usize>,
    pub(crate) values: BTreeSet<usize>,
}

/// What an operator does; see `plan::Operator`.
#[derive(Debug)]
pub(crate) enum What {
    Scan(Reading),
    Range(Reading, f64, f64),
    Ref(Reading, Vec<Bound>, Lookup),
    Read {
        temp: usize,
        on: Vec<(Bound, Bound)>,
        keep: Option<Bound>,
    },
    Loop,
    Inner(Join),
    Keep(Bound),
    Value(Total, bool),
    Group(Vec<Bound>, Vec<Total>, Option<Bound>),
    Sort(Vec<(Bound, bool)>),
    Limit(u64),
    Temp,
    Hash(Join, Vec<(Bound, Bound)>, Option<Bound>),
    Merge(Bound, Bound),
    /// Its number among the crossings, and by what rows find their node.
    Cross(Way, u16),
}

/// How rows cross the network; see `plan::Crossing`.
#[derive(Debug)]
pub(crate) enum Way {
    Remote(Nodes),
    Redistribute(Nodes, Bound),
    Call(Nodes),
}

/// A plan that can be carried out over a database.
#[derive(Debug)]
pub(crate) struct BoundPlan {
    pub(crate) temps: Vec<Step>,
    pub(crate) result: Step,
    pub(crate) cursors: Vec<Cursor>,
    /// The number of each cursor's operator.
    pub(crate) cursor_operators: Vec<usize>,
    pub(crate) rows: usize,
    pub(crate) values: usize,
    /// Operators by their numbers: line, depth and text.
    pub(crate) operators: Vec<(usize, usize, String)>,
}

/// How an engine stores what plans read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Storing {
    /// The primary key's entries are the rows (InnoDB); else rows lie in a heap.
    pub clustered: bool,
    /// What a sort or a hash table may take before it spills; without end where nothing is said.
    pub memory: Option<WorkMemory>,
}

struct Binder<'a> {
    database: &'a Database,
    placement: Option<&'a Placement>,
    /// How many crossings the operator at hand stands below.
    below: usize,
    storing: Storing,
    /// Names of places of rows, with their tables.
    aliases: Vec<(String, TableName)>,
    /// Bytes that each carries beside the columns that are named.
    carried: Vec<u32>,
    values: Vec<String>,
    temps: Vec<String>,
    /// What each of those bound so far fills.
    temp_fills: Vec<Places>,
    cursors: Vec<Cursor>,
    cursor_operators: Vec<usize>,
    operators: Vec<(usize, usize, String)>,
}

/// Resolves the names of a plan.
pub(crate) fn bind(
    plan: &Plan,
    database: &Database,
    placement: Option<&Placement>,
    storing: Storing,
) -> Result<BoundPlan, PlanError> {
    let mut binder = Binder {
        database,
        placement,
        below: 0,
        storing,
        aliases: Vec::new(),
        carried: Vec::new(),
        values: Vec::new(),
        temps: Vec::new(),
        temp_fills: Vec::new(),
        cursors: Vec::new(),
        cursor_operators: Vec::new(),
        operators: Vec::new(),
    };
    let mut wanted = BTreeSet::new();
    for node in &plan.parts {
        binder.declare(node)?;
    }
    for node in &plan.parts {
        binder.gather(node, &mut wanted)?;
    }
    database.prepare(&wanted);
    let mut steps = Vec::new();
    for node in &plan.parts {
        // What is kept aside is kept where it is read.
        binder.below = usize::from(matches!(node.operator, Operator::Temp(_)));
        let step = binder.step(node, 0, &BTreeSet::new(), Reader::Once)?;
        binder.temp_fills.push(step.fills.clone());
        steps.push(step);
    }
    let (Some(result), Some(last)) = (steps.pop(), plan.parts.last()) else {
        return Err(PlanError { line: 1, problem: "no operator".into() });
    };
    if matches!(result.what, What::Temp) || steps.iter().any(|step| !matches!(step.what, What::Temp)) {
        let problem = "one result behind what is kept aside expected".into();
        return Err(PlanError { line: last.line, problem });
    }
    Ok(BoundPlan {
        temps: steps,
        result,
        cursors: binder.cursors,
        cursor_operators: binder.cursor_operators,
        rows: binder.aliases.len(),
        values: binder.values.len(),
        operators: binder.operators,
    })
}

fn at(node: &Node) -> impl Fn(String) -> PlanError {
    let line = node.line;
    move |problem| PlanError { line, problem }
}

/// What a node reads of a table, and the expressions that stand in it.
fn expressions(node: &Node) -> Vec<&Expression> {
    fn rows_expressions(rows: &Rows) -> impl Iterator<Item = &Expression> {
        rows.before_row.iter().chain(&rows.keep)
    }
    match &node.operator {
        Operator::Scan(rows) => rows_expressions(rows).collect(),
        Operator::Range(rows, from, to) => rows_expressions(rows).chain([from, to]).collect(),
        Operator::Ref(rows, keys, _) => rows_expressions(rows).chain(keys).collect(),
        Operator::Read(_, on, keep) | Operator::Hash(_, on, keep) => {
            on.iter().flat_map(|(left, right)| [left, right]).chain(keep).collect()
        }
        Operator::Merge(left, right) => vec![left, right],
        Operator::Keep(condition) => vec![condition],
        Operator::Value(computed, _) => vec![&computed.of],
        Operator::Group(by, computed, having) => {
            by.iter().chain(computed.iter().map(|c| &c.of)).chain(having).collect()
        }
        Operator::Cross(Crossing::Redistribute(_, by)) => vec![by],
        Operator::Sort(by, _) => by.iter().map(|(key, _)| key).collect(),
        Operator::Cross(_) | Operator::Loop | Operator::Inner(_) | Operator::Limit(_) | Operator::Temp(_) => {
            Vec::new()
        }
    }
}

impl Binder<'_> {
    /// Notes the names that a node and those below it introduce.
    fn declare(&mut self, node: &Node) -> Result<(), PlanError> {
        match &node.operator {
            Operator::Scan(rows) | Operator::Range(rows, ..) | Operator::Ref(rows, ..) => {
                let table = TableName::find(&rows.table)
                    .ok_or_else(|| at(node)(format!("`{}` is no table of TPC-H", rows.table)))?;
                if self.aliases.iter().any(|(alias, _)| *alias == rows.alias) {
                    return Err(at(node)(format!("`{}` again; a name of its own expected", rows.alias)));
                }
                self.aliases.push((rows.alias.clone(), table));
                self.carried.push(rows.carried);
            }
            Operator::Value(computed, _) => self.declare_value(node, computed)?,
            Operator::Group(_, computed, _) => {
                for computed in computed {
                    self.declare_value(node, computed)?;
                }
            }
            Operator::Temp(name) => self.temps.push(name.clone()),
            _ => {}
        }
        node.inputs.iter().try_for_each(|input| self.declare(input))
    }

    fn declare_value(&mut self, node: &Node, computed: &Computed) -> Result<(), PlanError> {
        if self.values.contains(&computed.name) || Column::find(&computed.name).is_some() {
            return Err(at(node)(format!("`{}` again; a name of its own expected", computed.name)));
        }
        self.values.push(computed.name.clone());
        Ok(())
    }

    /// Notes what is read of the data.
    fn gather(&self, node: &Node, wanted: &mut BTreeSet<Feature>) -> Result<(), PlanError> {
        for expression in expressions(node) {
            self.features(expression, wanted).map_err(at(node))?;
        }
        node.inputs.iter().try_for_each(|input| self.gather(input, wanted))
    }

    fn features(&self, expression: &Expression, wanted: &mut BTreeSet<Feature>) -> Result<(), String> {
        if let Some((_, feature)) = self.text_test(expression)? {
            wanted.insert(feature);
            return Ok(());
        }
        let mut gather = |inner: &Expression| self.features(inner, wanted);
        match expression {
            Expression::Number(_) | Expression::Text(_) | Expression::Like(..) => Ok(()),
            Expression::Name(name) => {
                if let Some((_, column)) = self.column(name)? {
                    wanted.insert(Feature::Value(column));
                }
                Ok(())
            }
            Expression::Arithmetic(_, left, right) | Expression::Compare(_, left, right) => {
                gather(left).and_then(|()| gather(right))
            }
            Expression::In(of, among) => gather(of).and_then(|()| among.iter().try_for_each(gather)),
            Expression::And(parts) | Expression::Or(parts) => parts.iter().try_for_each(gather),
            Expression::Not(part) => gather(part),
        }
    }

    /// A comparison of a column of text with words: the place of its row, and what is kept of it.
    fn text_test(&self, expression: &Expression) -> Result<Option<(usize, Feature)>, String> {
        if let Expression::Like(name, pattern) = expression {
            let (place, column) = self.text_column(name)?;
            return Ok(Some((place, Feature::IsLike(column, pattern.clone()))));
        }
        let (of, among) = match expression {
            Expression::Compare(Comparison::Equal | Comparison::NotEqual, left, right) => {
                (left, std::slice::from_ref(&**right))
            }
            Expression::In(of, among) => (of, among.as_slice()),
            _ => return Ok(None),
        };
        let word = |value: &Expression| match value {
            Expression::Text(text) => Some(text.clone()),
            _ => None,
        };
        let words: Option<Vec<String>> = among.iter().map(word).collect();
        let (Expression::Name(name), Some(words)) = (&**of, words) else { return Ok(None) };
        let (place, column) = self.text_column(name)?;
        Ok(Some((place, Feature::IsOneOf(column, words))))
    }

    /// The place of a column of text, and the column.
    fn text_column(&self, name: &str) -> Result<(usize, Column), String> {
        let text = self.column(name)?.filter(|(_, column)| column.is_text());
        text.ok_or_else(|| format!("`{name}` is no column of text"))
    }

    /// The column of a name and the place of its row; none where it is a computed value.
    fn column(&self, name: &str) -> Result<Option<(usize, Column)>, String> {
        if self.values.iter().any(|value| value == name) {
            return Ok(None);
        }
        let (alias, column) = name.split_once('.').map_or((None, name), |(a, c)| (Some(a), c));
        let column =
            Column::find(column).ok_or_else(|| format!("`{name}` is neither a column nor a value"))?;
        // Where a table is used more than once, a column without an alias is that of the table under its own name.
        let own = |alias: &str| alias == column.table().name();
        let among = || {
            let aliases = (0..).zip(&self.aliases);
            aliases.filter(|(_, (_, table))| *table == column.table()).map(|(place, (name, _))| (place, name))
        };
        let mut places = among();
        let place = match alias {
            Some(alias) => places.find(|(_, name)| *name == alias),
            None => match (places.next(), places.next()) {
                (only, None) => only,
                _ => among().find(|(_, name)| own(name)),
            },
        };
        place
            .map(|(place, _)| Some((place, column)))
            .ok_or_else(|| format!("`{name}`: no such table in the plan"))
    }

    fn bound(&self, expression: &Expression) -> Result<Bound, String> {
        let boxed = |inner: &Expression| self.bound(inner).map(Box::new);
        let all = |parts: &[Expression]| parts.iter().map(|part| self.bound(part)).collect::<Result<_, _>>();
        if let Some((place, feature)) = self.text_test(expression)? {
            let found = Bound::Column(place, self.database.values(&feature), 0.0);
            let negated = matches!(expression, Expression::Compare(Comparison::NotEqual, ..));
            return Ok(if negated { Bound::Not(Box::new(found)) } else { found });
        }
        Ok(match expression {
            Expression::Number(number) => Bound::Number(*number),
            Expression::Text(text) => return Err(format!("'{text}' is compared with no column of text")),
            Expression::Like(name, _) => return Err(format!("`{name}` is no column of text")),
            Expression::Name(name) => match self.column(name)? {
                Some((place, column)) => {
                    let plus = match column {
                        Column::SAcctbal | Column::CAcctbal => -(BALANCE_ZERO as f64),
                        _ => 0.0,
                    };
                    Bound::Column(place, self.database.values(&Feature::Value(column)), plus)
                }
                None => Bound::Value(self.value_place(name)),
            },
            Expression::Arithmetic(sign, left, right) => {
                Bound::Arithmetic(*sign, boxed(left)?, boxed(right)?)
            }
            Expression::Compare(how, left, right) => Bound::Compare(*how, boxed(left)?, boxed(right)?),
            Expression::In(of, among) => {
                let number = |value: &Expression| match value {
                    Expression::Number(number) => Ok(*number),
                    other => Err(format!("numbers or words expected, found {other:?}")),
                };
                Bound::In(boxed(of)?, among.iter().map(number).collect::<Result<_, _>>()?)
            }
            Expression::And(parts) => Bound::And(all(parts)?),
            Expression::Or(parts) => Bound::Or(all(parts)?),
            Expression::Not(part) => Bound::Not(boxed(part)?),
        })
    }

    fn value_place(&self, name: &str) -> usize {
        self.values.iter().position(|value| value == name).unwrap_or(0)
    }

    fn total(&self, computed: &Computed) -> Result<Total, String> {
        let place = self.value_place(&computed.name);
        Ok(Total { place, aggregate: computed.aggregate, of: self.bound(&computed.of)? })
    }

    fn pairs(&self, on: &[(Expression, Expression)]) -> Result<Vec<(Bound, Bound)>, String> {
        on.iter().map(|(left, right)| Ok((self.bound(left)?, self.bound(right)?))).collect()
    }

    fn optional(&self, expression: Option<&Expression>) -> Result<Option<Bound>, String> {
        expression.map(|expression| self.bound(expression)).transpose()
    }

    fn reading(&mut self, rows: &Rows, whole: bool, unique: bool) -> Result<Reading, String> {
        let place = self.aliases.iter().position(|(alias, _)| *alias == rows.alias).unwrap_or(0);
        let (_, table) = self.aliases[place];
        let keys = table.indexes();
        let index = match &rows.index {
            None => 0,
            Some(name) => keys
                .iter()
                .position(|key| key.name == name)
                .ok_or_else(|| format!("`{name}` is no index of {}", table.name()))?,
        };
        if self.placement.is_some() && self.below == 0 {
            return Err(format!("`{}` read at the coordinator, which has no rows", rows.alias));
        }
        let whole = whole && rows.index.is_none();
        let unique = unique || (index == 0 && keys[0].second.is_none() && table != TableName::Lineitem);
        // The operator at hand is the last one that was noted.
        self.cursor_operators.push(self.operators.len() - 1);
        self.cursors.push(Cursor { table: table.number(), index, whole, unique });
        let rows_are_entries = whole || (self.storing.clustered && index == 0);
        Ok(Reading {
            place,
            cursor: (self.cursors.len() - 1) as u16,
            orders: match self.placement {
                Some(placement) => placement.orders(self.database, table, index),
                None => Rc::new(vec![self.database.order(table, index)]),
            },
            placed: self.placement.and_then(|placement| placement.rows(self.database, table)),
            fetches: !rows_are_entries && !rows.index_only,
            before_row: self.optional(rows.before_row.as_ref())?,
            keep: self.optional(rows.keep.as_ref())?,
        })
    }

    fn constant(&self, expression: &Expression) -> Result<f64, String> {
        match expression {
            Expression::Number(number) => Ok(*number),
            other => Err(format!("a number or a date expected, found {other:?}")),
        }
    }

    /// `above` is what the operators above need of its rows; `reader`: how they read them.
    fn step(
        &mut self,
        node: &Node,
        depth: usize,
        above: &BTreeSet<(usize, Column)>,
        reader: Reader,
    ) -> Result<Step, PlanError> {
        let number = self.operators.len();
        self.operators.push((node.line, depth, node.text.clone()));
        let what = self.what(node).map_err(at(node))?;
        let outgrows = match &node.operator {
            Operator::Sort(_, sorting) => reader != Reader::First && *sorting == Sorting::Whole,
            Operator::Hash(..) => true,
            _ => false,
        };
        let aside = outgrows.then(|| self.aside());
        let mut needed = above.clone();
        for expression in expressions(node) {
            self.columns(expression, &mut needed).map_err(at(node))?;
        }
        let reads = |input| match (&node.operator, input) {
            (Operator::Limit(_), _) => Reader::First,
            (Operator::Merge(..), 1) => Reader::Again,
            _ => Reader::Once,
        };
        let inputs = (0..).zip(&node.inputs);
        let crosses = usize::from(matches!(what, What::Cross(..)));
        self.below += crosses;
        let inputs = inputs.map(|(at, input)| self.step(input, depth + 1, &needed, reads(at)));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        self.below -= crosses;
        let fills = self.fills(&what, &inputs);
        let widths = inputs.iter().map(|input| self.width(&input.fills, &needed)).collect();
        Ok(Step { number, what, inputs, fills, widths, aside, reader })
    }

    /// A cursor for what the operator at hand keeps aside.
    fn aside(&mut self) -> u16 {
        self.cursor_operators.push(self.operators.len() - 1);
        self.cursors.push(Cursor::ASIDE);
        (self.cursors.len() - 1) as u16
    }

    /// Bytes of a row that fills these places, of which these columns are needed.
    fn width(&self, fills: &Places, needed: &BTreeSet<(usize, Column)>) -> f64 {
        let named = needed.iter().filter(|(place, _)| fills.rows.contains(place));
        let named: u32 = named.map(|(_, column)| column.bytes()).sum();
        let carried: u32 = fills.rows.iter().map(|place| self.carried[*place]).sum();
        f64::from(named + carried + VALUE_BYTES * fills.values.len() as u32)
    }

    /// Notes the columns that an expression needs, with the places of their rows.
    fn columns(&self, expression: &Expression, needed: &mut BTreeSet<(usize, Column)>) -> Result<(), String> {
        let mut note = |inner: &Expression| self.columns(inner, needed);
        match expression {
            Expression::Number(_) | Expression::Text(_) => Ok(()),
            Expression::Name(name) | Expression::Like(name, _) => {
                needed.extend(self.column(name)?);
                Ok(())
            }
            Expression::Arithmetic(_, left, right) | Expression::Compare(_, left, right) => {
                note(left).and_then(|()| note(right))
            }
            Expression::In(of, among) => note(of).and_then(|()| among.iter().try_for_each(note)),
            Expression::And(parts) | Expression::Or(parts) => parts.iter().try_for_each(note),
            Expression::Not(part) => note(part),
        }
    }

    fn what(&mut self, node: &Node) -> Result<What, String> {
        Ok(match &node.operator {
            Operator::Scan(rows) => What::Scan(self.reading(rows, true, false)?),
            Operator::Range(rows, from, to) => {
                let (from, to) = (self.constant(from)?, self.constant(to)?);
                What::Range(self.reading(rows, false, false)?, from, to)
            }
            Operator::Ref(rows, keys, lookup) => {
                let keys = keys.iter().map(|key| self.bound(key)).collect::<Result<_, _>>()?;
                What::Ref(self.reading(rows, false, *lookup == Lookup::Unique)?, keys, *lookup)
            }
            Operator::Read(name, on, keep) => {
                let temp = self.temps.iter().position(|temp| temp == name);
                let temp = temp.ok_or_else(|| format!("`{name}` was not kept aside"))?;
                What::Read { temp, on: self.pairs(on)?, keep: self.optional(keep.as_ref())? }
            }
            Operator::Loop => What::Loop,
            Operator::Inner(join) => What::Inner(*join),
            Operator::Keep(condition) => What::Keep(self.bound(condition)?),
            Operator::Value(computed, once) => What::Value(self.total(computed)?, *once),
            Operator::Group(by, computed, having) => What::Group(
                by.iter().map(|key| self.bound(key)).collect::<Result<_, _>>()?,
                computed.iter().map(|computed| self.total(computed)).collect::<Result<_, _>>()?,
                self.optional(having.as_ref())?,
            ),
            Operator::Sort(by, _) => What::Sort(
                by.iter().map(|(key, down)| Ok((self.bound(key)?, *down))).collect::<Result<_, String>>()?,
            ),
            Operator::Limit(rows) => What::Limit(*rows),
            Operator::Temp(_) => What::Temp,
            Operator::Hash(join, on, keep) => {
                What::Hash(*join, self.pairs(on)?, self.optional(keep.as_ref())?)
            }
            Operator::Cross(_) if self.placement.is_none() => {
                return Err("rows that cross a network, and no cluster".into());
            }
            Operator::Cross(crossing) => {
                let way = match crossing {
                    Crossing::Remote(nodes) => Way::Remote(*nodes),
                    Crossing::Redistribute(nodes, by) => Way::Redistribute(*nodes, self.bound(by)?),
                    Crossing::Call(nodes) => Way::Call(*nodes),
                };
                What::Cross(way, self.aside())
            }
            Operator::Merge(left, right) => What::Merge(self.bound(left)?, self.bound(right)?),
        })
    }

    fn fills(&self, what: &What, inputs: &[Step]) -> Places {
        let mut fills = Places::default();
        for input in inputs {
            fills.rows.extend(&input.fills.rows);
            fills.values.extend(&input.fills.values);
        }
        match what {
            What::Scan(reading) | What::Range(reading, ..) | What::Ref(reading, ..) => {
                fills.rows.insert(reading.place);
            }
            What::Value(total, _) => {
                fills.values.insert(total.place);
            }
            What::Group(_, totals, _) => fills.values.extend(totals.iter().map(|total| total.place)),
            What::Read { temp, .. } => {
                // What was kept aside comes back to its own places.
                if let Some(own) = self.temp_fills.get(*temp) {
                    fills = own.clone();
                }
            }
            _ => {}
        }
        fills
    }
}
