// SPDX-License-Identifier: MIT OR Apache-2.0

//! What one execution knows about itself: who runs, what happened, what is broken.

use std::alloc::Layout;
use std::cell::Cell;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prodq::{SkbId, Step};

use crate::fault::Broken;
use crate::wait::Asleep;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A step of the core.
    Step(Step),
    /// The player offers a packet: the CPU enters enqueue.
    Offer {
        /// The packet's header.
        skb: SkbId,
        /// Its number in the scenario.
        packet: usize,
        /// Its truesize, in bytes.
        size: u32,
    },
    /// Enqueue returned; `refused` when the packet came back.
    Return {
        /// The packet's header.
        skb: SkbId,
        /// Whether the caller has it again.
        refused: bool,
    },
    /// A reader was given the packet, with this stamp.
    Deliver {
        /// The packet's header.
        skb: SkbId,
        /// Its drop-count stamp, in packets.
        dropcount: u32,
    },
    /// A reader that only looked was told this.
    Told {
        /// The header of the packet that it was shown, if there was one.
        found: Option<SkbId>,
    },
    /// An object's memory was given back, and poisoned.
    Freed {
        /// What it was.
        kind: Kind,
        /// Where it was.
        address: usize,
    },
    /// Memory was touched after it was freed; the CPU stops there.
    TouchedFreed {
        /// What it was.
        what: &'static str,
    },
    /// Two accesses that nothing orders; the CPU stops there, unless it is freeing.
    DataRace {
        /// To what.
        what: &'static str,
        /// Whether the second one is the freeing of the memory.
        freeing: bool,
    },
    /// The CPU waits for a lock that is held for ever; it stops there.
    Stuck,
    /// A packet is about to be handed to another CPU's free list.
    Hand {
        /// The packet's header.
        skb: SkbId,
        /// Its number in the scenario.
        packet: usize,
    },
    /// After all CPUs have finished: every free list was flushed. One more packet is handed to each then.
    Flushed,
    /// Every CPU has finished or sleeps. The sleepers are interrupted after it.
    Deadlock,
    /// The socket's own drop count, after every CPU has finished, in packets.
    FinalDrops {
        /// The count.
        value: u32,
    },
}

/// The kinds of memory that are watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A packet.
    Packet,
    /// A socket's node queues.
    Nodes,
    /// A socket.
    Sock,
    /// The busylocks of a design that has them.
    Busylocks,
}

/// Something that happened, who did it, and when.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The order in which events were recorded. In a world that runs one CPU at a time it is the order
    /// of the accesses; among real threads it is so only for what a lock orders.
    pub ticket: u64,
    /// The CPU.
    pub cpu: usize,
    /// What happened.
    pub what: What,
}

/// Memory that is poisoned and kept until the execution ends.
pub(crate) struct Block {
    pub(crate) address: *mut u8,
    pub(crate) layout: Layout,
}

// SAFETY: A block is memory that nobody uses any more.
unsafe impl Send for Block {}

/// What a broken platform remembers of one CPU between two of its accesses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) postponed_charge: Option<PostponedCharge>,
    pub(crate) elected: Option<Elected>,
    pub(crate) taken_early: Option<usize>,
    /// Whether the current push has failed before.
    pub(crate) retried: bool,
    /// Whether this drain has woken somebody.
    pub(crate) woke: bool,
    /// Whether this drain found the receive queue empty.
    pub(crate) found_empty: bool,
}

/// A charge that was not made yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostponedCharge {
    pub(crate) counter: usize,
    pub(crate) value: i32,
    pub(crate) step: Option<Step>,
}

/// The list on which the CPU is elected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elected {
    pub(crate) list: usize,
    pub(crate) node: usize,
}

