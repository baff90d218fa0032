//! A plan as it is written: one operator a line, what it works on below it, two spaces deeper.
//!
//! ```text
//! sort by revenue desc
//!   group by l_orderkey computing revenue = sum(l_extendedprice * (100 - l_discount))
//!     loop
//!       range orders by o_orderdate from 1992-01-01 to 1995-03-15
//!       unique customer = o_custkey where c_mktsegment = 'BUILDING'
//!       ref lineitem = o_orderkey where l_shipdate > 1995-03-15
//! ```
//!
//! Lines that begin with `#` say where a plan comes from. Operators and their clauses stand at [`Operator`].

use crate::expression::{Expression, Token, Tokens, expect, expression, take, tokens, word};
use std::fmt;

/// A plan of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Where it comes from, and why it is so.
    pub source: String,
    /// What is kept aside for later, by name, and last what gives the result.
    pub(crate) parts: Vec<Node>,
}

/// An operator of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The line it stands on, from 1.
    pub(crate) line: usize,
    /// The line.
    pub(crate) text: String,
    pub(crate) operator: Operator,
    /// What it works on.
    pub(crate) inputs: Vec<Node>,
}

/// How an operator comes to the rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    pub(crate) table: String,
    /// A name of its own where a table is used more than once.
    pub(crate) alias: String,
    /// The index; the primary key where nothing is said.
    pub(crate) index: Option<String>,
    /// Whether the index has all that is asked for, so that the row is not fetched (`only`).
    pub(crate) index_only: bool,
    /// What is known of an entry before its row is fetched (`first`).
    pub(crate) before_row: Option<Expression>,
    /// What has to hold of a row (`where`).
    pub(crate) keep: Option<Expression>,
    /// Bytes of columns that the result shows and no expression names (`carrying`).
    pub(crate) carried: u32,
}

/// What becomes of many values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aggregate {
    Sum,
    Min,
    Max,
    Average,
    Count,
}

/// A value over many rows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Computed {
    pub(crate) name: String,
    pub(crate) aggregate: Aggregate,
    pub(crate) of: Expression,
}

/// How rows of two sides come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    Inner,
    /// The row on the left once, where there is one on the right.
    Semi,
    /// The row on the left where there is none on the right.
    Anti,
    /// The row on the left at least once.
    Left,
    /// The row on the right at least once: those that nothing on the left has met come at the end.
    Right,
}

/// What an operator does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operator {
    /// `scan TABLE`: all rows in the order in which they are stored, or in that of an index.
    Scan(Rows),
    /// `range TABLE by INDEX from A to B`: the entries from A up to B, without B.
    Range(Rows, Expression, Expression),
    /// `ref TABLE by INDEX = A, B`: the entries of a key. `unique`: the same, and a key that was asked for the last time is not looked up again.
    /// `memo`: nor is any that was ever asked for. `bitmap`: rows are fetched in the order in which they are stored.
    Ref(Rows, Vec<Expression>, Lookup),
    /// `read NAME on A = B`: rows kept aside whose A is B; all of them where nothing is said.
    Read(String, Vec<(Expression, Expression)>, Option<Expression>),
    /// `loop`: for each row of the first input the next one, and so on.
    Loop,
    /// `exists`, `absent`, `optional`: within a loop, whether its inputs give a row; they stop at the first one.
    Inner(Join),
    /// `keep CONDITION`: within a loop.
    Keep(Expression),
    /// `value NAME = AGGREGATE(A)`: within a loop, a value over its inputs for each row; `once` for all rows.
    Value(Computed, bool),
    /// `group by A, B computing NAME = AGGREGATE(C), … having CONDITION`.
    Group(Vec<Expression>, Vec<Computed>, Option<Expression>),
    /// `sort by A, B desc`; `incremental sort by A, B`: what comes is in the order of A already, so that little is sorted at a time.
    Sort(Vec<(Expression, bool)>, Sorting),
    /// `limit N`.
    Limit(u64),
    /// `temp NAME`: what is kept aside when it is first read.
    Temp(String),
    /// `hash inner on A = B where CONDITION`: the second input in a hash table, the first one looks it up.
    Hash(Join, Vec<(Expression, Expression)>, Option<Expression>),
    /// Its rows cross the network; see [`Crossing`].
    Cross(Crossing),
    /// `merge inner on A = B`: both inputs in the order of their keys, the second one out of a sort, so that it is read
    /// whole when the first one begins; the first one ends behind the last key of the second.
    Merge(Expression, Expression),
}

