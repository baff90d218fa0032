//! The closed form against the simulation, over scenarios drawn at random.
//!
//! What the simulation answered is kept in `tests/data/simulated.jsonl`; every so many of the scenarios are simulated
//! again to see that it still answers that. With `SPINDLE_WRITE=1` all are, and file, document and ceilings are written;
//! with `SPINDLE_WRITE=stored` document and ceilings are, from the answers that are kept, and scenarios that have none yet
//! get theirs.

use spindle_estimate::{advice, estimate};
use spindle_simulate::simulate;
use spindle_tests::{
    all_of,
    closed_form::{Compared, Simulated, known},
    document::{Section, path},
    scenarios::{EACH, FIRST, SCENARIOS, random_scenario},
};
use std::{collections::BTreeMap, fmt::Write, fs};

/// Every so many scenarios one is simulated again.
const SAMPLED: usize = 40;

const SECTION: Section = Section { file: "docs/accuracy.md", name: "estimate" };

fn simulated(number: u64) -> Simulated {
    Simulated::of(number, &simulate(&random_scenario(number)).expect("a sound scenario"))
}

/// Simulates scenarios on all cores.
fn simulate_all(numbers: &[u64]) -> Vec<Simulated> {
    all_of(numbers, |number| simulated(*number))
}

fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = ((values.len() as f64 * share).ceil() as usize).clamp(1, values.len().max(1)) - 1;
    values.get(at).copied().unwrap_or(0.0)
}

/// Of some comparisons: how many, median, 90th and 95th percentile of the error, share with the same main cause.
fn summary(of: &[&Compared]) -> (usize, [f64; 3], f64) {
    let errors = || of.iter().map(|c| c.error.abs()).collect::<Vec<_>>();
    let same = of.iter().filter(|c| c.same_cause).count() as f64 / of.len().max(1) as f64;
    (of.len(), [0.5, 0.9, 0.95].map(|share| percentile(errors(), share)), same)
}

