//! A Scenario in the small: which share of its pages is simulated, and what the rest of it is then.

use spindle_engine::{database::TableSpec, miniature::Miniature};
use spindle_scenario::{Scenario, Stop};
use spindle_units::{Bytes, Span};
use spindle_workload::WorkloadKind;

/// Pages of tables, pool and page cache up to which all are simulated: at some forty bytes each they and their like stay
/// within half of the 512 MiB that a page in a browser should take.
const PAGES_MAX: f64 = 6e6;
/// Rows up to which all are loaded: each costs about a microsecond.
const ROWS_LOADED_MAX: f64 = 2e6;
/// A run that ends by confidence is given at least so much time, however small the sample.
const CONFIDENCE_TIME: Span = Span::seconds(20);

/// The share of pages to simulate: what the Scenario asks for, or as much as there is memory for. Where tables are counted
/// by the rows of one of them, that one keeps whole rows, and as many as there are clients.
pub(crate) fn sample_of(scenario: &Scenario) -> Miniature {
    let wanted = scenario.run.sample;
    let most = PAGES_MAX / pages(scenario);
    let most = if scenario.workload.kind.loads() { most.min(ROWS_LOADED_MAX / rows(scenario)) } else { most };
    let share = if wanted > 0.0 { wanted } else { most.min(1.0) };
    let unit = scenario.workload.kind.counted_by();
    let counted = unit.and_then(|name| scenario.tables.iter().find(|t| t.name.eq_ignore_ascii_case(name)));
    let Some(rows) = counted.map(|table| table.rows).filter(|rows| *rows > 0 && share < 1.0) else {
        return Miniature::new(share);
    };
    let least = u64::from(scenario.workload.clients).min(rows);
    let kept = Miniature::new(share).rows(rows).max(least);
    Miniature::new(kept as f64 / rows as f64)
}

fn rows(scenario: &Scenario) -> f64 {
    scenario.tables.iter().map(|table| table.rows as f64 * f64::from(table.count)).sum::<f64>().max(1.0)
}

/// Pages that a full simulation would keep in mind.
fn pages(scenario: &Scenario) -> f64 {
    let page = scenario.profile().map_or(8192, |profile| profile.page_bytes(&scenario.parameters()));
    let data = scenario.data_bytes();
    let cached = if scenario.storage.page_cache { scenario.page_cache_bytes().min(data) } else { 0.0 };
    ((data + scenario.buffer_bytes() + cached) / f64::from(page.max(1))).max(1.0)
}

/// The tables, each with the part of its rows that is there.
pub(crate) fn tables(scenario: &Scenario, sample: Miniature) -> Vec<TableSpec> {
    let whole = |name: &str| scenario.workload.kind.keeps_whole(name);
    let with = |table: &spindle_scenario::Table| TableSpec {
        sample: if whole(&table.name) { Miniature::default() } else { sample },
        to_load: scenario.workload.kind.loads(),
        ..table.spec()
    };
    scenario.tables.iter().map(with).collect()
}

/// The Scenario with its run, its caches and its state as they are for a sample. Tables and the engine's own capacities
/// stay as they are written: the engine is told of the sample.
pub(crate) fn in_sample(scenario: &Scenario, sample: Miniature) -> Scenario {
    let mut small = scenario.clone();
    if sample.is_whole() {
        return small;
    }
    let run = &mut small.run;
    run.duration = Span(sample.slow_ns(run.duration.0));
    if run.stop == Stop::Confidence {
        run.duration = run.duration.max(CONFIDENCE_TIME.min(scenario.run.duration));
    }
    // As many queries are asked, each over less.
    if scenario.workload.kind != WorkloadKind::Tpch {
        run.transactions = sample.some(run.transactions);
    }
    run.warm_up = run.warm_up.map(|transactions| sample.some(transactions));
    run.dirty_pages = sample.some(run.dirty_pages);
    run.checkpoint_age = Bytes(sample.of(run.checkpoint_age.0));
    for earlier in &mut run.before {
        if earlier.workload.kind != WorkloadKind::Tpch {
            earlier.transactions = sample.some(earlier.transactions);
        }
        earlier.pause = Span(sample.slow_ns(earlier.pause.0));
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_scenario::scenario_from_toml;

    fn scenario(rows: &str, run: &str) -> Scenario {
        let text = format!(
            r#"
            [machine]
            cores = 4
            clock_ghz = 3.0
            memory = "256G"
            [storage]
            file_system = "xfs"
            [storage.device]
            preset = "sas-15k"
            [engine]
            profile = "mariadb-10.11"
            [engine.parameters]
            innodb_buffer_pool_size = "128G"
            [[table]]
            name = "sbtest"
            rows = {rows}
            order = "sequential"
            columns = [{{ name = "id", type = "int" }}, {{ name = "pad", type = "char(200)" }}]
            indexes = [{{ name = "PRIMARY", kind = "primary", columns = ["id"] }}]
            [workload]
            kind = "point-select"
            clients = 8
            [run]
            {run}
            "#
        );
        scenario_from_toml(&text).unwrap()
    }

    #[test]
    fn what_fits_is_simulated_whole() {
        let small = scenario("100_000", "");
        assert!(pages(&small) > PAGES_MAX, "the pool alone is larger");
        let mut small = small;
        small
            .engine
            .parameters
            .set("innodb_buffer_pool_size", spindle_engine::parameters::Value::Text("1G".into()));
        assert!(sample_of(&small).is_whole());
        assert_eq!(in_sample(&small, sample_of(&small)), small);
    }

    #[test]
    fn what_does_not_fit_is_sampled_down_to_what_does() {
        let large = scenario("500_000_000", "");
        let share = sample_of(&large).share();
        assert!(share < 1.0);
        assert!((pages(&large) * share - PAGES_MAX).abs() < 1.0);
        assert_eq!(sample_of(&scenario("1000", "sample = 0.125")).share(), 0.125);
    }

    #[test]
    fn what_takes_long_takes_its_share_and_confidence_its_time() {
        let timed =
            scenario("1000", "sample = 0.01\nduration = \"1h\"\nstop = \"duration\"\ndirty_pages = 5000");
        let small = in_sample(&timed, sample_of(&timed));
        assert_eq!((small.run.duration, small.run.dirty_pages), (Span::seconds(36), 50));
        let confident = scenario("1000", "sample = 0.01\nduration = \"10min\"");
        assert_eq!(in_sample(&confident, sample_of(&confident)).run.duration, CONFIDENCE_TIME);
    }
}
