// SPDX-License-Identifier: MIT OR Apache-2.0

//! The producer's side: admit, charge, push, and drain when elected.

use core::fmt;
use core::ptr::NonNull;

use super::queue::ReceiveQueue;
use super::{
    Admission, AtomicInt, Chain, Counters, DropReason, Lock, LockName, OwnedSlice, Packet,
    Platform, ProdQueue, Proto, Readers, Site, SkbHead, Sock, Step,
};

/// Why a packet was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnqueueError {
    /// rcvbuf is full; the drop was counted (`-ENOMEM`).
    RcvbufFull {
        /// The packet's weight in bytes.
        size: u32,
        /// The occupancy that admission saw, in bytes.
        occupied: u32,
        /// The limit in force, in bytes.
        rcvbuf: u32,
    },
    /// There is no such node; nothing was counted.
    NoSuchNode {
        /// The node asked for.
        node: usize,
        /// How many nodes the socket has.
        nodes: usize,
    },
    /// The protocol has no memory for it; the drop was counted (`-ENOBUFS`). Only the designs before the
    /// node queues say so: here an enqueue that is elected may drop its own packet and succeed.
    NoMemory {
        /// The packet's weight in bytes.
        size: u32,
    },
    /// The socket has no node queues, because its initialisation failed or was not done.
    NotInitialised,
}

impl fmt::Display for EnqueueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EnqueueError::RcvbufFull {
                size,
                occupied,
                rcvbuf,
            } => write!(
                f,
                "a packet of {size} bytes does not fit: {occupied} of {rcvbuf} bytes are in use"
            ),
            EnqueueError::NoSuchNode { node, nodes } => write!(
                f,
                "there is no node {node}: the socket has nodes 0 to {}",
                nodes.saturating_sub(1)
            ),
            EnqueueError::NoMemory { size } => {
                write!(f, "the protocol has no memory for a packet of {size} bytes")
            }
            EnqueueError::NotInitialised => f.write_str("the socket is not initialised"),
        }
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for EnqueueError {}

/// A packet that comes back, and why.
#[derive(Debug)]
pub struct Refused<K> {
    /// The packet, which is the caller's again.
    pub skb: K,
    /// What was wrong.
    pub error: EnqueueError,
}

impl<K> fmt::Display for Refused<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

#[cfg(feature = "std")]
impl<K: fmt::Debug> super::std::error::Error for Refused<K> {}

/// What became of a packet that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// It is on the node's list; another CPU is elected and hands it over.
    Pushed,
    /// This CPU was elected and handed over a batch, usually with this packet in it.
    Drained {
        /// Packets appended to the receive queue. Wake as many readers.
        queued: usize,
        /// Packets freed because the protocol had no memory, perhaps this CPU's own: the kernel
        /// returns 0 then as well.
        dropped: usize,
    },
}

/// What one drain moves.
pub(super) struct Batch<P: Platform> {
    bytes: u32,
    pub(super) queued: usize,
    queued_bytes: u32,
    no_memory: Chain<P>,
}

impl<P: Platform> Default for Batch<P> {
    fn default() -> Self {
        Batch {
            bytes: 0,
            queued: 0,
            queued_bytes: 0,
            no_memory: Chain::default(),
        }
    }
}

impl<F: Proto> Sock<F> {
    /// Gives the socket a packet, from a CPU of `node`. Waits for nothing, unless this CPU is
    /// elected, and then only for the receive queue's lock.
    ///
    /// Source: `__udp_enqueue_schedule_skb`.
    ///
    /// # Errors
    /// [`Refused`], with the packet: rcvbuf is full, or the node does not exist.
    #[doc(alias = "__udp_enqueue_schedule_skb")]
    #[inline]
    pub fn enqueue(&self, node: usize, mut skb: F::Packet) -> Result<Enqueued, Refused<F::Packet>> {
        let Some(nodes) = self.nodes.as_ref().map(OwnedSlice::slice) else {
            return Err(Refused {
                skb,
                error: EnqueueError::NotInitialised,
            });
        };
        let Some(queue) = nodes.get(node) else {
            let nodes = nodes.len();
            return Err(Refused {
                skb,
                error: EnqueueError::NoSuchNode { node, nodes },
            });
        };
        if let Err(error) = self.admit(nodes, node, &mut skb) {
            return Err(Refused { skb, error });
        }

        let head = skb.into_raw();
        // SAFETY: The packet is this CPU's until the push.
        let (id, size) = unsafe {
            let head = head.as_ref();
            let size = head.truesize();
            head.set_scratch(size);
            (head.id(), size)
        };
        // ORDERING: Relaxed; the push below orders it before the drain that subtracts it.
        let old = queue.rmem_alloc.fetch_add(size as i32, Site::Charge);
        F::Platform::trace(Step::Charge {
            node,
            skb: id,
            size,
            old,
        });
        // SAFETY: The packet is this CPU's and is given up here.
        let was_empty = unsafe { queue.list.add(head) };
        F::Platform::trace(Step::Push {
            node,
            skb: id,
            was_empty,
        });
        if !was_empty {
            return Ok(Enqueued::Pushed);
        }
        Ok(self.drain(node, queue))
    }

