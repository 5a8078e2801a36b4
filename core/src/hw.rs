// SPDX-License-Identifier: MIT OR Apache-2.0

//! Real hardware: std atomics, `std::sync::Mutex`, and RCU by crossbeam-epoch.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr as RawPtr};

use super::alloc::boxed::Box;
use super::alloc::collections::VecDeque;
use super::std::sync::{Arc, Mutex, PoisonError};
use super::std::thread::{self, Thread};
use super::{
    boxed_nodes, Admission, AtomicInt, AtomicPtr, InitError, KernelOrder, Lock, Options, Packet,
    PlainCell, Platform, Polling, ProdQueue, Proto, ProtoMem, Readers, Site, SizeError, Skb,
    Sleeping, Sock, WaitQueue,
};

/// The platform of real hardware.
#[derive(Clone, Copy, Debug)]
pub struct Hw;

// SAFETY: Std's atomics, cell and mutex are what the traits ask for.
unsafe impl Platform for Hw {
    type AtomicI32 = AtomicI32;
    type AtomicIsize = AtomicIsize;
    type AtomicPtr<T: 'static> = RawPtr<T>;
    type Cell<T> = UnsafeCell<T>;
    type Lock<T: Send> = HwLock<T>;
}

macro_rules! atomic_int {
    ($atomic:ty, $value:ty) => {
        impl AtomicInt<$value> for $atomic {
            #[inline(always)]
            fn new(value: $value) -> Self {
                <$atomic>::new(value)
            }
            #[inline(always)]
            fn load(&self, site: Site) -> $value {
                <$atomic>::load(self, site.ordering())
            }
            #[inline(always)]
            fn fetch_add(&self, value: $value, site: Site) -> $value {
                <$atomic>::fetch_add(self, value, site.ordering())
            }
            #[inline(always)]
            fn fetch_sub(&self, value: $value, site: Site) -> $value {
                <$atomic>::fetch_sub(self, value, site.ordering())
            }
            #[inline(always)]
            fn swap(&self, value: $value, site: Site) -> $value {
                <$atomic>::swap(self, value, site.ordering())
            }
        }
    };
}

atomic_int!(AtomicI32, i32);
atomic_int!(AtomicIsize, isize);

impl<T> AtomicPtr<T> for RawPtr<T> {
    #[inline(always)]
    fn null() -> Self {
        RawPtr::new(core::ptr::null_mut())
    }
    #[inline(always)]
    fn load(&self, site: Site) -> *mut T {
        RawPtr::load(self, site.ordering())
    }
    #[inline(always)]
    fn swap(&self, new: *mut T, site: Site) -> *mut T {
        RawPtr::swap(self, new, site.ordering())
    }
    #[inline(always)]
    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Site,
        failure: Site,
    ) -> Result<*mut T, *mut T> {
        RawPtr::compare_exchange(self, current, new, success.ordering(), failure.ordering())
    }
}

impl<T> PlainCell<T> for UnsafeCell<T> {
    #[inline(always)]
    fn new(value: T) -> Self {
        UnsafeCell::new(value)
    }
    #[inline(always)]
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: The caller excludes concurrent writes.
        f(unsafe { &*self.get() })
    }
    #[inline(always)]
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: The caller excludes all concurrent accesses.
        f(unsafe { &mut *self.get() })
    }
}

/// `std::sync::Mutex`, without its poisoning: where the user's code unwinds under a lock, the queue that
/// it leaves behind is whole.
#[derive(Debug)]
pub struct HwLock<T>(Mutex<T>);

