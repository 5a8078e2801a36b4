// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hunt for sequences on which the kernel and a core disagree.

use std::collections::BTreeMap;

use anyhow::{anyhow, Result};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::compare::{compare, Disagreement};
use super::judge::Judge;
use super::op::{sequences, Choice, Sequence};
use super::seen::{Outcome, Recording, Step};
use super::trace::Header;

/// How many simplifications are tried on one disagreement.
const SIMPLIFICATIONS: usize = 2_000;

/// How often a disagreement about nothing but pages has to show again.
const CONFIRMATIONS: usize = 4;

/// So many times may other sockets move the pages before pages are compared no more.
const NOISE: u64 = 5;

/// Plays a recording's operations on a core.
pub type Core = fn(&Header, &Recording) -> Result<Recording>;

/// What a hunt came to.
#[derive(Debug, Default)]
pub struct Hunt {
    /// Operations that were compared.
    pub steps: u64,
    /// Sequences that were compared.
    pub sequences: u64,
    /// Where kernel and core parted, each shrunk to a minimal sequence.
    pub disagreements: Vec<Disagreement>,
    /// How many operations were compared when the first one was found.
    pub first_at: Option<u64>,
    /// Pages that the protocol did not get back after closes, one entry a batch.
    pub kept: Vec<i64>,
    /// Sequences and batches whose pages differed once and not when they were played again: somebody
    /// else's sockets.
    pub noise: u64,
    /// What the kernel was seen to do, and how often.
    pub seen: BTreeMap<&'static str, u64>,
    /// What the kernel did, if it was asked for.
    pub recordings: Vec<Recording>,
}

impl Hunt {
    /// How many disagreements there were, of either kind.
    pub fn found(&self) -> usize {
        self.disagreements.len() + self.kept.len()
    }

    /// Counts what has to have happened before an agreement means anything.
    fn count(&mut self, kernel: &Recording) {
        let mut pages = kernel.start.map(|start| start.shared);
        for Step { seen, .. } in &kernel.steps {
            let (mut cut, mut stamped) = (false, false);
            if let Outcome::Got(all) = &seen.outcome {
                cut = all.iter().any(|got| got.cut);
                stamped = all.iter().any(|got| got.stamp != 0);
            }
            let queued = seen.outcome == Outcome::Queued;
            let over = queued && seen.rmem_alloc.unsigned_abs() > seen.rcvbuf;
            let moved = std::mem::replace(&mut pages, seen.pages) != seen.pages;
            for (name, is) in [
                ("queued", queued),
                ("queued-over-rcvbuf", over),
                ("rcvbuf-full", seen.outcome == Outcome::RcvbufFull),
                ("no-memory", seen.outcome == Outcome::NoMemory),
                ("cut", cut),
                ("stamped", stamped),
                ("ended", seen.outcome == Outcome::Ended),
                ("shared-pages-moved", moved),
            ] {
                *self.seen.entry(name).or_default() += u64::from(is);
            }
        }
        let queued = kernel
            .steps
            .last()
            .is_some_and(|step| step.seen.rmem_alloc != 0);
        *self.seen.entry("closed-with-datagrams").or_default() += u64::from(queued);
    }
}

/// What to hunt for.
pub struct Plan<'a> {
    /// The core to compare with.
    pub core: Core,
    /// How many operations, at least.
    pub steps: u64,
    /// Where the random numbers start.
    pub seed: u64,
    /// Whether the protocol's memory is made scarce.
    pub pressure: bool,
    /// The hunt ends with so many disagreements.
    pub most: usize,
    /// Whether recordings are kept.
    pub record: bool,
    /// Hears how many operations were compared so far.
    pub progress: &'a dyn Fn(u64),
}

impl Judge {
    /// Closes the sockets that are held; when pages did not come back, the batch is played again, so
    /// that other sockets of the machine are not taken for these.
    fn close_batch(&mut self, hunt: &mut Hunt) -> Result<()> {
        let batch = self.batch.clone();
        if self.close()? == 0 {
            return Ok(());
        }
        for sequence in &batch {
            self.record(sequence)?;
        }
        match self.close()? {
            0 => self.noise(hunt),
            kept => hunt.kept.push(kept),
        }
        Ok(())
    }

