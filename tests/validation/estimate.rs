//! The closed form against the simulation.

use spindle_estimate::{advice, estimate};
use spindle_tests::scenarios::random_scenario;

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
