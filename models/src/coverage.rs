// SPDX-License-Identifier: MIT OR Apache-2.0

//! What has to be seen before a verdict means anything: a theorem about packets that find no memory is
//! empty where no packet ever found none. Counted in executions, of steps and of situations.

use std::collections::BTreeMap;

use prodq::{DropReason, LockName, SkbId, Step};
use serde::{Deserialize, Serialize};

use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

macro_rules! situations {
    ($($situation:ident, $name:literal, $says:literal;)*) => {
        /// Something that has to happen somewhere.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Situation {
            $(#[doc = $says] $situation,)*
        }

        impl Situation {
            /// All of them.
            pub const ALL: &'static [Situation] = &[$(Situation::$situation,)*];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Situation::$situation => $name,)* }
            }

            /// What happens in it.
            pub fn says(self) -> &'static str {
                match self { $(Situation::$situation => $says,)* }
            }
        }
    };
}

situations! {
    Batch, "batch", "A drain queues more than one packet.";
    DrainSeesLater, "later-packet-in-batch", "A drain queues a packet that was pushed after its CPU was elected.";
    ElectedWhileLocked, "elected-while-locked", "A CPU is elected while another one holds the receive queue's lock.";
    PushDuringDrain, "push-during-drain", "A packet is pushed between a take-all and the last subtraction on its node.";
    ElectedDuringDrain, "elected-during-drain", "A CPU is elected while the drain before on its node has not ended.";
    TwoElected, "two-nodes-elected", "CPUs of two nodes are elected at the same time.";
    ExemptWhenEmpty, "accept-if-empty", "A packet above rcvbuf is accepted because the socket is empty.";
    BatchUnseen, "batch-unseen", "A batch is handed over between the two reads of an admission.";
    Overshoot, "overshoot", "rmem_alloc is above the limit.";
    DropFull, "drop-full", "Admission refuses a packet.";
    DropMemory, "drop-memory", "A packet finds no memory.";
    DropClosed, "drop-closed", "A packet is freed by the destructor.";
    OwnDropped, "own-packet-dropped", "A CPU drains a batch and drops the packet it has pushed itself.";
    MixedBatch, "mixed-batch", "A batch has packets that are queued and packets that are dropped.";
    TwoDropCounters, "both-drop-counters", "Both drop counters are raised.";
    Stamped, "stamped", "A packet carries a drop count above 0.";
    CondenseSaves, "condensed", "Condensing makes a packet smaller.";
    DeficitReleased, "deficit-released", "A release that was held back is made together with a later one.";
    ReleaseWhenEmpty, "release-below-threshold", "Less than the threshold is released because the reader queue is empty.";
    SpliceSeveral, "splice-several", "A splice moves more than one packet.";
    ReaderAndDrain, "reader-beside-drain", "A reader takes its lock while a drain holds the other one.";
    EmptyThoughPushed, "empty-though-pushed", "A reader finds nothing while a packet is on a node's list.";
    PeekedByAnother, "peek-then-recv", "A packet is looked at by one CPU and taken by another.";
    NewPages, "pages-for-a-batch", "A drain charges pages.";
    PagesLeft, "pages-at-hand", "A drain queues a packet without charging pages.";
    ClosePushing, "close-while-pushing", "The socket is unpublished while a CPU is in enqueue.";
    PushAfterUnpublish, "push-after-unpublish", "A packet is pushed after the socket was unpublished.";
    NoLonger, "look-up-fails", "A look-up finds no socket.";
    InitFails, "init-fails", "A socket gets no node queues.";
    Shrunk, "rcvbuf-shrunk", "rcvbuf is set below what the socket holds.";
    AsleepAtBatch, "asleep-at-batch", "A batch arrives while a reader is asleep.";
    TwoWoken, "two-woken", "One drain wakes two readers.";
    NoneToWake, "none-to-wake", "A drain looks for a sleeping reader and there is none.";
    ListFull, "free-list-full", "A free list counts as full.";
    CountBesideFlush, "count-during-flush", "A packet is counted for a free list while a flush is between reset and take.";
}

