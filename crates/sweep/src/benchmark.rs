//! A sweep of known size for the benchmarks.

use crate::{Axis, points};
use spindle_scenario::{Scenario, Stop};
use spindle_units::Span;

/// A scenario of InnoDB with 24 sizes of its buffer, each to be simulated until its throughput is known to 2 %.
pub fn benchmark(base: &Scenario) -> Vec<Scenario> {
    let mut base = base.clone();
    (base.run.stop, base.run.precision, base.run.duration) = (Stop::Confidence, 0.02, Span::seconds(600));
    let axis = Axis::parse(&base, "engine.parameters.innodb_buffer_pool_size=128M..8G,steps=24");
    let points = axis.and_then(|axis| points(&base, &[axis])).unwrap_or_default();
    points.into_iter().filter_map(|point| point.scenario.ok()).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_has_24_points_that_can_be_run() {
        assert_eq!(super::benchmark(&crate::points::tests::base()).len(), 24);
    }
}
