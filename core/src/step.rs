// SPDX-License-Identifier: MIT OR Apache-2.0

//! The named steps of the algorithm.
//!
//! Each step is announced once, through [`Platform::trace`](super::Platform::trace), right after the
//! access it names. Monitors, timelines and coverage counters all hang on this one hook. Sizes are
//! in bytes; `old` is what the read-modify-write found.

use core::fmt;

use super::drops::DropReason;

/// A packet's identity in the trace: the address of its header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkbId(pub usize);

impl fmt::Debug for SkbId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skb@{:x}", self.0)
    }
}

/// The locks, in the order in which they nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockName {
    /// `reader_queue.lock`, taken by readers only, first.
    Reader,
    /// A busylock, in the designs that the patch replaced: taken by producers only.
    Busy,
    /// `sk_receive_queue.lock`, taken by elected CPUs and by readers that refill.
    Receive,
}

/// One step of one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are told with their variant.
pub enum Step {
    /// Admission read the socket's `rmem_alloc`.
    ReadRmem { value: i32 },
    /// Admission read a node's counter.
    ReadNode { node: usize, value: i32 },
    /// Admission refused a packet of `size` bytes and counted the drop.
    Refuse {
        node: usize,
        skb: SkbId,
        size: u32,
        reason: DropReason,
    },
    /// Occupancy was above half of rcvbuf; the packet was condensed (`skb_condense`).
    Condense { skb: SkbId, from: u32, to: u32 },
    /// In a design that the patch replaced: the socket's `rmem_alloc` was raised by the packet's size,
    /// before the lock.
    ChargeSock { skb: SkbId, size: u32, old: i32 },
    /// In such a design: the packet is refused after all, and its size was taken back.
    UnchargeSock { skb: SkbId, size: u32, old: i32 },
    /// The node's counter was raised by `size`.
    Charge {
        node: usize,
        skb: SkbId,
        size: u32,
        old: i32,
    },
    /// A push lost against another CPU's and is tried again.
    Retry { skb: SkbId },
    /// The packet is on the node's list; `was_empty` elects the CPU.
    Push {
        node: usize,
        skb: SkbId,
        was_empty: bool,
    },
    /// The elected CPU sampled the drop counters for the batch's stamp.
    ReadDrops { value: u32 },
    /// A lock was taken.
    Lock { lock: LockName },
    /// The elected CPU took the whole list; `empty` must never be true.
    TakeAll { node: usize, empty: bool },
    /// Pages were charged to the protocol, which had `old`.
    ChargePages { pages: isize, old: isize },
    /// The socket's `rmem_alloc` was read because the protocol is above its first limit.
    ReadPressure { value: i32 },
    /// Pages were given back to the protocol, which had `old`.
    UnchargePages { pages: isize, old: isize },
    /// The packet is on the receive queue with this drop-count stamp.
    Queue { skb: SkbId, dropcount: u32 },
    /// The packet found no memory and goes to the list of those to free.
    NoMemory { skb: SkbId },
    /// The batch's bytes were added to `rmem_alloc`.
    AddRmem { size: u32, old: i32 },
    /// A lock is about to be released; `forward_alloc` is told for the receive lock.
    Unlock { lock: LockName, forward_alloc: i32 },
    /// A packet was freed by the socket and not by a reader.
    Free { skb: SkbId, reason: DropReason },
    /// A drop counter was raised.
    AddDrops { slot: usize, count: u32, old: i32 },
    /// The batch's bytes were taken from the node's counter: the drain's last step.
    Uncharge { node: usize, size: u32, old: i32 },
    /// A reader took the packet off the reader queue.
    Dequeue { skb: SkbId },
    /// A reader looked at the packet and left it.
    Peek { skb: SkbId },
    /// A reader found both queues empty.
    Empty,
    /// The release of a dequeued packet was held back; `deficit` bytes wait now.
    HoldBack { deficit: u32 },
    /// Bytes were taken from `rmem_alloc`.
    SubRmem { size: u32, old: i32 },
    /// The receive queue's packets were moved to the reader queue.
    Splice { count: usize },
    /// A queue's length was changed by `by`.
    Len { queue: LockName, by: i32, old: i32 },
    /// The count of readers that are about to sleep was changed by `by`.
    Sleepers { by: i32, old: i32 },
    /// A reader found nothing and falls asleep.
    Sleep,
    /// It sleeps no more; `woken` unless it was interrupted.
    Awake { woken: bool },
    /// A reader was woken, or there was none.
    Wake { woken: bool },
    /// The socket is dead (`SOCK_DEAD`).
    Orphan,
    /// A packet was counted for the free list of `owner` that CPUs of `node` use.
    DeferCount {
        owner: usize,
        node: usize,
        old: isize,
    },
    /// The list counts as full; the packet is not put on it.
    DeferFull {
        owner: usize,
        node: usize,
        skb: SkbId,
    },
    /// The packet is on the list.
    Defer {
        owner: usize,
        node: usize,
        skb: SkbId,
        was_empty: bool,
    },
    /// A flush reset the list's count.
    DeferReset {
        owner: usize,
        node: usize,
        old: isize,
    },
    /// A flush took the list.
    DeferTake { owner: usize, node: usize },
    /// `rcvbuf` was changed.
    SetRcvbuf { from: u32, to: u32 },
    /// The release threshold that goes with it was changed.
    SetThreshold { to: i32 },
    /// The socket has its node queues, or was refused them (`nodes` is 0).
    Init { nodes: usize },
    /// The destructor starts.
    Destruct,
    /// The node queues were given back.
    FreeNodes,
    /// The destructor is done; `forward_alloc` must be 0 (the kernel warns if it is not).
    Destructed { forward_alloc: i32 },
    /// A socket was published in a table.
    Publish { slot: usize },
    /// A look-up found a socket, or did not.
    LookUp { slot: usize, found: bool },
    /// A socket was unpublished; its release waits for a grace period.
    Unpublish { slot: usize },
}
