// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every one-step weakening of `ordering.rs` makes a named theorem fail, in loom and in the explorer
//! under RC11: necessary with respect to these theorems, these scenarios, and those models. Those that
//! no model here can see are listed, with the reason.

mod common;

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

use common::{assert_refuted, outcome, scenario, LOOM};
use prodq::Site;
use prodq_models::fault::Fault;
use prodq_models::theorem::Theorem;
use prodq_models::world::{Job, MemoryModel, World};

const RC11: World = World::Explore {
    memory: MemoryModel::Rc11,
    limit: u64::MAX,
};

fn one_step_weaker(ordering: Ordering) -> &'static [Ordering] {
    match ordering {
        SeqCst => &[AcqRel],
        AcqRel => &[Acquire, Release],
        Acquire | Release => &[Relaxed],
        _ => &[],
    }
}

/// Which theorem fails first, and in which scenario.
fn caught_by(site: Site, to: Ordering) -> Option<(Theorem, &'static str, &'static str)> {
    let race = "data race";
    Some(match (site, to) {
        (Site::ListPush, Acquire) => (Theorem::Conservation, "two-cpus", race),
        (Site::ListTake, Release) => (Theorem::Conservation, "two-cpus", race),
        (Site::ListPush, Release) => (Theorem::DropCount, "stamps", "stamped 0"),
        (Site::ListTake, Acquire) => (Theorem::DropCount, "stamps-third-cpu", "stamped 0"),
        (Site::Publish | Site::LookUp, Relaxed) => (Theorem::Conservation, "open", race),
        (Site::Unpublish, Relaxed) => (
            Theorem::ReleaseOnDestruct,
            "open-close",
            "the release races",
        ),
        (Site::ReadNodeFirst | Site::UnchargeLast, Relaxed) => (
            Theorem::Accounting,
            "overshoot-1x2-at-1-node-first",
            "admission missed a batch",
        ),
        (Site::SubReceiveLen | Site::ReadReceiveLen, Relaxed) => {
            (Theorem::NoLostWakeup, "sleep-spliced-repaired", "deadlock")
        }
        (Site::WakerFence | Site::SleeperFence, AcqRel) => {
            (Theorem::NoLostWakeup, "sleep", "deadlock")
        }
        _ => return None,
    })
}

/// Weakenings that no model here can see. A packet that is counted after a reset and pushed before the
/// take that came before that reset is a cycle of program order and reads-from: load buffering, which
/// RC11 and loom leave out and hardware such as ARMv8 allows.
const UNSEEN: &[Site] = &[Site::DeferCount, Site::DeferReset];

#[test]
fn every_one_step_weakening_is_caught() {
    let (mut caught, mut unseen) = (0, 0);
    for &site in Site::ALL {
        for &to in one_step_weaker(site.ordering()) {
            let fault = Fault::weaken(site, to);
            if UNSEEN.contains(&site) {
                let scenario = scenario("free-list-repaired");
                let job = Job::new(scenario, RC11, Theorem::ALL).with_fault(fault);
                assert!(outcome(&job).findings.is_empty(), "{site:?} is seen now");
                unseen += 1;
                continue;
            }
            let Some((theorem, name, reason)) = caught_by(site, to) else {
                panic!("no theorem is named for {site:?} weakened to {to:?}");
            };
            for world in [LOOM, RC11] {
                let job = Job::new(scenario(name), world, &[theorem]).with_fault(fault.clone());
                let reason = if world == LOOM { reason } else { "" };
                assert_refuted(job, theorem, reason);
            }
            caught += 1;
        }
    }
    assert_eq!((caught, unseen), (13, 2));
}
