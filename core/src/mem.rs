// SPDX-License-Identifier: MIT OR Apache-2.0

//! Protocol memory in pages, and the forward allocation in bytes that one socket has of it.

use core::fmt;

use super::{AtomicInt, Platform, Site, Step};

/// Three limits that are not in ascending order, or a minimum above `INT_MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemLimitError {
    /// The limits asked for, in pages.
    pub limits: [u32; 3],
    /// The minimum asked for, in bytes.
    pub rmem_min: u32,
}

impl fmt::Display for MemLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [low, pressure, high] = self.limits;
        write!(
            f,
            "memory limits of {low}, {pressure}, {high} pages with a minimum of {} bytes are not \
             allowed: the limits must be in ascending order, the minimum at most {} (INT_MAX)",
            self.rmem_min,
            i32::MAX
        )
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for MemLimitError {}

/// The memory that all sockets of a protocol share (`udp_memory_allocated`, `udp_mem`,
/// `udp_rmem_min`).
///
/// The kernel collects up to a megabyte per CPU before it adds to the shared counter; here every
/// charge goes to the shared counter, so the limits bite exactly.
#[doc(alias = "sk_memory_allocated")]
pub struct ProtoMem<P: Platform> {
    allocated: P::AtomicIsize,
    limits: [u32; 3],
    rmem_min: i32,
}

impl<P: Platform> ProtoMem<P> {
    /// Memory with the three limits of `udp_mem`, in pages, and `udp_rmem_min`, in bytes.
    ///
    /// Up to the first limit every charge succeeds. Between the first and the third one only sockets
    /// that hold less than `rmem_min` are admitted; beyond the third nobody is. The second marks
    /// memory pressure, which UDP does not act upon (`udp_prot` has no `memory_pressure`): it is kept
    /// because `udp_mem` has it.
    ///
    /// # Errors
    /// [`MemLimitError`] when the limits do not ascend or the minimum is above `INT_MAX`.
    #[doc(alias = "sysctl_udp_mem")]
    pub fn new(limits: [u32; 3], rmem_min: u32) -> Result<Self, MemLimitError> {
        let [low, pressure, high] = limits;
        match i32::try_from(rmem_min) {
            Ok(rmem_min) if low <= pressure && pressure <= high => Ok(ProtoMem {
                allocated: P::AtomicIsize::new(0),
                limits,
                rmem_min,
            }),
            _ => Err(MemLimitError { limits, rmem_min }),
        }
    }

    /// Memory without limits.
    pub fn unlimited() -> Self {
        ProtoMem {
            allocated: P::AtomicIsize::new(0),
            limits: [u32::MAX; 3],
            rmem_min: 0,
        }
    }

    /// Pages charged to the protocol now, by all its sockets.
    #[doc(alias = "proto_memory_allocated")]
    pub fn allocated(&self) -> isize {
        // ORDERING: Relaxed; a figure for reports.
        self.allocated.load(Site::ReadPages)
    }

    /// Makes room for `size` bytes in `forward_alloc`; false when the limits forbid it. `pending` bytes
    /// count as if they were in `rmem_alloc` already.
    ///
    /// Source: `udp_rmem_schedule`, `__sk_mem_schedule`, `__sk_mem_raise_allocated`.
    #[doc(alias = "udp_rmem_schedule")]
    #[inline]
    pub(super) fn schedule(
        &self,
        forward_alloc: &mut i32,
        rmem_alloc: &P::AtomicI32,
        pending: u32,
        size: u32,
    ) -> bool {
        let delta = i64::from(size).wrapping_sub(i64::from(*forward_alloc));
        if delta <= 0 {
            return true;
        }
        let pages = page_count::<P>(delta);
        // ORDERING: Relaxed; a count of pages publishes nothing.
        let old = self.allocated.fetch_add(pages, Site::ChargePages);
        P::trace(Step::ChargePages { pages, old });
        if !self.allows(old.wrapping_add(pages), rmem_alloc, pending) {
            self.uncharge(pages);
            return false;
        }
        *forward_alloc = forward_alloc.wrapping_add(bytes::<P>(pages));
        true
    }

    fn allows(&self, allocated: isize, rmem_alloc: &P::AtomicI32, pending: u32) -> bool {
        let [low, _, high] = self.limits;
        let within = |limit: u32| allocated <= isize::try_from(limit).unwrap_or(isize::MAX);
        if within(low) {
            return true;
        }
        if !within(high) {
            return false;
        }
        // ORDERING: Relaxed; the lock that is held orders it after every earlier batch and release.
        let value = rmem_alloc.load(Site::ReadPressure);
        P::trace(Step::ReadPressure { value });
        value.wrapping_add(pending as i32) < self.rmem_min
    }

    #[doc(alias = "__sk_mem_reduce_allocated")]
    fn uncharge(&self, pages: isize) {
        // ORDERING: Relaxed; a count of pages publishes nothing.
        let old = self.allocated.fetch_sub(pages, Site::UnchargePages);
        P::trace(Step::UnchargePages { pages, old });
    }

    /// Takes `size` released bytes back into `forward_alloc` and returns whole pages to the protocol,
    /// all but one byte's page when `partial`, so that a busy socket does not return its last page
    /// with every packet.
    ///
    /// Source: the middle of `udp_rmem_release`.
    #[inline]
    pub(super) fn release(&self, forward_alloc: &mut i32, size: u32, partial: bool) {
        let available = size.wrapping_add(*forward_alloc as u32);
        let pages = available.wrapping_sub(partial.into()) >> P::PAGE_SHIFT;
        let returned = pages << P::PAGE_SHIFT;
        *forward_alloc = available.wrapping_sub(returned) as i32;
        if pages != 0 {
            // A page count below 2^32 >> PAGE_SHIFT fits a pointer-sized integer.
            self.uncharge(pages as isize);
        }
    }
}

/// How many pages hold `bytes`, which is positive.
#[inline(always)]
fn page_count<P: Platform>(bytes: i64) -> isize {
    let round_up = (1_i64 << P::PAGE_SHIFT).wrapping_sub(1);
    (bytes.wrapping_add(round_up) >> P::PAGE_SHIFT) as isize
}

#[inline(always)]
fn bytes<P: Platform>(pages: isize) -> i32 {
    (pages as i32) << P::PAGE_SHIFT
}
