// SPDX-License-Identifier: MIT OR Apache-2.0

//! The live kernel as judge: records what it does with a sequence, and finds where the core parts.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{anyhow, Context, Result};
use nix::unistd::geteuid;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::compare::{compare, Disagreement};
use super::core_side::absolute;
use super::keeper::Keeper;
use super::kernel::{Buffers, Counters, KernelSide, Udp};
use super::machine::{self, Scales};
use super::meter::{Measured, Meter};
use super::op::{sequences, Family, Op, Sequence, COMMON};
use super::seen::{Outcome, Pages, Recording, Seen, Step};
use super::trace::Header;

/// How many sockets stay open until all are closed and their pages counted, and how many pages they
/// may hold. A close takes effect a grace period later, too long to wait for each.
const HELD: usize = 256;
const HELD_PAGES: i64 = 16_384;

/// How often pages are measured again while other sockets die, and how long is waited in between.
const TRIES: usize = 20;
const BREATH: Duration = Duration::from_millis(20);

/// How many simplifications are tried on one disagreement.
const SIMPLIFICATIONS: usize = 2_000;

/// Plays a recording's operations on a core.
pub type Core = fn(&Header, &Recording) -> Result<Recording>;

/// The kernel's side of all sequences.
pub struct Judge {
    /// What the core has to know.
    pub header: Header,
    scales: [Scales; 2],
    senders: [Udp; 2],
    counters: Counters,
    buffers: Buffers,
    meter: Option<Meter>,
    /// The protocol's pages now, when nothing happened since they were measured.
    at: Option<Pages>,
    held: Vec<Udp>,
    held_pages: i64,
    /// What the sockets that are held have played.
    batch: Vec<Sequence>,
    keeper: Option<Keeper>,
    force: bool,
    /// What common datagrams weigh.
    weights: Vec<u32>,
}

/// What a hunt came to.
#[derive(Debug, Default)]
pub struct Hunt {
    /// Operations that were compared.
    pub steps: u64,
    /// Sequences that were compared.
    pub sequences: u64,
    /// Where kernel and core parted, each shrunk to a minimal sequence.
    pub disagreements: Vec<Disagreement>,
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
    /// Whether the hunt ends with the first disagreement.
    pub first: bool,
    /// Whether recordings are kept.
    pub record: bool,
    /// Hears how many operations were compared so far.
    pub progress: &'a dyn Fn(u64),
}

impl Judge {
    /// A judge, which compares pages as well if it can: see [`Judge::pages`].
    pub fn new() -> Result<Judge> {
        let header = machine::header()?;
        let mut judge = Judge {
            scales: [Scales::new(Family::V4)?, Scales::new(Family::V6)?],
            senders: [Udp::open(Family::V4)?, Udp::open(Family::V6)?],
            counters: Counters::open()?,
            buffers: Buffers::default(),
            meter: Some(Meter::new(header.pcpu_reserve, header.page_size)?),
            at: None,
            held: Vec::new(),
            held_pages: 0,
            batch: Vec::new(),
            keeper: None,
            force: geteuid().is_root() && Udp::open(Family::V4)?.force_rcvbuf(1 << 16).is_ok(),
            weights: Vec::new(),
            header,
        };
        for scales in &judge.scales {
            for bytes in COMMON {
                scales.weigh(bytes, &mut judge.header.truesizes)?;
            }
        }
        judge.weights = judge.header.truesizes.weights();
        if !judge.pages_return()? {
            judge.meter = None;
            judge.at = None;
        }
        Ok(judge)
    }

    /// Whether pages are compared. They are not where closed sockets return them on another CPU.
    pub fn pages(&self) -> bool {
        self.meter.is_some()
    }

    /// Whether limits can be forced.
    pub fn force(&self) -> bool {
        self.force
    }

