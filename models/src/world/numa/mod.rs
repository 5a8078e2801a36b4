// SPDX-License-Identifier: MIT OR Apache-2.0

//! The world `numa`: the same code in virtual time, with a cost for every access, on machines that are
//! not at hand.
//!
//! One task is one CPU. The CPU whose clock is behind goes on, so that accesses happen in the order of
//! the clocks, and each moves its CPU's clock by what its cache line costs: `engine` keeps for each line
//! who has it, and until when it is on its way. `costs.json` has the figures with their sources,
//! `report` says what comes out.
//!
//! It is a cost model and no processor: what it leaves out is in [`report::MISSING`]. It shows one
//! schedule for each seed, and nothing about orderings.

mod costs;
mod engine;
mod report;
mod threads;

use std::cell::UnsafeCell;
use std::ops::Range;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr, Ordering};
use std::sync::Arc;

use shuttle::{MaxSteps, Runner};

use self::engine::Access;
use super::backend::{Backend, RawBell, RawCell, RawInt, RawLock, RawPtr, HEADER, LOCK, WORD};
use crate::context::{Context, Event};
use crate::fault::Broken;
use crate::model::Retire;
use crate::play::play;
use crate::scenario::{Scenario, ScenarioError};

pub use self::costs::{Cost, Costs};
pub use self::report::{
    measure, report, variants, Comparison, Figures, Options, ASSUMED, FLOODING, MISSING,
};
pub use self::threads::{Histogram, Threads, THREADS};

/// The primitives in virtual time.
pub(crate) struct Numa;

/// An atomic. One task runs at a time, so that the hardware's will do; what it costs is told before.
#[repr(transparent)]
pub(crate) struct Word<A>(A);

impl<A> Word<A> {
    fn access(&self, kind: Access) -> &A {
        engine::access(self as *const Self as usize, kind);
        &self.0
    }
}

macro_rules! raw_int {
    ($atomic:ty, $value:ty) => {
        impl RawInt<$value> for Word<$atomic> {
            fn new(value: $value) -> Self {
                Word(<$atomic>::new(value))
            }
            fn load(&self, ordering: Ordering) -> $value {
                self.access(Access::Load).load(ordering)
            }
            fn fetch_add(&self, value: $value, ordering: Ordering) -> $value {
                self.access(Access::Change).fetch_add(value, ordering)
            }
            fn fetch_sub(&self, value: $value, ordering: Ordering) -> $value {
                self.access(Access::Change).fetch_sub(value, ordering)
            }
            fn swap(&self, value: $value, ordering: Ordering) -> $value {
                self.access(Access::Change).swap(value, ordering)
            }
        }
    };
}

raw_int!(AtomicI32, i32);
raw_int!(AtomicIsize, isize);

impl<T: 'static> RawPtr<T> for Word<AtomicPtr<T>> {
    fn new(value: *mut T) -> Self {
        Word(AtomicPtr::new(value))
    }
    fn load(&self, ordering: Ordering) -> *mut T {
        self.access(Access::Load).load(ordering)
    }
    fn swap(&self, value: *mut T, ordering: Ordering) -> *mut T {
        self.access(Access::Change).swap(value, ordering)
    }
    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        let word = self.access(Access::Change);
        word.compare_exchange(current, new, success, failure)
    }
}

impl<A> Retire for Word<A> {
    const WHAT: &'static str = WORD;
    fn retire(&mut self) {}
}

/// A packet's header, on a line of its own.
pub(crate) struct Cell<T> {
    line: usize,
    value: UnsafeCell<T>,
}

impl<T> RawCell<T> for Cell<T> {
    fn new(value: T) -> Self {
        Cell {
            line: engine::new_header(),
            value: UnsafeCell::new(value),
        }
    }
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        engine::owned(self.line, Access::Load);
        // SAFETY: The caller's duty.
        f(unsafe { &*self.value.get() })
    }
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        engine::owned(self.line, Access::Change);
        // SAFETY: The caller's duty.
        f(unsafe { &mut *self.value.get() })
    }
}

impl<T> Retire for Cell<T> {
    const WHAT: &'static str = HEADER;
    fn retire(&mut self) {
        engine::end_of_packet();
    }
}

/// A queued spinlock, on one line with what it guards, or with the beginning of it.
pub(crate) struct Lock<T> {
    id: usize,
    further: Range<usize>,
    value: UnsafeCell<T>,
}

// SAFETY: The value is only reached by whoever holds the lock.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T: Send> RawLock<T> for Lock<T> {
    fn new(value: T) -> Self {
        Lock {
            id: engine::new_lock(),
            further: engine::further_lines(size_of::<T>() != 0),
            value: UnsafeCell::new(value),
        }
    }
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        struct Held(usize, usize);
        impl Drop for Held {
            fn drop(&mut self) {
                if !std::thread::panicking() {
                    engine::release(self.0, self.1);
                }
            }
        }
        let address = self as *const Self as usize;
        engine::acquire(self.id, address);
        let _held = Held(self.id, address);
        for line in self.further.clone() {
            engine::owned(line, Access::Change);
        }
        // SAFETY: The lock is held.
        f(unsafe { &mut *self.value.get() })
    }
    fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

impl<T: Send> Retire for Lock<T> {
    const WHAT: &'static str = LOCK;
    fn retire(&mut self) {}
}

pub(crate) struct Bell(usize);

impl RawBell for Bell {
    fn new() -> Self {
        Bell(engine::new_bell())
    }
    fn wait(&self) {
        engine::wait(self.0);
    }
    fn ring(&self) {
        engine::ring(self.0);
    }
}

/// A CPU that was started.
pub(crate) struct Thread(engine::Thread);

impl Backend for Numa {
    type I32 = Word<AtomicI32>;
    type Isize = Word<AtomicIsize>;
    type Ptr<T: 'static> = Word<AtomicPtr<T>>;
    type Cell<T> = Cell<T>;
    type Lock<T: Send> = Lock<T>;
    type Bell = Bell;
    type Thread = Thread;

    fn fence(_: Ordering) {
        engine::fence();
    }
    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread {
        Thread(engine::spawn(f))
    }
    fn join(thread: Self::Thread) {
        engine::join(thread.0);
    }
}

/// Plays the scenario once; every CPU takes about `packet_ns` nanoseconds for a packet before it offers
/// it. Each event with the virtual time at which it happened, in nanoseconds.
fn events(
    scenario: &Scenario,
    costs: &Costs,
    packet_ns: u64,
    seed: u64,
) -> Result<Vec<(u64, Event)>, ScenarioError> {
    scenario.check()?;
    let mut config = super::shuttle::config();
    config.max_steps = MaxSteps::None;
    let machine = engine::Machine::new(scenario, costs, packet_ns, seed);
    let context = Context::timed(scenario.cpus.len(), Broken::default(), engine::now);
    let (played, scenario) = (Arc::clone(&context), Arc::new(scenario.clone()));
    Runner::new(engine::Earliest(Some(machine)), config).run(move || {
        play::<Numa>(&scenario, &played);
    });
    context.release_quarantine();
    let times = context.times();
    let events = context.events();
    Ok(times.into_iter().zip(events).collect())
}
