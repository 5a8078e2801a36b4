// SPDX-License-Identifier: MIT OR Apache-2.0

//! The platform of the models: a world's primitives, with every access watched, traced, and broken
//! where a fault says so.

use std::any::Any;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

use prodq::{AtomicInt, AtomicPtr, Lock, PlainCell, Platform, Rcu, Site, Step};

use crate::broken;
use crate::context::{here, retiring, switching, touch_freed, wait_for_lock, Place};
use crate::fault::Fault;
use crate::world::backend::{Backend, RawCell, RawInt, RawLock, RawPtr};

/// The platform over the primitives of `B`.
pub(crate) struct Model<B>(PhantomData<B>);

// SAFETY: A world's primitives are what the traits ask for; where a fault breaks them on purpose, freed
// memory is kept, so that what goes wrong is a verdict.
unsafe impl<B: Backend> Platform for Model<B> {
    type AtomicI32 = Watched<B::I32>;
    type AtomicIsize = Watched<B::Isize>;
    type AtomicPtr<T: 'static> = ListHead<B, B::Ptr<T>>;
    type Cell<T> = Watched<B::Cell<T>>;
    type Lock<T: Send> = ListLock<B, B::Lock<T>>;

    fn ordering(site: Site) -> Ordering {
        here(|context, _| context.broken.ordering(site)).unwrap_or(site.ordering())
    }

    fn trace(step: Step) {
        broken::trace::<B>(step);
    }
}

/// A primitive that knows whether it was freed.
pub(crate) struct Watched<R: Retire> {
    freed: AtomicBool,
    raw: R,
}

/// What happens to a primitive when its memory is freed.
pub(crate) trait Retire {
    /// What it is, for the verdict.
    const WHAT: &'static str;

    /// A modelled write: an access that is not ordered before it is a data race.
    fn retire(&mut self);
}

impl<R: Retire> Watched<R> {
    fn new(raw: R) -> Self {
        Watched {
            freed: AtomicBool::new(false),
            raw,
        }
    }

    /// The primitive, unless it was freed. Asked before every access and, where the access may have
    /// let others run first, after it.
    pub(crate) fn alive(&self) -> &R {
        if self.freed.load(Ordering::SeqCst) && !std::thread::panicking() {
            touch_freed(R::WHAT);
        }
        &self.raw
    }

    pub(crate) fn access<V>(&self, access: impl FnOnce(&R) -> V) -> V {
        let raw = self.alive();
        let value = switching(|| access(raw));
        self.alive();
        value
    }
}

impl<R: Retire> Drop for Watched<R> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            retiring(|| self.raw.retire());
        }
        self.freed.store(true, Ordering::SeqCst);
    }
}

fn is_omitted(site: Site) -> bool {
    here(|context, _| context.broken.omit == Some(site)).unwrap_or(false)
}

fn newest_loads() -> bool {
    here(|context, _| context.newest_loads).unwrap_or(false)
}

impl<V: Copy + Default + 'static, R: RawInt<V> + Retire> AtomicInt<V> for Watched<R>
where
    Self: Send + Sync,
{
    fn new(value: V) -> Self {
        Watched::new(R::new(value))
    }

    fn load(&self, site: Site) -> V {
        let ordering = ordering_of(site);
        if newest_loads() {
            return self.access(|raw| raw.fetch_add(V::default(), ordering));
        }
        self.access(|raw| raw.load(ordering))
    }

    fn fetch_add(&self, value: V, site: Site) -> V {
        if is_omitted(site) {
            return V::default();
        }
        if site == Site::Charge && broken::is(&Fault::ChargeAfterPush) {
            let value = (&value as &dyn Any).downcast_ref::<i32>().copied();
            broken::postpone_charge(self as *const Self as usize, value.unwrap_or(0));
            return V::default();
        }
        let ordering = ordering_of(site);
        self.access(|raw| raw.fetch_add(value, ordering))
    }

    fn fetch_sub(&self, value: V, site: Site) -> V {
        if is_omitted(site) {
            return V::default();
        }
        let ordering = ordering_of(site);
        self.access(|raw| raw.fetch_sub(value, ordering))
    }

    fn swap(&self, value: V, site: Site) -> V {
        let ordering = ordering_of(site);
        self.access(|raw| raw.swap(value, ordering))
    }
}

