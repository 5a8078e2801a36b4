// SPDX-License-Identifier: MIT OR Apache-2.0

//! The explorer: every inequivalent execution, exactly once, under sequential consistency or RC11.
//!
//! `op` says what events are and which commute, `memory` what they do in either model, `dpor` which
//! executions to make, `engine` runs them on shuttle's coroutines, and this file makes a world of it.

pub(crate) mod dpor;
pub(crate) mod engine;
pub mod litmus;
pub(crate) mod memory;
pub(crate) mod op;

use std::cell::{RefCell, UnsafeCell};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use shuttle::Runner;

use self::dpor::{Dpor, Reduction};
use self::engine::{Explorer, Observer, Stats};
use self::memory::{CellState, Model, Race};
use self::op::{Choice, Compare, Event, Pending, Value};
use super::backend::{Backend, RawCell, RawInt, RawLock, RawPtr, HEADER, LOCK, WORD};
use super::{catching, Run, Schedule};
use crate::context::{data_race, data_race_of_freeing, lock};
use crate::model::Retire;

/// The explorer's primitives.
pub(crate) struct Explore;

/// A value that fits a word of the explorer.
pub(crate) trait Fits: Copy {
    fn into_word(self) -> u64;
    fn from_word(word: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
}

macro_rules! fits {
    ($value:ty, $bits:ty) => {
        impl Fits for $value {
            fn into_word(self) -> u64 {
                self as $bits as u64
            }
            fn from_word(word: u64) -> Self {
                word as $bits as $value
            }
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    };
}

fits!(i32, u32);
fits!(isize, usize);

/// An atomic of the explorer.
pub(crate) struct Word<V> {
    id: u16,
    _value: PhantomData<fn(V) -> V>,
}

impl<V> Word<V> {
    fn with(value: u64) -> Self {
        Word {
            id: engine::new_word(value),
            _value: PhantomData,
        }
    }

    /// The word's number, if its creation is known here.
    fn id(&self) -> u16 {
        unless_race(engine::check_word(self.id), WORD);
        self.id
    }

    fn change(&self, ordering: Ordering, change: impl FnOnce(u64) -> u64) -> u64 {
        let word = self.id();
        let pending = Pending::Rmw {
            word,
            compare: Compare::Never,
        };
        let change = |old| Some(change(old));
        engine::rmw(pending, word, ordering, ordering, change).0
    }
}

fn unless_race(access: Result<(), Race>, what: &'static str) {
    if access.is_err() {
        data_race(what);
    }
}

impl<V: Fits> RawInt<V> for Word<V> {
    fn new(value: V) -> Self {
        Word::with(value.into_word())
    }
    fn load(&self, ordering: Ordering) -> V {
        V::from_word(engine::load(self.id(), ordering))
    }
    fn fetch_add(&self, value: V, ordering: Ordering) -> V {
        let add = |old| V::from_word(old).plus(value).into_word();
        V::from_word(self.change(ordering, add))
    }
    fn fetch_sub(&self, value: V, ordering: Ordering) -> V {
        let subtract = |old| V::from_word(old).minus(value).into_word();
        V::from_word(self.change(ordering, subtract))
    }
    fn swap(&self, value: V, ordering: Ordering) -> V {
        V::from_word(self.change(ordering, |_| value.into_word()))
    }
}

impl<T: 'static> RawPtr<T> for Word<*mut T> {
    fn new(value: *mut T) -> Self {
        Word::with(value as u64)
    }
    fn load(&self, ordering: Ordering) -> *mut T {
        engine::load(self.id(), ordering) as *mut T
    }
    fn swap(&self, value: *mut T, ordering: Ordering) -> *mut T {
        self.change(ordering, |_| value as u64) as *mut T
    }
    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        let (current, new) = (current as u64, new as u64);
        let word = self.id();
        let pending = Pending::Rmw {
            word,
            compare: Compare::Unless(Value(current)),
        };
        let change = |old| (old == current).then_some(new);
        match engine::rmw(pending, word, success, failure, change) {
            (old, true) => Ok(old as *mut T),
            (old, false) => Err(old as *mut T),
        }
    }
}

impl<V> Retire for Word<V> {
    const WHAT: &'static str = WORD;
    fn retire(&mut self) {
        if engine::retire_word(self.id).is_err() {
            data_race_of_freeing(WORD);
        }
    }
}