/// How rows come from nodes of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Crossing {
    /// `remote`: what is below is carried out on all nodes at once, and their rows come to the coordinator. `remote one`: on one
    /// of them, where all it reads is replicated.
    Remote(Nodes),
    /// `redistribute by A`: what is below is carried out on all nodes, and each of its rows goes to the node of its A.
    /// `redistribute one by A`: on one of them.
    Redistribute(Nodes, Expression),
    /// `call`: within a loop, what is below is carried out on all nodes for each row that comes, and what they find comes back.
    /// `call one`: on one of them.
    Call(Nodes),
}

/// Where the part of a plan below a crossing is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nodes {
    All,
    One,
}

/// How much is sorted at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sorting {
    /// Everything.
    Whole,
    /// Rows alike in the first part of the key.
    Incremental,
}

/// How a key is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    Each,
    Unique,
    Memo,
    Bitmap,
}

/// What is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError {
    /// The line, from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub problem: String,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// The first line that cannot be understood.
    pub fn read(text: &str) -> Result<Self, PlanError> {
        let source = text.lines().filter_map(|line| line.strip_prefix('#')).map(str::trim);
        let source = source.collect::<Vec<_>>().join(" ");
        let mut lines = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let depth = text.len() - text.trim_start().len();
            if depth % 2 != 0 {
                return Err(PlanError { line, problem: "an odd number of spaces before it".into() });
            }
            let operator = operator(text).map_err(|problem| PlanError { line, problem })?;
            lines.push((depth / 2, Node { line, text: text.trim().into(), operator, inputs: Vec::new() }));
        }
        let mut lines = lines.into_iter().peekable();
        let parts = operators(&mut lines, 0)?;
        match lines.next() {
            Some((_, node)) => {
                Err(PlanError { line: node.line, problem: "deeper than what it belongs to".into() })
            }
            None if parts.is_empty() => Err(PlanError { line: 1, problem: "no operator".into() }),
            None => Ok(Self { source, parts }),
        }
    }
}

/// The operators that stand at `depth`, each with what is below it.
fn operators(
    lines: &mut std::iter::Peekable<impl Iterator<Item = (usize, Node)>>,
    depth: usize,
) -> Result<Vec<Node>, PlanError> {
    let mut found = Vec::new();
    while let Some((_, mut node)) = lines.next_if(|(at, _)| *at == depth) {
        node.inputs = operators(lines, depth + 1)?;
        check_inputs(&node)?;
        found.push(node);
    }
    Ok(found)
}

fn check_inputs(node: &Node) -> Result<(), PlanError> {
    use Operator as O;
    let expected = match node.operator {
        O::Scan(_) | O::Range(..) | O::Ref(..) | O::Read(..) | O::Keep(_) => 0..=0,
        O::Group(..) | O::Cross(_) | O::Sort(..) | O::Limit(_) | O::Temp(_) | O::Value(..) => 1..=1,
        O::Hash(..) | O::Merge(..) => 2..=2,
        O::Loop | O::Inner(_) => 1..=usize::MAX,
    };
    let found = node.inputs.len();
    if expected.contains(&found) {
        return Ok(());
    }
    let problem = format!("{found} inputs below it, {} expected", expected.start());
    Err(PlanError { line: node.line, problem })
}

