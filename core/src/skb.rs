// SPDX-License-Identifier: MIT OR Apache-2.0

//! The packet: an intrusive header, and the trait of those who bring their own.

use core::fmt;
use core::marker::PhantomPinned;
use core::ptr::{self, NonNull};

#[cfg(feature = "alloc")]
use super::alloc::boxed::Box;
use super::{DropReason, PlainCell, Platform, SkbId};

/// A size outside 1 ..= `INT_MAX` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeError {
    /// What was asked for.
    pub bytes: u64,
}

impl SizeError {
    /// `bytes` as a size, if it is one.
    ///
    /// # Errors
    /// Zero would make a packet invisible to admission; more than `INT_MAX` would not fit the
    /// kernel's signed counters.
    pub fn check(bytes: u32) -> Result<u32, SizeError> {
        if bytes == 0 || bytes > i32::MAX as u32 {
            return Err(SizeError {
                bytes: bytes.into(),
            });
        }
        Ok(bytes)
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a size of {} bytes is not allowed: it must be from 1 to {} (INT_MAX)",
            self.bytes,
            i32::MAX
        )
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for SizeError {}

struct Fields<P: Platform> {
    next: *mut SkbHead<P>,
    truesize: u32,
    scratch: u32,
    dropcount: u32,
}

/// The header that every packet carries: its link, what it weighs, what it was charged, its stamp.
///
/// # Invariants
/// Whoever holds the packet owns the header: the producer until the push, the list until the elected
/// CPU takes it, the holder of a queue's lock while it is queued, the reader after the dequeue.
#[doc(alias = "sk_buff")]
pub struct SkbHead<P: Platform> {
    fields: P::Cell<Fields<P>>,
    _pin: PhantomPinned,
}

// SAFETY: A header is plain data and a link; the link is only followed by whoever owns the header,
// and the type of the whole packet decides in `Sock` whether it may change threads.
unsafe impl<P: Platform> Send for SkbHead<P> {}
// SAFETY: Shared access goes through `PlainCell`, whose callers prove that they own the header.
unsafe impl<P: Platform> Sync for SkbHead<P> {}

impl<P: Platform> SkbHead<P> {
    /// A header of a packet that weighs `truesize` bytes.
    ///
    /// # Errors
    /// [`SizeError`] unless the size is from 1 to `INT_MAX`.
    pub fn new(truesize: u32) -> Result<Self, SizeError> {
        let truesize = SizeError::check(truesize)?;
        Ok(SkbHead {
            fields: P::Cell::new(Fields {
                next: ptr::null_mut(),
                truesize,
                scratch: 0,
                dropcount: 0,
            }),
            _pin: PhantomPinned,
        })
    }

    /// The packet's identity in the trace.
    #[inline(always)]
    pub fn id(&self) -> SkbId {
        SkbId(self as *const Self as usize)
    }

    /// What the packet weighs in memory, in bytes (`skb->truesize`).
    ///
    /// # Safety
    /// The caller owns the packet (see the invariant of this type).
    #[inline(always)]
    pub unsafe fn truesize(&self) -> u32 {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with(|f| f.truesize) }
    }

    /// Changes the weight, for use by [`Packet::condense`].
    ///
    /// # Safety
    /// As [`truesize`](Self::truesize).
    ///
    /// # Errors
    /// [`SizeError`] unless the size is from 1 to `INT_MAX`; the weight stays as it was.
    pub unsafe fn set_truesize(&self, truesize: u32) -> Result<(), SizeError> {
        let truesize = SizeError::check(truesize)?;
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with_mut(|f| f.truesize = truesize) };
        Ok(())
    }

    /// How many packets the socket had dropped when this one was queued, as sampled for its batch
    /// (packets; 0 unless `SO_RXQ_OVFL` is on).
    ///
    /// # Safety
    /// As [`truesize`](Self::truesize).
    #[doc(alias = "SO_RXQ_OVFL")]
    #[inline(always)]
    pub unsafe fn dropcount(&self) -> u32 {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with(|f| f.dropcount) }
    }

    /// What was charged for the packet, in bytes: the copy that enqueue made of the truesize
    /// (`udp_skb_truesize`), so that what is given back is what was taken.
    #[inline(always)]
    pub(super) unsafe fn scratch(&self) -> u32 {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with(|f| f.scratch) }
    }

    #[inline(always)]
    #[doc(alias = "udp_set_dev_scratch")]
    pub(super) unsafe fn set_scratch(&self, charged: u32) {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with_mut(|f| f.scratch = charged) }
    }

    #[inline(always)]
    pub(super) unsafe fn set_dropcount(&self, dropcount: u32) {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with_mut(|f| f.dropcount = dropcount) }
    }

    /// The packet after this one in the list or queue that holds it, or null.
    ///
    /// # Safety
    /// As [`truesize`](Self::truesize).
    #[inline(always)]
    pub unsafe fn next(&self) -> *mut SkbHead<P> {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with(|f| f.next) }
    }

    /// Links `next` behind this packet.
    ///
    /// # Safety
    /// As [`truesize`](Self::truesize), and `next` is null or a packet of the same list.
    #[inline(always)]
    pub unsafe fn set_next(&self, next: *mut SkbHead<P>) {
        // SAFETY: The caller owns the packet.
        unsafe { self.fields.with_mut(|f| f.next = next) }
    }
}