/// A cell of the explorer.
pub(crate) struct Cell<T> {
    state: RefCell<CellState>,
    value: UnsafeCell<T>,
}

impl<T> RawCell<T> for Cell<T> {
    fn new(value: T) -> Self {
        let cell = Cell {
            state: RefCell::default(),
            value: UnsafeCell::new(value),
        };
        unless_race(engine::write_cell(&mut cell.state.borrow_mut()), HEADER);
        cell
    }
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        unless_race(engine::read_cell(&mut self.state.borrow_mut()), HEADER);
        // SAFETY: The caller's duty, and one task runs at a time.
        f(unsafe { &*self.value.get() })
    }
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        unless_race(engine::write_cell(&mut self.state.borrow_mut()), HEADER);
        // SAFETY: The caller's duty, and one task runs at a time.
        f(unsafe { &mut *self.value.get() })
    }
}

impl<T> Retire for Cell<T> {
    const WHAT: &'static str = HEADER;
    fn retire(&mut self) {
        if engine::write_cell(self.state.get_mut()).is_err() {
            data_race_of_freeing(HEADER);
        }
    }
}

/// A lock of the explorer.
pub(crate) struct Lock<T> {
    id: u16,
    value: UnsafeCell<T>,
}

// SAFETY: The value is only reached by whoever holds the lock.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T: Send> RawLock<T> for Lock<T> {
    fn new(value: T) -> Self {
        Lock {
            id: engine::new_lock(),
            value: UnsafeCell::new(value),
        }
    }
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        struct Held(u16);
        impl Drop for Held {
            fn drop(&mut self) {
                engine::release(self.0);
            }
        }
        engine::acquire(self.id);
        let _held = Held(self.id);
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

impl Backend for Explore {
    type I32 = Word<i32>;
    type Isize = Word<isize>;
    type Ptr<T: 'static> = Word<*mut T>;
    type Cell<T> = Cell<T>;
    type Lock<T: Send> = Lock<T>;
    type Thread = engine::Thread;

    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread {
        engine::spawn(f)
    }
    fn join(thread: Self::Thread) {
        engine::join(thread);
    }
}

/// Judges each execution of a run when it has ended.
struct Judge {
    run: Arc<Run>,
    limit: u64,
}

impl Observer for Judge {
    fn start(&mut self) -> bool {
        let state = lock(&self.run.state);
        !state.enough && state.outcome.executions < self.limit
    }

    fn end(&mut self, exploration: &mut Dpor, deadlock: bool) {
        let found = self
            .run
            .explored(replayable(&exploration.schedule()), deadlock);
        if !found.is_empty() {
            let calmer = replayable(&exploration.calmer_schedule());
            let mut state = lock(&self.run.state);
            for theorem in found {
                state.calmer.insert(theorem, calmer.clone());
            }
        }
    }
}

fn replayable(schedule: &[Event]) -> Vec<(u8, Choice)> {
    let step = |event: &Event| (event.task, event.choice);
    schedule.iter().map(step).collect()
}

/// Explores the run's scenario, to the end or to the limit.
pub(super) fn run(run: &Arc<Run>, model: Model, limit: u64) {
    let reduction = match &run.job.only {
        Some(Schedule::Events(events)) => Reduction::Replay(events.clone()),
        _ => Reduction::Optimal,
    };
    let judge = Judge {
        run: Arc::clone(run),
        limit,
    };
    let stats = Rc::new(RefCell::new(Stats::default()));
    let explorer = Explorer::new(model, reduction, false, judge, Rc::clone(&stats));
    let shared = Arc::clone(run);
    catching(run, move || {
        Runner::new(explorer, super::shuttle::config()).run(move || {
            shared.start::<Explore>();
        });
    });
    let mut state = lock(&run.state);
    let stats = stats.borrow();
    state.outcome.executions = stats.executions;
    state.outcome.blocked = stats.blocked;
    if stats.progress > 0.0 {
        state.outcome.estimate = Some(stats.executions as f64 / stats.progress);
    }
    state.outcome.cut_short |= !stats.complete && !state.enough;
    state.outcome.complete = stats.complete && !state.outcome.cut_short && run.job.only.is_none();
}
