// SPDX-License-Identifier: MIT OR Apache-2.0

//! The protocol as an abstract machine, whose actions are the core's [`Step`]s.
//!
//! A [`Design`] says which machine it is, a [`State`] where it is, and [`Design::step`] whether a CPU may
//! make a step there and what becomes of the state. One file mirrors one side of the core:
//!
//! | file | core | what |
//! |---|---|---|
//! | `enqueue` | `enqueue.rs`, `admission.rs`, `llist.rs`, `mem.rs` | admit, charge, push, drain |
//! | `receive` | `recv.rs`, `mem.rs` | dequeue, release, refill |
//! | `wait` | `readers.rs` | fall asleep, wake |
//! | `life` | `sock.rs`, `table.rs` | init, publish, close, destruct |
//! | `defer` | `defer.rs` | free lists |
//!
//! Each rule reads: a CPU that is here may make this step, if this holds; then this changes, and it is
//! there. The machine is sequentially consistent: a step is one access, and what a read-modify-write
//! found, told by the step, must be what the machine has. What a load found depends on [`Loads`].
//!
//! It is the one source: `models` replays every execution against it (the theorem `refinement`), the
//! search looks through all its states (`search.rs`), and a browser shows them.

mod defer;
mod enqueue;
mod life;
mod packets;
mod receive;
mod wait;
mod word;

use prodq::{AllNodes, KernelOrder, LockName, NodeFirst, SkbId, Step};
use serde::{Deserialize, Serialize};

pub(crate) use self::enqueue::refuses;
pub use self::packets::{Anonymous, InOrder, Packets, Skb};
pub use self::word::Word;
pub use self::{enqueue::Enqueue, life::Life, receive::Receive, wait::Waiting};

/// How the socket's occupancy is estimated: the core's admission policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// [`prodq::KernelOrder`].
    #[default]
    KernelOrder,
    /// [`prodq::NodeFirst`].
    NodeFirst,
    /// [`prodq::AllNodes`].
    AllNodes,
}

impl Policy {
    /// All of them.
    pub const ALL: [Policy; 3] = [Policy::KernelOrder, Policy::NodeFirst, Policy::AllNodes];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        use prodq::Admission;
        match self {
            Policy::KernelOrder => KernelOrder::NAME,
            Policy::NodeFirst => NodeFirst::NAME,
            Policy::AllNodes => AllNodes::NAME,
        }
    }
}

/// What a load may find. Read-modify-writes always find the newest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loads {
    /// The newest value: sequential consistency.
    #[default]
    Newest,
    /// A value that the word has had since this CPU last accessed it: no more than coherence.
    Coherent,
}

/// Which machine it is.
#[derive(Clone, Debug)]
pub struct Design {
    /// The node of each CPU.
    pub cpus: Vec<usize>,
    /// How many nodes the socket has queues for.
    pub nodes: usize,
    /// The admission policy.
    pub policy: Policy,
    /// rcvbuf at the start, in bytes.
    pub rcvbuf: u32,
    /// Whether packets are stamped with the drop count.
    pub rxq_ovfl: bool,
    /// Whether the stamp is sampled under the lock.
    pub stamp_under_lock: bool,
    /// Whether `udp_rmem_min` is compared with what the batch has queued already, too.
    pub count_batch: bool,
    /// Whether readers sleep; if so, whether they look at both queues before.
    pub sleepers: Option<bool>,
    /// The first and the third limit of protocol memory in pages, and `udp_rmem_min` in bytes. `None`
    /// leaves protocol memory out of the machine: it is plenty and nobody looks at it.
    pub memory: Option<([u32; 2], u32)>,
    /// Whether the allocation of the node queues is refused.
    pub init_fails: bool,
    /// Whether CPUs find the socket in a table.
    pub table: bool,
    /// Whether somebody who is no CPU of the machine holds the receive queue's lock for ever.
    pub lock_held: bool,
    /// How many packets a free list counts before it is full.
    pub defer_max: u32,
    /// Whether a flush resets the count of a list after it took the list.
    pub reset_after_take: bool,
    /// What loads find.
    pub loads: Loads,
}

