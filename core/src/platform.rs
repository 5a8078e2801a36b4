// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the algorithm needs from the world it runs in.

use core::sync::atomic::Ordering;

use super::{Site, Step};

/// A world: its atomics, its plain memory, its lock, and the hook that hears every step.
///
/// On hardware this is [`Hw`](super::Hw). A model checker implements the same trait over its own
/// primitives and runs the very same algorithm.
///
/// # Safety
/// The primitives do what their traits say: an atomic has one order of changes and returns what it
/// held, with at least the ordering of its site; a cell holds what was written to it last; a lock
/// excludes, and its releases and acquisitions pair.
pub unsafe trait Platform: Sized + Send + Sync + 'static {
    /// A 32-bit counter (the kernel's `atomic_t`).
    type AtomicI32: AtomicInt<i32>;
    /// A word-sized counter (the kernel's `atomic_long_t`).
    type AtomicIsize: AtomicInt<isize>;
    /// A pointer that is shared without a lock.
    type AtomicPtr<T: 'static>: AtomicPtr<T>;
    /// Memory that is not atomic; a model reports unordered accesses to it as data races.
    type Cell<T>: PlainCell<T>;
    /// A lock around `T` (the kernel's `spinlock_t` of a queue).
    type Lock<T: Send>: Lock<T>;

    /// log2 of the page size in bytes; protocol memory is charged in pages.
    const PAGE_SHIFT: u32 = 12;

    /// The ordering of the atomic access at `site`. A constant everywhere but in a model that asks
    /// what happens when it is weaker.
    #[inline(always)]
    fn ordering(site: Site) -> Ordering {
        site.ordering()
    }

    /// Hears each step of the algorithm, right after the access that the step names and before the
    /// next one. Does nothing by default.
    #[inline(always)]
    fn trace(step: Step) {
        let _ = step;
    }
}

/// An integer changed by read-modify-writes only.
///
/// Additions wrap, as the kernel's do. Every method takes the [`Site`] of the access and uses
/// [`Platform::ordering`] of it.
pub trait AtomicInt<V>: Send + Sync {
    /// A counter that starts at `value`.
    fn new(value: V) -> Self;
    /// The current value, or a stale one where the ordering allows that.
    fn load(&self, site: Site) -> V;
    /// Adds and returns the value before.
    fn fetch_add(&self, value: V, site: Site) -> V;
    /// Subtracts and returns the value before.
    fn fetch_sub(&self, value: V, site: Site) -> V;
    /// Replaces and returns the value before.
    fn swap(&self, value: V, site: Site) -> V;
}

/// A pointer changed by read-modify-writes only.
pub trait AtomicPtr<T>: Send + Sync {
    /// A pointer that starts as null.
    fn null() -> Self;
    /// The current pointer, or a stale one where the ordering allows that.
    fn load(&self, site: Site) -> *mut T;
    /// Replaces and returns the pointer before (the kernel's `xchg`).
    fn swap(&self, new: *mut T, site: Site) -> *mut T;
    /// Replaces `current` by `new`; fails with the pointer found instead, and never spuriously (the
    /// kernel's `try_cmpxchg`).
    ///
    /// # Errors
    /// The pointer that was there, when it was not `current`.
    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Site,
        failure: Site,
    ) -> Result<*mut T, *mut T>;
}

/// Plain memory: whoever accesses it has to own it, by the protocol and not by the type.
pub trait PlainCell<T> {
    /// A cell that holds `value`.
    fn new(value: T) -> Self;
    /// Reads through `f`.
    ///
    /// # Safety
    /// No write may be concurrent, and the last one must happen before this read.
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R;
    /// Writes through `f`.
    ///
    /// # Safety
    /// No other access may be concurrent, and the last one must happen before this one.
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R;
}

/// A mutual-exclusion lock, scoped to a closure.
///
/// The start of the closure has acquire semantics and its end release semantics: what one holder
/// wrote happens before what the next one reads. An implementation must release the lock also when the
/// closure unwinds: those of this crate do so only where the user's code does (a packet's `condense`,
/// a `Memory` that is dereferenced, the closure of `peek`).
pub trait Lock<T: Send>: Send + Sync {
    /// An unlocked lock around `value`.
    fn new(value: T) -> Self;
    /// Runs `f` with the lock held.
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R;
    /// The value, when nobody else can hold the lock.
    fn get_mut(&mut self) -> &mut T;
}

/// A platform on which readers can sleep.
pub trait Wait: Platform {
    /// Where they sleep.
    type WaitQueue: WaitQueue;

    /// A fence of the ordering at `site`.
    fn fence(site: Site);
}

/// Exclusive waiters, in the order in which they came (the kernel's `wait_queue_head_t`).
///
/// Its methods exclude each other like the critical sections of one lock: what happened before one
/// happens before the next.
pub trait WaitQueue: Send + Sync {
    /// A thread's place in the queue.
    type Waiter;

    /// An empty queue.
    fn new() -> Self;
    /// Puts the calling thread at the end (`prepare_to_wait_exclusive`).
    fn prepare(&self) -> Self::Waiter;
    /// Sleeps until the waiter has been woken, which may have happened already; false when the sleep
    /// was interrupted instead.
    fn sleep(&self, waiter: &Self::Waiter) -> bool;
    /// Takes the waiter out, if it was not woken (`finish_wait`).
    fn finish(&self, waiter: Self::Waiter);
    /// Wakes the first waiter and takes it out; false when there was none.
    fn wake(&self) -> bool;
}

/// Read-copy-update: read-side sections, and callbacks that wait for them.
///
/// # Safety
/// A callback given to [`defer`](Rcu::defer) must not run before every read-side section that was
/// open at that moment has ended, and the end of each of those sections must happen before the
/// callback.
pub unsafe trait Rcu: Platform {
    /// What a table keeps to tell its read-side sections from others'.
    type Domain: Send + Sync;

    /// A new domain.
    fn domain() -> Self::Domain;
    /// Runs `f` inside a read-side section (`rcu_read_lock` … `rcu_read_unlock`).
    fn read<R>(domain: &Self::Domain, f: impl FnOnce() -> R) -> R;
    /// Runs `callback` after a grace period, on any thread (`call_rcu`).
    fn defer(domain: &Self::Domain, callback: impl FnOnce() + Send + 'static);
}