fn ordering_of(site: Site) -> Ordering {
    here(|context, _| context.broken.ordering(site)).unwrap_or(site.ordering())
}

/// A shared pointer: a list's head or a table's slot.
pub(crate) struct ListHead<B, R: Retire> {
    pub(crate) watched: Watched<R>,
    _world: PhantomData<fn() -> B>,
}

impl<B: Backend, T: 'static, R: RawPtr<T> + Retire> AtomicPtr<T> for ListHead<B, R>
where
    R: Send + Sync,
{
    fn null() -> Self {
        ListHead {
            watched: Watched::new(R::new(std::ptr::null_mut())),
            _world: PhantomData,
        }
    }

    fn load(&self, site: Site) -> *mut T {
        let ordering = ordering_of(site);
        let null = std::ptr::null_mut();
        self.watched.access(|raw| {
            if newest_loads() {
                let found = raw.compare_exchange(null, null, ordering, ordering);
                found.unwrap_or_else(|found| found)
            } else {
                raw.load(ordering)
            }
        })
    }

    fn swap(&self, new: *mut T, site: Site) -> *mut T {
        if is_omitted(site) {
            return std::ptr::null_mut();
        }
        if site == Site::ListTake {
            if let Some(taken) = broken::taken_early() {
                return taken as *mut T;
            }
        }
        let ordering = ordering_of(site);
        let first = self.watched.access(|raw| raw.swap(new, ordering));
        if site == Site::ListTake && broken::is(&Fault::NoReversal) {
            return broken::reversed::<B, T>(first);
        }
        first
    }

    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Site,
        failure: Site,
    ) -> Result<*mut T, *mut T> {
        let (on_success, on_failure) = (ordering_of(success), ordering_of(failure));
        if success == Site::ListPush && broken::fails_first() {
            return Err(current);
        }
        let blind = success == Site::ListPush && broken::is(&Fault::BlindPush);
        let result = self.watched.access(|raw| {
            if blind {
                raw.swap(new, on_success);
                return Ok(current);
            }
            raw.compare_exchange(current, new, on_success, on_failure)
        });
        if result.is_ok() && success == Site::ListPush && current.is_null() {
            broken::elected(self as *const Self as usize);
        }
        result
    }
}

/// A lock's primitive, which stays in its place until the execution ends: a CPU that waits for it while it
/// is freed must get it and be told, and not crash the world. Its memory is in quarantine.
struct InPlace<R>(ManuallyDrop<R>);