fn operator(line: &str) -> Result<Operator, String> {
    let found = tokens(line)?;
    let tokens = &mut found.iter().peekable();
    let name = word(tokens)?;
    let operator = match name.as_str() {
        "scan" => Operator::Scan(end_of_rows(named_rows(tokens)?, tokens)?),
        "range" => {
            let rows = named_rows(tokens)?;
            expect(tokens, "from")?;
            let from = expression(tokens)?;
            expect(tokens, "to")?;
            let to = expression(tokens)?;
            Operator::Range(end_of_rows(rows, tokens)?, from, to)
        }
        "ref" => looked_up(tokens, Lookup::Each)?,
        "unique" => looked_up(tokens, Lookup::Unique)?,
        "memo" => looked_up(tokens, Lookup::Memo)?,
        "bitmap" => looked_up(tokens, Lookup::Bitmap)?,
        "read" => {
            let name = word(tokens)?;
            Operator::Read(name, pairs(tokens)?, clause(tokens, "where")?)
        }
        "loop" => Operator::Loop,
        "exists" => Operator::Inner(Join::Semi),
        "absent" => Operator::Inner(Join::Anti),
        "optional" => Operator::Inner(Join::Left),
        "keep" => Operator::Keep(expression(tokens)?),
        "value" => Operator::Value(computed(tokens)?, false),
        "once" => Operator::Value(computed(tokens)?, true),
        "group" => {
            let by = if take(tokens, "by") { list(tokens, expression)? } else { Vec::new() };
            let values = if take(tokens, "computing") { list(tokens, computed)? } else { Vec::new() };
            Operator::Group(by, values, clause(tokens, "having")?)
        }
        "remote" => Operator::Cross(Crossing::Remote(nodes(tokens))),
        "redistribute" => {
            let nodes = nodes(tokens);
            expect(tokens, "by")?;
            Operator::Cross(Crossing::Redistribute(nodes, expression(tokens)?))
        }
        "call" => Operator::Cross(Crossing::Call(nodes(tokens))),
        "sort" => Operator::Sort(sort_keys(tokens)?, Sorting::Whole),
        "incremental" => {
            expect(tokens, "sort")?;
            Operator::Sort(sort_keys(tokens)?, Sorting::Incremental)
        }
        "limit" => Operator::Limit(number(tokens)? as u64),
        "temp" => Operator::Temp(word(tokens)?),
        "hash" => {
            let join = match word(tokens)?.as_str() {
                "inner" => Join::Inner,
                "semi" => Join::Semi,
                "anti" => Join::Anti,
                "left" => Join::Left,
                "right" => Join::Right,
                other => {
                    return Err(format!("`{other}` is no join; inner, semi, anti, left or right expected"));
                }
            };
            Operator::Hash(join, pairs(tokens)?, clause(tokens, "where")?)
        }
        "merge" => {
            expect(tokens, "inner")?;
            let mut on = pairs(tokens)?;
            match (on.pop(), on.pop()) {
                (Some((left, right)), None) => Operator::Merge(left, right),
                _ => return Err("`on A = B` expected".into()),
            }
        }
        other => return Err(format!("`{other}` is no operator")),
    };
    match tokens.next() {
        None => Ok(operator),
        Some(token) => Err(format!("more than the operator takes: {token:?}")),
    }
}

fn nodes(tokens: &mut Tokens<'_>) -> Nodes {
    if take(tokens, "one") { Nodes::One } else { Nodes::All }
}

/// `by A, B desc`.
fn sort_keys(tokens: &mut Tokens<'_>) -> Result<Vec<(Expression, bool)>, String> {
    expect(tokens, "by")?;
    list(tokens, |tokens| Ok((expression(tokens)?, take(tokens, "desc"))))
}