/// Where a CPU is: outside, or in the middle of an operation, each told in its own file.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum At {
    /// In none of the operations.
    #[default]
    Outside,
    /// Enqueue.
    Enqueue(Enqueue),
    /// Recv and peek.
    Receive(Receive),
    /// A reader that found nothing.
    Waiting(Waiting),
    /// Options, table and destructor.
    Life(Life),
    /// Handing a packet to a free list, or flushing one.
    Defer(defer::Deferring),
    /// It stopped where a lock is held for ever, or where memory was freed, and goes on no more.
    Stopped,
}

impl At {
    /// Whether it does not use the socket: it is outside, or at the end of what it did.
    fn is_away(self) -> bool {
        matches!(
            self,
            At::Outside | At::Stopped | At::Defer(_) | At::Life(Life::Orphaning)
        )
    }
}

/// What an elected CPU has taken and not handed over completely.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Batch<Q> {
    /// The packets not handed over yet, oldest first.
    pub(crate) taken: Q,
    /// All bytes of the batch.
    pub(crate) bytes: u32,
    /// Packets on the receive queue, and their bytes.
    pub(crate) queued: u32,
    pub(crate) queued_bytes: u32,
    /// Their drop-count stamp.
    stamp: u32,
    /// Those without memory, the next one to free last.
    #[serde(skip)]
    no_memory: Vec<Skb>,
}

/// One CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cpu<Q> {
    /// Where it is.
    pub at: At,
    /// The packet that it offers or hands to a free list, or has dequeued and not delivered.
    pub(crate) skb: Option<Skb>,
    /// The batch that it drains.
    pub(crate) batch: Batch<Q>,
    /// How many changes of a queue's length are due before its next step.
    #[serde(skip)]
    lens: u8,
    /// Whether its last look found both queues empty.
    #[serde(skip)]
    found_nothing: bool,
    /// The version of each word that it knows: rmem_alloc, then the nodes.
    #[serde(skip)]
    known: Vec<usize>,
}

/// One node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Node<Q> {
    /// Bytes charged and not yet handed over.
    pub(crate) rmem_alloc: Word,
    /// The list, oldest first.
    pub(crate) list: Q,
    /// Whether a CPU is elected and has not taken the list.
    elected: bool,
    /// How often the list was changed.
    #[serde(skip)]
    changes: u32,
}

/// Where the machine is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State<Q> {
    /// The CPUs.
    pub cpus: Vec<Cpu<Q>>,
    /// The nodes.
    pub nodes: Vec<Node<Q>>,
    /// The bytes that the socket holds.
    pub(crate) rmem_alloc: Word,
    /// Under the receive queue's lock: its packets, and bytes charged in pages and not used.
    pub(crate) receive: Q,
    forward_alloc: i32,
    /// Under the reader queue's lock: its packets, and bytes whose release is held back.
    pub(crate) reader: Q,
    pub(crate) deficit: u32,
    /// Which locks are held.
    held: [bool; 3],
    /// The limit and the release threshold.
    #[serde(skip)]
    pub(crate) rcvbuf: Word,
    #[serde(skip)]
    pub(crate) threshold: Word,
    /// Pages charged to the protocol.
    #[serde(skip)]
    pages: isize,
    /// The two drop counters.
    #[serde(skip)]
    drops: [Word; 2],
    #[serde(skip)]
    sleep: wait::Sleep,
    #[serde(skip)]
    pub(crate) life: life::Lifetime,
    /// Free lists by owner and node.
    #[serde(skip)]
    lists: Vec<defer::List>,
}

/// Why a step is not allowed.
pub type Why = &'static str;

/// A step that the machine does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where the CPU is.
    pub at: At,
    /// Why not.
    pub why: Why,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (the CPU is at {:?})", self.why, self.at)
    }
}