macro_rules! steps {
    ($($step:ident,)*) => {
        /// The kinds of steps, in the order of the core's `Step`.
        pub const STEPS: &[&str] = &[$(stringify!($step),)*];

        /// The step's place among them.
        fn place(step: &Step) -> usize {
            #[derive(Clone, Copy)]
            enum Place { $($step,)* }
            // A step that is missing here is an error of the compiler.
            let place = match step { $(Step::$step { .. } => Place::$step,)* };
            place as usize
        }
    };
}

steps! {
    ReadRmem, ReadNode, Refuse, Condense, ChargeSock, UnchargeSock, Charge, Retry, Push, ReadDrops, Lock, TakeAll,
    ChargePages, ReadPressure, UnchargePages, Queue, NoMemory, AddRmem, Unlock, Free, AddDrops,
    Uncharge, Dequeue, Peek, Empty, HoldBack, SubRmem, Splice, Len, Sleepers, Sleep, Awake,
    Wake, Orphan, DeferCount, DeferFull, Defer, DeferReset, DeferTake, SetRcvbuf, SetThreshold, Init,
    Destruct, FreeNodes, Destructed, Publish, LookUp, Unpublish,
}

/// The names of all that is counted: steps, then situations.
pub fn names() -> impl Iterator<Item = &'static str> {
    let situations = Situation::ALL.iter().map(|situation| situation.name());
    STEPS.iter().copied().chain(situations)
}

/// What is seen by sampling only. Two readers and two producers are more than the explorer finishes.
pub const SAMPLED: &[Situation] = &[Situation::TwoWoken];

/// In how many executions each step and each situation was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage(BTreeMap<String, u64>);

impl Coverage {
    /// Adds what another run has seen.
    pub fn add(&mut self, other: &Coverage) {
        for (name, count) in &other.0 {
            *self.0.entry(name.clone()).or_default() += count;
        }
    }

    /// Only what was counted under these names.
    pub fn only(&self, names: &[&str]) -> Coverage {
        let asked = self
            .0
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()));
        Coverage(asked.map(|(name, count)| (name.clone(), *count)).collect())
    }

    /// In how many executions the step or situation of this name was seen.
    pub fn count(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// The steps and situations that were never seen, `self` being what was explored to the end and
    /// `sampled` what was not.
    pub fn missing(&self, sampled: &Coverage) -> Vec<&'static str> {
        let place = |name: &str| {
            if SAMPLED.iter().any(|situation| situation.name() == name) {
                sampled.count(name)
            } else {
                self.count(name)
            }
        };
        names().filter(|name| place(name) == 0).collect()
    }
}

/// The same while a run goes on: by place, which is quicker than by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts(Vec<u64>);

impl Counts {
    pub(crate) fn add(&mut self, seen: Seen) {
        self.0.resize(STEPS.len() + Situation::ALL.len(), 0);
        for (place, count) in self.0.iter_mut().enumerate() {
            *count += u64::from(seen.0 >> place & 1 == 1);
        }
    }

    pub(crate) fn coverage(&self) -> Coverage {
        let counted = names().zip(self.0.iter().copied());
        let seen = counted.filter(|(_, count)| *count != 0);
        Coverage(seen.map(|(name, count)| (name.to_owned(), count)).collect())
    }
}

/// What one execution has shown: a bit for each name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen(u128);

impl Seen {
    fn step(&mut self, step: &Step) {
        self.0 |= 1 << place(step);
    }

    fn situation(&mut self, situation: Situation) {
        self.0 |= 1 << (STEPS.len() + situation as usize);
    }
}

/// What is remembered of a CPU.
#[derive(Clone, Copy, Debug, Default)]
struct Cpu {
    /// The packet that it offered last.
    offered: Option<SkbId>,
    batch: Batch,
    /// Whether its admission has read the socket's counter and no other yet.
    between_reads: bool,
    /// Whether a batch was handed over since.
    missed: bool,
}

/// What is remembered of a CPU's drain.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    queued: u32,
    no_memory: u32,
    pages: bool,
    woken: u32,
    /// Whether it is under way.
    drains: bool,
}

