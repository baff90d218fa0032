//! The published experiments: model, published figure and error of every claim, under ceilings that only fall.

use spindle_experiments::{CaseReport, cards, compare};
use spindle_simulate::simulate;
use spindle_tests::{ceilings, judge};
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

#[test]
fn every_claim_is_as_near_as_it_has_been() {
    let ceilings = ceilings();
    let mut missed = Vec::new();
    for card in cards().expect("the cards can be read") {
        let next = AtomicUsize::new(0);
        let reports = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(case) = card.cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let scenario = card.scenario(case).expect("the case can be run");
                        let report = simulate(&scenario).expect("the scenario is sound");
                        let (id, title) = (case.id.clone(), case.title.clone());
                        reports.lock().expect("no thread fails").push(CaseReport { id, title, report });
                    }
                });
            }
        });
        let experiment = compare(&card, reports.into_inner().expect("no thread fails"));
        for claim in &experiment.claims {
            let name = format!("replay.{}.{}", card.id, claim.id);
            for point in &claim.points {
                let (published, model, error) = (point.published, point.model, point.error);
                println!("{name}: {}: published {published:?}, model {model:?}, error {error:?}", point.case);
            }
            match (claim.published, claim.model) {
                (Some(published), Some(model)) => missed.extend(judge(&ceilings, &name, model, published)),
                (_, model) => {
                    println!(
                        "{name}: model {model:?}, {}",
                        if claim.holds { "holds" } else { "does not hold" }
                    );
                    if !claim.holds {
                        missed.push(format!("{name} does not hold"));
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