/// An error unless `holds`.
fn allow(holds: bool, why: Why) -> Result<(), Why> {
    if holds {
        Ok(())
    } else {
        Err(why)
    }
}

const NOT_HERE: Why = "no such step is possible here";

impl Design {
    /// The machine at the start.
    pub fn start<Q: Packets>(&self) -> State<Q> {
        let known = if Q::REPLAY { 1 + self.nodes } else { 0 };
        let cpu = Cpu {
            known: vec![0; known],
            ..Cpu::default()
        };
        let lists = if Q::REPLAY {
            self.cpus.len() * self.nodes
        } else {
            0
        };
        State {
            cpus: vec![cpu; self.cpus.len()],
            nodes: vec![Node::default(); self.nodes],
            rmem_alloc: Word::default(),
            receive: Q::default(),
            forward_alloc: 0,
            reader: Q::default(),
            deficit: 0,
            held: [false, false, self.lock_held],
            rcvbuf: Word::new(self.rcvbuf as i32),
            threshold: Word::new(self.rcvbuf as i32 >> 2),
            pages: 0,
            drops: Default::default(),
            sleep: Default::default(),
            life: Default::default(),
            lists: vec![defer::List::default(); lists],
        }
    }

    /// Whether `cpu` may make this step; the state is changed if so, and as it was if not.
    ///
    /// # Errors
    /// [`Refusal`] says why not.
    pub fn step<Q: Packets>(
        &self,
        state: &mut State<Q>,
        cpu: usize,
        step: Step,
    ) -> Result<(), Refusal> {
        let at = state.cpus[cpu].at;
        let next = match at {
            // Whoever set the stage takes it down, also after it has stopped.
            At::Stopped if step == Step::Destruct => self.begin(state, cpu, step),
            At::Stopped => Err("the CPU has stopped"),
            At::Outside => self.begin(state, cpu, step),
            At::Enqueue(at) => self.enqueue(state, cpu, at, step),
            At::Receive(at) => self.receive(state, cpu, at, step),
            At::Waiting(at) => self.wait(state, cpu, at, step),
            At::Life(at) => self.live(state, cpu, at, step),
            At::Defer(at) => self.defer(state, cpu, at, step),
        };
        match next {
            Ok(next) => {
                state.cpus[cpu].at = next;
                Ok(())
            }
            Err(why) => Err(Refusal { at, why }),
        }
    }

    /// The first step of an operation that nothing announced.
    fn begin<Q: Packets>(&self, s: &mut State<Q>, cpu: usize, step: Step) -> Result<At, Why> {
        match step {
            Step::Lock {
                lock: LockName::Reader,
            } => {
                s.lock(LockName::Reader)?;
                Ok(At::Receive(Receive::Looking))
            }
            Step::Sleepers { by: 1, .. } => self.wait(s, cpu, Waiting::Announcing, step),
            Step::DeferReset { .. } | Step::DeferTake { .. } => {
                self.defer(s, cpu, defer::Deferring::Flushing, step)
            }
            _ => self.live(s, cpu, Life::Beginning, step),
        }
    }

