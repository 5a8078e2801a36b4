// SPDX-License-Identifier: MIT OR Apache-2.0

//! Whether each ordering of `ordering.rs` is needed: what fails when it is one step weaker. Needed means
//! with respect to these theorems, these scenarios, and the two memory models that are asked.

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

use prodq::Site;

use crate::catalog::scenarios;
use crate::fault::Fault;
use crate::theorem::Theorem;
use crate::world::{Job, JobError, MemoryModel, World};

/// Loom with stock loads, to the end.
const LOOM: World = World::Loom {
    newest_loads: false,
    limit: 400_000,
    preemption_bound: None,
};

/// The explorer under RC11, to the end.
const RC11: World = World::Explore {
    memory: MemoryModel::Rc11,
    limit: u64::MAX,
};

/// The worlds that show weak memory.
pub const WORLDS: [World; 2] = [LOOM, RC11];

/// What is claimed of a weakening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The theorem is refuted in the scenario.
    Needed {
        /// The theorem.
        theorem: Theorem,
        /// The scenario, by name.
        scenario: &'static str,
        /// What loom says is wrong; the explorer tells it in its own words.
        reason: &'static str,
    },
    /// No model here can see it.
    Unseen {
        /// A scenario that holds nevertheless, by name.
        scenario: &'static str,
        /// Why.
        reason: &'static str,
    },
}

impl Claim {
    /// The scenario's name.
    pub fn scenario(&self) -> &'static str {
        match self {
            Claim::Needed { scenario, .. } | Claim::Unseen { scenario, .. } => scenario,
        }
    }
}

/// A site, and an ordering that is one step weaker than its own.
#[derive(Clone, Copy, Debug)]
pub struct Weakening {
    /// The site.
    pub site: Site,
    /// The weaker ordering.
    pub to: Ordering,
}

/// Every one-step weakening: SeqCst, AcqRel, Acquire or Release, Relaxed.
pub fn weakenings() -> Vec<Weakening> {
    let weaker = |ordering| match ordering {
        SeqCst => &[AcqRel][..],
        AcqRel => &[Acquire, Release],
        Acquire | Release => &[Relaxed],
        _ => &[],
    };
    let of_site = |&site: &Site| {
        weaker(site.ordering())
            .iter()
            .map(move |&to| Weakening { site, to })
    };
    Site::ALL.iter().flat_map(of_site).collect()
}

impl Weakening {
    /// What fails with it; nothing is claimed of a site that is new.
    pub fn claim(self) -> Option<Claim> {
        let needed = |theorem, scenario, reason| {
            Some(Claim::Needed {
                theorem,
                scenario,
                reason,
            })
        };
        let race = "data race";
        match (self.site, self.to) {
            (Site::ListPush, Acquire) => needed(Theorem::Conservation, "two-cpus", race),
            (Site::ListTake, Release) => needed(Theorem::Conservation, "two-cpus", race),
            (Site::ListPush, Release) => needed(Theorem::DropCount, "stamps", "stamped 0"),
            (Site::ListTake, Acquire) => needed(Theorem::DropCount, "stamps-third-cpu", "stamped 0"),
            (Site::Publish | Site::LookUp, Relaxed) => needed(Theorem::Conservation, "open", race),
            (Site::Unpublish, Relaxed) => {
                needed(Theorem::ReleaseOnDestruct, "open-close", "the release races")
            }
            (Site::ReadNodeFirst | Site::UnchargeLast, Relaxed) => needed(
                Theorem::Accounting,
                "overshoot-1x2-at-1-node-first",
                "admission missed a batch",
            ),
            (Site::SubReceiveLen | Site::ReadReceiveLen, Relaxed) => {
                needed(Theorem::NoLostWakeup, "sleep-spliced-repaired", "deadlock")
            }
            (Site::WakerFence | Site::SleeperFence, AcqRel) => {
                needed(Theorem::NoLostWakeup, "sleep", "slept and woke 0")
            }
            (Site::DeferCount | Site::DeferReset, Relaxed) => Some(Claim::Unseen {
                scenario: "free-list-repaired",
                reason: "a packet counted after a reset and pushed before the take that came before \
                         that reset is a cycle of program order and reads-from: load buffering, which \
                         RC11 and loom leave out and hardware such as ARMv8 allows",
            }),
            _ => None,
        }
    }

    /// The claim's scenario with the weakening, in one of [`WORLDS`]. It ends when the theorem is refuted,
    /// or with the scenario.
    ///
    /// # Errors
    /// [`JobError`] when there is no such scenario.
    pub fn job(self, claim: &Claim, world: World) -> Result<Job, JobError> {
        let all = scenarios();
        let found = all.into_iter().find(|it| it.name == claim.scenario());
        let scenario = found.ok_or_else(|| JobError::NoScenario(claim.scenario().to_owned()))?;
        let theorems = match claim {
            Claim::Needed { theorem, .. } => std::slice::from_ref(theorem),
            Claim::Unseen { .. } => Theorem::ALL,
        };
        let fault = Fault::weaken(self.site, self.to);
        Ok(Job::new(scenario, world, theorems).with_fault(fault))
    }
}
