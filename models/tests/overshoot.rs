// SPDX-License-Identifier: MIT OR Apache-2.0

//! The exact overshoot of each admission policy, reached on the real code.

use std::sync::atomic::Ordering;

use prodq::Site;
use prodq_models::catalog::{scenarios, SEED};
use prodq_models::design::Policy;
use prodq_models::fault::Fault;
use prodq_models::scenario::Scenario;
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{run, Job, Outcome, World};

const SHUTTLE: World = World::Shuttle {
    seed: SEED,
    executions: 1_500,
};

fn exact() -> Vec<(Scenario, u64)> {
    let exact = |scenario: Scenario| scenario.overshoot.map(|largest| (scenario, largest));
    let of_name = |scenario: &Scenario| scenario.name.starts_with("overshoot-");
    let scenarios = scenarios().into_iter().filter(of_name);
    scenarios.filter_map(exact).collect()
}

fn watch(scenario: &Scenario, world: World, theorem: Theorem, fault: Fault) -> (Job, Outcome) {
    let job = Job::new(scenario.clone(), world, &[theorem]).with_fault(fault);
    let outcome = run(&job).expect("a scenario of the catalog can be run");
    (job, outcome)
}

#[test]
fn every_policy_reaches_its_exact_value_and_no_more() {
    let scenarios = exact();
    let of = |policy| scenarios.iter().filter(move |(s, _)| s.policy == policy);
    assert!(Policy::ALL.iter().all(|&policy| of(policy).count() == 3));
    for (scenario, largest) in &scenarios {
        let name = &scenario.name;
        let (job, outcome) = watch(scenario, SHUTTLE, Theorem::BoundedOvershoot, Fault::None);
        assert_eq!(outcome.largest, *largest as i64, "{name}");
        assert!(outcome.findings.is_empty(), "{name}");
        let reached = outcome.reached.expect("some execution reached it");
        let witness = Witness::new(&job, Theorem::BoundedOvershoot, &reached);
        let replayed = witness.replay().expect("the witness can be played");
        assert_eq!(replayed, Replay::Same, "{name}");
    }
}

#[test]
fn one_packet_less_is_no_bound() {
    for (mut scenario, largest) in exact() {
        scenario.overshoot = Some(largest - 100);
        let (job, outcome) = watch(&scenario, SHUTTLE, Theorem::BoundedOvershoot, Fault::None);
        let finding = &outcome.findings[&Theorem::BoundedOvershoot];
        let witness = Witness::new(&job, Theorem::BoundedOvershoot, finding);
        let replayed = witness.replay().expect("the witness can be played");
        assert_eq!(replayed, Replay::Same, "{}", scenario.name);
    }
}

#[test]
fn the_exact_values_are_within_the_proved_bounds() {
    for (scenario, largest) in exact() {
        assert!(largest <= scenario.bound(), "{}", scenario.name);
        let one_node = scenario.nodes == 1 && scenario.policy != Policy::KernelOrder;
        assert!(
            !one_node || largest == scenario.bound(),
            "one node attains the bound: {}",
            scenario.name
        );
    }
}

/// Reading the node's counter first helps only with an acquire there and a release at the subtraction.
#[test]
fn node_first_needs_its_acquire_and_its_release() {
    let world = World::Loom {
        newest_loads: false,
        limit: 60_000,
        preemption_bound: None,
    };
    let name = "overshoot-1x2-at-1-node-first";
    let (scenario, _) = exact()
        .into_iter()
        .find(|(s, _)| s.name == name)
        .expect("it is there");
    let (_, outcome) = watch(&scenario, world, Theorem::Accounting, Fault::None);
    assert!(outcome.findings.is_empty());
    for site in [Site::ReadNodeFirst, Site::UnchargeLast] {
        let weakened = Fault::weaken(site, Ordering::Relaxed);
        let (_, outcome) = watch(&scenario, world, Theorem::Accounting, weakened);
        let finding = &outcome.findings[&Theorem::Accounting];
        assert!(
            finding.what.contains("missed a batch"),
            "{}: {}",
            site.name(),
            finding.what
        );
    }
}
