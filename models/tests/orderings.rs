// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every one-step weakening of `ordering.rs` makes a named theorem fail, in loom and in the explorer
//! under RC11. Those that no model here can see are listed, with the reason.

mod common;

use common::{assert_refuted, outcome};
use prodq_models::orderings::{weakenings, Claim, WORLDS};
use prodq_models::world::World;

#[test]
fn every_one_step_weakening_is_caught() {
    let (mut caught, mut unseen) = (0, 0);
    for weakening in weakenings() {
        let claim = weakening.claim();
        let claim = claim.unwrap_or_else(|| panic!("nothing is claimed of {weakening:?}"));
        for world in WORLDS {
            let job = weakening.job(&claim, world);
            let job = job.unwrap_or_else(|error| panic!("{error}"));
            match claim {
                Claim::Needed {
                    theorem, reason, ..
                } => {
                    let loom = matches!(world, World::Loom { .. });
                    assert_refuted(job, theorem, if loom { reason } else { "" });
                }
                Claim::Unseen { .. } if matches!(world, World::Loom { .. }) => {}
                Claim::Unseen { .. } => {
                    let findings = outcome(&job).findings;
                    assert!(findings.is_empty(), "{weakening:?} is seen now");
                }
            }
        }
        match claim {
            Claim::Needed { .. } => caught += 1,
            Claim::Unseen { .. } => unseen += 1,
        }
    }
    assert_eq!((caught, unseen), (13, 2));
}
