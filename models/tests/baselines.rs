// SPDX-License-Identifier: MIT OR Apache-2.0

//! The designs that the patch replaced, under the same theorems: all hold but `progress`, which is what
//! the patch is about, and each design has its own exact overshoot.

mod common;

use common::{assert_nothing_found, assert_refuted, outcome, scenario, LOOM, SHUTTLE, THREADS};
use prodq::Site;
use prodq_models::catalog::{applies, concerns, scenarios, SEED};
use prodq_models::design::Baseline;
use prodq_models::fault::Fault;
use prodq_models::scenario::{Op, Scenario};
use prodq_models::strategy;
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{run, Job, MemoryModel, World};
use proptest::prelude::*;

const SC: World = World::Explore {
    memory: MemoryModel::Sc,
    limit: u64::MAX,
};

const RC11: World = World::Explore {
    memory: MemoryModel::Rc11,
    limit: u64::MAX,
};

const SOME_LOOM: World = World::Loom {
    newest_loads: false,
    limit: 5_000,
    preemption_bound: None,
};

fn baselines() -> impl Iterator<Item = Scenario> {
    let of_baseline = |scenario: &Scenario| scenario.baseline.is_some();
    scenarios().into_iter().filter(of_baseline)
}

fn of(baseline: Baseline, what: &str) -> Scenario {
    scenario(&format!("{}-{what}", baseline.name()))
}

fn concerned(scenario: &Scenario, world: World) -> Vec<Theorem> {
    let concerned = |theorem: &Theorem| applies(*theorem, world) && concerns(*theorem, scenario);
    Theorem::ALL.iter().copied().filter(concerned).collect()
}

#[test]
fn every_theorem_but_progress_is_proved() {
    let mut proved = 0;
    for scenario in baselines().filter(|scenario| !scenario.lock_held) {
        for world in [SC, RC11] {
            let mut theorems = concerned(&scenario, world);
            theorems.retain(|&theorem| theorem != Theorem::Progress);
            let job = Job::new(scenario.clone(), world, &theorems);
            let outcome = outcome(&job);
            assert_nothing_found(&job, &outcome);
            assert!(outcome.complete, "{}", job.scenario.name);
            proved += theorems.len();
        }
    }
    assert!(proved > 200, "{proved} verdicts");
}

#[test]
fn a_producer_waits_for_a_lock_and_progress_says_so() {
    let theorem = Theorem::Progress;
    for baseline in Baseline::ALL {
        for world in [SC, RC11, LOOM, SHUTTLE, THREADS] {
            let job = Job::new(of(baseline, "overshoot"), world, &[theorem]);
            assert_refuted(job, theorem, "in enqueue and is not elected");
        }
        // The lock is held for ever, and every producer with it.
        let job = Job::new(of(baseline, "lock-held"), SC, &[theorem]);
        assert_refuted(job, theorem, "waits for the lock for ever");
    }
}

#[test]
fn other_worlds_find_nothing_either() {
    for scenario in baselines().filter(|scenario| !scenario.lock_held) {
        for world in [SOME_LOOM, SHUTTLE, THREADS] {
            let mut theorems = concerned(&scenario, world);
            theorems.retain(|&theorem| theorem != Theorem::Progress);
            let job = Job::new(scenario.clone(), world, &theorems);
            let outcome = outcome(&job);
            assert_nothing_found(&job, &outcome);
            assert!(outcome.executions > 0, "{}", job.scenario.name);
        }
    }
}

/// One CPU fills rcvbuf; the others have read the counter before.
fn filling(baseline: Baseline, cpus: usize, rcvbuf: u32) -> Scenario {
    let fill = vec![Op::Offer(100); rcvbuf as usize + 1];
    let others = (1..cpus).map(|_| [Op::Offer(100)]);
    others.fold(
        Scenario {
            baseline: Some(baseline),
            ..Scenario::new("filling", 1, rcvbuf * 100).cpu(0, fill)
        },
        |scenario, offer| scenario.cpu(0, offer),
    )
}