impl<R> Drop for InPlace<R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let address = (&raw mut *self.0).cast();
        if here(|context, _| context.drop_later(address, drop_in_place::<R>)).is_none() {
            // SAFETY: It is dropped once: outside an execution here, inside one by the context.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// # Safety
/// `address` is that of an `R` which is not used again.
unsafe fn drop_in_place<R>(address: *mut u8) {
    // SAFETY: The caller's duty.
    unsafe { address.cast::<R>().drop_in_place() };
}

impl<R: Retire> Retire for InPlace<R> {
    const WHAT: &'static str = R::WHAT;

    fn retire(&mut self) {
        self.0.retire();
    }
}

/// A lock, which a broken platform may precede by what belongs under it.
pub(crate) struct ListLock<B, R: Retire> {
    watched: Watched<InPlace<R>>,
    held: AtomicBool,
    _world: PhantomData<fn() -> B>,
}

impl<B: Backend, T: Send, R: RawLock<T> + Retire> Lock<T> for ListLock<B, R>
where
    R: Send + Sync,
{
    fn new(value: T) -> Self {
        ListLock {
            watched: Watched::new(InPlace(ManuallyDrop::new(R::new(value)))),
            held: AtomicBool::new(false),
            _world: PhantomData,
        }
    }

    fn with<V>(&self, f: impl FnOnce(&mut T) -> V) -> V {
        wait_for_lock();
        broken::take_early::<B>();
        let place = Place::current();
        let result = self.watched.alive().0.with(|value| {
            // The lock may have let others run.
            place.resume();
            self.watched.alive();
            self.held.store(true, Ordering::SeqCst);
            let result = f(value);
            self.held.store(false, Ordering::SeqCst);
            result
        });
        place.resume();
        result
    }

    fn get_mut(&mut self) -> &mut T {
        if self.held.load(Ordering::SeqCst) {
            touch_freed("a lock that is held");
        }
        self.watched.alive();
        self.watched.raw.0.get_mut()
    }
}

impl<T, R: RawCell<T> + Retire> PlainCell<T> for Watched<R> {
    fn new(value: T) -> Self {
        Watched::new(R::new(value))
    }

    unsafe fn with<V>(&self, f: impl FnOnce(&T) -> V) -> V {
        // SAFETY: The caller's duty; the world reports where it is not met.
        unsafe { self.alive().with(f) }
    }

    unsafe fn with_mut<V>(&self, f: impl FnOnce(&mut T) -> V) -> V {
        // SAFETY: The caller's duty; the world reports where it is not met.
        unsafe { self.alive().with_mut(f) }
    }
}

/// A toy grace period: readers are counted, and the last one out runs what was deferred.
///
/// It is exact for one retirement in its life, which is all that a scenario makes: a reader that is
/// inside when the retirement is announced keeps the count above zero, and one that enters later
/// acquires the announcement and cannot find the socket any more.
#[cfg(not(crossbeam_loom))]
pub(crate) struct ToyRcu<B: Backend> {
    /// Readers inside, and `RETIRED` once something was deferred.
    state: B::I32,
    deferred: B::Lock<Vec<Callback>>,
}

#[cfg(not(crossbeam_loom))]
type Callback = Box<dyn FnOnce() + Send>;

#[cfg(not(crossbeam_loom))]
const RETIRED: i32 = 1 << 16;

#[cfg(not(crossbeam_loom))]
impl<B: Backend> ToyRcu<B> {
    fn run_deferred(&self) {
        let place = Place::current();
        let callbacks = self.deferred.with(|deferred| {
            place.resume();
            std::mem::take(deferred)
        });
        place.resume();
        for callback in callbacks {
            callback();
        }
    }
}

// SAFETY: A callback runs when crossbeam-epoch has seen every participant that was pinned at the time
// unpinned, or when the collector goes, which is after every section. Loom only: see `tests/epoch.rs`.
#[cfg(crossbeam_loom)]
unsafe impl<B: Backend> Rcu for Model<B> {
    type Domain = crossbeam_epoch::Collector;

    fn domain() -> Self::Domain {
        crossbeam_epoch::Collector::new()
    }

    fn read<R>(domain: &Self::Domain, f: impl FnOnce() -> R) -> R {
        let handle = switching(|| domain.register());
        let pinned = switching(|| handle.pin());
        let result = f();
        switching(|| drop(pinned));
        switching(|| drop(handle));
        result
    }

    fn defer(domain: &Self::Domain, callback: impl FnOnce() + Send + 'static) {
        if broken::is(&Fault::NoGrace) {
            return callback();
        }
        let handle = switching(|| domain.register());
        let pinned = switching(|| handle.pin());
        pinned.defer(callback);
        switching(|| pinned.flush());
        switching(|| drop(pinned));
        switching(|| drop(handle));
    }
}

// SAFETY: See `ToyRcu`; a fault may break it, and then the models see it.
#[cfg(not(crossbeam_loom))]
unsafe impl<B: Backend> Rcu for Model<B> {
    type Domain = ToyRcu<B>;

    fn domain() -> Self::Domain {
        ToyRcu {
            state: B::I32::new(0),
            deferred: B::Lock::new(Vec::new()),
        }
    }

    fn read<R>(domain: &Self::Domain, f: impl FnOnce() -> R) -> R {
        switching(|| domain.state.fetch_add(1, Ordering::AcqRel));
        let result = f();
        let before = switching(|| domain.state.fetch_sub(1, Ordering::AcqRel));
        if before == RETIRED + 1 {
            domain.run_deferred();
        }
        result
    }

    fn defer(domain: &Self::Domain, callback: impl FnOnce() + Send + 'static) {
        if broken::is(&Fault::NoGrace) {
            return callback();
        }
        let place = Place::current();
        domain.deferred.with(|deferred| {
            place.resume();
            assert!(
                deferred.is_empty(),
                "the toy grace period covers one retirement"
            );
            deferred.push(Box::new(callback));
        });
        place.resume();
        let before = switching(|| domain.state.fetch_add(RETIRED, Ordering::AcqRel));
        if before == 0 {
            domain.run_deferred();
        }
    }
}