/// One execution.
pub(crate) struct Context {
    pub(crate) broken: Broken,
    /// Whether racing loads are made read-modify-writes, which read the newest value.
    pub(crate) newest_loads: bool,
    pub(crate) asleep: Asleep,
    /// Whether somebody holds the lock that producers want, for ever.
    pub(crate) lock_held: AtomicBool,
    ticket: AtomicU64,
    /// The clock of a world that has one, and what it showed at each event.
    clock: Option<fn() -> u64>,
    times: Mutex<Vec<u64>>,
    events: Vec<Mutex<Vec<Event>>>,
    scratch: Vec<Mutex<Scratch>>,
    quarantine: Mutex<Vec<Block>>,
    /// What is dropped before the quarantined memory is given back.
    late: Mutex<Vec<Late>>,
    retiring: AtomicBool,
}

/// Something in quarantined memory that is dropped when the execution ends.
struct Late {
    address: *mut u8,
    drop: unsafe fn(*mut u8),
}

// SAFETY: Nobody else uses it any more when it is dropped.
unsafe impl Send for Late {}

#[derive(Clone, Copy)]
struct Here {
    context: *const Context,
    cpu: usize,
}

thread_local! {
    static HERE: Cell<Option<Here>> = const { Cell::new(None) };
}

/// The payload of the unwinding that stops a CPU. No panic hook is told: it is no failure of the world.
pub(crate) struct Stopped;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    pub(crate) fn new(cpus: usize, broken: Broken, newest_loads: bool) -> Arc<Context> {
        Arc::new(Context::with_clock(cpus, broken, newest_loads, None))
    }

    /// An execution in virtual time.
    pub(crate) fn timed(cpus: usize, broken: Broken, clock: fn() -> u64) -> Arc<Context> {
        Arc::new(Context::with_clock(cpus, broken, false, Some(clock)))
    }

    fn with_clock(
        cpus: usize,
        broken: Broken,
        newest_loads: bool,
        clock: Option<fn() -> u64>,
    ) -> Context {
        Context {
            broken,
            newest_loads,
            asleep: Asleep::of(cpus),
            lock_held: AtomicBool::new(false),
            ticket: AtomicU64::new(0),
            clock,
            times: Mutex::default(),
            events: (0..cpus).map(|_| Mutex::new(Vec::new())).collect(),
            scratch: (0..cpus).map(|_| Mutex::default()).collect(),
            quarantine: Mutex::default(),
            late: Mutex::default(),
            retiring: AtomicBool::new(false),
        }
    }

    /// Says that the calling thread of the world is `cpu` from now on. The context must outlive its
    /// use: the player leaves it before it lets go of it.
    pub(crate) fn enter(&self, cpu: usize) {
        HERE.set(Some(Here { context: self, cpu }));
    }

    /// Says that the calling thread is no CPU any more.
    pub(crate) fn leave() {
        HERE.set(None);
    }

    pub(crate) fn record(&self, cpu: usize, what: What) {
        let ticket = self.ticket.fetch_add(1, Ordering::SeqCst);
        if let Some(clock) = self.clock {
            lock(&self.times).push(clock());
        }
        let event = Event { ticket, cpu, what };
        if let Some(events) = self.events.get(cpu) {
            lock(events).push(event);
        }
    }

    /// The place of the CPU's first event that is such, from place `from` on.
    pub(crate) fn find(
        &self,
        cpu: usize,
        from: usize,
        such: impl Fn(What) -> bool,
    ) -> Option<usize> {
        let events = lock(self.events.get(cpu)?);
        let found = events.iter().skip(from).position(|event| such(event.what));
        found.map(|place| from + place)
    }

    /// All events in the order of their tickets.
    pub(crate) fn events(&self) -> Vec<Event> {
        let mut all: Vec<Event> = Vec::new();
        for events in &self.events {
            all.extend(lock(events).iter());
        }
        all.sort_unstable_by_key(|event| event.ticket);
        all
    }

    /// The virtual time of each event, in the order of their tickets; empty where there is no clock.
    pub(crate) fn times(&self) -> Vec<u64> {
        lock(&self.times).clone()
    }

    /// Whether memory was being freed when the execution was cut short.
    pub(crate) fn was_retiring(&self) -> bool {
        self.retiring.load(Ordering::SeqCst)
    }

    pub(crate) fn scratch<R>(&self, cpu: usize, f: impl FnOnce(&mut Scratch) -> R) -> R {
        f(&mut lock(&self.scratch[cpu]))
    }

    pub(crate) fn keep(&self, block: Block) {
        lock(&self.quarantine).push(block);
    }

    /// Drops what is at `address`, in quarantined memory, when the execution has ended.
    pub(crate) fn drop_later(&self, address: *mut u8, drop: unsafe fn(*mut u8)) {
        lock(&self.late).push(Late { address, drop });
    }

    /// Gives the quarantined memory back. Only after an execution that ended as it should: one that
    /// was cut short may still unwind through it.
    pub(crate) fn release_quarantine(&self) {
        for late in lock(&self.late).drain(..) {
            // SAFETY: It was left for this moment, in memory that is given back below.
            unsafe { (late.drop)(late.address) };
        }
        for block in lock(&self.quarantine).drain(..) {
            // SAFETY: The block came from the allocator with this layout and nobody refers to it: the
            // execution that did has ended.
            unsafe { std::alloc::dealloc(block.address, block.layout) };
        }
    }
}

