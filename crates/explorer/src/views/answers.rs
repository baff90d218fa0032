//! Many estimates, found in slices between frames, so that the page never waits for them.

use super::knob_axis;
use gloo::timers::callback::Timeout;
use spindle_estimate::{Estimate, estimate};
use spindle_scenario::Scenario;
use std::rc::Rc;
use toml::Value;
use yew::prelude::*;

/// Knobs and values to change one Scenario by: each point is a list of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asked {
    /// The Scenarios, one for each curve or side.
    pub bases: Vec<Rc<Scenario>>,
    /// The knobs and their values; every combination is a point, of which the last knob runs fastest.
    pub knobs: Vec<(String, Vec<Value>)>,
}

/// A point's answer, where there is one: its Scenario may not make sense.
pub type Answer = Option<Rc<Estimate>>;

impl Asked {
    /// Points of one base.
    pub fn points(&self) -> usize {
        self.knobs.iter().map(|(_, values)| values.len()).product()
    }

    /// The number of all points.
    pub fn len(&self) -> usize {
        self.points() * self.bases.len()
    }

    /// The Scenario of a point.
    pub fn scenario(&self, index: usize) -> Option<Scenario> {
        let points = self.points().max(1);
        let mut scenario = (**self.bases.get(index / points)?).clone();
        let mut rest = index % points;
        for (path, values) in self.knobs.iter().rev() {
            let value = values.get(rest % values.len().max(1))?;
            rest /= values.len().max(1);
            scenario = knob_axis::with_value(&scenario, path, value)?;
        }
        Some(scenario)
    }

    fn answer(&self, index: usize) -> Answer {
        let answer = estimate(&self.scenario(index)?).ok()?;
        (answer.throughput_tps > 0.0).then(|| Rc::new(answer))
    }
}

/// What is known of the points so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    /// What was asked.
    pub asked: Rc<Asked>,
    /// The answers, by point.
    pub known: Rc<Vec<Answer>>,
    /// Whether all points were tried.
    pub complete: bool,
}

/// How long a slice lasts, in milliseconds.
const SLICE_MS: f64 = 7.0;

/// The answers to all points of a question, as far as they are known. Points far apart come first, so that a curve has
/// its shape before it has all its points; until there is one the answers to the question before stay.
#[hook]
pub fn use_answers(asked: Rc<Asked>) -> Answers {
    let nothing = || Answers { asked: asked.clone(), known: Rc::default(), complete: false };
    let shown = use_state(nothing);
    let work = use_mut_ref(|| None::<Timeout>);
    {
        let (shown, work) = (shown.setter(), work);
        use_effect_with(asked, move |asked| {
            let order = coarse_to_fine(asked.len());
            let known = vec![None; asked.len()];
            slice(asked.clone(), order, known, 0, shown, &work);
            let work = work.clone();
            // A newer question takes the place of this one.
            move || drop(work.take())
        });
    }
    (*shown).clone()
}

fn slice(
    asked: Rc<Asked>,
    order: Vec<usize>,
    mut known: Vec<Answer>,
    mut at: usize,
    shown: UseStateSetter<Answers>,
    work: &Rc<std::cell::RefCell<Option<Timeout>>>,
) {
    let start = now();
    while let Some(index) = order.get(at) {
        known[*index] = asked.answer(*index);
        at += 1;
        if now() - start > SLICE_MS {
            break;
        }
    }
    let complete = at >= order.len();
    shown.set(Answers { asked: asked.clone(), known: Rc::new(known.clone()), complete });
    if !complete {
        let next = work.clone();
        let timeout = Timeout::new(0, move || slice(asked, order, known, at, shown, &next));
        *work.borrow_mut() = Some(timeout);
    }
}

fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// The numbers below `count`, those far apart first.
pub fn coarse_to_fine(count: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut step = count.next_power_of_two();
    while step > 0 {
        for index in (0..count).step_by(step) {
            if !std::mem::replace(&mut seen[index], true) {
                order.push(index);
            }
        }
        step /= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn every_point_comes_once_and_the_far_ones_first() {
        assert_eq!(coarse_to_fine(5), [0, 4, 2, 1, 3]);
        assert!(coarse_to_fine(0).is_empty());
        let mut all = coarse_to_fine(100);
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn points_are_combinations_of_which_the_last_knob_runs_fastest() {
        let store = Store::default();
        let values = |values: &[i64]| values.iter().map(|value| Value::Integer(*value)).collect::<Vec<_>>();
        let asked = Asked {
            bases: store.scenarios.to_vec(),
            knobs: vec![
                ("workload.clients".into(), values(&[1, 2])),
                ("machine.cores".into(), values(&[3, 4, 5])),
            ],
        };
        assert_eq!(asked.len(), 12);
        let scenario = asked.scenario(4).unwrap();
        assert_eq!((scenario.workload.clients, scenario.machine.cores), (2, 4));
        assert_eq!(asked.scenario(10).unwrap().storage, store.scenarios[1].storage);
        assert_eq!(asked.scenario(12), None);
        let wrong = Asked { knobs: vec![("no.such".into(), values(&[1]))], ..asked };
        assert_eq!(wrong.answer(0), None);
    }
}
