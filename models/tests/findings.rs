// SPDX-License-Identifier: MIT OR Apache-2.0

//! The findings about the kernel's design: confirmed, repaired, and not to be had with less.

use prodq_models::findings::{hypotheses, shortest, Hypothesis, Row, SEEDS};
use prodq_models::scenario::Scenario;
use prodq_models::verify::Verdict;
use prodq_models::witness::{Replay, Witness};

fn folder(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The table in `findings.md` says what is found.
fn assert_told(row: &Row) {
    let told = include_str!("../findings.md");
    let design = row.design.trim_start_matches("prod-queue, ");
    let (cpus, packets) = (row.cpus, row.packets);
    let steps = row.steps.map_or(String::new(), |steps| steps.to_string());
    let answer = match (row.repair, row.verdict == Verdict::Refuted) {
        (false, true) => "confirmed",
        (false, false) => "not seen",
        (true, true) => "no repair",
        (true, false) => "repaired",
    };
    let line = format!(
        "| {} | `{}` | {design} | {cpus} | {packets} | {steps} | {answer} |",
        row.hypothesis, row.theorem
    );
    assert!(told.contains(&line), "findings.md has no line {line}");
}

#[test]
fn every_hypothesis_and_every_repair_is_as_expected() {
    let folder = folder("findings");
    for hypothesis in hypotheses() {
        let rows = hypothesis.examine(&folder).expect("it can be played");
        assert_eq!(rows.len(), 1 + hypothesis.repairs.len());
        for row in rows {
            assert!(row.is_expected(), "{row:?}");
            assert_told(&row);
            let refuted = row.verdict == Verdict::Refuted;
            assert_eq!(refuted, row.steps.is_some_and(|steps| steps > 0));
            assert_eq!(refuted, row.witness.is_some());
            if let Some(path) = row.witness {
                let witness = Witness::read(&path).expect("it was just written");
                let replayed = witness.replay().expect("it can be played");
                assert_eq!(replayed, Replay::Same, "{}", path.display());
            }
        }
    }
}

/// The same scenario with one operation or one CPU less.
fn smaller(scenario: &Scenario) -> Vec<Scenario> {
    let mut all = Vec::new();
    for cpu in 0..scenario.cpus.len() {
        for op in 0..scenario.cpus[cpu].ops.len() {
            let mut less = scenario.clone();
            less.cpus[cpu].ops.remove(op);
            all.push(less);
        }
        let mut less = scenario.clone();
        less.cpus.remove(cpu);
        all.push(less);
    }
    all.retain(|less| less.check().is_ok());
    all
}

/// What a witness says, whatever the numbers.
fn kind(what: &str) -> String {
    what.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// Nothing can be taken away from a scenario that confirms a hypothesis: what is left may break the
/// theorem in another way, as a reader does that waits for a packet which was taken away.
#[test]
fn no_scenario_is_larger_than_it_has_to_be() {
    let not_minimal = |hypothesis: &Hypothesis| {
        let confirmed = shortest(&hypothesis.scenario, hypothesis.asked, SEEDS / 6);
        let (_, confirmed) = confirmed.expect("it can be played");
        let (_, confirmed) = confirmed.expect("a few runs confirm it");
        smaller(&hypothesis.scenario).into_iter().find(|less| {
            let (executions, found) =
                shortest(less, hypothesis.asked, SEEDS / 6).expect("it can be played");
            assert!(executions > 0);
            found.is_some_and(|(_, found)| kind(&found.what) == kind(&confirmed.what))
        })
    };
    for hypothesis in hypotheses() {
        if let Some(less) = not_minimal(&hypothesis) {
            panic!("{}: {} suffices", hypothesis.id, less.scripts());
        }
    }
}

/// A repair that is left out is missed: the kernel's design does not pass where the repair does.
#[test]
fn the_repairs_are_compared_with_the_kernel_in_the_same_scenario() {
    for hypothesis in hypotheses() {
        for attempt in &hypothesis.repairs {
            let mut same = attempt.scenario.clone();
            same.policy = hypothesis.scenario.policy;
            same.repair = hypothesis.scenario.repair;
            assert_eq!(same, hypothesis.scenario, "{}", hypothesis.id);
        }
    }
}
