// SPDX-License-Identifier: MIT OR Apache-2.0

//! Owned memory that is not given back when it is freed: its contents are dropped, which poisons every
//! watched word in it, and the memory is kept until the execution ends. Use after free is then a
//! verdict and not a crash.

use std::alloc::Layout;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::context::{here, Block, Kind, What};

/// A box whose memory goes into quarantine.
pub(crate) struct Quarantined<T: ?Sized> {
    value: NonNull<T>,
    kind: Kind,
}

// SAFETY: It owns its value, as a box does.
unsafe impl<T: ?Sized + Send> Send for Quarantined<T> {}
// SAFETY: It lends its value, as a box does.
unsafe impl<T: ?Sized + Sync> Sync for Quarantined<T> {}

impl<T: ?Sized> Quarantined<T> {
    pub(crate) fn new(value: Box<T>, kind: Kind) -> Self {
        // SAFETY: A box is never null.
        let value = unsafe { NonNull::new_unchecked(Box::into_raw(value)) };
        Quarantined { value, kind }
    }

    pub(crate) fn into_raw(self) -> NonNull<T> {
        let value = self.value;
        std::mem::forget(self);
        value
    }

    /// Takes the value back.
    ///
    /// # Safety
    /// `value` came from [`into_raw`](Self::into_raw) with the same kind.
    pub(crate) unsafe fn from_raw(value: NonNull<T>, kind: Kind) -> Self {
        Quarantined { value, kind }
    }
}

impl<T: ?Sized> Deref for Quarantined<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: The value is owned and was not dropped.
        unsafe { self.value.as_ref() }
    }
}

// SAFETY: It owns its slice, as a box does.
unsafe impl<T> prodq::OwnedSlice<T> for Quarantined<[T]> {
    fn slice(&self) -> &[T] {
        self
    }
}

impl<T: ?Sized> Drop for Quarantined<T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let address = self.value.as_ptr().cast::<u8>();
        let layout = Layout::for_value(&**self);
        // SAFETY: The value is owned and dropped once.
        unsafe { self.value.as_ptr().drop_in_place() };
        let kind = self.kind;
        let kept = here(|context, cpu| {
            let freed = What::Freed {
                kind,
                address: address as usize,
            };
            context.record(cpu, freed);
            context.keep(Block { address, layout });
        });
        if kept.is_none() && layout.size() != 0 {
            // SAFETY: The memory came from a box of this layout, and outside an execution nobody
            // refers to it.
            unsafe { std::alloc::dealloc(address, layout) };
        }
    }
}
