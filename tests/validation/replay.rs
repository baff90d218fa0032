//! The published experiments: model, published figure and error of every claim, under ceilings that only fall.

use spindle_experiments::{CaseReport, cards, compare};
use spindle_simulate::simulate;
use spindle_tests::{all_of, ceilings, judge};

#[test]
fn every_claim_is_as_near_as_it_has_been() {
    let ceilings = ceilings();
    let mut missed = Vec::new();
    for card in cards().expect("the cards can be read") {
        let reports = all_of(&card.cases, |case| {
            let scenario = card.scenario(case).expect("the case can be run");
            let report = simulate(&scenario).expect("the scenario is sound");
            CaseReport { id: case.id.clone(), title: case.title.clone(), report }
        });
        let experiment = compare(&card, reports);
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
