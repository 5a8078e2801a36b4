// SPDX-License-Identifier: MIT OR Apache-2.0

//! Loom, shuttle's depth-first scheduler and the explorer on the same scenarios: the README's table.

use std::time::Instant;

use prodq_models::catalog::{large_scenarios, scenarios};
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::world::{run, shuttle_depth_first, Job, JobError, MemoryModel, Outcome, World};

/// What does not finish within so many executions is not waited for.
const LIMIT: u64 = 400_000;

const SCENARIOS: &[&str] = &[
    "two-cpus",
    "reader",
    "close-two-producers",
    "two-cpus-two-packets",
    "three-cpus",
    "two-nodes-four-cpus",
    "two-cpus-three-packets",
];

fn cell(outcome: &Result<Outcome, JobError>, start: Instant) -> String {
    let seconds = start.elapsed().as_secs_f64();
    match outcome {
        Ok(outcome) if outcome.complete => format!("{}, {seconds:.2} s", outcome.executions),
        Ok(outcome) => format!(
            "over {}, unfinished after {seconds:.0} s",
            outcome.executions
        ),
        Err(error) => error.to_string(),
    }
}

fn row(scenario: &Scenario) {
    let mut cells = vec![scenario.name.clone()];
    let loom = |newest_loads| World::Loom {
        newest_loads,
        limit: LIMIT,
        preemption_bound: None,
    };
    let explore = |memory| World::Explore {
        memory,
        limit: LIMIT,
    };
    for world in [loom(false), loom(true)] {
        let start = Instant::now();
        let outcome = run(&Job::new(scenario.clone(), world, Theorem::ALL));
        cells.push(cell(&outcome, start));
    }
    let start = Instant::now();
    let job = Job::new(scenario.clone(), explore(MemoryModel::Sc), Theorem::ALL);
    let limit = usize::try_from(LIMIT).unwrap_or(usize::MAX);
    cells.push(cell(&shuttle_depth_first(&job, limit), start));
    for memory in [MemoryModel::Sc, MemoryModel::Rc11] {
        let start = Instant::now();
        let outcome = run(&Job::new(scenario.clone(), explore(memory), Theorem::ALL));
        cells.push(cell(&outcome, start));
    }
    println!("| {} |", cells.join(" | "));
}

fn main() {
    println!("| scenario | loom, stale loads | loom, newest loads | shuttle DFS | explorer, SC | explorer, RC11 |");
    println!("|---|---|---|---|---|---|");
    for scenario in scenarios().into_iter().chain(large_scenarios()) {
        if SCENARIOS.contains(&scenario.name.as_str()) {
            row(&scenario);
        }
    }
}