/// The figures of some comparisons that have ceilings.
fn figures(prefix: &str, of: &[&Compared]) -> BTreeMap<String, f64> {
    let (_, [median, p90, p95], same) = summary(of);
    let named = |(name, value): (&str, f64)| (format!("{prefix}{name}"), value);
    [("median", median), ("p90", p90), ("p95", p95), ("other_cause", 1.0 - same)].map(named).into()
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn document(all: &[Compared]) -> String {
    let mut out = String::from(
        "| engine | load | scenarios | median | 90th percentile | 95th percentile | same main cause |\n|---|---|---|---|---|---|---|\n",
    );
    let mut row = |engine: &str, load: &str, of: Vec<&Compared>| {
        let (count, [median, p90, p95], same) = summary(&of);
        let (median, p90, p95, same) = (percent(median), percent(p90), percent(p95), percent(same));
        let _ = writeln!(out, "| {engine} | {load} | {count} | {median} | {p90} | {p95} | {same} |");
    };
    row(
        "**all** (aim: 10 % in the median, 25 % at the 95th percentile, 90 % the same)",
        "",
        all.iter().collect(),
    );
    row("the first 600", "", all.iter().filter(|c| c.number < FIRST).collect());
    let profiles: std::collections::BTreeSet<&str> = all.iter().map(|c| c.profile.as_str()).collect();
    for profile in profiles {
        for writes in [false, true] {
            let of = all.iter().filter(|c| c.profile == profile && c.writes == writes).collect();
            row(profile, if writes { "writes" } else { "reads" }, of);
        }
    }
    let hit = |share| percentile(all.iter().map(|c| c.hit_rate_error.abs()).collect(), share) * 100.0;
    let _ = writeln!(
        out,
        "\nThe hit rate is off by {:.2} points in the median and by {:.1} at the 90th percentile.",
        hit(0.5),
        hit(0.9)
    );
    let near = |within: f64| all.iter().filter(|c| c.error.abs() <= within).count();
    let _ = writeln!(
        out,
        "Of {} scenarios {} are within 10 %, {} within 25 %, {} within a factor of two.",
        all.len(),
        near(0.1),
        near(0.25),
        all.iter().filter(|c| (-0.5..=1.0).contains(&c.error)).count()
    );
    out
}

#[test]
fn the_closed_form_agrees_with_the_simulation() {
    let wanted = std::env::var_os("SPINDLE_WRITE");
    let (writing, anew) = (wanted.is_some(), wanted.is_some_and(|wanted| wanted != "stored"));
    let mut known = if anew { Vec::new() } else { known() };
    if writing && known.len() < SCENARIOS as usize {
        known.extend(simulate_all(&(known.len() as u64..SCENARIOS).collect::<Vec<_>>()));
        let lines: Vec<String> =
            known.iter().map(|one| serde_json::to_string(one).expect("it can be written")).collect();
        fs::write(path("tests/data/simulated.jsonl"), lines.join("\n") + "\n")
            .expect("the file can be written");
    }
    let all: Vec<Compared> = known.iter().map(Compared::with).collect();
    for one in &all {
        println!("{} {}: error {:+.1} %", one.number, one.profile, one.error * 100.0);
    }
    let (count, [median, p90, p95], same) = summary(&all.iter().collect::<Vec<_>>());
    println!("{count} scenarios: median {median:.4} p90 {p90:.4} p95 {p95:.4} same cause {same:.4}");

    // The first scenarios keep their ceilings however many follow; each kind that follows has its own.
    let (first, later): (Vec<&Compared>, Vec<&Compared>) = all.iter().partition(|one| one.number < FIRST);
    let mut reached = figures("", &first);
    for (kind, of) in later.chunks(EACH as usize).enumerate() {
        let prefix = if kind == 0 { "later_".to_owned() } else { format!("later_{}_", kind + 1) };
        reached.extend(figures(&prefix, of));
    }
    SECTION.hold(&document(&all), "tests/data/estimate.toml", &reached);
    if !anew {
        let sample: Vec<u64> = known.iter().step_by(SAMPLED).map(|one| one.number).collect();
        for again in simulate_all(&sample) {
            assert_eq!(
                known.get(again.number as usize),
                Some(&again),
                "the simulation has changed; `cargo xtask accuracy` writes what it says"
            );
        }
    }
}

#[test]
fn every_estimate_closes_its_accounts() {
    for number in 0..200 {
        let scenario = random_scenario(number);
        let answer = estimate(&scenario).unwrap_or_else(|problems| panic!("{number}: {problems:?}"));
        let sum: f64 = answer.breakdown_ms.values().sum();
        let clients = f64::from(scenario.workload.clients);
        let think = scenario.workload.think_time.as_seconds();
        assert!(answer.throughput_tps > 0.0 && answer.throughput_tps.is_finite(), "{number}");
        assert!((sum / answer.latency_mean_ms - 1.0).abs() < 1e-6, "{number}: causes sum to the mean");
        let inside = answer.throughput_tps * (answer.latency_mean_ms / 1e3 + think);
        assert!((inside / clients - 1.0).abs() < 0.01, "{number}: Little's law, {inside} of {clients}");
        assert!((0.0..=1.0).contains(&answer.hit_rate), "{number}: {}", answer.hit_rate);
        for device in &answer.devices {
            assert!((0.0..=1.0).contains(&device.utilisation), "{number}: {device:?}");
        }
        for class in &answer.classes {
            assert!(class.resident_pages <= class.pages * 1.000_001, "{number}: {class:?}");
        }
        assert_eq!(estimate(&scenario).unwrap(), answer, "{number}: the same answer twice");
    }
}

#[test]
fn advice_names_a_change_that_pays() {
    let found: Vec<_> = (0..60).filter_map(|number| advice(&random_scenario(number))).collect();
    assert!(found.len() > 20, "{}", found.len());
    assert!(found.iter().all(|advice| advice.throughput_factor >= 1.02 && advice.to == 2.0 * advice.from));
}