    /// Makes ready for memory pressure, which `program`, the command `prodq`, undoes at the end.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub fn allow_pressure(&mut self, program: &Path) -> Result<()> {
        self.meter.as_ref().context("pages cannot be compared")?;
        let mut keeper = Keeper::start(program)?;
        keeper.set("ipv4/udp_mem", &limits(self.header.udp_mem))?;
        self.keeper = Some(keeper);
        Ok(())
    }

    /// Whether the pages of a closed socket come back where they are measured.
    fn pages_return(&mut self) -> Result<bool> {
        let probe = Udp::open(Family::V4)?;
        let before = probe.mem_info()?;
        self.senders[0].send(&probe, &[0; 100])?;
        let now = probe.arrival(before)?;
        let charged = now.charged() / i64::from(self.header.page_size);
        let expected = self.quiet()?.after.total() - charged;
        drop(probe);
        let settled = self.meter.as_mut().context("a meter")?.settle(expected)?;
        self.at = Some(settled.after);
        Ok(settled.before.total() == expected)
    }

    /// A measurement, again when somebody else's sockets got in between.
    fn measure(&mut self) -> Result<Measured> {
        let meter = self.meter.as_mut().context("a meter")?;
        let mut measured = meter.measure();
        for _ in 0..TRIES {
            if measured.is_ok() {
                break;
            }
            std::thread::sleep(BREATH);
            measured = meter.measure();
        }
        let measured = measured?;
        self.at = Some(measured.after);
        Ok(measured)
    }

    /// A measurement that another one confirms: sockets that died before this run are gone.
    fn quiet(&mut self) -> Result<Measured> {
        let mut measured = self.measure()?;
        for _ in 0..TRIES {
            std::thread::sleep(BREATH);
            let before = std::mem::replace(&mut measured, self.measure()?);
            if before.after.total() == measured.before.total() {
                break;
            }
        }
        Ok(measured)
    }

    /// Plays a sequence on the kernel.
    pub fn record(&mut self, sequence: &Sequence) -> Result<Recording> {
        let setup = &sequence.setup;
        let family = setup.family as usize;
        let mut learnt = false;
        for op in &sequence.ops {
            if let Op::Send(bytes) = op {
                learnt |= self.scales[family].weigh(*bytes, &mut self.header.truesizes)?;
            }
        }
        if self.pages() && (learnt || self.at.is_none()) {
            self.measure()?;
        }
        if let (Some(meter), Some(at), true) = (&mut self.meter, self.at, setup.lean) {
            self.at = Some(meter.lean(at)?);
        }
        let start = self.at;
        let scarce = setup.udp_mem.zip(start);
        if let Some((more, start)) = scarce {
            let keeper = self
                .keeper
                .as_mut()
                .context("memory pressure needs the right to it")?;
            keeper.set("ipv4/udp_mem", &limits(absolute(start, more)))?;
        }
        let played = self.play(sequence);
        if scarce.is_some() {
            let keeper = self.keeper.as_mut().context("the keeper has ended")?;
            keeper.set("ipv4/udp_mem", &limits(self.header.udp_mem))?;
        }
        let (socket, steps) = played?;
        let mut end = None;
        if self.pages() {
            self.held_pages += socket.mem_info()?.charged() / i64::from(self.header.page_size);
            end = Some(self.measure()?.before);
        }
        self.held.push(socket);
        self.batch.push(sequence.clone());
        Ok(Recording {
            setup: setup.clone(),
            start,
            steps,
            end,
            kept: 0,
        })
    }

    fn play(&mut self, sequence: &Sequence) -> Result<(Udp, Vec<Step>)> {
        let setup = &sequence.setup;
        let sender = &self.senders[setup.family as usize];
        let mut side = KernelSide::open(setup, sender, &self.counters, &mut self.buffers)?;
        let mut steps = Vec::with_capacity(sequence.ops.len());
        for op in &sequence.ops {
            let outcome = side.step(op).with_context(|| op.to_string())?;
            let info = side.mem_info()?;
            let pages = self.meter.as_ref().map(Meter::shared).transpose()?;
            let seen = Seen {
                outcome,
                rmem_alloc: info.rmem_alloc,
                fwd_alloc: info.fwd_alloc,
                rcvbuf: info.rcvbuf,
                drops: info.drops,
                pages,
            };
            steps.push(Step {
                op: op.clone(),
                seen,
            });
        }
        Ok((side.into_socket(), steps))
    }

    fn is_full(&self) -> bool {
        self.held.len() >= HELD || self.held_pages >= HELD_PAGES
    }

    /// Closes the sockets that are held, and tells how many pages did not come back.
    fn close(&mut self) -> Result<i64> {
        let pages = std::mem::take(&mut self.held_pages);
        self.batch.clear();
        self.held.clear();
        let (Some(at), Some(meter)) = (self.at, &mut self.meter) else {
            return Ok(0);
        };
        let expected = at.total() - pages;
        let settled = meter.settle(expected)?;
        self.at = Some(settled.after);
        Ok(settled.before.total() - expected)
    }

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
            0 => hunt.noise += 1,
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

    /// Compares kernel and core on random sequences.
    pub fn hunt(&mut self, plan: &Plan<'_>) -> Result<Hunt> {
        let strategy = sequences(self.force, plan.pressure, &self.weights);
        let mut runner = runner(plan.seed);
        let mut hunt = Hunt::default();
        while hunt.steps < plan.steps {
            let tree = strategy.new_tree(&mut runner);
            let mut tree = tree.map_err(|reason| anyhow!("no sequence can be drawn: {reason}"))?;
            let (kernel, found) = self.judge(plan.core, &tree.current())?;
            hunt.steps += kernel.steps.len() as u64;
            hunt.sequences += 1;
            (plan.progress)(hunt.steps);
            if let Some(found) = found {
                let again = self.judge(plan.core, &tree.current())?.1;
                match again {
                    None if found.only_pages() => hunt.noise += 1,
                    None => hunt.disagreements.push(found),
                    Some(_) => {
                        let least = self.simplify(plan.core, &mut tree, found)?;
                        hunt.disagreements.push(least);
                    }
                }
                if plan.first && !hunt.disagreements.is_empty() {
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
            simpler = match self.judge(core, &tree.current())?.1 {
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
            match self.judge(core, &fewer)?.1 {
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

    fn make_room(&mut self) -> Result<()> {
        if self.is_full() {
            self.close()?;
        }
        Ok(())
    }
}

fn limits(udp_mem: [u32; 3]) -> String {
    udp_mem.map(|limit| limit.to_string()).join(" ")
}

fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config::default(), rng)
}
