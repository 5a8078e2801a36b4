// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where producers find sockets, and how a socket dies while they look: publish, look up inside a
//! read-side section, close after a grace period.

use core::fmt;

#[cfg(feature = "alloc")]
use super::alloc::boxed::Box;
use super::{AtomicPtr, Rcu, Site, Step};

/// An owner that can be a raw pointer for a while.
///
/// # Safety
/// `into_raw` gives a non-null pointer that stays valid until `from_raw` takes it back.
pub unsafe trait Handle: Send + 'static {
    /// What is owned.
    type Target: Sync + 'static;
    /// Gives the ownership up.
    fn into_raw(self) -> *mut Self::Target;
    /// Takes the ownership back.
    ///
    /// # Safety
    /// `raw` came from [`into_raw`](Self::into_raw) of the same type and is not used again.
    unsafe fn from_raw(raw: *mut Self::Target) -> Self;
}

// SAFETY: A box's memory stays where it is until it is a box again.
#[cfg(feature = "alloc")]
unsafe impl<T: Send + Sync + 'static> Handle for Box<T> {
    type Target = T;

    fn into_raw(self) -> *mut T {
        Box::into_raw(self)
    }

    unsafe fn from_raw(raw: *mut T) -> Self {
        // SAFETY: The pointer came from `into_raw`.
        unsafe { Box::from_raw(raw) }
    }
}

/// Why nothing was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishError {
    /// The slot has a socket.
    Taken {
        /// The slot asked for.
        slot: usize,
    },
    /// There is no such slot.
    NoSuchSlot {
        /// The slot asked for.
        slot: usize,
        /// How many there are.
        slots: usize,
    },
}

/// Why nothing was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseError {
    /// The slot is empty: never published, or closed already.
    Empty {
        /// The slot asked for.
        slot: usize,
    },
    /// There is no such slot.
    NoSuchSlot {
        /// The slot asked for.
        slot: usize,
        /// How many there are.
        slots: usize,
    },
}

fn no_such_slot(f: &mut fmt::Formatter<'_>, slot: usize, slots: usize) -> fmt::Result {
    write!(f, "there is no slot {slot}: the table has {slots}")
}

impl fmt::Display for PublishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PublishError::Taken { slot } => write!(f, "slot {slot} has a socket already"),
            PublishError::NoSuchSlot { slot, slots } => no_such_slot(f, slot, slots),
        }
    }
}

impl fmt::Display for CloseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            CloseError::Empty { slot } => write!(f, "slot {slot} has no socket"),
            CloseError::NoSuchSlot { slot, slots } => no_such_slot(f, slot, slots),
        }
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for PublishError {}
#[cfg(feature = "std")]
impl super::std::error::Error for CloseError {}

/// A table of `N` slots.
///
/// # Invariants
/// A slot is null or owns the socket it points to. A socket taken out of a slot is destroyed only
/// after a grace period, so what a read-side section finds lives until the section ends.
pub struct Table<P: Rcu, H: Handle, const N: usize> {
    slots: [P::AtomicPtr<H::Target>; N],
    domain: P::Domain,
}

impl<P: Rcu, H: Handle, const N: usize> Default for Table<P, H, N> {
    fn default() -> Self {
        Table {
            slots: core::array::from_fn(|_| AtomicPtr::null()),
            domain: P::domain(),
        }
    }
}

struct Retired<H: Handle>(*mut H::Target);

// SAFETY: It owns a handle, which is `Send`.
unsafe impl<H: Handle> Send for Retired<H> {}

impl<H: Handle> Retired<H> {
    fn free(self) {
        // SAFETY: The pointer came from `into_raw` when it was published, and left its slot for good.
        drop(unsafe { H::from_raw(self.0) });
    }
}

impl<P: Rcu, H: Handle, const N: usize> Table<P, H, N> {
    /// Makes a socket findable.
    ///
    /// # Errors
    /// [`PublishError`], with the handle.
    pub fn publish(&self, slot: usize, handle: H) -> Result<(), (PublishError, H)> {
        let Some(entry) = self.slots.get(slot) else {
            return Err((PublishError::NoSuchSlot { slot, slots: N }, handle));
        };
        let raw = handle.into_raw();
        // ORDERING: Publishes the socket; pairs with the look-up and with the close.
        match entry.compare_exchange(core::ptr::null_mut(), raw, Site::Publish, Site::PublishFail) {
            Ok(_) => {
                P::trace(Step::Publish { slot });
                Ok(())
            }
            // SAFETY: The pointer was made above and not published.
            Err(_) => Err((PublishError::Taken { slot }, unsafe { H::from_raw(raw) })),
        }
    }

    /// Runs `f` on the socket of a slot, if there is one, inside a read-side section.
    pub fn look_up<R>(&self, slot: usize, f: impl FnOnce(&H::Target) -> R) -> Option<R> {
        let entry = self.slots.get(slot)?;
        P::read(&self.domain, || {
            // ORDERING: Pairs with the publication.
            let raw = entry.load(Site::LookUp);
            P::trace(Step::LookUp {
                slot,
                found: !raw.is_null(),
            });
            // SAFETY: A pointer found inside a read-side section lives until the section ends.
            unsafe { raw.as_ref() }.map(f)
        })
    }

    /// Takes the socket out of its slot and releases it after a grace period.
    ///
    /// # Errors
    /// [`CloseError`], so that a second close of the same socket is an error and not a double free.
    pub fn close(&self, slot: usize) -> Result<(), CloseError> {
        let Some(entry) = self.slots.get(slot) else {
            return Err(CloseError::NoSuchSlot { slot, slots: N });
        };
        // ORDERING: Pairs with the publication, so that the destructor sees the socket whole.
        let raw = entry.swap(core::ptr::null_mut(), Site::Unpublish);
        if raw.is_null() {
            return Err(CloseError::Empty { slot });
        }
        P::trace(Step::Unpublish { slot });
        let retired = Retired::<H>(raw);
        P::defer(&self.domain, move || retired.free());
        Ok(())
    }
}

impl<P: Rcu, H: Handle, const N: usize> Drop for Table<P, H, N> {
    fn drop(&mut self) {
        for entry in &self.slots {
            // ORDERING: The table is not shared any more; as in `close`.
            let raw = entry.swap(core::ptr::null_mut(), Site::Unpublish);
            if !raw.is_null() {
                Retired::<H>(raw).free();
            }
        }
    }
}
