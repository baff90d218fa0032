//! Steps back and forth through what was.

/// How many steps back are kept.
const STEPS_MAX: usize = 200;

/// What was before, and what was taken back. The present is kept by whoever asks.
#[derive(Debug, Clone, PartialEq)]
pub struct History<T> {
    past: Vec<T>,
    future: Vec<T>,
    /// What is being changed bit by bit: such changes are one step together.
    drag: Option<String>,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new(), drag: None }
    }
}

impl<T> History<T> {
    /// Whether a change under way at `place` belongs to the step before it.
    pub fn continues(&self, place: &str) -> bool {
        self.drag.as_deref() == Some(place)
    }

    /// Notes what was before a change; `drag` names the place of a change that may go on.
    pub fn record(&mut self, before: T, drag: Option<&str>) {
        self.past.push(before);
        if self.past.len() > STEPS_MAX {
            self.past.remove(0);
        }
        self.future.clear();
        self.drag = drag.map(str::to_owned);
    }

    /// The next change is a step of its own.
    pub fn settle(&mut self) {
        self.drag = None;
    }

    /// One step back from `present`.
    pub fn undo(&mut self, present: T) -> Option<T> {
        let before = self.past.pop()?;
        self.future.push(present);
        self.drag = None;
        Some(before)
    }

    /// One step forth again.
    pub fn redo(&mut self, present: T) -> Option<T> {
        let after = self.future.pop()?;
        self.past.push(present);
        self.drag = None;
        Some(after)
    }

    /// Whether there is a step back, and one forth.
    pub fn ways(&self) -> (bool, bool) {
        (!self.past.is_empty(), !self.future.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_back_and_forth_and_a_new_change_ends_the_way_forth() {
        let mut history = History::default();
        history.record(1, None);
        history.record(2, None);
        assert_eq!(history.undo(3), Some(2));
        assert_eq!(history.undo(2), Some(1));
        assert_eq!(history.undo(1), None);
        assert_eq!(history.redo(1), Some(2));
        assert_eq!(history.ways(), (true, true));
        history.record(2, None);
        assert_eq!(history.redo(5), None);
    }

    #[test]
    fn a_drag_goes_on_until_it_settles() {
        let mut history = History::default();
        history.record(1, Some("machine.cores"));
        assert!(history.continues("machine.cores") && !history.continues("machine.memory"));
        history.settle();
        assert!(!history.continues("machine.cores"));
    }

    #[test]
    fn no_more_is_kept_than_anybody_goes_back() {
        let mut history = History::default();
        for at in 0..3 * STEPS_MAX {
            history.record(at, None);
        }
        let mut steps = 0;
        while history.undo(0).is_some() {
            steps += 1;
        }
        assert_eq!(steps, STEPS_MAX);
    }
}
