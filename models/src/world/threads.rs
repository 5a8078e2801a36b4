// SPDX-License-Identifier: MIT OR Apache-2.0

//! Real atomics and real threads: what happens, and nothing about what did not.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::backend::{
    raw_bell, raw_int, raw_lock, raw_ptr, unwatched_cell, Backend, RawBell, RawCell, RawInt,
    RawLock, RawPtr,
};
use super::{catching, Run};
use crate::context::lock;
use crate::model::Retire;

/// The hardware's primitives.
pub(crate) struct Threads;

pub(crate) struct Cell<T>(UnsafeCell<T>);

impl Backend for Threads {
    type I32 = AtomicI32;
    type Isize = AtomicIsize;
    type Ptr<T: 'static> = AtomicPtr<T>;
    type Cell<T> = Cell<T>;
    type Lock<T: Send> = Mutex<T>;
    type Bell = Bell;
    type Thread = std::thread::JoinHandle<()>;

    fn fence(ordering: Ordering) {
        std::sync::atomic::fence(ordering);
    }

    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread {
        std::thread::spawn(f)
    }

    fn join(thread: Self::Thread) {
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

raw_int!(AtomicI32, i32, |_| ());
raw_int!(AtomicIsize, isize, |_| ());
raw_ptr!(AtomicPtr, |_| ());
raw_lock!(Mutex);
raw_bell!(Bell, Mutex, Condvar);
unwatched_cell!(Cell);

/// Plays it so many times.
pub(super) fn run(run: &Run, executions: u64) {
    for _ in 0..executions {
        let mut enough = false;
        catching(run, || enough = run.execute::<Threads>());
        let cut_short = lock(&run.state).outcome.cut_short;
        if enough || cut_short {
            return;
        }
    }
}
