// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the tests share.
#![allow(dead_code)]

use std::path::Path;

use prodq_models::catalog::{scenarios, SEED};
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::witness::Witness;
use prodq_models::world::{run, Job, Outcome, World};

/// Loom with stock loads, to the end.
pub const LOOM: World = World::Loom {
    newest_loads: false,
    limit: 400_000,
    preemption_bound: None,
};

/// Loom with racing loads as read-modify-writes, to the end.
pub const LOOM_NEWEST: World = World::Loom {
    newest_loads: true,
    limit: 400_000,
    preemption_bound: None,
};

pub const SHUTTLE: World = World::Shuttle {
    seed: SEED,
    executions: 2_000,
};

pub const THREADS: World = World::Threads { executions: 500 };

/// A scenario of the catalog.
pub fn scenario(name: &str) -> Scenario {
    let found = scenarios()
        .into_iter()
        .find(|scenario| scenario.name == name);
    found.unwrap_or_else(|| panic!("there is no scenario {name}"))
}

/// Runs a job that must be possible.
pub fn outcome(job: &Job) -> Outcome {
    run(job).unwrap_or_else(|error| panic!("{error}"))
}

/// Fails with the timeline when a theorem was refuted.
pub fn assert_nothing_found(job: &Job, outcome: &Outcome) {
    let Some((&theorem, finding)) = outcome.findings.iter().next() else {
        return;
    };
    let witness = Witness::new(job, theorem, finding);
    let file = format!("{}-{}.json", job.scenario.name, theorem);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    witness
        .write(&path)
        .unwrap_or_else(|error| panic!("{error}"));
    panic!(
        "\n{}replay with: cargo replay {}\n",
        witness.render(),
        path.display()
    );
}

/// Runs a broken job for one theorem, which must be refuted for a reason that contains `reason`.
pub fn assert_refuted(job: Job, theorem: Theorem, reason: &str) -> Outcome {
    let outcome = outcome(&job);
    let Some(finding) = outcome.findings.get(&theorem) else {
        panic!(
            "{theorem} survives {:?} in {} ({}), scenario {}, {} executions",
            job.fault,
            job.world.name(),
            job.world.model(),
            job.scenario.name,
            outcome.executions
        );
    };
    assert!(
        finding.what.contains(reason),
        "{theorem} is refuted for another reason: {}",
        finding.what
    );
    let witness = Witness::new(&job, theorem, finding);
    assert_eq!(witness.theorem, theorem);
    assert!(witness.render().starts_with(&format!("{theorem}: ")));
    outcome
}
