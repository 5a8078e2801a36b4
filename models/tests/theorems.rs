// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every theorem, in every world, on the scenarios of the catalog. `cargo verify` plays more of them
//! and for longer.

mod common;

use common::{assert_nothing_found, outcome, LOOM, LOOM_NEWEST, SHUTTLE, THREADS};
use prodq_models::catalog::{applies, scenarios};
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::world::{Job, World};

/// Where the kernel's own design breaks a theorem; `models/findings.md` tells how.
const BROKEN: &[(&str, Theorem)] = &[
    ("two-nodes-stamps", Theorem::DropCount),
    ("sleep-two-readers", Theorem::NoLostWakeup),
    ("free-list", Theorem::DeferredFree),
];

/// The theorems that hold in this scenario and world.
fn holding(scenario: &Scenario, world: World) -> Vec<Theorem> {
    // The designs before the patch wait for a lock, and the spec is not theirs.
    let before = |theorem| {
        let not_theirs = matches!(theorem, Theorem::Progress | Theorem::Refinement);
        scenario.baseline.is_some() && not_theirs
    };
    let broken = |theorem| BROKEN.contains(&(scenario.name.as_str(), theorem)) || before(theorem);
    let all = Theorem::ALL.iter().copied();
    all.filter(|&theorem| applies(theorem, world) && !broken(theorem))
        .collect()
}

/// Plays these scenarios; all of them when there are no names.
fn all_hold(world: World, names: &[&str]) {
    let mut played = 0;
    for scenario in scenarios() {
        if !names.is_empty() && !names.contains(&scenario.name.as_str()) {
            continue;
        }
        let theorems = holding(&scenario, world);
        let job = Job::new(scenario, world, &theorems);
        let outcome = outcome(&job);
        assert_nothing_found(&job, &outcome);
        assert!(outcome.executions > 0 && !outcome.cut_short);
        assert_eq!(
            outcome.complete,
            world.name() == "loom",
            "{}",
            job.scenario.name
        );
        played += 1;
    }
    assert!(names.is_empty() || played == names.len());
}

/// Those that loom finishes in a second or two.
const FINISHED: &[&str] = &[
    "two-cpus",
    "two-nodes",
    "reader-apart",
    "oversize",
    "tiny-rcvbuf",
    "resize",
    "open",
    "open-close",
    "close",
    "close-twice",
    "two-nodes-stamps",
    "init-fails",
];

#[test]
fn every_theorem_holds_in_loom_with_stale_loads() {
    all_hold(LOOM, FINISHED);
    all_hold(
        LOOM,
        &["reader", "memory-pressure", "left-queued", "stamps"],
    );
}

#[test]
fn every_theorem_holds_in_loom_with_newest_loads() {
    all_hold(LOOM_NEWEST, FINISHED);
}

#[test]
fn every_theorem_holds_in_shuttle() {
    let world = World::Shuttle {
        seed: 1,
        executions: 100,
    };
    all_hold(world, &[]);
    let without_flood: Vec<_> = scenarios()
        .into_iter()
        .map(|scenario| scenario.name)
        .filter(|name| name != "flood")
        .collect();
    let names: Vec<_> = without_flood.iter().map(String::as_str).collect();
    all_hold(SHUTTLE, &names);
}

#[test]
fn every_theorem_holds_on_real_threads() {
    all_hold(World::Threads { executions: 20 }, &[]);
    all_hold(THREADS, &["two-cpus-two-packets", "two-readers", "close"]);
}

#[test]
fn loom_counts_the_same_executions_on_every_run() {
    for world in [LOOM, LOOM_NEWEST] {
        for name in ["two-cpus", "two-nodes", "close-twice"] {
            let job = Job::new(common::scenario(name), world, Theorem::ALL);
            let (first, second) = (outcome(&job), outcome(&job));
            assert_eq!(first.executions, second.executions, "{name}");
            assert_eq!(first.largest, second.largest, "{name}");
        }
    }
}

#[test]
fn a_run_that_reaches_its_limit_says_that_it_was_cut_short() {
    let full = outcome(&Job::new(common::scenario("two-cpus"), LOOM, Theorem::ALL));
    assert!(full.complete && !full.cut_short);
    let limit = full.executions;
    for (limit, cut_short) in [(limit - 1, true), (limit, true), (limit + 1, false)] {
        let world = World::Loom {
            newest_loads: false,
            limit,
            preemption_bound: None,
        };
        let outcome = outcome(&Job::new(common::scenario("two-cpus"), world, Theorem::ALL));
        assert_eq!(outcome.executions, limit.min(full.executions));
        assert_eq!(
            (outcome.cut_short, outcome.complete),
            (cut_short, !cut_short)
        );
    }
}