/// rcvbuf B, C CPUs, packets of s bytes: `B + C s`, and `max(B, s) + (C - 1) s` for a busylock per socket.
#[test]
fn the_overshoot_is_the_bound_and_not_a_packet_less() {
    let theorem = Theorem::BoundedOvershoot;
    for baseline in Baseline::ALL {
        for (cpus, rcvbuf) in [(1, 1), (1, 3), (2, 1), (2, 2), (2, 4), (3, 1), (3, 2)] {
            let mut scenario = filling(baseline, cpus, rcvbuf);
            let beyond = match baseline {
                Baseline::SocketBusylock => cpus as u64 - 1,
                _ => cpus as u64,
            };
            let bound = (u64::from(rcvbuf) + beyond) * 100;
            assert_eq!(scenario.bound(), bound);
            let job = Job::new(scenario.clone(), SC, &[theorem]);
            let seen = outcome(&job);
            let what = format!("{} {cpus} CPUs, rcvbuf {rcvbuf}", baseline.name());
            assert!(seen.complete && seen.findings.is_empty(), "{what}");
            assert_eq!(seen.largest, bound as i64, "{what}");

            scenario.overshoot = Some(bound - 100);
            let job = Job::new(scenario, SC, &[theorem]);
            let found = assert_refuted(job.clone(), theorem, &format!("is {bound} bytes"));
            let witness = Witness::new(&job, theorem, &found.findings[&theorem]);
            assert_eq!(witness.replay().expect("it can be played"), Replay::Same);
        }
    }
}

/// Each design with something broken in it.
#[test]
fn a_broken_design_is_refuted_for_the_right_reason() {
    let controls = [
        (
            Site::ChargeSock,
            "condense",
            Theorem::Accounting,
            "1 pages ",
        ),
        (
            Site::UnchargeSock,
            "memory-pressure",
            Theorem::ReleaseOnDestruct,
            "left rmem_alloc 4096 bytes",
        ),
        (
            Site::AddDrops,
            "overshoot",
            Theorem::DropCount,
            "the socket counts 0 drops",
        ),
        (
            Site::UnchargePages,
            "condense",
            Theorem::ReleaseOnDestruct,
            "the destructor left",
        ),
    ];
    for baseline in Baseline::ALL {
        for (site, what, theorem, reason) in controls {
            for world in [SC, LOOM, SHUTTLE] {
                let job = Job::new(of(baseline, what), world, &[theorem]);
                assert_refuted(job.with_fault(Fault::omit(site)), theorem, reason);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_theorem_but_progress_holds_for_any_scenario(
        scenario in strategy::scenarios(),
        baseline in proptest::sample::select(&Baseline::ALL[..]),
        seed in any::<u64>(),
    ) {
        let scenario = Scenario {
            baseline: Some(baseline),
            policy: Default::default(),
            ..scenario
        };
        let world = World::Shuttle { seed, executions: 20 };
        let mut theorems = concerned(&scenario, world);
        theorems.retain(|&theorem| theorem != Theorem::Progress);
        let outcome = run(&Job::new(scenario, world, &theorems)).expect("it can be run");
        let findings: Vec<_> = outcome.findings.iter().map(|(t, f)| (t, &f.what)).collect();
        prop_assert!(findings.is_empty(), "{:?}", findings);
        prop_assert!(outcome.executions > 0);
    }
}

#[test]
fn a_baseline_has_a_name_and_goes_with_no_policy() {
    for baseline in Baseline::ALL {
        let scenario = of(baseline, "stamps");
        assert_eq!(scenario.design(), baseline.name());
        let text = serde_json::to_string(&scenario).expect("it is plain data");
        assert!(text.contains(&format!("\"baseline\":\"{}\"", baseline.name())));
        let again: Scenario = serde_json::from_str(&text).expect("it was just written");
        assert_eq!(again, scenario);
        let wrong = Scenario {
            policy: prodq_models::design::Policy::NodeFirst,
            ..scenario
        };
        let error = wrong.check().expect_err("it makes no sense").to_string();
        assert!(error.contains("it has none of them"), "{error}");
    }
    let seen = baselines().count();
    assert_eq!(seen, 7 * Baseline::ALL.len(), "seed {SEED}");
}
