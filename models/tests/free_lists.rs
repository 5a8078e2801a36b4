// SPDX-License-Identifier: MIT OR Apache-2.0

//! Deferred free: the kernel's order of reset and take, the repair, and lost packets.

use prodq_models::catalog::{concerns, scenarios, SEED};
use prodq_models::fault::Fault;
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{run, Job, Outcome, World};

const SHUTTLE: World = World::Shuttle {
    seed: SEED,
    executions: 1_500,
};
const LOOM: World = World::Loom {
    newest_loads: true,
    limit: 60_000,
    preemption_bound: None,
};
const THREADS: World = World::Threads { executions: 100 };

fn of_catalog() -> impl Iterator<Item = Scenario> {
    let about = |scenario: &Scenario| concerns(Theorem::DeferredFree, scenario);
    scenarios().into_iter().filter(about)
}

fn watch(scenario: &Scenario, world: World, fault: Fault) -> (Job, Outcome) {
    let job = Job::new(scenario.clone(), world, &[Theorem::DeferredFree]).with_fault(fault);
    let outcome = run(&job).expect("the scenario can be run");
    (job, outcome)
}

fn refutation((job, outcome): &(Job, Outcome)) -> String {
    let finding = &outcome.findings[&Theorem::DeferredFree];
    let witness = Witness::new(job, Theorem::DeferredFree, finding);
    let replayed = witness.replay().expect("the witness can be played");
    assert_eq!(replayed, Replay::Same, "{}", witness.render());
    finding.what.clone()
}

#[test]
fn a_reset_before_the_take_can_stop_a_list_for_ever() {
    let kernel = of_catalog().find(|scenario| scenario.repair.is_none());
    let kernel = kernel.expect("the kernel's design is in the catalog");
    for world in [LOOM, SHUTTLE] {
        let what = refutation(&watch(&kernel, world, Fault::None));
        assert!(
            what.contains("is empty, nobody uses it, and it refuses"),
            "{what}"
        );
    }
}

#[test]
fn a_reset_after_the_take_cannot() {
    let mut seen = 0;
    for scenario in of_catalog().filter(|scenario| scenario.repair.is_some()) {
        for world in [LOOM, SHUTTLE, THREADS] {
            let (_, outcome) = watch(&scenario, world, Fault::None);
            assert!(outcome.findings.is_empty(), "{}", scenario.name);
            seen += outcome.executions;
        }
    }
    assert!(seen > 10_000, "{seen}");
}

/// A push that overwrites the head loses packets, which are never freed then.
#[test]
fn a_lost_packet_is_missed() {
    let two_producers = of_catalog().find(|scenario| scenario.name == "free-list-both-ways");
    let mut scenario = two_producers.expect("it is in the catalog");
    // Two producers of one list, so that one can overwrite what the other has pushed.
    scenario.defer_max = 9;
    scenario.cpus[1].ops = scenario.cpus[0].ops.clone();
    let (_, outcome) = watch(&scenario, SHUTTLE, Fault::None);
    assert!(outcome.findings.is_empty());
    let what = refutation(&watch(&scenario, SHUTTLE, Fault::BlindPush));
    assert!(what.contains("freed 0 times"), "{what}");
}
