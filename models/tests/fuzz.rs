// SPDX-License-Identifier: MIT OR Apache-2.0

//! Scenarios and schedules by proptest: all theorems, shrunk to a minimal scenario, with a file to
//! replay. Regressions are kept in `proptest-regressions/`.

mod common;

use std::cell::RefCell;

use common::{assert_nothing_found, outcome};
use prodq::Site;
use prodq_models::fault::Fault;
use prodq_models::scenario::Scenario;
use prodq_models::strategy::scenarios;
use prodq_models::theorem::Theorem;
use prodq_models::world::{Job, World};
use proptest::prelude::*;
use proptest::test_runner::{Config, FileFailurePersistence, TestRng, TestRunner};

/// Schedules of each of shuttle's schedulers for one scenario.
const SCHEDULES: u64 = 30;

fn world(seed: u64) -> World {
    World::Shuttle {
        seed,
        executions: SCHEDULES,
    }
}

fn config(cases: u32) -> Config {
    let regressions = concat!(env!("CARGO_MANIFEST_DIR"), "/proptest-regressions/fuzz.txt");
    Config {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(regressions))),
        ..Config::default()
    }
}

proptest! {
    // PROPTEST_CASES=N makes it longer; proptest prints the seed of a failure.
    #![proptest_config(config(Config::default().cases))]

    #[test]
    fn every_theorem_holds_in_any_scenario(scenario in scenarios(), seed: u64) {
        let job = Job::new(scenario, world(seed), Theorem::ALL);
        let outcome = outcome(&job);
        // URW and PCT have no part in it where there is nothing to choose.
        prop_assert!(outcome.executions >= SCHEDULES && !outcome.cut_short);
        // Panics with the timeline and the command that replays it.
        assert_nothing_found(&job, &outcome);
    }
}

/// Fuzzes a broken platform, without looking at the regressions; returns the minimal scenario.
fn fuzz_broken(theorem: Theorem, fault: &Fault) -> Scenario {
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 4_000,
        ..Config::with_cases(2_000)
    };
    let algorithm = config.rng_algorithm;
    let rng = TestRng::deterministic_rng(algorithm);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let minimal = RefCell::new(None);
    let failed = runner.run(&scenarios(), |scenario| {
        let job = Job::new(scenario, world(7), &[theorem]).with_fault(fault.clone());
        let refuted = outcome(&job).findings.contains_key(&theorem);
        if refuted {
            minimal.replace(Some(job.scenario));
        }
        prop_assert!(!refuted);
        Ok(())
    });
    assert!(failed.is_err(), "{theorem} survives {fault:?}");
    minimal.take().expect("a scenario that failed")
}

#[test]
fn a_failure_shrinks_to_the_smallest_scenario() {
    // One packet is enough to see that the last step is missing.
    let minimal = fuzz_broken(Theorem::Accounting, &Fault::omit(Site::Uncharge));
    assert_eq!(
        (minimal.nodes, minimal.packets()),
        (1, 1),
        "{}",
        minimal.scripts()
    );
    // Two are needed, of two CPUs of one node, to see that a batch is not reversed.
    let minimal = fuzz_broken(Theorem::Order, &Fault::NoReversal);
    assert_eq!(
        (minimal.nodes, minimal.packets()),
        (1, 2),
        "{}",
        minimal.scripts()
    );
}
