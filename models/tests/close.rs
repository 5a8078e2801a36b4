// SPDX-License-Identifier: MIT OR Apache-2.0

//! Close under fire: producers, two readers and a closer at once.

use prodq_models::catalog::{scenarios, SEED};
use prodq_models::fault::Fault;
use prodq_models::scenario::{Op, Scenario};
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{run, Job, World};

const THEOREMS: [Theorem; 4] = [
    Theorem::ReleaseOnDestruct,
    Theorem::Conservation,
    Theorem::NoStranding,
    Theorem::Progress,
];
const SHUTTLE: World = World::Shuttle {
    seed: SEED,
    executions: 500,
};
const LOOM: World = World::Loom {
    newest_loads: false,
    limit: 5_000,
    preemption_bound: None,
};
const THREADS: World = World::Threads { executions: 100 };

fn under_fire() -> Vec<Scenario> {
    let under_fire = |scenario: &Scenario| scenario.name.starts_with("close-under-");
    let all: Vec<_> = scenarios().into_iter().filter(under_fire).collect();
    assert!(all.len() >= 4);
    all
}

#[test]
fn everything_is_released_in_every_world() {
    for scenario in under_fire() {
        let readers = scenario.cpus.iter().filter(|cpu| {
            let reads = |op: &Op| matches!(op, Op::Recv | Op::Wait);
            cpu.ops.iter().any(reads)
        });
        assert!(readers.count() >= 1, "{}", scenario.name);
        for world in [LOOM, SHUTTLE, THREADS] {
            if scenario.cpus.len() > 4 && world == LOOM {
                continue;
            }
            let job = Job::new(scenario.clone(), world, &THEOREMS);
            let outcome = run(&job).expect("the scenario can be run");
            assert!(outcome.findings.is_empty(), "{}: {:?}", scenario.name, {
                let findings = outcome.findings.values();
                findings.map(|finding| &finding.what).collect::<Vec<_>>()
            });
            assert!(outcome.executions > 0);
        }
    }
}

/// Without the grace period an elected CPU that waits for the lock, or anybody else, touches what is gone.
#[test]
fn without_a_grace_period_freed_memory_is_touched() {
    for scenario in under_fire() {
        let theorem = Theorem::ReleaseOnDestruct;
        let job = Job::new(scenario, SHUTTLE, &[theorem]).with_fault(Fault::NoGrace);
        let outcome = run(&job).expect("the scenario can be run");
        let finding = &outcome.findings[&theorem];
        assert!(
            finding.what.contains("after it was freed"),
            "{}",
            finding.what
        );
        let witness = Witness::new(&job, theorem, finding);
        let replayed = witness.replay().expect("the witness can be played");
        assert_eq!(replayed, Replay::Same);
    }
}