impl<T: Send> Lock<T> for HwLock<T> {
    #[inline(always)]
    fn new(value: T) -> Self {
        HwLock(Mutex::new(value))
    }
    #[inline(always)]
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
    #[inline(always)]
    fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl super::Wait for Hw {
    type WaitQueue = HwWaitQueue;

    #[inline(always)]
    fn fence(site: Site) {
        core::sync::atomic::fence(site.ordering());
    }
}

/// Parked threads, first come first woken. A reader that is about to sleep may allocate here.
#[derive(Debug, Default)]
pub struct HwWaitQueue(Mutex<Waiters>);

#[derive(Debug, Default)]
struct Waiters {
    next: u64,
    queue: VecDeque<(u64, Thread)>,
}

impl HwWaitQueue {
    fn with<R>(&self, f: impl FnOnce(&mut Waiters) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl WaitQueue for HwWaitQueue {
    /// A number, which is in the queue until the waiter is woken.
    type Waiter = u64;

    fn new() -> Self {
        HwWaitQueue::default()
    }

    fn prepare(&self) -> u64 {
        self.with(|waiters| {
            let waiter = waiters.next;
            waiters.next = waiter.wrapping_add(1);
            waiters.queue.push_back((waiter, thread::current()));
            waiter
        })
    }

    fn sleep(&self, waiter: &u64) -> bool {
        let waits = |waiters: &mut Waiters| waiters.queue.iter().any(|(other, _)| other == waiter);
        while self.with(waits) {
            thread::park();
        }
        true
    }

    fn finish(&self, waiter: u64) {
        self.with(|waiters| waiters.queue.retain(|(other, _)| *other != waiter));
    }

    fn wake(&self) -> bool {
        let first = self.with(|waiters| waiters.queue.pop_front());
        first.map(|(_, thread)| thread.unpark()).is_some()
    }
}

// SAFETY: A callback runs when crossbeam-epoch has seen every participant that was pinned at the
// time unpinned, which is a grace period for the sections below.
#[cfg(feature = "epoch")]
unsafe impl super::Rcu for Hw {
    type Domain = ();

    fn domain() -> Self::Domain {}

    fn read<R>((): &Self::Domain, f: impl FnOnce() -> R) -> R {
        let _pinned = crossbeam_epoch::pin();
        f()
    }

    fn defer((): &Self::Domain, callback: impl FnOnce() + Send + 'static) {
        let guard = crossbeam_epoch::pin();
        guard.defer(callback);
        guard.flush();
    }
}

/// A boxed packet on hardware that carries a `T`.
pub type HwPacket<T> = Box<Skb<Hw, T>>;

/// The protocol of boxed packets on hardware, with admission policy `A` and readers `R`.
#[derive(Clone, Copy, Debug)]
pub struct Udp<T, A = KernelOrder, R = Polling>(PhantomData<fn(T, A, R)>);

impl<T, A: Admission, R: Readers<Hw>> Proto for Udp<T, A, R> {
    type Platform = Hw;
    type Packet = HwPacket<T>;
    type Admission = A;
    type Readers = R;
    type Nodes = Box<[ProdQueue<Hw>]>;
    type Memory = Arc<ProtoMem<Hw>>;
}

/// A socket of boxed packets on hardware.
pub type HwSock<T> = Sock<Udp<T>>;

/// The same with readers that sleep.
pub type HwSleepSock<T> = Sock<Udp<T, KernelOrder, Sleeping<Hw>>>;

impl<F> Sock<F>
where
    F: Proto<Platform = Hw, Nodes = Box<[ProdQueue<Hw>]>>,
    F::Packet: Packet<Platform = Hw>,
{
    /// An initialised socket with queues for `nodes` nodes.
    ///
    /// # Errors
    /// What was wrong with the options or the number of nodes, as a boxed [`SizeError`] or
    /// [`InitError`].
    pub fn open(
        nodes: usize,
        options: Options,
        memory: F::Memory,
    ) -> Result<Self, Box<dyn super::std::error::Error + Send + Sync>> {
        let mut sock = Sock::new(options, memory).map_err(Box::<SizeError>::new)?;
        sock.init(|| boxed_nodes(nodes))
            .map_err(Box::<InitError>::new)?;
        Ok(sock)
    }
}