/// `TABLE as ALIAS by INDEX`.
fn named_rows(tokens: &mut Tokens<'_>) -> Result<Rows, String> {
    let table = word(tokens)?;
    let alias = if take(tokens, "as") { word(tokens)? } else { table.clone() };
    let index = if take(tokens, "by") { Some(word(tokens)?) } else { None };
    Ok(Rows { table, alias, index, index_only: false, before_row: None, keep: None, carried: 0 })
}

/// `only carrying BYTES first CONDITION where CONDITION`.
fn end_of_rows(rows: Rows, tokens: &mut Tokens<'_>) -> Result<Rows, String> {
    let index_only = take(tokens, "only");
    let carried = if take(tokens, "carrying") { number(tokens)? as u32 } else { 0 };
    let before_row = clause(tokens, "first")?;
    Ok(Rows { index_only, before_row, keep: clause(tokens, "where")?, carried, ..rows })
}

fn looked_up(tokens: &mut Tokens<'_>, lookup: Lookup) -> Result<Operator, String> {
    let rows = named_rows(tokens)?;
    expect(tokens, "=")?;
    let keys = list(tokens, expression)?;
    if keys.len() > 2 {
        return Err("more than two columns of a key".into());
    }
    Ok(Operator::Ref(end_of_rows(rows, tokens)?, keys, lookup))
}

fn number(tokens: &mut Tokens<'_>) -> Result<f64, String> {
    match tokens.next() {
        Some(Token::Number(number)) => Ok(*number),
        _ => Err("a number expected".into()),
    }
}

fn clause(tokens: &mut Tokens<'_>, name: &str) -> Result<Option<Expression>, String> {
    if take(tokens, name) { expression(tokens).map(Some) } else { Ok(None) }
}

/// `on A = B, C = D`.
fn pairs(tokens: &mut Tokens<'_>) -> Result<Vec<(Expression, Expression)>, String> {
    if !take(tokens, "on") {
        return Ok(Vec::new());
    }
    list(tokens, |tokens| match expression(tokens)? {
        Expression::Compare(crate::expression::Comparison::Equal, left, right) => Ok((*left, *right)),
        other => Err(format!("A = B expected, found {other:?}")),
    })
}

fn computed(tokens: &mut Tokens<'_>) -> Result<Computed, String> {
    let name = word(tokens)?;
    expect(tokens, "=")?;
    let aggregate = match word(tokens)?.as_str() {
        "sum" => Aggregate::Sum,
        "min" => Aggregate::Min,
        "max" => Aggregate::Max,
        "avg" => Aggregate::Average,
        "count" => Aggregate::Count,
        other => return Err(format!("`{other}` is no aggregate; sum, min, max, avg or count expected")),
    };
    expect(tokens, "(")?;
    let of = expression(tokens)?;
    expect(tokens, ")")?;
    Ok(Computed { name, aggregate, of })
}

fn list<T>(
    tokens: &mut Tokens<'_>,
    item: impl Fn(&mut Tokens<'_>) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let mut items = vec![item(tokens)?];
    while take(tokens, ",") {
        items.push(item(tokens)?);
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_says_what_belongs_to_what() {
        let plan =
            Plan::read("# from the manual\nloop\n  scan orders\n  ref lineitem = o_orderkey\n").unwrap();
        assert_eq!(plan.source, "from the manual");
        assert_eq!(plan.parts[0].inputs.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line) in [
            ("loop\n   scan orders", 2),
            ("scan orders\n  scan lineitem", 1),
            ("group by a computing b = median(c)\n  scan orders", 1),
            ("loop\n    scan orders", 2),
            ("", 1),
            ("hash inner on a = b\n  scan orders", 1),
            ("wander orders", 1),
            ("merge inner\n  scan orders\n  scan lineitem", 1),
            ("merge left on a = b\n  scan orders\n  scan lineitem", 1),
        ] {
            let error = Plan::read(text).unwrap_err();
            assert!(error.line == line || error.problem.contains("inputs"), "{text}: {error}");
        }
    }
}
