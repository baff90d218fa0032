//! Clients that go around between stations: mean value analysis of a closed network whose stations work at a rate that
//! depends on how many clients they hold (Reiser and Lavenberg, "Mean-value analysis of closed multichain queuing
//! networks", 1980).

/// Clients counted one by one; more are taken together in equal parcels.
const PARCELS: usize = 64;
/// Share of the distance between exponential service, for which mean value analysis is exact, and the bound that no
/// network passes, at which service that varies little lies: in the geometric mean of both. The simulation's service times
/// are nearly constant where they are a processor's and moderately spread where they are a device's.
const REGULARITY: f64 = 0.5;

/// A place where clients are served.
pub(crate) struct Station<'a> {
    /// Milliseconds of service a transaction, for a client that is alone.
    pub demand_ms: f64,
    /// How many times as fast the station works with so many clients as with one.
    pub speed: Box<dyn Fn(f64) -> f64 + 'a>,
}

impl<'a> Station<'a> {
    /// A station.
    pub fn new(demand_ms: f64, speed: impl Fn(f64) -> f64 + 'a) -> Self {
        Self { demand_ms, speed: Box::new(speed) }
    }

    /// One server.
    pub fn single(demand_ms: f64) -> Self {
        Self::new(demand_ms, |_| 1.0)
    }
}

/// What comes out.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Solution {
    /// Transactions a millisecond.
    pub rate: f64,
    /// Milliseconds of a transaction at each station, waiting included.
    pub residence_ms: Vec<f64>,
}

/// Solves a network of `clients` that pause for `delay_ms` between two rounds through all stations.
pub(crate) fn solve(stations: &[Station<'_>], delay_ms: f64, clients: f64) -> Solution {
    let parcels = clients.round().max(1.0).min(PARCELS as f64) as usize;
    let size = (clients / parcels as f64).max(1.0);
    let all = stations;
    // Where nothing is demanded nobody stays.
    let stations: Vec<&Station<'_>> = all.iter().filter(|s| s.demand_ms > 0.0).collect();
    let speed: Vec<Vec<f64>> = stations
        .iter()
        .map(|s| (1..=parcels).map(|k| (s.speed)(k as f64 * size).max(1e-9)).collect())
        .collect();
    // The chance of k parcels at each station, with one parcel fewer in the network.
    let mut held = vec![vec![0.0; parcels + 1]; stations.len()];
    held.iter_mut().for_each(|chances| chances[0] = 1.0);
    let mut rate = 0.0;
    let mut residence = vec![0.0; stations.len()];
    for n in 1..=parcels {
        for ((station, chances), (speed, residence)) in
            stations.iter().zip(&held).zip(speed.iter().zip(&mut residence))
        {
            let sum: f64 = (1..=n).map(|k| k as f64 / speed[k - 1] * chances[k - 1]).sum();
            *residence = station.demand_ms * sum;
        }
        let round: f64 = delay_ms / size + residence.iter().sum::<f64>();
        rate = if round > 0.0 { n as f64 / round } else { f64::INFINITY };
        if !rate.is_finite() {
            break;
        }
        for ((station, chances), speed) in stations.iter().zip(&mut held).zip(&speed) {
            let mut sum = 0.0;
            for k in (1..=n).rev() {
                chances[k] = (rate * station.demand_ms / speed[k - 1] * chances[k - 1]).clamp(0.0, 1.0);
                sum += chances[k];
            }
            if sum > 1.0 {
                chances[1..=n].iter_mut().for_each(|chance| *chance /= sum);
                sum = 1.0;
            }
            chances[0] = 1.0 - sum;
        }
    }
    let mut solved = residence.iter().map(|ms| ms * size);
    let mut residence_of =
        |s: &Station<'_>| if s.demand_ms > 0.0 { solved.next().unwrap_or(0.0) } else { 0.0 };
    let residence_ms = all.iter().map(&mut residence_of).collect();
    steadied(all, delay_ms, clients, Solution { rate, residence_ms })
}

/// The same with service that varies less than exponentially: waiting shrinks until rate and round trip agree.
fn steadied(stations: &[Station<'_>], delay_ms: f64, clients: f64, exact: Solution) -> Solution {
    let alone: f64 = stations.iter().map(|s| s.demand_ms).sum::<f64>() + delay_ms;
    let fastest = stations
        .iter()
        .filter(|s| s.demand_ms > 0.0)
        .map(|s| (s.speed)(clients).max((s.speed)(1.0)) / s.demand_ms)
        .fold(f64::INFINITY, f64::min);
    let bound = (clients / alone.max(1e-12)).min(fastest);
    if !exact.rate.is_finite() || exact.rate <= 0.0 || bound <= exact.rate {
        return exact;
    }
    let rate = exact.rate * libm::pow(bound / exact.rate, REGULARITY);
    let waited: f64 =
        exact.residence_ms.iter().zip(stations).map(|(ms, s)| (ms - s.demand_ms).max(0.0)).sum();
    let wanted = (clients / rate - alone).max(0.0);
    let shrink = if waited > 0.0 { (wanted / waited).min(1.0) } else { 0.0 };
    let residence_ms = exact
        .residence_ms
        .iter()
        .zip(stations)
        .map(|(ms, s)| s.demand_ms.min(*ms) + (ms - s.demand_ms).max(0.0) * shrink)
        .collect();
    Solution { rate, residence_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_waits_for_nobody() {
        let stations = [Station::single(2.0), Station::new(3.0, |k| k.min(4.0))];
        let solution = solve(&stations, 5.0, 1.0);
        assert!((solution.rate - 0.1).abs() < 1e-12);
        assert_eq!(solution.residence_ms, [2.0, 3.0]);
    }

    #[test]
    fn many_clients_reach_the_slowest_station() {
        let stations = [Station::single(2.0), Station::new(3.0, |k| k.min(4.0))];
        for clients in [50.0, 192.0, 1000.0, 4096.0] {
            let solution = solve(&stations, 0.0, clients);
            assert!((solution.rate / 0.5 - 1.0).abs() < 0.02, "{clients}: {}", solution.rate);
            let round: f64 = solution.residence_ms.iter().sum();
            assert!((round * solution.rate / clients - 1.0).abs() < 0.05, "Little's law with {clients}");
        }
    }

    #[test]
    fn rates_grow_with_clients_and_never_pass_the_bound() {
        let stations = [Station::single(1.0), Station::new(4.0, |k| k.min(4.0)), Station::single(0.5)];
        let mut before = 0.0;
        for clients in 1..60 {
            let rate = solve(&stations, 2.0, f64::from(clients)).rate;
            assert!(rate >= before * 0.999 && rate <= 1.0 + 1e-9);
            assert!(rate <= f64::from(clients) / 7.5 + 1e-9);
            before = rate;
        }
    }
}
