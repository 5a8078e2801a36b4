// SPDX-License-Identifier: MIT OR Apache-2.0

//! Nobody waits: with the lock held for ever, and with pushes that fail for no reason.

use prodq_models::catalog::{concerns, scenarios, SEED};
use prodq_models::fault::Fault;
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{run, Job, Outcome, World};

const SHUTTLE: World = World::Shuttle {
    seed: SEED,
    executions: 1_000,
};
const LOOM: World = World::Loom {
    newest_loads: true,
    limit: 10_000,
    preemption_bound: None,
};
const THREADS: World = World::Threads { executions: 100 };

fn scenario(name: &str) -> Scenario {
    let found = scenarios().into_iter().find(|s| s.name == name);
    found.expect("it is in the catalog")
}

fn watch(scenario: &Scenario, world: World, fault: Fault) -> (Job, Outcome) {
    let job = Job::new(scenario.clone(), world, &[Theorem::Progress]).with_fault(fault);
    let outcome = run(&job).expect("the scenario can be run");
    (job, outcome)
}

fn refutation((job, outcome): &(Job, Outcome)) -> String {
    let finding = &outcome.findings[&Theorem::Progress];
    let witness = Witness::new(job, Theorem::Progress, finding);
    let replayed = witness.replay().expect("the witness can be played");
    assert_eq!(replayed, Replay::Same, "{}", witness.render());
    finding.what.clone()
}

#[test]
fn a_cpu_that_is_not_elected_returns_whoever_holds_the_lock() {
    let held = scenario("lock-held");
    let free = Scenario {
        lock_held: false,
        ..held.clone()
    };
    for world in [LOOM, SHUTTLE, THREADS] {
        let (_, outcome) = watch(&held, world, Fault::None);
        assert!(outcome.findings.is_empty());
        assert_eq!(outcome.largest, 0, "nobody gets the lock");
        let (_, outcome) = watch(&free, world, Fault::None);
        assert!(outcome.findings.is_empty());
        assert!(outcome.largest > 0, "somebody gets the lock");
    }
    assert!(!concerns(Theorem::Conservation, &held));
}

#[test]
fn queueing_for_the_lock_before_the_push_is_waiting() {
    let held = scenario("lock-held");
    for world in [LOOM, SHUTTLE] {
        let what = refutation(&watch(&held, world, Fault::LockBeforePush));
        assert!(what.contains("and is not elected"), "{what}");
    }
    let (_, outcome) = watch(&held, THREADS, Fault::LockBeforePush);
    assert!(outcome.findings.contains_key(&Theorem::Progress));
}

#[test]
fn a_push_that_fails_for_no_reason_is_one_retry_too_many() {
    for world in [LOOM, SHUTTLE] {
        let what = refutation(&watch(&scenario("two-cpus"), world, Fault::SpuriousRetry));
        assert!(
            what.contains("others have changed the list 0 times"),
            "{what}"
        );
    }
}
