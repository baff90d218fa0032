//! How far long work is, on standard error; nothing where that is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// Steps that a simulation is divided into.
const STEPS: u64 = 1000;

/// The progress of several simulations.
pub(crate) struct Progress {
    bar: ProgressBar,
    runs: usize,
}

impl Progress {
    /// Of so many simulations.
    pub(crate) fn of(runs: usize) -> Self {
        let bar = ProgressBar::new(STEPS * runs as u64);
        let style = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, runs }
    }

    /// Says something beside the bar.
    pub(crate) fn say(&self, words: String) {
        self.bar.set_message(words);
    }

    /// Says how many simulations are over.
    pub(crate) fn over(&self, runs: usize) {
        self.say(format!("{runs} of {} points", self.runs));
    }

    /// Prints something that is not to be drawn over.
    pub(crate) fn suspended(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// A simulation that was `before` along is `now` along, 0 to 1.
    pub(crate) fn advance(&self, before: f64, now: f64) {
        let step = |fraction: f64| (fraction.clamp(0.0, 1.0) * STEPS as f64) as u64;
        self.bar.inc(step(now).saturating_sub(step(before)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
