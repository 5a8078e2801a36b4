// SPDX-License-Identifier: MIT OR Apache-2.0

//! First-in first-out queues of packets, each under a lock of its own.

use core::ptr::{self, NonNull};

use super::{Platform, SkbHead};

/// A queue of packets.
///
/// # Invariants
/// `head` starts a null-terminated chain of `len` packets that the queue owns; `tail` is its last
/// one, or null when the chain is empty.
#[doc(alias = "sk_buff_head")]
pub(super) struct SkbQueue<P: Platform> {
    head: *mut SkbHead<P>,
    tail: *mut SkbHead<P>,
    len: usize,
}

// SAFETY: The queue owns its packets; whether the packets themselves may change threads is decided
// by `Sock`, the only place where such a queue exists.
unsafe impl<P: Platform> Send for SkbQueue<P> {}

impl<P: Platform> Default for SkbQueue<P> {
    fn default() -> Self {
        SkbQueue {
            head: ptr::null_mut(),
            tail: ptr::null_mut(),
            len: 0,
        }
    }
}

impl<P: Platform> SkbQueue<P> {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.head.is_null()
    }

    /// Appends a packet.
    ///
    /// # Safety
    /// The caller owns the packet and gives it up to the queue.
    #[inline(always)]
    #[doc(alias = "__skb_queue_tail")]
    pub(super) unsafe fn push(&mut self, skb: NonNull<SkbHead<P>>) {
        // SAFETY: The caller owns the packet.
        unsafe { skb.as_ref().set_next(ptr::null_mut()) };
        self.link(skb.as_ptr());
        self.tail = skb.as_ptr();
        self.len = self.len.wrapping_add(1);
    }

    /// Takes the oldest packet.
    #[inline(always)]
    #[doc(alias = "__skb_dequeue")]
    pub(super) fn pop(&mut self) -> Option<NonNull<SkbHead<P>>> {
        let skb = NonNull::new(self.head)?;
        // SAFETY: The queue owns its packets (invariant).
        self.head = unsafe { skb.as_ref().next() };
        if self.head.is_null() {
            self.tail = ptr::null_mut();
        }
        self.len = self.len.wrapping_sub(1);
        Some(skb)
    }

    /// The oldest packet, which stays in the queue.
    #[inline(always)]
    pub(super) fn front(&self) -> Option<NonNull<SkbHead<P>>> {
        NonNull::new(self.head)
    }

    /// Moves all packets of `other` behind these; returns how many.
    #[inline(always)]
    #[doc(alias = "skb_queue_splice_tail_init")]
    pub(super) fn splice(&mut self, other: &mut Self) -> usize {
        let moved = core::mem::take(other);
        if !moved.is_empty() {
            self.link(moved.head);
            self.tail = moved.tail;
            self.len = self.len.wrapping_add(moved.len);
        }
        moved.len
    }

    fn link(&mut self, first: *mut SkbHead<P>) {
        match NonNull::new(self.tail) {
            // SAFETY: The queue owns its packets (invariant).
            Some(tail) => unsafe { tail.as_ref().set_next(first) },
            None => self.head = first,
        }
    }
}

/// What `sk_receive_queue.lock` guards.
pub(super) struct ReceiveQueue<P: Platform> {
    pub(super) queue: SkbQueue<P>,
    /// Bytes charged to the protocol in whole pages and not used by a packet.
    pub(super) forward_alloc: i32,
}

impl<P: Platform> Default for ReceiveQueue<P> {
    fn default() -> Self {
        ReceiveQueue {
            queue: SkbQueue::default(),
            forward_alloc: 0,
        }
    }
}

/// What `reader_queue.lock` guards.
pub(super) struct ReaderQueue<P: Platform> {
    pub(super) queue: SkbQueue<P>,
    /// Bytes of dequeued packets whose release is held back.
    pub(super) forward_deficit: u32,
}

impl<P: Platform> Default for ReaderQueue<P> {
    fn default() -> Self {
        ReaderQueue {
            queue: SkbQueue::default(),
            forward_deficit: 0,
        }
    }
}
