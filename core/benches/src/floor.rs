// SPDX-License-Identifier: MIT OR Apache-2.0

//! The floor: the locked instructions that a path cannot avoid, run bare.
//!
//! They are those of the core's path, on words that lie in cache lines as the core's do, in the same
//! order, with nothing between them: no packet, no branch, no queue. Whoever takes the same two locks and
//! keeps the same counters cannot be faster. A mutex that can put a thread to sleep has to look for
//! sleepers when it unlocks, hence an exchange there; [`Spin`] is the same path with plain stores in its
//! place, which is the least that any lock can do.

use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering::*};

#[derive(Default)]
#[repr(align(64))]
struct Line<T>(T);

#[derive(Default)]
struct Node {
    first: AtomicPtr<u8>,
    rmem_alloc: AtomicI32,
}

/// How a lock is released.
pub trait Unlock {
    /// Releases it.
    fn unlock(word: &AtomicU32);
}

/// By an exchange, as a futex-based mutex must.
pub struct Futex;

impl Unlock for Futex {
    #[inline(always)]
    fn unlock(word: &AtomicU32) {
        // The old value decides whether to wake somebody, so the compiler must keep it.
        std::hint::black_box(word.swap(0, Release));
    }
}

/// By a plain store, as a spin lock can.
pub struct Spin;

impl Unlock for Spin {
    #[inline(always)]
    fn unlock(word: &AtomicU32) {
        word.store(0, Release);
    }
}

/// The words of one socket.
#[derive(Default)]
pub struct Words {
    node: Line<Node>,
    rmem_alloc: Line<AtomicI32>,
    receive: Line<AtomicU32>,
    reader: Line<AtomicU32>,
    drops: Line<AtomicI32>,
}

#[inline(always)]
fn lock(word: &AtomicU32) {
    std::hint::black_box(word.compare_exchange(0, 1, Acquire, Relaxed).is_ok());
}

impl Words {
    /// 2: charge, push.
    #[inline(always)]
    pub fn push(&self, size: i32) {
        self.node.0.rmem_alloc.fetch_add(size, Relaxed);
        let first = self.node.0.first.load(Relaxed);
        let here = std::ptr::from_ref(self).cast_mut().cast();
        std::hint::black_box(
            self.node
                .0
                .first
                .compare_exchange(first, here, AcqRel, Relaxed)
                .is_ok(),
        );
    }

    /// 5: lock, take the list, add to rmem_alloc, unlock, subtract from the node's counter.
    #[inline(always)]
    pub fn drain<U: Unlock>(&self, size: i32) {
        lock(&self.receive.0);
        std::hint::black_box(self.node.0.first.swap(std::ptr::null_mut(), AcqRel));
        self.rmem_alloc.0.fetch_add(size, Relaxed);
        U::unlock(&self.receive.0);
        self.node.0.rmem_alloc.fetch_sub(size, Relaxed);
    }

    /// 5: lock the reader queue, lock the receive queue, subtract from rmem_alloc, unlock both.
    #[inline(always)]
    pub fn recv<U: Unlock>(&self, size: i32) {
        lock(&self.reader.0);
        lock(&self.receive.0);
        self.rmem_alloc.0.fetch_sub(size, Relaxed);
        U::unlock(&self.receive.0);
        U::unlock(&self.reader.0);
    }

    /// 1: count the drop.
    #[inline(always)]
    pub fn refuse(&self) {
        self.drops.0.fetch_add(1, Relaxed);
    }

    /// 2: push, take the list.
    #[inline(always)]
    pub fn push_and_take(&self) {
        let first = self.node.0.first.load(Relaxed);
        let here = std::ptr::from_ref(self).cast_mut().cast();
        let list = &self.node.0.first;
        std::hint::black_box(list.compare_exchange(first, here, AcqRel, Relaxed).is_ok());
        std::hint::black_box(list.swap(std::ptr::null_mut(), AcqRel));
    }
}
