// SPDX-License-Identifier: MIT OR Apache-2.0

//! The lock-less list: any CPU adds, one takes all.

use core::ptr::{self, NonNull};

use super::{AtomicPtr, Platform, Site, SkbHead, Step};

/// A lock-less list of packets, newest first.
///
/// # Invariants
/// `first` is null or the newest packet of a null-terminated chain that the list owns.
#[doc(alias = "llist_head")]
pub struct LlistHead<P: Platform> {
    first: P::AtomicPtr<SkbHead<P>>,
}

impl<P: Platform> Default for LlistHead<P> {
    fn default() -> Self {
        LlistHead {
            first: P::AtomicPtr::null(),
        }
    }
}

impl<P: Platform> LlistHead<P> {
    /// Adds a packet and tells whether the list was empty.
    ///
    /// # Safety
    /// The caller owns the packet, whose header stays valid while the list owns it, and gives the
    /// packet up to the list.
    #[doc(alias = "llist_add")]
    #[inline]
    pub unsafe fn add(&self, skb: NonNull<SkbHead<P>>) -> bool {
        // SAFETY: The caller owns the packet until the exchange below succeeds.
        let head = unsafe { skb.as_ref() };
        // ORDERING: Relaxed; a stale guess only costs another round, the exchange decides.
        let mut first = self.first.load(Site::ListFirst);
        loop {
            // SAFETY: The packet is not published yet, so it is still the caller's.
            unsafe { head.set_next(first) };
            // ORDERING: The successful push publishes the link and the packet; it pairs with the
            // exchange in `take_all`. A failed one publishes nothing.
            match self.first.compare_exchange(
                first,
                skb.as_ptr(),
                Site::ListPush,
                Site::ListPushFail,
            ) {
                Ok(_) => return first.is_null(),
                Err(now) => {
                    P::trace(Step::Retry { skb: head.id() });
                    first = now;
                }
            }
        }
    }

    /// Whether the list seems to be empty.
    #[doc(alias = "llist_empty")]
    #[inline]
    pub fn is_empty(&self) -> bool {
        // ORDERING: Relaxed; a guess, which whoever acts on it has to allow for.
        self.first.load(Site::ListFirst).is_null()
    }

    /// Takes the whole list, newest first.
    #[doc(alias = "llist_del_all")]
    #[inline]
    pub fn take_all(&self) -> Chain<P> {
        // ORDERING: Pairs with every push since the last take: their release sequence makes all
        // taken packets readable.
        Chain {
            first: self.first.swap(ptr::null_mut(), Site::ListTake),
        }
    }
}

/// A chain of packets that is owned by one CPU.
///
/// # Invariants
/// `first` is null or the start of a null-terminated chain of packets that nobody else owns.
pub struct Chain<P: Platform> {
    first: *mut SkbHead<P>,
}

impl<P: Platform> Default for Chain<P> {
    fn default() -> Self {
        Chain {
            first: ptr::null_mut(),
        }
    }
}

impl<P: Platform> Chain<P> {
    /// Whether there is no packet in it.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.first.is_null()
    }

    /// Puts a packet in front.
    ///
    /// # Safety
    /// The caller owns the packet and gives it up to the chain.
    #[inline(always)]
    pub unsafe fn push(&mut self, skb: NonNull<SkbHead<P>>) {
        // SAFETY: The caller owns the packet.
        unsafe { skb.as_ref().set_next(self.first) };
        self.first = skb.as_ptr();
    }

    /// Takes the first packet.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<NonNull<SkbHead<P>>> {
        let skb = NonNull::new(self.first)?;
        // SAFETY: The chain owns its packets (invariant).
        self.first = unsafe { skb.as_ref().next() };
        Some(skb)
    }

    /// The same packets in the opposite order: oldest first after [`LlistHead::take_all`].
    #[doc(alias = "llist_reverse_order")]
    #[inline]
    pub fn reverse(mut self) -> Self {
        let mut reversed = Chain::default();
        while let Some(skb) = self.pop() {
            // SAFETY: The packet was just taken from a chain that owned it.
            unsafe { reversed.push(skb) };
        }
        reversed
    }
}
