// SPDX-License-Identifier: MIT OR Apache-2.0

//! The live kernel as judge: records what it does with a sequence, and finds where the core parts.

use std::path::Path;
use std::time::Duration;

use anyhow::{bail, Context, Result};
use nix::unistd::geteuid;

use super::core_side::absolute;
use super::keeper::Keeper;
use super::kernel::{Buffers, KernelSide};
use super::machine::{self, Scales};
use super::meter::{Measured, Meter};
use super::op::{Family, Parts, Sequence, COMMON};
use super::proc::Counters;
use super::seen::{Pages, Recording, Seen, Step};
use super::trace::Header;
use super::udp::Udp;

/// How many sockets stay open until all are closed and their pages counted, and how many pages they
/// may hold. A close takes effect a grace period later, too long to wait for each.
const HELD: usize = 256;
const HELD_PAGES: i64 = 16_384;

/// How often it is tried whether closed sockets return their pages.
const PROBES: usize = 5;

/// How long the kernel may take to return the pages of closed sockets: a grace period of RCU, and
/// the machine may be busy.
const GRACE: Duration = Duration::from_secs(3);

/// The kernel's side of all sequences.
pub struct Judge {
    /// What the core has to know.
    pub header: Header,
    /// For each family that this machine has, IPv4 first.
    scales: Vec<Scales>,
    senders: Vec<Udp>,
    counters: Counters,
    buffers: Buffers,
    meter: Option<Meter>,
    /// The protocol's pages now, when nothing happened since they were measured.
    at: Option<Pages>,
    why_no_pages: Option<String>,
    held: Vec<Udp>,
    held_pages: i64,
    /// What the sockets that are held have played.
    pub(super) batch: Vec<Sequence>,
    keeper: Option<Keeper>,
    force: bool,
    /// What common datagrams weigh.
    pub(super) weights: Vec<u32>,
}

impl Judge {
    /// A judge, which compares pages as well if it can: see [`Judge::pages`].
    pub fn new() -> Result<Judge> {
        let header = machine::header()?;
        let mut judge = Judge {
            scales: vec![Scales::new(Family::V4)?],
            senders: vec![Udp::open(Family::V4)?],
            counters: Counters::open()?,
            buffers: Buffers::default(),
            meter: Some(Meter::new(header.pcpu_reserve, header.page_size)?),
            at: None,
            why_no_pages: None,
            held: Vec::new(),
            held_pages: 0,
            batch: Vec::new(),
            keeper: None,
            force: geteuid().is_root() && Udp::open(Family::V4)?.force_rcvbuf(1 << 16).is_ok(),
            weights: Vec::new(),
            header,
        };
        if let Ok(sender) = Udp::open(Family::V6) {
            judge.scales.push(Scales::new(Family::V6)?);
            judge.senders.push(sender);
        }
        for scales in &judge.scales {
            for bytes in COMMON {
                scales.weigh(Parts::whole(bytes), &mut judge.header.truesizes)?;
            }
        }
        judge.weights = judge.header.truesizes.weights();
        if let Err(reason) = judge.pages_return() {
            judge.without_pages(&reason);
        }
        Ok(judge)
    }

    /// Whether pages are compared. They are not where closed sockets return them on another CPU, nor
    /// where other sockets of the machine keep moving them.
    pub fn pages(&self) -> bool {
        self.meter.is_some()
    }

    /// Why pages are not compared, if they are not.
    pub fn why_no_pages(&self) -> Option<&str> {
        self.why_no_pages.as_deref()
    }

    /// Whether there is IPv6.
    pub fn v6(&self) -> bool {
        self.senders.len() > 1
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

    /// Whether the pages of a closed socket come back where they are measured. Asked again when they
    /// do not, because other sockets may have died meanwhile.
    fn pages_return(&mut self) -> Result<()> {
        for _ in 0..PROBES {
            let probe = Udp::open(Family::V4)?;
            let before = probe.mem_info()?;
            self.senders[0].send(&probe, &[0; 100])?;
            let now = probe.arrival(before)?;
            let charged = now.charged() / i64::from(self.header.page_size);
            let meter = self.meter.as_mut().context("a meter")?;
            let expected = meter.quiet()?.after.total() - charged;
            drop(probe);
            let settled = meter.settle(expected, Duration::from_secs(1))?;
            self.at = Some(settled.after);
            if settled.before.total() == expected {
                return Ok(());
            }
        }
        bail!("closed sockets return their pages elsewhere")
    }

    /// Goes on without pages, for `reason`.
    pub(super) fn without_pages(&mut self, reason: &anyhow::Error) {
        self.meter = None;
        self.at = None;
        self.why_no_pages = Some(format!("{reason:#}"));
    }

    /// Plays a sequence on the kernel.
    pub fn record(&mut self, sequence: &Sequence) -> Result<Recording> {
        let setup = &sequence.setup;
        let family = setup.family as usize;
        let mut learnt = false;
        for op in &sequence.ops {
            if let Some(parts) = op.sends() {
                learnt |= self.scales[family].weigh(parts, &mut self.header.truesizes)?;
            }
        }
        if learnt || self.at.is_none() {
            self.measure();
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
        let (socket, mut steps) = played?;
        self.held_pages += socket.mem_info()?.charged() / i64::from(self.header.page_size);
        let end = self.measure().map(|measured| measured.before);
        if end.is_none() {
            if setup.udp_mem.is_some() {
                let why = self.why_no_pages().unwrap_or_default();
                bail!("memory pressure cannot be compared: {why}");
            }
            for step in &mut steps {
                step.seen.pages = None;
            }
        }
        self.held.push(socket);
        self.batch.push(sequence.clone());
        Ok(Recording {
            setup: setup.clone(),
            start: start.filter(|_| end.is_some()),
            steps,
            end,
            kept: 0,
        })
    }

    /// Measures, if pages are compared.
    fn measure(&mut self) -> Option<Measured> {
        match self.meter.as_mut()?.measure() {
            Ok(measured) => {
                self.at = Some(measured.after);
                Some(measured)
            }
            Err(reason) => {
                self.without_pages(&reason);
                None
            }
        }
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

    pub(super) fn is_full(&self) -> bool {
        self.held.len() >= HELD || self.held_pages >= HELD_PAGES
    }

    /// Closes the sockets that are held, and tells how many pages did not come back.
    pub(super) fn close(&mut self) -> Result<i64> {
        let pages = std::mem::take(&mut self.held_pages);
        self.batch.clear();
        self.held.clear();
        let (Some(at), Some(meter)) = (self.at, &mut self.meter) else {
            return Ok(0);
        };
        let expected = at.total() - pages;
        let settled = meter.settle(expected, GRACE)?;
        self.at = Some(settled.after);
        Ok(settled.before.total() - expected)
    }
}

fn limits(udp_mem: [u32; 3]) -> String {
    udp_mem.map(|limit| limit.to_string()).join(" ")
}
