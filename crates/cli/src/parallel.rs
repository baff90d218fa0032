//! Work on all processors whose results come in order.

use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

/// Processors of this machine.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Does `work` for the numbers from 0 up to `count` on `threads` threads, and tells of each result on this one, in the
/// order of the numbers, as soon as it and those before it are there.
pub(crate) fn in_order<R: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> R + Sync,
    mut tell: impl FnMut(usize, R),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Nobody listens any more once the telling thread has gone.
                    if number >= count || sender.send((number, work(number))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                tell(due, result);
                due += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whoever_is_first() {
        for threads in [1, 3, 64] {
            let mut told = Vec::new();
            let work = |number: usize| {
                std::thread::sleep(std::time::Duration::from_millis(5 - (number % 5) as u64));
                number * number
            };
            in_order(20, threads, work, |number, result| told.push((number, result)));
            assert_eq!(told, (0..20).map(|number| (number, number * number)).collect::<Vec<_>>());
        }
        in_order(0, 4, |number| number, |_, _| panic!("nothing to tell"));
    }
}
