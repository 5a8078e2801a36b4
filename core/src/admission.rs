// SPDX-License-Identifier: MIT OR Apache-2.0

//! Whether a packet still fits: the rcvbuf test, as a policy.

use super::{AtomicInt, Platform, ProdQueue, Site, Step};

/// The counters that a policy may read, one access each.
pub struct Counters<'a, P: Platform> {
    pub(super) rmem_alloc: &'a P::AtomicI32,
    pub(super) nodes: &'a [ProdQueue<P>],
    pub(super) node: usize,
    pub(super) rcvbuf: u32,
}

impl<P: Platform> Counters<'_, P> {
    /// The node of the CPU that asks.
    #[inline(always)]
    pub fn own_node(&self) -> usize {
        self.node
    }

    /// How many nodes the socket has.
    #[inline(always)]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The limit in force, in bytes.
    #[inline(always)]
    pub fn rcvbuf(&self) -> u32 {
        self.rcvbuf
    }

    /// Reads the bytes that the socket holds.
    #[inline(always)]
    pub fn read_rmem(&self) -> u32 {
        // ORDERING: Relaxed; admission is a guess by design, bounded by `bounded-overshoot`.
        let value = self.rmem_alloc.load(Site::ReadRmem);
        P::trace(Step::ReadRmem { value });
        value as u32
    }

    /// Reads the bytes that are in flight on `node`; 0 for a node that does not exist.
    #[inline(always)]
    pub fn read_node(&self, node: usize) -> u32 {
        let Some(queue) = self.nodes.get(node) else {
            return 0;
        };
        // ORDERING: Relaxed, as in `read_rmem`.
        let value = queue.rmem_alloc.load(Site::ReadNode);
        P::trace(Step::ReadNode { node, value });
        value as u32
    }
}

/// How the occupancy of a socket is estimated without a lock.
///
/// The limit itself is the same for all policies: a packet is refused when the estimate and its
/// truesize exceed rcvbuf, unless the estimate is 0 and rcvbuf at most `INT_MAX / 2`.
pub trait Admission {
    /// The policy's name in tables.
    const NAME: &'static str;

    /// The bytes that count against rcvbuf, as seen from a CPU of `counters.own_node()`; wraps as
    /// the kernel's unsigned arithmetic does.
    fn occupied<P: Platform>(counters: &Counters<'_, P>) -> u32;
}

/// Linux 6.18: the socket's counter first, then the own node's.
///
/// A batch that is handed over between the two reads is seen in neither.
#[derive(Clone, Copy, Debug, Default)]
pub struct KernelOrder;

impl Admission for KernelOrder {
    const NAME: &'static str = "kernel-order";

    #[inline(always)]
    fn occupied<P: Platform>(counters: &Counters<'_, P>) -> u32 {
        let rmem = counters.read_rmem();
        rmem.wrapping_add(counters.read_node(counters.own_node()))
    }
}