/// Runs `f` with the current execution and CPU, if there is one.
pub(crate) fn here<R>(f: impl FnOnce(&Context, usize) -> R) -> Option<R> {
    let here = HERE.get()?;
    // SAFETY: `enter` was called with a context that lives until `leave`.
    Some(f(unsafe { &*here.context }, here.cpu))
}

/// The CPU that was current, to be made current again.
#[derive(Clone, Copy)]
pub(crate) struct Place(Option<Here>);

impl Place {
    pub(crate) fn current() -> Place {
        Place(HERE.get())
    }

    pub(crate) fn resume(self) {
        HERE.set(self.0);
    }
}

/// Runs an operation at which the world may let other CPUs run, and makes this CPU current again.
pub(crate) fn switching<R>(operation: impl FnOnce() -> R) -> R {
    let place = Place::current();
    let result = operation();
    place.resume();
    result
}

/// Records that something happened on the current CPU.
pub(crate) fn record(what: What) {
    here(|context, cpu| context.record(cpu, what));
}

/// Runs the modelled write that freeing is; a data race in it is known to be one with freeing.
pub(crate) fn retiring(retire: impl FnOnce()) {
    here(|context, _| context.retiring.store(true, Ordering::SeqCst));
    retire();
    here(|context, _| context.retiring.store(false, Ordering::SeqCst));
}

/// Stops the current CPU because it touched memory after it was freed.
pub(crate) fn touch_freed(what: &'static str) -> ! {
    record(What::TouchedFreed { what });
    resume_unwind(Box::new(Stopped))
}

/// Stops the current CPU because an access of it races with an earlier one.
pub(crate) fn data_race(what: &'static str) -> ! {
    record(What::DataRace {
        what,
        freeing: false,
    });
    resume_unwind(Box::new(Stopped))
}

/// Records that an access races with the freeing of its memory.
pub(crate) fn data_race_of_freeing(what: &'static str) {
    record(What::DataRace {
        what,
        freeing: true,
    });
}

/// Stops the current CPU, if it would wait for a lock that is held for ever.
pub(crate) fn wait_for_lock() {
    if here(|context, _| context.lock_held.load(Ordering::SeqCst)).unwrap_or(false) {
        record(What::Stuck);
        resume_unwind(Box::new(Stopped))
    }
}

/// Runs a CPU, which [`touch_freed`], [`data_race`] and [`wait_for_lock`] may stop. The others go on:
/// what is freed is only poisoned.
pub(crate) fn stoppable(cpu: impl FnOnce()) {
    let place = Place::current();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(cpu)) {
        if !panic.is::<Stopped>() {
            resume_unwind(panic);
        }
        place.resume();
    }
}
