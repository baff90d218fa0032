//! Carries out a plan and prints what its operators saw: `cargo run --example plan -- SET QUERY SCALE`.

use spindle_tpch::{Database, PlanSet, Storing, execute};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let set = match words.next().as_deref() {
        Some("mysql-5.6") => PlanSet::Mysql56,
        _ => PlanSet::Mariadb,
    };
    let query = words.next().and_then(|word| word.parse().ok());
    let scale = words.next().and_then(|word| word.parse().ok()).unwrap_or(0.01);
    let database = Database::new(scale);
    for query in query.map_or(1..=22, |query| query..=query) {
        let begun = std::time::Instant::now();
        let execution = execute(&set.plan(query)?, &database, Storing { clustered: true })?;
        println!("Q{query}: {} steps in {:.1?}", execution.accesses.steps.len(), begun.elapsed());
        for operator in execution.operators {
            let indent = " ".repeat(operator.depth * 2 + 2);
            let text: String = operator.text.chars().take(60).collect();
            println!(
                "{indent}{text}: {} loops, {} found, {} kept",
                operator.loops, operator.found, operator.kept
            );
        }
    }
    Ok(())
}