/// A packet that can be queued: an owner of memory that starts with, or contains, an [`SkbHead`].
///
/// # Safety
/// `into_raw` hands over the packet as a pointer to its header, which stays valid, at that address,
/// until the packet that `from_raw` makes of it is dropped or handed out. `from_raw` is its inverse and
/// does not touch the memory: it may be called for a look, its result forgotten, and called again.
/// `head` returns that same header.
pub unsafe trait Packet: Sized {
    /// The world that the header belongs to.
    type Platform: Platform;

    /// The packet's header.
    fn head(&self) -> &SkbHead<Self::Platform>;

    /// Gives the packet up as a pointer to its header.
    fn into_raw(self) -> NonNull<SkbHead<Self::Platform>>;

    /// Takes the packet back.
    ///
    /// # Safety
    /// `head` came from [`into_raw`](Self::into_raw) of the same type, and at most one of the packets made
    /// of it is not forgotten.
    unsafe fn from_raw(head: NonNull<SkbHead<Self::Platform>>) -> Self;

    /// Makes the packet smaller if it can be, and sets its truesize accordingly. Called when the
    /// socket is more than half full. Does nothing by default.
    #[doc(alias = "skb_condense")]
    fn condense(&mut self) {}

    /// Disposes of a packet that the socket will not deliver. Drops it by default.
    ///
    /// It must not panic, and neither must dropping the packet: an unwinding drain leaves its batch
    /// charged to the node, and an unwinding destructor leaves pages charged. Memory stays safe.
    #[doc(alias = "kfree_skb_reason")]
    fn free(self, reason: DropReason) {
        let _ = reason;
    }
}

/// A packet in a box: the header and whatever the user carries.
#[cfg(feature = "alloc")]
#[repr(C)]
pub struct Skb<P: Platform, T> {
    head: SkbHead<P>,
    /// What the packet carries.
    pub data: T,
}

#[cfg(feature = "alloc")]
impl<P: Platform, T> Skb<P, T> {
    /// A packet that weighs `truesize` bytes and carries `data`.
    ///
    /// # Errors
    /// [`SizeError`] unless the size is from 1 to `INT_MAX`.
    pub fn new(truesize: u32, data: T) -> Result<Self, SizeError> {
        Ok(Skb {
            head: SkbHead::new(truesize)?,
            data,
        })
    }

    /// What the packet weighs, in bytes.
    pub fn truesize(&self) -> u32 {
        // SAFETY: A packet that can be borrowed is not in a list or queue, or is lent out by the
        // holder of the lock of the queue it is in.
        unsafe { self.head.truesize() }
    }

    /// The drop-count stamp, in packets; see [`SkbHead::dropcount`].
    pub fn dropcount(&self) -> u32 {
        // SAFETY: As in `truesize`.
        unsafe { self.head.dropcount() }
    }
}

#[cfg(feature = "alloc")]
impl<P: Platform, T: fmt::Debug> fmt::Debug for Skb<P, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skb")
            .field("truesize", &self.truesize())
            .field("data", &self.data)
            .finish_non_exhaustive()
    }
}

// SAFETY: A box's memory stays where it is, `repr(C)` puts the header at its start, and both
// conversions are casts of the same pointer.
#[cfg(feature = "alloc")]
unsafe impl<P: Platform, T> Packet for Box<Skb<P, T>> {
    type Platform = P;

    #[inline(always)]
    fn head(&self) -> &SkbHead<P> {
        &self.head
    }

    #[inline(always)]
    fn into_raw(self) -> NonNull<SkbHead<P>> {
        // SAFETY: A box is never null.
        unsafe { NonNull::new_unchecked(Box::into_raw(self).cast()) }
    }

    #[inline(always)]
    unsafe fn from_raw(head: NonNull<SkbHead<P>>) -> Self {
        // SAFETY: The pointer came from `into_raw`, which made it from such a box.
        unsafe { Box::from_raw(head.as_ptr().cast()) }
    }
}
