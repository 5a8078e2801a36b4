// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hunt for one bug: the scenario that its header names, then the smaller scenarios before the larger
//! ones, in each world.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use prodq_models::catalog::{applies, concerns, Case, Tier};
use prodq_models::fault::Fault;
use prodq_models::theorem::Theorem;
use prodq_models::verify::{Manifest, Row, Verdict};
use prodq_models::worker::Request;

use super::patch::Patch;
use super::tree::Program;

/// The worlds, in the order in which they are asked and shown.
pub const WORLDS: [&str; 4] = ["explore", "shuttle", "loom", "threads"];

/// A world that has not caught a bug after so many executions leaves it to the others, if one of them has.
const PATIENCE: u64 = 5_000;

/// A case in which no execution ends for so long hangs: a broken core may turn in circles.
const HANGS: Duration = Duration::from_secs(30);

/// What a world has to say of a bug.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The theorem that was refuted first, in which scenario.
    pub caught: Option<(Theorem, String)>,
    /// Executions until then, or all of them.
    pub executions: u64,
    /// Milliseconds until then.
    pub wall_ms: u64,
    /// The first scenario in which the core crashed or hung, which is not what a theorem says.
    pub crashed: Option<String>,
    /// The first scenario in which nothing was refuted, and the number of executions is not what is pinned.
    pub counted: Option<String>,
}

/// What each world has to say.
pub type Sights = BTreeMap<&'static str, Sight>;

impl Sight {
    /// Whether there is no need to look on.
    pub fn is_enough(&self, quick: &Quick<'_>) -> bool {
        self.caught.is_some() || (quick.crash_is_enough && self.crashed.is_some())
    }
}

/// The quick tier, and what the unbroken core does in it.
pub struct Quick<'a> {
    pub cases: &'a [Case],
    pub manifest: &'a Manifest,
    /// The worlds that are asked, in this order.
    pub worlds: &'a [&'static str],
    /// Cases with more executions than this are left out.
    pub largest: u64,
    /// Whether a core that crashes or hangs needs no theorem to catch it.
    pub crash_is_enough: bool,
}

impl<'a> Quick<'a> {
    /// All worlds and cases; only a theorem catches.
    pub fn new(cases: &'a [Case], manifest: &'a Manifest) -> Self {
        Quick {
            cases,
            manifest,
            worlds: &WORLDS,
            largest: u64::MAX,
            crash_is_enough: false,
        }
    }
}

impl Quick<'_> {
    /// What each world sees of the bug: at first glance, and if that is nothing, in all.
    pub fn hunt(&self, broken: &Program, patch: &Patch) -> Result<Sights> {
        let sights = self.glance(broken, patch)?;
        if sights.values().any(|sight| sight.is_enough(self)) {
            return Ok(sights);
        }
        self.look_on(broken, patch, PATIENCE, sights)
    }

    /// What each world sees in its smallest cases.
    pub fn glance(&self, broken: &Program, patch: &Patch) -> Result<Sights> {
        let look = |&world| Ok((world, self.look(broken, patch, world, 0, PATIENCE)?));
        self.worlds.iter().map(look).collect()
    }

    /// What each world sees in all its cases but those that the first `skip` executions came to, until one
    /// has seen enough.
    pub fn look_on(
        &self,
        broken: &Program,
        patch: &Patch,
        skip: u64,
        mut sights: Sights,
    ) -> Result<Sights> {
        for &world in self.worlds {
            let sight = self.look(broken, patch, world, skip, u64::MAX)?;
            let enough = sight.is_enough(self);
            sights.insert(world, sight);
            if enough {
                break;
            }
        }
        Ok(sights)
    }

    /// Plays the cases of a world until a theorem is refuted that should hold. Those that the first
    /// `skip` executions came to have been played before.
    fn look(
        &self,
        broken: &Program,
        patch: &Patch,
        world: &str,
        skip: u64,
        patience: u64,
    ) -> Result<Sight> {
        let mut worker = broken.worker()?;
        let mut sight = Sight {
            caught: None,
            executions: 0,
            wall_ms: 0,
            crashed: None,
            counted: None,
        };
        let start = Instant::now();
        for index in self.order(patch, world) {
            if sight.executions >= patience {
                break;
            }
            let case = &self.cases[index];
            let until = self.until(case, patch);
            if until.is_empty() {
                continue;
            }
            let played = self.manifest.executions(Tier::Quick, case);
            if played > self.largest {
                continue;
            }
            if skip > sight.executions + played {
                sight.executions += played;
                continue;
            }
            let request = Request {
                case: index,
                until: until.clone(),
                fault: Fault::None,
            };
            let last = Cell::new((0, Instant::now()));
            let goes_on = |executions: u64, _| {
                let (seen, since) = last.get();
                if executions != seen {
                    last.set((executions, Instant::now()));
                }
                executions != seen || since.elapsed() < HANGS
            };
            let report = worker.see(&request, goes_on);
            let Ok(Some(report)) = report else {
                // A core that crashes or hangs has not been caught by a theorem.
                sight
                    .crashed
                    .get_or_insert_with(|| case.scenario.name.clone());
                if self.crash_is_enough {
                    break;
                }
                worker = broken.worker()?;
                continue;
            };
            let caught =
                |row: &&Row| row.verdict == Verdict::Refuted && until.contains(&row.theorem);
            let executions = report.rows.first().map_or(0, |row| row.executions);
            sight.executions += executions;
            if let Some(row) = report.rows.iter().find(caught) {
                sight.caught = Some((row.theorem, case.scenario.name.clone()));
                break;
            }
            if played != 0 && executions != played {
                sight
                    .counted
                    .get_or_insert_with(|| case.scenario.name.clone());
            }
        }
        sight.wall_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(sight)
    }

    /// The theorems whose refutation ends a case: those that the header names where it names the scenario,
    /// elsewhere all that hold on the unbroken core.
    fn until(&self, case: &Case, patch: &Patch) -> Vec<Theorem> {
        let refuted = self.manifest.refuted(Tier::Quick, case);
        let asked = |theorem: &&Theorem| {
            let named = case.scenario.name != patch.scenario || patch.theorems.contains(theorem);
            named
                && applies(**theorem, case.world)
                && concerns(**theorem, &case.scenario)
                && !refuted.contains(theorem)
        };
        Theorem::ALL.iter().filter(asked).copied().collect()
    }

    /// The cases of a world, in the order in which they are played.
    fn order(&self, patch: &Patch, world: &str) -> Vec<usize> {
        let of_world = |&index: &usize| self.cases[index].world.name() == world;
        let mut order: Vec<_> = (0..self.cases.len()).filter(of_world).collect();
        order.sort_by_key(|&index| {
            let case = &self.cases[index];
            let named = case.scenario.name == patch.scenario;
            (!named, self.manifest.executions(Tier::Quick, case))
        });
        order
    }
}
