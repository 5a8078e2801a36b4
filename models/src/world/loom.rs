// SPDX-License-Identifier: MIT OR Apache-2.0

//! Loom: C11 with stale loads, in small scope. Not exhaustive: see `README.md`, "What is not covered".

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use loom::cell::UnsafeCell;
use loom::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr};
use loom::sync::{Condvar, Mutex};

use super::backend::{
    raw_bell, raw_int, raw_lock, raw_ptr, Backend, RawBell, RawCell, RawInt, RawLock, RawPtr,
    HEADER,
};
use super::{catching, Enough, Run};
use crate::context::lock;
use crate::model::Retire;

/// Loom's primitives.
pub(crate) struct Loom;

impl Backend for Loom {
    type I32 = AtomicI32;
    type Isize = AtomicIsize;
    type Ptr<T: 'static> = AtomicPtr<T>;
    type Cell<T> = UnsafeCell<T>;
    type Lock<T: Send> = Mutex<T>;
    type Bell = Bell;
    type Thread = loom::thread::JoinHandle<()>;

    fn fence(ordering: Ordering) {
        loom::sync::atomic::fence(ordering);
    }

    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread {
        loom::thread::spawn(f)
    }

    fn join(thread: Self::Thread) {
        let joined = thread.join();
        debug_assert!(
            joined.is_ok(),
            "loom ends the execution when a thread panics"
        );
    }
}

raw_int!(AtomicI32, i32, |word| word.with_mut(|_| ()));
raw_int!(AtomicIsize, isize, |word| word.with_mut(|_| ()));
raw_ptr!(AtomicPtr, |word| word.with_mut(|_| ()));
raw_lock!(Mutex);
raw_bell!(Bell, Mutex, Condvar);

impl<T> RawCell<T> for UnsafeCell<T> {
    fn new(value: T) -> Self {
        UnsafeCell::new(value)
    }
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: The caller's duty, which loom checks.
        UnsafeCell::with(self, |value| f(unsafe { &*value }))
    }
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: The caller's duty, which loom checks.
        UnsafeCell::with_mut(self, |value| f(unsafe { &mut *value }))
    }
}

impl<T> Retire for UnsafeCell<T> {
    const WHAT: &'static str = HEADER;
    fn retire(&mut self) {
        UnsafeCell::with_mut(self, |_| ());
    }
}

/// Explores until loom has no more executions, or `limit` were made.
pub(super) fn run(run: &Arc<Run>, limit: u64, preemption_bound: Option<usize>) {
    let mut builder = loom::model::Builder::new();
    // Every setting that an environment variable could have changed is set here.
    builder.max_threads = run.scenario.cpus.len();
    builder.max_branches = 20_000;
    builder.max_duration = None;
    builder.preemption_bound = preemption_bound;
    builder.checkpoint_file = None;
    builder.location = false;
    builder.log = false;
    // Loom looks at its limit at every checkpoint, before the execution of that number.
    let stop_before = usize::try_from(limit.saturating_add(1)).unwrap_or(usize::MAX);
    builder.max_permutations = Some(stop_before);
    builder.checkpoint_interval = stop_before;
    let shared = Arc::clone(run);
    catching(run, move || {
        builder.check(move || {
            if shared.execute::<Loom>() {
                std::panic::panic_any(Enough);
            }
        });
    });
    let mut state = lock(&run.state);
    let at_limit = state.outcome.executions >= limit;
    state.outcome.cut_short |= at_limit;
    state.outcome.complete = !state.outcome.cut_short && !state.enough;
}