    /// A packet is offered: the CPU enters enqueue.
    ///
    /// # Errors
    /// [`Refusal`]: the CPU is in the middle of something, or there is no socket.
    pub fn offer<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        skb: SkbId,
        size: u32,
    ) -> Result<(), Refusal> {
        let at = s.cpus[cpu].at;
        let outside = at == At::Outside && s.life.is_alive();
        allow(outside, "it cannot enter enqueue here").map_err(|why| Refusal { at, why })?;
        s.cpus[cpu].skb = Some(Skb::new(skb, size));
        s.cpus[cpu].at = At::Enqueue(Enqueue::Entered {
            limit: s.rcvbuf.version(),
        });
        Ok(())
    }

    /// Enqueue returned; `refused` when the packet came back.
    ///
    /// # Errors
    /// [`Refusal`]: enqueue was not at its end, or at the other one.
    pub fn returned<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        refused: bool,
    ) -> Result<(), Refusal> {
        let at = s.cpus[cpu].at;
        let right = match at {
            At::Enqueue(Enqueue::Entered { .. }) => refused && !s.life.initialised,
            At::Enqueue(Enqueue::Refused) => refused,
            At::Enqueue(Enqueue::Done) => !refused,
            _ => false,
        };
        allow(right, "enqueue does not return like this").map_err(|why| Refusal { at, why })?;
        s.cpus[cpu].skb = None;
        s.cpus[cpu].at = At::Outside;
        Ok(())
    }

    /// A reader was given a packet with this stamp.
    ///
    /// # Errors
    /// [`Refusal`]: it did not dequeue this packet, or not with this stamp.
    pub fn delivered<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        skb: SkbId,
        dropcount: u32,
    ) -> Result<(), Refusal> {
        let at = s.cpus[cpu].at;
        let hand = s.cpus[cpu].skb;
        let right = hand.is_some_and(|hand| hand.id == skb && hand.stamp == dropcount);
        allow(right && at == At::Outside, "it did not dequeue this")
            .map_err(|why| Refusal { at, why })?;
        s.cpus[cpu].skb = None;
        Ok(())
    }

    /// A packet is about to be handed to a free list.
    ///
    /// # Errors
    /// [`Refusal`]: the CPU is in the middle of something.
    pub fn hand<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        skb: SkbId,
    ) -> Result<(), Refusal> {
        let at = s.cpus[cpu].at;
        allow(matches!(at, At::Outside | At::Stopped), NOT_HERE)
            .map_err(|why| Refusal { at, why })?;
        s.cpus[cpu].skb = Some(Skb::new(skb, 0));
        s.cpus[cpu].at = At::Defer(defer::Deferring::Counting);
        Ok(())
    }

    /// The CPU stops where it is and goes on no more.
    pub fn stop<Q: Packets>(&self, s: &mut State<Q>, cpu: usize) {
        s.cpus[cpu].at = At::Stopped;
        s.life.stopped = true;
    }

    /// Whether an execution may end here.
    ///
    /// # Errors
    /// What is left.
    pub fn end<Q: Packets>(&self, s: &State<Q>) -> Result<(), Why> {
        let done = |cpu: &Cpu<Q>| cpu.at.is_away() && !matches!(cpu.at, At::Defer(_));
        allow(
            s.cpus.iter().all(done),
            "a CPU ends in the middle of an operation",
        )?;
        let woken = s.sleep.awoken <= s.sleep.wakes;
        allow(woken, "more readers awoke than were woken")?;
        let freed = s.lists.iter().all(defer::List::is_empty);
        allow(freed, "a free list is not flushed")
    }
}

impl<Q> Cpu<Q> {
    /// The size of the packet that it has, in bytes.
    pub(crate) fn size(&self) -> u32 {
        self.skb.map_or(0, |skb| skb.size)
    }
}

impl<Q: Packets> State<Q> {
    fn lock(&mut self, lock: LockName) -> Result<(), Why> {
        let held = &mut self.held[lock as usize];
        allow(!*held, "the lock is held")?;
        *held = true;
        Ok(())
    }

    fn unlock(&mut self, lock: LockName) {
        self.held[lock as usize] = false;
    }

    /// Leaves the receive queue's lock, which tells `forward_alloc`.
    fn unlock_receive(&mut self, design: &Design, told: i32) -> Result<(), Why> {
        let right = design.memory.is_none() || told == self.forward_alloc;
        allow(right, "forward_alloc is another")?;
        self.unlock(LockName::Receive);
        Ok(())
    }

