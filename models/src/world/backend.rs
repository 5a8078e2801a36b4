// SPDX-License-Identifier: MIT OR Apache-2.0

//! The primitives of each world, in one shape. Loom and shuttle copy the names of std, so one macro
//! serves all three.

use std::sync::atomic::Ordering;

use crate::model::Retire;

/// A world's primitives.
pub(crate) trait Backend: Send + Sync + 'static {
    type I32: RawInt<i32> + Retire + Send + Sync;
    type Isize: RawInt<isize> + Retire + Send + Sync;
    type Ptr<T: 'static>: RawPtr<T> + Retire + Send + Sync;
    type Cell<T>: RawCell<T> + Retire;
    type Lock<T: Send>: RawLock<T> + Retire + Send + Sync;
    type Bell: RawBell;
    type Thread;

    fn fence(ordering: Ordering);
    /// The current thread is about to use something that threads share and the world does not know of.
    /// A world that leaves out interleavings must take its order for one that matters.
    fn unseen() {}
    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread;
    fn join(thread: Self::Thread);
}

pub(crate) trait RawInt<V> {
    fn new(value: V) -> Self;
    fn load(&self, ordering: Ordering) -> V;
    fn fetch_add(&self, value: V, ordering: Ordering) -> V;
    fn fetch_sub(&self, value: V, ordering: Ordering) -> V;
    fn swap(&self, value: V, ordering: Ordering) -> V;
}

pub(crate) trait RawPtr<T> {
    fn new(value: *mut T) -> Self;
    fn load(&self, ordering: Ordering) -> *mut T;
    fn swap(&self, value: *mut T, ordering: Ordering) -> *mut T;
    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T>;
}

pub(crate) trait RawCell<T> {
    fn new(value: T) -> Self;
    /// # Safety
    /// As `PlainCell::with`.
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R;
    /// # Safety
    /// As `PlainCell::with_mut`.
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R;
}

pub(crate) trait RawLock<T> {
    fn new(value: T) -> Self;
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R;
    fn get_mut(&mut self) -> &mut T;
}

/// One thread waits for it, another rings it, before or after.
pub(crate) trait RawBell: Send + Sync + 'static {
    fn new() -> Self;
    fn wait(&self);
    fn ring(&self);
}

/// A shared word that was freed, for the verdict.
pub(crate) const WORD: &str = "a shared word";
/// A packet's header that was freed, for the verdict.
pub(crate) const HEADER: &str = "a packet's header";
/// A lock that was freed, for the verdict.
pub(crate) const LOCK: &str = "a lock";

/// Implements a raw integer over an atomic with std's methods; `$retire` is its modelled write.
macro_rules! raw_int {
    ($atomic:ty, $value:ty, $retire:expr) => {
        impl RawInt<$value> for $atomic {
            fn new(value: $value) -> Self {
                <$atomic>::new(value)
            }
            fn load(&self, ordering: Ordering) -> $value {
                <$atomic>::load(self, ordering)
            }
            fn fetch_add(&self, value: $value, ordering: Ordering) -> $value {
                <$atomic>::fetch_add(self, value, ordering)
            }
            fn fetch_sub(&self, value: $value, ordering: Ordering) -> $value {
                <$atomic>::fetch_sub(self, value, ordering)
            }
            fn swap(&self, value: $value, ordering: Ordering) -> $value {
                <$atomic>::swap(self, value, ordering)
            }
        }

        impl Retire for $atomic {
            const WHAT: &'static str = crate::world::backend::WORD;
            fn retire(&mut self) {
                let retire: fn(&mut Self) = $retire;
                retire(self);
            }
        }
    };
}

/// Implements a raw pointer over an atomic with std's methods.
macro_rules! raw_ptr {
    ($atomic:ident, $retire:expr) => {
        impl<T: 'static> RawPtr<T> for $atomic<T> {
            fn new(value: *mut T) -> Self {
                $atomic::new(value)
            }
            fn load(&self, ordering: Ordering) -> *mut T {
                $atomic::load(self, ordering)
            }
            fn swap(&self, value: *mut T, ordering: Ordering) -> *mut T {
                $atomic::swap(self, value, ordering)
            }
            fn compare_exchange(
                &self,
                current: *mut T,
                new: *mut T,
                success: Ordering,
                failure: Ordering,
            ) -> Result<*mut T, *mut T> {
                $atomic::compare_exchange(self, current, new, success, failure)
            }
        }

        impl<T: 'static> Retire for $atomic<T> {
            const WHAT: &'static str = crate::world::backend::WORD;
            fn retire(&mut self) {
                let retire: fn(&mut Self) = $retire;
                retire(self);
            }
        }
    };
}

/// Implements a raw lock over a mutex with std's methods.
macro_rules! raw_lock {
    ($mutex:ident) => {
        impl<T: Send> RawLock<T> for $mutex<T> {
            fn new(value: T) -> Self {
                $mutex::new(value)
            }
            fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
                f(&mut self.lock().unwrap_or_else(PoisonError::into_inner))
            }
            fn get_mut(&mut self) -> &mut T {
                $mutex::get_mut(self).unwrap_or_else(PoisonError::into_inner)
            }
        }

        impl<T: Send> Retire for $mutex<T> {
            const WHAT: &'static str = crate::world::backend::LOCK;
            fn retire(&mut self) {}
        }
    };
}

/// Defines a bell of a mutex and a condition variable with std's methods.
macro_rules! raw_bell {
    ($bell:ident, $mutex:ident, $condvar:ident) => {
        pub(crate) struct $bell($mutex<bool>, $condvar);

        impl RawBell for $bell {
            fn new() -> Self {
                $bell($mutex::new(false), $condvar::new())
            }
            fn wait(&self) {
                let mut rung = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                while !*rung {
                    rung = self.1.wait(rung).unwrap_or_else(PoisonError::into_inner);
                }
            }
            fn ring(&self) {
                *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
                self.1.notify_one();
            }
        }
    };
}

/// Implements a raw cell over std's, for worlds that do not look for data races.
macro_rules! unwatched_cell {
    ($cell:ident) => {
        impl<T> RawCell<T> for $cell<T> {
            fn new(value: T) -> Self {
                $cell(UnsafeCell::new(value))
            }
            unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
                // SAFETY: The caller's duty.
                f(unsafe { &*self.0.get() })
            }
            unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
                // SAFETY: The caller's duty.
                f(unsafe { &mut *self.0.get() })
            }
        }

        impl<T> Retire for $cell<T> {
            const WHAT: &'static str = crate::world::backend::HEADER;
            fn retire(&mut self) {}
        }
    };
}

pub(crate) use {raw_bell, raw_int, raw_lock, raw_ptr, unwatched_cell};
