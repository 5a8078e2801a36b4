// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a preemption bound hides. Two is what many projects give loom, and a drain that takes the list
//! before the lock needs three to break the order of one CPU's packets.

mod common;

use common::{outcome, scenario};
use prodq_models::fault::Fault;
use prodq_models::theorem::Theorem;
use prodq_models::world::{Job, Outcome, World};

/// The bug, in loom with at most so many preemptions.
fn bounded(preemption_bound: Option<usize>) -> Outcome {
    let world = World::Loom {
        newest_loads: false,
        limit: 2_000_000,
        preemption_bound,
    };
    let scenario = scenario("order-of-one-cpu");
    let job = Job::new(scenario, world, &[Theorem::OrderOfCpu]);
    outcome(&job.with_fault(Fault::TakeBeforeLock))
}

#[test]
fn two_preemptions_hide_the_list_taken_before_the_lock() {
    let outcome = bounded(Some(2));
    assert!(outcome.complete, "the bounded search comes to its end");
    assert!(outcome.findings.is_empty());
    eprintln!(
        "2 preemptions: not seen in {} executions, all of them",
        outcome.executions
    );
}

#[test]
fn the_list_taken_before_the_lock_dies_without_a_bound() {
    for bound in [Some(3), None] {
        let outcome = bounded(bound);
        let found = outcome.findings.get(&Theorem::OrderOfCpu);
        let found =
            found.unwrap_or_else(|| panic!("bound {bound:?}: {} executions", outcome.executions));
        assert!(
            found.what.contains("was delivered after its packet"),
            "{}",
            found.what
        );
        eprintln!(
            "bound {bound:?}: seen after {} executions",
            outcome.executions
        );
    }
}