    /// Compares kernel and core on one sequence.
    fn judge(
        &mut self,
        core: Core,
        sequence: &Sequence,
    ) -> Result<(Recording, Option<Disagreement>)> {
        let kernel = self.record(sequence)?;
        let found = compare(&kernel, &core(&self.header, &kernel)?);
        Ok((kernel, found))
    }

    /// Whether a disagreement is one of these sockets: where nothing but the protocol's pages differs,
    /// it has to differ every time, because other sockets of the machine share the pages.
    fn persists(&mut self, core: Core, found: &Disagreement) -> Result<bool> {
        if !found.only_pages() {
            return Ok(true);
        }
        let sequence = found.sequence();
        for _ in 0..CONFIRMATIONS {
            if self.judge(core, &sequence)?.1.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn noise(&mut self, hunt: &mut Hunt) {
        hunt.noise += 1;
        if hunt.noise == NOISE && self.pages() {
            self.without_pages(&anyhow!("other sockets of the machine keep moving them"));
            // What was found in the pages before cannot be told from that.
            hunt.disagreements.retain(|found| !found.only_pages());
            hunt.kept.clear();
        }
    }

    /// Compares kernel and core on random sequences.
    pub fn hunt(&mut self, plan: &Plan<'_>) -> Result<Hunt> {
        let strategy = sequences(&Choice {
            force: self.force(),
            pressure: plan.pressure,
            v6: self.v6(),
            weights: &self.weights,
        });
        let mut runner = runner(plan.seed);
        let mut hunt = Hunt::default();
        // Limits are set relative to pages, so there is no pressure without knowing them.
        while hunt.steps < plan.steps && (self.pages() || !plan.pressure) {
            let tree = strategy.new_tree(&mut runner);
            let mut tree = tree.map_err(|reason| anyhow!("no sequence can be drawn: {reason}"))?;
            let (kernel, found) = self.judge(plan.core, &tree.current())?;
            hunt.steps += kernel.steps.len() as u64;
            hunt.sequences += 1;
            (plan.progress)(hunt.steps);
            if let Some(found) = found {
                if self.persists(plan.core, &found)? {
                    hunt.first_at.get_or_insert(hunt.steps);
                    let least = self.simplify(plan.core, &mut tree, found)?;
                    hunt.disagreements.push(least);
                } else {
                    self.noise(&mut hunt);
                }
                if hunt.disagreements.len() >= plan.most {
                    break;
                }
            }
            hunt.count(&kernel);
            if plan.record {
                hunt.recordings.push(kernel);
            }
            if self.is_full() {
                self.close_batch(&mut hunt)?;
            }
        }
        self.close_batch(&mut hunt)?;
        Ok(hunt)
    }

    /// The simplest sequence that still disagrees: no operation of it can be left out.
    fn simplify(
        &mut self,
        core: Core,
        tree: &mut impl ValueTree<Value = Sequence>,
        mut least: Disagreement,
    ) -> Result<Disagreement> {
        let mut simpler = tree.simplify();
        for _ in 0..SIMPLIFICATIONS {
            if !simpler {
                break;
            }
            simpler = match self.disagrees(core, &tree.current())? {
                Some(found) => {
                    least = found;
                    tree.simplify()
                }
                None => tree.complicate(),
            };
            self.make_room()?;
        }
        let mut at = 0;
        while at < least.kernel.steps.len() {
            let mut fewer = least.sequence();
            fewer.ops.remove(at);
            match self.disagrees(core, &fewer)? {
                Some(found) => {
                    least = found;
                    at = 0;
                }
                None => at += 1,
            }
            self.make_room()?;
        }
        Ok(least)
    }

    fn disagrees(&mut self, core: Core, sequence: &Sequence) -> Result<Option<Disagreement>> {
        let found = self.judge(core, sequence)?.1;
        match found {
            Some(found) if self.persists(core, &found)? => Ok(Some(found)),
            _ => Ok(None),
        }
    }

    fn make_room(&mut self) -> Result<()> {
        if self.is_full() {
            self.close()?;
        }
        Ok(())
    }
}

fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config::default(), rng)
}
