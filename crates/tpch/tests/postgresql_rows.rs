//! Plans of PostgreSQL against EXPLAIN ANALYZE: each operator that was measured has its like in the plan, which was begun
//! as often and handed on as many rows.

use spindle_tpch::{Database, OperatorRows, PlanSet, Storing, execute};

const MEASURED: &str = include_str!("../../../tests/data/ground-truth/postgresql-plans.txt");
/// How far rows and loops may be from the measured ones.
const TOLERANCE: f64 = 0.05;

/// The table that an operator reads.
fn table(operator: &OperatorRows) -> Option<&str> {
    let mut words = operator.text.split(' ');
    let reads = ["scan", "range", "ref", "unique", "memo", "bitmap"];
    reads.contains(&words.next()?).then(|| words.next()).flatten()
}

fn near(model: u64, truth: f64, rounding: f64) -> bool {
    (model as f64 - truth).abs() <= (truth * TOLERANCE).max(rounding)
}

/// Loops and rows that could be those of an operator over `of`: of one operator, or of two where a subquery stands twice.
fn candidates(operators: &[OperatorRows], of: &str) -> Vec<(u64, u64)> {
    let own = operators.iter().filter(|operator| of == "-" || table(operator) == Some(of));
    let single: Vec<(u64, u64)> = own.map(|operator| (operator.loops, operator.kept)).collect();
    let pairs = single
        .iter()
        .enumerate()
        .flat_map(|(at, one)| single[at + 1..].iter().map(move |other| (one.0 + other.0, one.1 + other.1)));
    if of == "-" { single.clone() } else { single.iter().copied().chain(pairs).collect() }
}

#[test]
fn operators_see_the_rows_that_explain_counted() {
    let database = Database::new(1.0);
    let (mut set, mut query, mut operators, mut wrong) = (None, 0, Vec::new(), Vec::new());
    for line in MEASURED.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["set", name, _] => set = PlanSet::find(name),
            ["query", number, ..] => {
                query = number.parse().expect("a query's number");
                let plan = set.expect("a set of plans").plan(query).expect("a plan");
                operators = execute(&plan, &database, Storing::default()).expect(number).operators;
            }
            [_, of, loops, rows] => {
                let loops: f64 = loops.parse().expect("loops");
                let rows: f64 = rows.parse::<f64>().expect("rows") * loops;
                // An average over loops is rounded to whole rows.
                let rounding = if loops > 1.0 { loops / 2.0 } else { 0.0 };
                let fits = |(begun, kept): &(u64, u64)| {
                    near(*kept, rows, rounding) && (of == "-" || near(*begun, loops, 0.0))
                };
                // A join or a total within a subquery is part of a line of the plan, and is seen by what it reads.
                let within = of == "-" && loops > 1.0;
                if !within && !candidates(&operators, of).iter().any(fits) {
                    wrong.push(format!("{} Q{query}: {line}", set.map_or("", PlanSet::name)));
                }
            }
            _ => panic!("{line}"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
