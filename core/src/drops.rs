// SPDX-License-Identifier: MIT OR Apache-2.0

//! Counting what was not delivered.

use super::{AtomicInt, Platform, Site, Step};

/// Why a packet was not delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DropReason {
    /// Admission: rcvbuf is full (`SKB_DROP_REASON_SOCKET_RCVBUFF`).
    RcvbufFull,
    /// Drain: the protocol's memory is exhausted (`SKB_DROP_REASON_PROTO_MEM`).
    ProtoMem,
    /// Destruct: the socket died with the packet queued.
    Closed,
}

#[repr(align(64))]
struct Line<P: Platform>(P::AtomicI32);

/// The socket's drop counter, split in two by node parity (`struct numa_drop_counters`).
///
/// Only ever added to, so that each half is monotonic (modulo 2^32).
#[doc(alias = "numa_drop_counters")]
pub struct DropCounters<P: Platform> {
    drops0: Line<P>,
    drops1: Line<P>,
}

impl<P: Platform> Default for DropCounters<P> {
    fn default() -> Self {
        DropCounters {
            drops0: Line(P::AtomicI32::new(0)),
            drops1: Line(P::AtomicI32::new(0)),
        }
    }
}

impl<P: Platform> DropCounters<P> {
    /// Counts `count` packets dropped by a CPU of `node`.
    #[doc(alias = "numa_drop_add")]
    #[inline]
    pub fn add(&self, node: usize, count: u32) {
        let slot = node & 1;
        let line = if slot == 0 {
            &self.drops0
        } else {
            &self.drops1
        };
        // ORDERING: Relaxed; a count publishes nothing.
        let old = line.0.fetch_add(count as i32, Site::AddDrops);
        P::trace(Step::AddDrops { slot, count, old });
    }

    /// How many packets were dropped: the sum of two reads, not a snapshot.
    #[doc(alias = "numa_drop_read")]
    #[inline]
    pub fn read(&self) -> u32 {
        // ORDERING: Relaxed; what orders one batch's sample before the next one's is the pair
        // `ListTake` / `ListPush`.
        let drops0 = self.drops0.0.load(Site::ReadDrops) as u32;
        let drops1 = self.drops1.0.load(Site::ReadDrops) as u32;
        let value = drops0.wrapping_add(drops1);
        P::trace(Step::ReadDrops { value });
        value
    }
}