/// Watches one execution.
pub(crate) struct Watch {
    seen: Seen,
    /// Whether the order of events across CPUs means anything.
    linear: bool,
    cpus: Vec<Cpu>,
    /// The CPU that holds the receive queue's lock.
    holder: Option<usize>,
    /// For each node, whether a drain is between its take-all and its last subtraction.
    draining: Vec<bool>,
    rcvbuf: i64,
    deficit: u32,
    threshold: i64,
    peeked: Option<(usize, SkbId)>,
    unpublished: bool,
    flushing: Vec<(usize, usize)>,
}

impl Watch {
    pub(crate) fn new(scenario: &Scenario, linear: bool) -> Watch {
        let rcvbuf = i64::from(scenario.rcvbuf);
        Watch {
            seen: Seen::default(),
            linear,
            cpus: vec![Cpu::default(); scenario.cpus.len()],
            holder: None,
            draining: vec![false; scenario.nodes],
            rcvbuf,
            deficit: 0,
            threshold: rcvbuf >> 2,
            peeked: None,
            unpublished: false,
            flushing: Vec::new(),
        }
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen
    }

    /// An event, and the ledger before it.
    pub(crate) fn event(&mut self, ledger: &Ledger, event: &Event) {
        match event.what {
            What::Offer { skb, .. } => {
                self.cpus[event.cpu] = Cpu {
                    offered: Some(skb),
                    ..Cpu::default()
                };
            }
            What::Step(step) => {
                self.seen.step(&step);
                if self.linear {
                    self.step(ledger, event.cpu, step);
                }
            }
            _ => {}
        }
    }

    fn see(&mut self, when: bool, situation: Situation) {
        if when {
            self.seen.situation(situation);
        }
    }

