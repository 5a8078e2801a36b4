// SPDX-License-Identifier: MIT OR Apache-2.0

//! Readers that sleep: what each seeded bug does to them, and that nothing hangs.

use std::sync::atomic::Ordering;

use prodq::Site;
use prodq_models::catalog::{scenarios, SEED};
use prodq_models::fault::Fault;
use prodq_models::scenario::{Op, Scenario};
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{run, Job, Outcome, World};

const SHUTTLE: World = World::Shuttle {
    seed: SEED,
    executions: 1_500,
};
const STALE: World = World::Loom {
    newest_loads: false,
    limit: 200_000,
    preemption_bound: None,
};

fn scenario(name: &str) -> Scenario {
    let found = scenarios().into_iter().find(|s| s.name == name);
    found.expect("it is in the catalog")
}

fn watch(scenario: &Scenario, world: World, fault: Fault) -> (Job, Outcome) {
    let job = Job::new(scenario.clone(), world, &[Theorem::NoLostWakeup]).with_fault(fault);
    let outcome = run(&job).expect("the scenario can be run");
    (job, outcome)
}

fn replays((job, outcome): &(Job, Outcome)) -> String {
    let finding = &outcome.findings[&Theorem::NoLostWakeup];
    let witness = Witness::new(job, Theorem::NoLostWakeup, finding);
    let replayed = witness.replay().expect("the witness can be played");
    assert_eq!(replayed, Replay::Same, "{}", witness.render());
    finding.what.clone()
}

fn assert_holds(name: &str, world: World) {
    let (_, outcome) = watch(&scenario(name), world, Fault::None);
    assert!(outcome.findings.is_empty(), "{name}");
    assert!(outcome.executions > 0);
}

#[test]
fn one_wakeup_for_a_batch_is_too_few() {
    let name = "sleep-batch";
    assert_holds(name, SHUTTLE);
    let what = replays(&watch(&scenario(name), SHUTTLE, Fault::WakeOncePerBatch));
    assert!(what.ends_with("2 readers slept and woke 1"), "{what}");
}

#[test]
fn waking_only_when_the_queue_was_empty_is_too_rare() {
    let name = "sleep-two-readers-repaired";
    assert_holds(name, SHUTTLE);
    let what = replays(&watch(&scenario(name), SHUTTLE, Fault::WakeOnlyWhenEmpty));
    assert!(what.ends_with("1 readers slept and woke 0"), "{what}");
}

#[test]
fn both_fences_are_needed() {
    let name = "sleep";
    assert_holds(name, STALE);
    for site in [Site::WakerFence, Site::SleeperFence] {
        let weakened = Fault::weaken(site, Ordering::AcqRel);
        let what = replays(&watch(&scenario(name), STALE, weakened));
        assert!(
            what.ends_with("1 readers slept and woke 0"),
            "{}: {what}",
            site.name()
        );
    }
}

/// A reader that looks at both queues must not see a packet in neither while it is spliced.
#[test]
fn looking_at_both_queues_needs_its_acquire_and_its_release() {
    let name = "sleep-spliced-repaired";
    assert_holds(name, STALE);
    for site in [Site::SubReceiveLen, Site::ReadReceiveLen] {
        let weakened = Fault::weaken(site, Ordering::Relaxed);
        let what = replays(&watch(&scenario(name), STALE, weakened));
        assert!(
            what.contains("queued are the packets 1"),
            "{}: {what}",
            site.name()
        );
    }
}

/// The finding H6, which the repair does not have.
#[test]
fn a_spliced_packet_is_overlooked_by_the_kernels_sleep_test_only() {
    let what = replays(&watch(&scenario("sleep-two-readers"), SHUTTLE, Fault::None));
    assert!(what.contains("queued are the packets 1"), "{what}");
    assert_holds("sleep-two-readers-repaired", SHUTTLE);
}

/// Every CPU waits, and there is nothing to wait for: all worlds say so, and none hangs.
#[test]
fn a_deadlock_is_reported_with_its_timeline() {
    let waiting = Scenario::new("all-wait", 1, 250)
        .cpu(0, [Op::Wait])
        .cpu(0, [Op::Wait]);
    let threads = World::Threads { executions: 20 };
    for world in [STALE, SHUTTLE, threads] {
        let (job, outcome) = watch(&waiting, world, Fault::None);
        let finding = &outcome.findings[&Theorem::NoLostWakeup];
        assert!(finding.what.contains("CPUs 0, 1 sleep"), "{}", finding.what);
        let witness = Witness::new(&job, Theorem::NoLostWakeup, finding);
        let line = witness.timeline.last().expect("it has a timeline");
        assert!(line.contains("deadlock: every CPU waits"), "{line}");
    }
}

/// A reader that sleeps when the socket is closed is woken and told.
#[test]
fn close_wakes_the_sleepers() {
    for world in [SHUTTLE, World::Threads { executions: 200 }] {
        assert_holds("sleep-close", world);
    }
}

#[test]
fn real_threads_wake_each_other() {
    let threads = World::Threads { executions: 300 };
    for name in ["sleep", "sleep-batch", "sleep-two-readers-repaired"] {
        assert_holds(name, threads);
    }
}
