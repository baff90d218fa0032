//! Hit rates of a pool by its characteristic time: how long a page stays after its last use (Che, Tung and Wang,
//! "Hierarchical web caching systems", 2002). A page used at rate r is in the pool with probability 1 - exp(-r T), where
//! T makes the expected number of pages in the pool equal its size. It holds for LRU under independent references, and
//! nearly for lists and clocks that approximate it.

/// Pages that are used equally often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Used {
    /// How many pages.
    pub pages: f64,
    /// Uses of all of them together, a transaction.
    pub visits: f64,
}

impl Used {
    /// The probability that one of the pages is in the pool.
    pub fn residency(self, time: f64) -> f64 {
        if time.is_infinite() {
            return 1.0;
        }
        -libm::expm1(-self.visits / self.pages.max(1e-9) * time)
    }
}

/// Steps after which it is close enough: a handful do where pages are used alike.
const STEPS: usize = 100;

/// How many transactions a page stays after its last use in a pool of `frames`; infinite where everything fits.
pub(crate) fn characteristic_time(used: &[Used], frames: f64) -> f64 {
    let active: f64 = used.iter().filter(|u| u.visits > 0.0).map(|u| u.pages).sum();
    if active <= frames {
        return f64::INFINITY;
    }
    let visits: f64 = used.iter().map(|u| u.visits).sum();
    // No page stays shorter than if every visit went to a new page. What is held grows ever more slowly with time, so that
    // Newton's steps from there never pass the answer.
    let mut time = frames.max(1.0) / visits.max(1e-12);
    for _ in 0..STEPS {
        let (mut held, mut slope) = (0.0, 0.0);
        for group in used.iter().filter(|u| u.pages > 0.0) {
            let absent = libm::exp(-group.visits / group.pages * time);
            held += group.pages * (1.0 - absent);
            slope += group.visits * absent;
        }
        let missing = frames - held;
        if missing < 1e-6 * frames || slope <= 0.0 {
            break;
        }
        time += missing / slope;
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_pages_are_in_the_pool_by_its_share() {
        let pages = [Used { pages: 1000.0, visits: 3.0 }];
        let time = characteristic_time(&pages, 250.0);
        assert!((pages[0].residency(time) - 0.25).abs() < 1e-6);
        assert_eq!(characteristic_time(&pages, 1000.0), f64::INFINITY);
        assert_eq!(pages[0].residency(f64::INFINITY), 1.0);
    }

    #[test]
    fn hot_pages_stay() {
        let pages = [Used { pages: 10.0, visits: 1.0 }, Used { pages: 1000.0, visits: 1.0 }];
        let time = characteristic_time(&pages, 100.0);
        assert!(pages[0].residency(time) > 0.99 && pages[1].residency(time) < 0.1);
    }
}
