// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every one-step weakening of `ordering.rs` makes a named theorem fail: necessary with respect to
//! these theorems, these scenarios, and loom's model.

mod common;

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

use common::{assert_refuted, scenario, LOOM};
use prodq::Site;
use prodq_models::fault::Fault;
use prodq_models::theorem::Theorem;
use prodq_models::world::Job;

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
        _ => return None,
    })
}

#[test]
fn every_one_step_weakening_is_caught() {
    let mut weakenings = 0;
    for &site in Site::ALL {
        for &to in one_step_weaker(site.ordering()) {
            let Some((theorem, name, reason)) = caught_by(site, to) else {
                panic!("no theorem is named for {site:?} weakened to {to:?}");
            };
            let job = Job::new(scenario(name), LOOM, &[theorem]);
            assert_refuted(job.with_fault(Fault::weaken(site, to)), theorem, reason);
            weakenings += 1;
        }
    }
    assert_eq!(weakenings, 7);
}
