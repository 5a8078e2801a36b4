// SPDX-License-Identifier: MIT OR Apache-2.0

//! Any scenario with any admission policy, and what a scenario may not ask for.

use prodq_models::design::{Policy, Repair};
use prodq_models::scenario::{Op, Scenario};
use prodq_models::strategy;
use prodq_models::theorem::Theorem;
use prodq_models::world::{run, Job, World};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_theorem_holds_for_every_policy(
        scenario in strategy::scenarios(),
        policy in proptest::sample::select(&Policy::ALL[..]),
        seed in any::<u64>(),
    ) {
        let scenario = Scenario { policy, ..scenario };
        let world = World::Shuttle { seed, executions: 20 };
        let job = Job::new(scenario, world, Theorem::ALL);
        let outcome = run(&job).expect("the strategy makes scenarios that can be run");
        let findings: Vec<_> = outcome.findings.iter().map(|(t, f)| (t, &f.what)).collect();
        prop_assert!(findings.is_empty(), "{:?}", findings);
        prop_assert!(outcome.executions > 0);
    }
}

#[test]
fn a_policy_and_a_repair_have_names_and_serde_knows_them() {
    let mut scenario = Scenario::new("names", 1, 100).cpu(0, [Op::Offer(1)]);
    for policy in Policy::ALL {
        scenario.policy = policy;
        assert_eq!(scenario.design(), format!("prod-queue, {}", policy.name()));
        let text = serde_json::to_string(&scenario).expect("it is plain data");
        assert!(text.contains(&format!("\"policy\":\"{}\"", policy.name())));
        let again: Scenario = serde_json::from_str(&text).expect("it was just written");
        assert_eq!(again, scenario);
    }
    let old = r#"{"name":"old","nodes":1,"rcvbuf":9,"cpus":[{"node":0,"ops":["recv"]}]}"#;
    let old: Scenario = serde_json::from_str(old).expect("a scenario from before policies");
    assert_eq!(old.policy, Policy::KernelOrder);
    assert_eq!(old.repair, None);
}

#[test]
fn designs_that_do_not_go_together_are_refused_with_a_reason() {
    let refused = |scenario: &Scenario, why: &str| {
        let error = scenario.check().expect_err("it makes no sense").to_string();
        assert!(error.contains(why), "{error}");
    };
    let scenario = Scenario::new("wrong", 1, 100).cpu(0, [Op::Offer(1)]);
    refused(
        &Scenario {
            policy: Policy::NodeFirst,
            repair: Some(Repair::StampUnderLock),
            ..scenario.clone()
        },
        "it goes with kernel-order only",
    );
    refused(
        &Scenario {
            policy: Policy::AllNodes,
            ..scenario.clone().cpu(0, [Op::Wait])
        },
        "sleeping readers in the design",
    );
    refused(&scenario.clone().cpu(0, [Op::Defer(2)]), "CPUs are 0 to 1");
    let held = Scenario {
        lock_held: true,
        ..scenario.cpu(0, [Op::Recv])
    };
    refused(&held, "CPUs that offer packets only");
}
