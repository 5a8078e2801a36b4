// SPDX-License-Identifier: MIT OR Apache-2.0

//! The grace period of hardware, crossbeam-epoch, under loom, in the smallest scope:
//! `RUSTFLAGS="--cfg crossbeam_loom" cargo test --package prodq-models --test epoch`.
//!
//! The core and crossbeam-epoch itself run on loom's primitives then, stale loads included. Without the
//! flag this file has no test.

#![cfg(crossbeam_loom)]

use prodq_models::catalog::scenarios;
use prodq_models::fault::Fault;
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::world::{run, Job, Outcome, World};

const THEOREMS: [Theorem; 2] = [Theorem::ReleaseOnDestruct, Theorem::Conservation];

fn watch(name: &str, bound: usize, fault: Fault) -> Outcome {
    let found = scenarios().into_iter().find(|s| s.name == name);
    let scenario: Scenario = found.expect("it is in the catalog");
    let world = World::Loom {
        newest_loads: false,
        limit: 20_000,
        preemption_bound: Some(bound),
    };
    let job = Job::new(scenario, world, &THEOREMS).with_fault(fault);
    run(&job).expect("the scenario can be run")
}

#[test]
fn a_socket_closed_during_an_enqueue_is_released_after_it() {
    for name in ["close", "open-close", "close-twice"] {
        let outcome = watch(name, 2, Fault::None);
        let findings: Vec<_> = outcome.findings.values().map(|f| &f.what).collect();
        assert!(findings.is_empty(), "{name}: {findings:?}");
        let complete = if outcome.complete { "" } else { ", truncated" };
        println!("{name}: {} executions{complete}", outcome.executions);
        assert!(outcome.executions > 1, "{name}");
    }
}

#[test]
fn without_the_grace_period_it_is_touched() {
    let outcome = watch("close", 2, Fault::NoGrace);
    assert!(outcome.findings.contains_key(&Theorem::ReleaseOnDestruct));
}
