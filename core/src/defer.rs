// SPDX-License-Identifier: MIT OR Apache-2.0

//! Deferred free: a packet goes back to the CPU that allocated it, over a list which that CPU flushes.

use core::fmt;
use core::marker::PhantomData;

use super::{AtomicInt, LlistHead, OwnedSlice, Packet, Platform, Site, Step};

/// One CPU's list of what CPUs of one node want freed (`struct skb_defer_node`), on a cache line of its
/// own.
#[doc(alias = "skb_defer_node")]
#[repr(align(64))]
pub struct DeferNode<P: Platform> {
    list: LlistHead<P>,
    count: P::AtomicIsize,
}

impl<P: Platform> Default for DeferNode<P> {
    fn default() -> Self {
        DeferNode {
            list: LlistHead::default(),
            count: P::AtomicIsize::new(0),
        }
    }
}

/// When a flush resets the counter of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResetOrder {
    /// Linux 6.18: before it takes the list. What is counted in between is taken and stays counted: with
    /// enough of it the list is empty, counts as full, is never flushed again and never accepts again.
    #[default]
    BeforeTake,
    /// After it took the list: a repair. What is counted in between is not counted any more, so the list
    /// may grow past the limit by as much. It costs nothing.
    AfterTake,
}

/// Lists or a limit that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeferError {
    /// How many lists there are.
    pub lists: usize,
    /// How many nodes were asked for.
    pub nodes: usize,
}

impl fmt::Display for DeferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} lists for {} nodes are not allowed: every CPU needs a list for each of at least 1 node",
            self.lists, self.nodes
        )
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for DeferError {}

/// What became of a packet that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deferred {
    /// The list is half full: its owner should flush soon (the kernel sends it an interrupt).
    pub kick: bool,
}

/// The lists of all CPUs: `nodes` of them for each CPU, CPU by CPU.
///
/// # Invariants
/// With [`ResetOrder::AfterTake`] and a limit of at least 2, a list that nobody is using accepts the next
/// packet or has packets in it.
pub struct Defer<K: Packet, N: OwnedSlice<DeferNode<K::Platform>>> {
    lists: N,
    nodes: usize,
    max: u32,
    order: ResetOrder,
    _packets: PhantomData<*mut K>,
}

// SAFETY: Lists move packets between threads, which their type must allow.
unsafe impl<K: Packet + Send, N: OwnedSlice<DeferNode<K::Platform>> + Send> Send for Defer<K, N> {}
// SAFETY: As for `Send`; a packet is with one CPU at a time.
unsafe impl<K: Packet + Send, N: OwnedSlice<DeferNode<K::Platform>> + Sync> Sync for Defer<K, N> {}

impl<K: Packet, N: OwnedSlice<DeferNode<K::Platform>>> Defer<K, N> {
    /// Lists that hold fewer than `max` packets each (`skb_defer_max`; 0 and 1 turn deferring off).
    ///
    /// # Errors
    /// [`DeferError`] unless the lists are a multiple of `nodes`, which is not 0.
    pub fn new(lists: N, nodes: usize, max: u32, order: ResetOrder) -> Result<Self, DeferError> {
        let count = lists.slice().len();
        match count.checked_rem(nodes) {
            Some(0) if count != 0 => Ok(Defer {
                lists,
                nodes,
                max,
                order,
                _packets: PhantomData,
            }),
            _ => Err(DeferError {
                lists: count,
                nodes,
            }),
        }
    }

    fn of_cpu(&self, cpu: usize) -> impl Iterator<Item = (usize, &DeferNode<K::Platform>)> {
        let before = cpu.saturating_mul(self.nodes);
        let lists = self.lists.slice().iter().skip(before);
        lists.take(self.nodes).enumerate()
    }

    /// Hands a packet to the list of `owner`, from a CPU of `node`. Waits for nothing.
    ///
    /// Source: `skb_attempt_defer_free`.
    ///
    /// # Errors
    /// The packet, which the caller has to free itself: the list is full, or there is none.
    #[doc(alias = "skb_attempt_defer_free")]
    pub fn defer(&self, owner: usize, node: usize, skb: K) -> Result<Deferred, K> {
        let Some((_, list)) = self.of_cpu(owner).nth(node) else {
            return Err(skb);
        };
        // ORDERING: Acquire; pairs with `DeferReset`, so that what is counted after a reset is pushed
        // after the take before it.
        let old = list.count.fetch_add(1, Site::DeferCount);
        let id = skb.head().id();
        K::Platform::trace(Step::DeferCount { owner, node, old });
        let max = self.max as isize;
        if old.wrapping_add(1) >= max {
            K::Platform::trace(Step::DeferFull {
                owner,
                node,
                skb: id,
            });
            return Err(skb);
        }
        // SAFETY: The packet is this CPU's and is given up here.
        let was_empty = unsafe { list.list.add(skb.into_raw()) };
        K::Platform::trace(Step::Defer {
            owner,
            node,
            skb: id,
            was_empty,
        });
        Ok(Deferred {
            kick: old == max >> 1,
        })
    }

    /// Gives all packets on the lists of `owner` to `free`; called by that CPU. Returns how many.
    ///
    /// Source: `skb_defer_free_flush`.
    #[doc(alias = "skb_defer_free_flush")]
    pub fn flush(&self, owner: usize, mut free: impl FnMut(K)) -> usize {
        let mut count = 0_usize;
        for (node, list) in self.of_cpu(owner) {
            if list.list.is_empty() {
                continue;
            }
            let reset = || {
                // ORDERING: Release; pairs with `DeferCount`.
                let old = list.count.swap(0, Site::DeferReset);
                K::Platform::trace(Step::DeferReset { owner, node, old });
            };
            if self.order == ResetOrder::BeforeTake {
                reset();
            }
            let mut taken = list.list.take_all();
            K::Platform::trace(Step::DeferTake { owner, node });
            if self.order == ResetOrder::AfterTake {
                reset();
            }
            while let Some(skb) = taken.pop() {
                // SAFETY: The packet was just taken from a list that got it from `into_raw`.
                free(unsafe { K::from_raw(skb) });
                count = count.wrapping_add(1);
            }
        }
        count
    }
}

impl<K: Packet, N: OwnedSlice<DeferNode<K::Platform>>> Drop for Defer<K, N> {
    fn drop(&mut self) {
        let cpus = self.lists.slice().len().checked_div(self.nodes);
        for cpu in 0..cpus.unwrap_or(0) {
            self.flush(cpu, drop);
        }
    }
}