    /// A change of a queue's length, of which `lens` are due.
    fn len(&mut self, queue: LockName, by: i32, old: i32) -> Result<(), Why> {
        let word = match queue {
            LockName::Receive => &mut self.sleep.receive_len,
            LockName::Reader => &mut self.sleep.reader_len,
            LockName::Busy => return Err("a busylock has no queue"),
        };
        allow(word.value == old, "the queue has another length")?;
        word.set::<Q>(old + by);
        Ok(())
    }

    /// The receive queue moves to the reader queue: first the lengths where readers sleep, then the step.
    /// `lens` says how many lengths were told.
    fn splice(&mut self, design: &Design, cpu: usize, step: Step) -> Result<(), Why> {
        let count = self.receive.len();
        let told = if design.sleepers.is_some() { 2 } else { 0 };
        match (self.cpus[cpu].lens, step) {
            (_, _) if count == 0 => Err("there is nothing to splice"),
            (lens, Step::Splice { count: moved }) if lens == told && moved == count => {
                self.cpus[cpu].lens = 0;
                self.reader.append(&mut self.receive);
                Ok(())
            }
            (0, Step::Len { queue, by, old })
                if told != 0 && queue == LockName::Reader && by == count as i32 =>
            {
                self.len(queue, by, old)?;
                self.cpus[cpu].lens = 1;
                Ok(())
            }
            (1, Step::Len { queue, by, old })
                if queue == LockName::Receive && by == -(count as i32) =>
            {
                self.len(queue, by, old)?;
                self.cpus[cpu].lens = 2;
                Ok(())
            }
            _ => Err("the receive queue's packets are to be spliced first"),
        }
    }

    /// How many pages a release of `size` bytes gives back, and what stays in `forward_alloc`.
    fn release(&self, size: u32, partial: bool) -> (isize, i32) {
        let available = size.wrapping_add(self.forward_alloc as u32);
        let pages = available.wrapping_sub(partial.into()) >> PAGE_SHIFT;
        let left = available.wrapping_sub(pages << PAGE_SHIFT);
        (pages as isize, left as i32)
    }

    /// Bytes leave the socket: the pages first, then `rmem_alloc`. True with the last step.
    fn give_back(
        &mut self,
        design: &Design,
        cpu: usize,
        (size, partial): (u32, bool),
        step: Step,
    ) -> Result<bool, Why> {
        let (pages, left) = match design.memory {
            Some(_) => self.release(size, partial),
            None => (0, 0),
        };
        let paid = self.cpus[cpu].lens != 0;
        match step {
            Step::UnchargePages { pages: told, old } => {
                let right = !paid && pages != 0 && told == pages && old == self.pages;
                allow(right, "these are not the pages to give back")?;
                self.pages -= pages;
                self.cpus[cpu].lens = 1;
                Ok(false)
            }
            Step::SubRmem { size: told, old } => {
                allow(paid || pages == 0, "pages are to be given back first")?;
                let right = told == size && old == self.rmem_alloc.value;
                allow(right, "these are not the bytes to release")?;
                self.forward_alloc = left;
                self.change_rmem(cpu, -(size as i32));
                self.cpus[cpu].lens = 0;
                Ok(true)
            }
            _ => Err("bytes are to be released first"),
        }
    }

    fn change_rmem(&mut self, cpu: usize, by: i32) {
        let value = self.rmem_alloc.value.wrapping_add(by);
        self.rmem_alloc.set::<Q>(value);
        self.know(cpu, 0, self.rmem_alloc.version());
    }

    fn change_node(&mut self, cpu: usize, node: usize, by: i32) {
        let word = &mut self.nodes[node].rmem_alloc;
        word.set::<Q>(word.value.wrapping_add(by));
        let version = word.version();
        self.know(cpu, 1 + node, version);
    }

    fn know(&mut self, cpu: usize, word: usize, version: usize) {
        if let Some(known) = self.cpus[cpu].known.get_mut(word) {
            *known = version;
        }
    }
}

const PAGE_SHIFT: u32 = {
    use prodq::Platform;
    prodq::Hw::PAGE_SHIFT
};
