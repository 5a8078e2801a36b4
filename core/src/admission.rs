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

    /// Reads the bytes that are in flight on `node`; 0 for a node that does not exist. A policy that
    /// reads it after the socket's counter does so at [`Site::ReadNode`], one that reads it before at
    /// [`Site::ReadNodeFirst`].
    #[inline(always)]
    pub fn read_node(&self, node: usize, site: Site) -> u32 {
        let Some(queue) = self.nodes.get(node) else {
            return 0;
        };
        // ORDERING: Relaxed after the socket's counter, as in `read_rmem`. Acquire before it: pairs
        // with `UnchargeLast`, so that a batch missing here is seen there.
        let value = queue.rmem_alloc.load(site);
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

    /// Where a drain takes its batch from the node's counter: [`Site::Uncharge`], or
    /// [`Site::UnchargeLast`] when the policy reads that counter first.
    const UNCHARGE: Site = Site::Uncharge;

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
        rmem.wrapping_add(counters.read_node(counters.own_node(), Site::ReadNode))
    }
}

/// The own node's counter first, then the socket's: a repair of [`KernelOrder`].
///
/// A batch is added to the socket's counter before it leaves the node's, so one that is handed over
/// between the two reads is seen twice and never missed. With loads that are not stale one node then
/// stays within rcvbuf and one packet for each other CPU. It costs one acquire load and one release
/// subtraction, which are plain instructions on x86-64.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeFirst;

impl Admission for NodeFirst {
    const NAME: &'static str = "node-first";
    const UNCHARGE: Site = Site::UnchargeLast;

    #[inline(always)]
    fn occupied<P: Platform>(counters: &Counters<'_, P>) -> u32 {
        let node = counters.read_node(counters.own_node(), Site::ReadNodeFirst);
        node.wrapping_add(counters.read_rmem())
    }
}

/// As [`NodeFirst`] while the socket is at most half full; above, the counters of all nodes and the
/// socket's again.
///
/// What other nodes hold back counts too, so that many nodes cannot each fill rcvbuf. It costs a read
/// of every node's cache line for each packet that arrives at a socket more than half full.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllNodes;

impl Admission for AllNodes {
    const NAME: &'static str = "all-nodes";
    const UNCHARGE: Site = Site::UnchargeLast;

    #[inline(always)]
    fn occupied<P: Platform>(counters: &Counters<'_, P>) -> u32 {
        let own_node = counters.own_node();
        let own = counters.read_node(own_node, Site::ReadNodeFirst);
        let estimate = own.wrapping_add(counters.read_rmem());
        if estimate <= counters.rcvbuf() >> 1 {
            return estimate;
        }
        let others = (0..counters.nodes()).filter(|&node| node != own_node);
        let nodes = others.fold(own, |sum, node| {
            sum.wrapping_add(counters.read_node(node, Site::ReadNodeFirst))
        });
        nodes.wrapping_add(counters.read_rmem())
    }
}