    /// The rcvbuf test, and condensing when the socket is more than half full.
    #[inline(always)]
    fn admit(
        &self,
        nodes: &[ProdQueue<F::Platform>],
        node: usize,
        skb: &mut F::Packet,
    ) -> Result<(), EnqueueError> {
        // ORDERING: Relaxed; the limit is a number, not a message.
        let rcvbuf = self.rcvbuf.load(Site::ReadRcvbuf) as u32;
        let occupied = F::Admission::occupied(&Counters {
            rmem_alloc: &self.rmem_alloc.0,
            nodes,
            node,
            rcvbuf,
        });
        // SAFETY: The packet is the caller's, who lent it to us.
        let size = unsafe { skb.head().truesize() };
        // An empty socket takes a packet of any size, but only while counters cannot overflow.
        let exempt = occupied == 0 && rcvbuf <= i32::MAX as u32 >> 1;
        if occupied.wrapping_add(size) > rcvbuf && !exempt {
            let reason = DropReason::RcvbufFull;
            let id = skb.head().id();
            self.drops.add(node, 1);
            F::Platform::trace(Step::Refuse {
                node,
                skb: id,
                size,
                reason,
            });
            return Err(EnqueueError::RcvbufFull {
                size,
                occupied,
                rcvbuf,
            });
        }
        if occupied > rcvbuf >> 1 {
            self.condense(skb, size);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn condense(&self, skb: &mut F::Packet, from: u32) {
        skb.condense();
        // SAFETY: The packet is the caller's, who lent it to us.
        let to = unsafe { skb.head().truesize() };
        F::Platform::trace(Step::Condense {
            skb: skb.head().id(),
            from,
            to,
        });
    }

    /// Hands the node's list over to the receive queue. The caller is elected on that node.
    fn drain(&self, node: usize, queue: &ProdQueue<F::Platform>) -> Enqueued {
        let sample = |here: bool| {
            if here && self.rxq_ovfl {
                self.drops.read()
            } else {
                0
            }
        };
        let sampled_before = sample(!F::STAMP_UNDER_LOCK);
        let mut batch = Batch::default();
        self.receive.0.with(|receive| {
            F::Platform::trace(Step::Lock {
                lock: LockName::Receive,
            });
            let dropcount = sampled_before.wrapping_add(sample(F::STAMP_UNDER_LOCK));
            // Taken under the lock, so that a node's batches are queued in the order of their pushes.
            let taken = queue.list.take_all();
            F::Platform::trace(Step::TakeAll {
                node,
                empty: taken.is_empty(),
            });
            let mut taken = taken.reverse();
            while let Some(skb) = taken.pop() {
                self.hand_over(receive, skb, dropcount, &mut batch);
            }
            // ORDERING: Relaxed; the lock orders it before the release of these packets.
            let old = self
                .rmem_alloc
                .0
                .fetch_add(batch.queued_bytes as i32, Site::AddRmem);
            F::Platform::trace(Step::AddRmem {
                size: batch.queued_bytes,
                old,
            });
            if batch.queued != 0 {
                self.readers.queued(batch.queued);
            }
            F::Platform::trace(Step::Unlock {
                lock: LockName::Receive,
                forward_alloc: receive.forward_alloc,
            });
        });
        // One wake-up for each packet: a woken reader takes one and wakes nobody else.
        for _ in 0..batch.queued {
            self.readers.data_ready();
        }
        let dropped = self.free_chain(&mut batch.no_memory, DropReason::ProtoMem);
        if dropped != 0 {
            self.drops.add(node, dropped as u32);
        }
        // Last, so that admission never sees less than there is while a batch is being handed over.
        // ORDERING: Relaxed; it follows the charges it undoes through the take. Release where admission
        // reads this counter first: pairs with `ReadNodeFirst`.
        let old = queue
            .rmem_alloc
            .fetch_sub(batch.bytes as i32, F::Admission::UNCHARGE);
        F::Platform::trace(Step::Uncharge {
            node,
            size: batch.bytes,
            old,
        });
        Enqueued::Drained {
            queued: batch.queued,
            dropped,
        }
    }

    /// Queues one packet of a batch, or puts it aside when there is no memory for it.
    #[inline(always)]
    pub(super) fn hand_over(
        &self,
        receive: &mut ReceiveQueue<F::Platform>,
        skb: NonNull<SkbHead<F::Platform>>,
        dropcount: u32,
        batch: &mut Batch<F::Platform>,
    ) {
        // SAFETY: The packet was just taken from the list, so it is this CPU's.
        let head = unsafe { skb.as_ref() };
        let id = head.id();
        // SAFETY: As above.
        let size = unsafe { head.scratch() };
        batch.bytes = batch.bytes.wrapping_add(size);
        let pending = if F::COUNT_BATCH {
            batch.queued_bytes
        } else {
            0
        };
        let forward_alloc = &mut receive.forward_alloc;
        if !self
            .memory
            .schedule(forward_alloc, &self.rmem_alloc.0, pending, size)
        {
            F::Platform::trace(Step::NoMemory { skb: id });
            // SAFETY: The packet is this CPU's and is given up to the chain.
            unsafe { batch.no_memory.push(skb) };
            return;
        }
        receive.forward_alloc = receive.forward_alloc.wrapping_sub(size as i32);
        batch.queued_bytes = batch.queued_bytes.wrapping_add(size);
        batch.queued = batch.queued.wrapping_add(1);
        // SAFETY: The packet is this CPU's and is given up to the queue, whose lock is held.
        unsafe {
            head.set_dropcount(dropcount);
            receive.queue.push(skb);
        }
        F::Platform::trace(Step::Queue { skb: id, dropcount });
    }

    fn free_chain(&self, chain: &mut Chain<F::Platform>, reason: DropReason) -> usize {
        let mut freed = 0_usize;
        while let Some(skb) = chain.pop() {
            self.free(skb, reason);
            freed = freed.wrapping_add(1);
        }
        freed
    }
}
