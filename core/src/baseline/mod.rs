// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the patch replaced: three designs in which every producer takes the receive queue's lock for
//! its own packet. They work on the same [`Sock`]: same counters, memory, queues, readers, drops.
//!
//! | design | since | what it is |
//! |---|---|---|
//! | [`PlainLock`] | before 2016 | every producer queues for the receive queue's lock |
//! | [`HashedBusylock`] | 2016 | above half of rcvbuf, first for a busylock out of an array hashed by socket |
//! | [`SocketBusylock`] | 2025 | above half of rcvbuf, charged first, then for the socket's own busylock |
//! | [`Sock`] | 6.18 | a list for each node, an elected CPU, one lock for a batch |
//!
//! A busylock lets one producer at a time compete with the reader for the receive queue's lock; the
//! others spin, where they can do nothing else. All three charge the packet to `rmem_alloc` before
//! they have the lock and take it back when it did not fit, so that `rmem_alloc` runs over rcvbuf by
//! what is refused at that moment. With C producing CPUs, packets of at most s bytes, rcvbuf B and
//! loads that are not stale it is at most `B + C s` in the first two designs, and
//! `max(B, s) + (C - 1) s` in the third.
//!
//! Both bounds have one argument: look at the last admission that passes. It reads a counter of at
//! most B, or, where the packet's own size is part of the test, of at most `B - s`, or 0. Whoever adds
//! to the counter later has passed before, and each CPU has passed for one packet: that is C additions
//! of at most s, among them the one of that admission. What is subtracted only lowers it.

mod hashed_busylock;
mod plain_lock;
mod socket_busylock;

pub use self::hashed_busylock::{busylocks, HashedBusylock};
pub use self::plain_lock::PlainLock;
pub use self::socket_busylock::SocketBusylock;

use super::enqueue::Batch;
use super::{
    AtomicInt, Counters, DropReason, EnqueueError, Enqueued, Lock, LockName, Packet, Platform,
    Proto, Readers, Refused, Site, Sock, Step,
};

/// A socket with a way for producers into it.
pub trait Design<F: Proto> {
    /// The design's name in tables.
    const NAME: &'static str;

    /// The socket, for readers and for its figures. Its own `enqueue` is the per-node design's.
    fn sock(&self) -> &Sock<F>;

    /// Gives the socket a packet, from a CPU of `node`.
    ///
    /// # Errors
    /// [`Refused`], with the packet and the reason.
    fn enqueue(&self, node: usize, skb: F::Packet) -> Result<Enqueued, Refused<F::Packet>>;
}

impl<F: Proto> Design<F> for Sock<F> {
    const NAME: &'static str = "prod-queue";

    #[inline(always)]
    fn sock(&self) -> &Sock<F> {
        self
    }

    #[inline(always)]
    fn enqueue(&self, node: usize, skb: F::Packet) -> Result<Enqueued, Refused<F::Packet>> {
        Sock::enqueue(self, node, skb)
    }
}

/// A packet that is charged to the socket: its size, and the counter after it.
#[derive(Clone, Copy)]
struct Charged {
    size: u32,
    rmem: u32,
}

impl<F: Proto> Sock<F> {
    /// The socket's `rmem_alloc` and its limit, in bytes, without a lock.
    #[inline(always)]
    fn occupancy(&self) -> (u32, u32) {
        // ORDERING: Relaxed; the limit is a number, not a message.
        let rcvbuf = self.rcvbuf.load(Site::ReadRcvbuf) as u32;
        let counters = Counters::<F::Platform> {
            rmem_alloc: &self.rmem_alloc.0,
            nodes: &[],
            node: 0,
            rcvbuf,
        };
        (counters.read_rmem(), rcvbuf)
    }