    fn step(&mut self, ledger: &Ledger, cpu: usize, step: Step) {
        use Situation as S;
        match step {
            Step::ReadRmem { .. } => {
                self.cpus[cpu].between_reads = true;
                self.cpus[cpu].missed = false;
            }
            Step::ReadNode { .. } => {
                let missed = self.cpus[cpu].between_reads && self.cpus[cpu].missed;
                self.see(missed, S::BatchUnseen);
                self.cpus[cpu].between_reads = false;
            }
            Step::Refuse { reason, .. } => {
                self.see(reason == DropReason::RcvbufFull, S::DropFull);
            }
            Step::Condense { from, to, .. } => self.see(to < from, S::CondenseSaves),
            Step::Charge { size, .. } => {
                self.see(i64::from(size) > self.rcvbuf, S::ExemptWhenEmpty)
            }
            Step::Push {
                node, was_empty, ..
            } => self.push(ledger, cpu, node, was_empty),
            Step::Lock { lock } => self.lock(cpu, lock),
            Step::Unlock {
                lock: LockName::Receive,
                ..
            } => self.holder = None,
            Step::TakeAll { node, .. } => {
                self.draining[node] = true;
                self.cpus[cpu].batch = Batch {
                    drains: true,
                    ..Batch::default()
                };
                let later = ledger.nodes[node].list.len() > 1;
                self.see(later, S::DrainSeesLater);
            }
            Step::ChargePages { .. } => {
                self.cpus[cpu].batch.pages = true;
                self.see(true, S::NewPages);
            }
            Step::Queue { dropcount, .. } => {
                let batch = &mut self.cpus[cpu].batch;
                batch.queued += 1;
                let pages = std::mem::take(&mut batch.pages);
                let queued = batch.queued;
                self.see(queued > 1, S::Batch);
                self.see(!pages, S::PagesLeft);
                self.see(dropcount > 0, S::Stamped);
            }
            Step::NoMemory { skb } => {
                self.cpus[cpu].batch.no_memory += 1;
                self.see(true, S::DropMemory);
                self.see(self.cpus[cpu].offered == Some(skb), S::OwnDropped);
            }
            Step::AddRmem { size, old } => {
                let batch = self.cpus[cpu].batch;
                self.see(batch.queued > 0 && batch.no_memory > 0, S::MixedBatch);
                self.see(i64::from(old) + i64::from(size) > self.rcvbuf, S::Overshoot);
                self.see(
                    batch.queued > 0 && !ledger.asleep.is_empty(),
                    S::AsleepAtBatch,
                );
            }
            Step::Uncharge { node, .. } => {
                self.draining[node] = false;
                self.cpus[cpu].batch.drains = false;
                let waiting = self.cpus.iter_mut().filter(|cpu| cpu.between_reads);
                waiting.for_each(|cpu| cpu.missed = true);
            }
            Step::Wake { woken } => {
                let batch = &mut self.cpus[cpu].batch;
                batch.woken += u32::from(woken && batch.drains);
                let two = batch.woken > 1;
                self.see(two, S::TwoWoken);
                self.see(!woken, S::NoneToWake);
            }
            Step::Free { reason, .. } => self.see(reason == DropReason::Closed, S::DropClosed),
            Step::AddDrops { slot, .. } => {
                let other = ledger.drops[1 - slot.min(1)] != 0;
                self.see(other, S::TwoDropCounters);
            }
            Step::Dequeue { skb } => {
                let other = self
                    .peeked
                    .is_some_and(|(by, peeked)| by != cpu && peeked == skb);
                self.see(other, S::PeekedByAnother);
            }
            Step::Peek { skb } => self.peeked = Some((cpu, skb)),
            Step::Empty => {
                let hidden = ledger.nodes.iter().any(|node| !node.list.is_empty());
                self.see(hidden, S::EmptyThoughPushed);
            }
            Step::HoldBack { deficit } => self.deficit = deficit,
            Step::SubRmem { size, .. } => {
                let deficit = std::mem::take(&mut self.deficit);
                self.see(deficit > 0, S::DeficitReleased);
                let early = size > 0 && i64::from(size) < self.threshold && !ledger.destructing;
                self.see(early, S::ReleaseWhenEmpty);
            }
            Step::Splice { count } => self.see(count > 1, S::SpliceSeveral),
            Step::SetRcvbuf { to, .. } => {
                self.rcvbuf = i64::from(to);
                self.threshold = self.rcvbuf >> 2;
                self.see(ledger.rmem_alloc > self.rcvbuf, S::Shrunk);
            }
            Step::Init { nodes } => self.see(nodes == 0, S::InitFails),
            Step::LookUp { found, .. } => self.see(!found, S::NoLonger),
            Step::Unpublish { .. } => {
                self.unpublished = true;
                let inside = ledger.nodes.iter().any(|node| node.inside > 0);
                self.see(inside, S::ClosePushing);
            }
            Step::DeferFull { .. } => self.see(true, S::ListFull),
            Step::DeferReset { owner, node, .. } | Step::DeferTake { owner, node } => {
                self.flush(owner, node);
            }
            Step::DeferCount { owner, node, .. } => {
                let beside = self.flushing.contains(&(owner, node));
                self.see(beside, S::CountBesideFlush);
            }
            _ => {}
        }
    }

    fn push(&mut self, ledger: &Ledger, cpu: usize, node: usize, was_empty: bool) {
        use Situation as S;
        let locked = self.holder.is_some_and(|holder| holder != cpu);
        self.see(was_empty && locked, S::ElectedWhileLocked);
        self.see(self.draining[node], S::PushDuringDrain);
        self.see(was_empty && self.draining[node], S::ElectedDuringDrain);
        let mut nodes = ledger.nodes.iter().enumerate();
        let other = nodes.any(|(other, it)| other != node && it.elected.is_some());
        self.see(was_empty && other, S::TwoElected);
        self.see(self.unpublished, S::PushAfterUnpublish);
    }

    fn lock(&mut self, cpu: usize, lock: LockName) {
        match lock {
            LockName::Receive => self.holder = Some(cpu),
            LockName::Busy => {}
            LockName::Reader => {
                let beside = self.holder.is_some_and(|holder| holder != cpu);
                self.see(beside, Situation::ReaderAndDrain);
            }
        }
    }

    /// A flush resets and takes, in either order: the first of the two starts it, the second ends it.
    fn flush(&mut self, owner: usize, node: usize) {
        let list = (owner, node);
        match self.flushing.iter().position(|flushing| *flushing == list) {
            Some(place) => {
                self.flushing.swap_remove(place);
            }
            None => self.flushing.push(list),
        }
    }
}
