// SPDX-License-Identifier: MIT OR Apache-2.0

//! What each node has of a socket.

#[cfg(feature = "alloc")]
use super::alloc::{boxed::Box, vec::Vec};
use super::{AtomicInt, LlistHead, Platform};

/// One node's queue: its lock-less list, and the bytes charged there and not yet handed over.
///
/// It has a cache line of its own, so that nodes do not disturb each other.
///
/// # Invariants
/// `rmem_alloc` is the sum of what was charged on this node and not yet subtracted by a drain; a
/// packet is charged before it is pushed and subtracted after it was taken, so it is never negative.
#[doc(alias = "udp_prod_queue")]
#[repr(align(64))]
pub struct ProdQueue<P: Platform> {
    pub(super) list: LlistHead<P>,
    pub(super) rmem_alloc: P::AtomicI32,
}

impl<P: Platform> Default for ProdQueue<P> {
    fn default() -> Self {
        ProdQueue {
            list: LlistHead::default(),
            rmem_alloc: P::AtomicI32::new(0),
        }
    }
}

/// What owns queues or lists: an array, a box, or something of the user's.
///
/// # Safety
/// [`slice`](OwnedSlice::slice) returns the same slice every time, and nobody but the owner of this
/// value can reach it: two sockets that shared a list would take each other's packets.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// fn owned<T: prodq::OwnedSlice<u8>>() {}
/// owned::<Box<[u8]>>();
/// # }
/// ```
///
/// ```compile_fail
/// fn owned<T: prodq::OwnedSlice<u8>>() {}
/// owned::<std::sync::Arc<[u8]>>();
/// ```
pub unsafe trait OwnedSlice<T> {
    /// What is owned.
    fn slice(&self) -> &[T];
}

// SAFETY: An array owns its elements.
unsafe impl<T, const N: usize> OwnedSlice<T> for [T; N] {
    #[inline(always)]
    fn slice(&self) -> &[T] {
        self
    }
}

// SAFETY: A box owns its slice.
#[cfg(feature = "alloc")]
unsafe impl<T> OwnedSlice<T> for Box<[T]> {
    #[inline(always)]
    fn slice(&self) -> &[T] {
        self
    }
}

/// The queues of `nodes` nodes on the heap, or `None` when the memory is refused.
#[cfg(feature = "alloc")]
pub fn boxed_nodes<P: Platform>(nodes: usize) -> Option<Box<[ProdQueue<P>]>> {
    let mut queues = Vec::new();
    queues.try_reserve_exact(nodes).ok()?;
    queues.resize_with(nodes, ProdQueue::default);
    Some(queues.into_boxed_slice())
}