    #[inline(always)]
    fn charge(&self, skb: &F::Packet) -> Charged {
        let head = skb.head();
        // SAFETY: The packet is the caller's, who lent it to us.
        let size = unsafe {
            let size = head.truesize();
            head.set_scratch(size);
            size
        };
        // ORDERING: Relaxed; the lock orders it before the release of these bytes.
        let old = self.rmem_alloc.0.fetch_add(size as i32, Site::ChargeSock);
        F::Platform::trace(Step::ChargeSock {
            skb: head.id(),
            size,
            old,
        });
        let rmem = (old as u32).wrapping_add(size);
        Charged { size, rmem }
    }

    #[inline(always)]
    fn uncharge(&self, skb: &F::Packet, size: u32) {
        // ORDERING: Relaxed; it undoes an addition of this CPU.
        let old = self.rmem_alloc.0.fetch_sub(size as i32, Site::UnchargeSock);
        let skb = skb.head().id();
        F::Platform::trace(Step::UnchargeSock { skb, size, old });
    }

    /// Counts the drop of a packet that does not fit and gives it back.
    fn refuse_full(
        &self,
        node: usize,
        skb: F::Packet,
        (occupied, rcvbuf): (u32, u32),
    ) -> Refused<F::Packet> {
        // SAFETY: The packet is this CPU's.
        let size = unsafe { skb.head().truesize() };
        let error = EnqueueError::RcvbufFull {
            size,
            occupied,
            rcvbuf,
        };
        self.refuse(node, skb, size, DropReason::RcvbufFull, error)
    }

    fn refuse(
        &self,
        node: usize,
        skb: F::Packet,
        size: u32,
        reason: DropReason,
        error: EnqueueError,
    ) -> Refused<F::Packet> {
        self.drops.add(node, 1);
        F::Platform::trace(Step::Refuse {
            node,
            skb: skb.head().id(),
            size,
            reason,
        });
        Refused { skb, error }
    }

    /// Charges the packet, which is refused when that brings `rmem_alloc` above the limit, unless it is
    /// alone; then queues it.
    #[inline(always)]
    fn charge_and_queue(
        &self,
        node: usize,
        skb: F::Packet,
        (occupied, rcvbuf): (u32, u32),
    ) -> Result<Enqueued, Refused<F::Packet>> {
        let Charged { size, rmem } = self.charge(&skb);
        if rmem > rcvbuf && rmem > size {
            self.uncharge(&skb, size);
            return Err(self.refuse_full(node, skb, (occupied, rcvbuf)));
        }
        self.queue(node, skb, size)
    }

    /// Queues a packet that is charged, under the receive queue's lock; or takes the charge back.
    fn queue(
        &self,
        node: usize,
        skb: F::Packet,
        size: u32,
    ) -> Result<Enqueued, Refused<F::Packet>> {
        let head = skb.into_raw();
        let mut batch = Batch::default();
        self.receive.0.with(|receive| {
            F::Platform::trace(Step::Lock {
                lock: LockName::Receive,
            });
            let dropcount = if self.rxq_ovfl { self.drops.read() } else { 0 };
            self.hand_over(receive, head, dropcount, &mut batch);
            if batch.queued != 0 {
                self.readers.queued(batch.queued);
            }
            F::Platform::trace(Step::Unlock {
                lock: LockName::Receive,
                forward_alloc: receive.forward_alloc,
            });
        });
        if batch.queued != 0 {
            self.readers.data_ready();
            return Ok(Enqueued::Drained {
                queued: batch.queued,
                dropped: 0,
            });
        }
        // SAFETY: The packet came from `into_raw`. It was not queued, and the chain of those that found no
        // memory is not used any more.
        let skb = unsafe { F::Packet::from_raw(head) };
        self.uncharge(&skb, size);
        let error = EnqueueError::NoMemory { size };
        Err(self.refuse(node, skb, size, DropReason::ProtoMem, error))
    }
}

/// Runs `f` with a busylock held.
#[inline(always)]
fn with_busylock<P: Platform, R>(busylock: &P::Lock<()>, f: impl FnOnce() -> R) -> R {
    busylock.with(|()| {
        P::trace(Step::Lock {
            lock: LockName::Busy,
        });
        let result = f();
        P::trace(Step::Unlock {
            lock: LockName::Busy,
            forward_alloc: 0,
        });
        result
    })
}
