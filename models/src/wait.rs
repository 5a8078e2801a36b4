// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sleeping CPUs: the wait queue of the models, and the moment when every CPU sleeps.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use prodq::{Lock, Site, Wait, WaitQueue};

use crate::broken;
use crate::context::{here, lock, switching, What};
use crate::model::{ListLock, Model};
use crate::world::backend::{Backend, RawBell};

/// What wakes one sleep of one CPU.
pub(crate) struct Bell<R> {
    raw: R,
    woken: AtomicBool,
    interrupted: AtomicBool,
}

impl<R: RawBell> Bell<R> {
    fn new() -> Bell<R> {
        Bell {
            raw: R::new(),
            woken: AtomicBool::new(false),
            interrupted: AtomicBool::new(false),
        }
    }
}

/// A bell, whatever the world.
pub(crate) trait Ring: Send + Sync {
    fn was_woken(&self) -> bool;
    fn wake(&self);
    fn interrupt(&self);
    fn ring(&self);
}

impl<R: RawBell> Ring for Bell<R> {
    fn was_woken(&self) -> bool {
        self.woken.load(Ordering::SeqCst)
    }

    fn wake(&self) {
        self.woken.store(true, Ordering::SeqCst);
    }

    fn interrupt(&self) {
        self.interrupted.store(true, Ordering::SeqCst);
    }

    fn ring(&self) {
        switching(|| self.raw.ring());
    }
}

/// Which CPUs of an execution sleep and how many there are that may still wake them.
#[derive(Default)]
pub(crate) struct Asleep(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    unfinished: usize,
    sleepers: Vec<Arc<dyn Ring>>,
    /// Who waits until so many sleep.
    awaited: Option<(usize, Arc<dyn Ring>)>,
}

impl Counts {
    /// The sleepers, when nobody is left to wake them.
    fn deadlocked(&mut self) -> Vec<Arc<dyn Ring>> {
        if self.sleepers.is_empty() || self.sleepers.len() < self.unfinished {
            return Vec::new();
        }
        for sleeper in &self.sleepers {
            sleeper.interrupt();
        }
        std::mem::take(&mut self.sleepers)
    }
}

impl Asleep {
    pub(crate) fn of(cpus: usize) -> Asleep {
        Asleep(Mutex::new(Counts {
            unfinished: cpus,
            ..Counts::default()
        }))
    }

    /// Has the bell rung when this many CPUs sleep.
    fn await_sleepers(&self, count: usize, bell: Arc<dyn Ring>) {
        lock(&self.0).awaited = Some((count, bell));
    }

    /// A CPU falls asleep, unless it was woken before. Returns whom to tell, and whom to interrupt.
    fn fall_asleep(&self, bell: Arc<dyn Ring>) -> News {
        let mut counts = lock(&self.0);
        if bell.was_woken() {
            return (None, Vec::new());
        }
        counts.sleepers.push(bell);
        let asleep = counts.sleepers.len();
        let enough = counts.awaited.take_if(|(count, _)| *count <= asleep);
        (enough.map(|(_, bell)| bell), counts.deadlocked())
    }

    fn wake(&self, bell: &Arc<dyn Ring>) {
        let mut counts = lock(&self.0);
        bell.wake();
        counts
            .sleepers
            .retain(|sleeper| !Arc::ptr_eq(sleeper, bell));
    }

    fn finish(&self) -> News {
        let mut counts = lock(&self.0);
        counts.unfinished -= 1;
        // A CPU that finishes while it is awaited was stopped, and will not sleep.
        let awaited = counts.awaited.take().map(|(_, bell)| bell);
        (awaited, counts.deadlocked())
    }
}

/// Whom to tell that enough CPUs sleep, and whom to interrupt because all do.
type News = (Option<Arc<dyn Ring>>, Vec<Arc<dyn Ring>>);

/// Tells the one who waits for sleepers. If every CPU waits, says so, and interrupts those that sleep so
/// that the execution comes to its end.
fn report(news: Option<News>) {
    let (awaited, deadlocked) = news.unwrap_or_default();
    if let Some(bell) = awaited {
        bell.ring();
    }
    if deadlocked.is_empty() {
        return;
    }
    here(|context, cpu| context.record(cpu, What::Deadlock));
    for bell in deadlocked {
        bell.ring();
    }
}

/// The current CPU has come to the end of its script, in a scenario in which CPUs sleep.
pub(crate) fn finish_cpu<B: Backend>() {
    switching(B::unseen);
    report(here(|context, _| context.asleep.finish()));
}

/// Starts `count` readers by `start` and returns when all of them sleep.
pub(crate) fn put_to_sleep<B: Backend, R>(count: usize, start: impl FnOnce() -> R) -> R {
    let bell = Arc::new(Bell::<B::Bell>::new());
    let ring: Arc<dyn Ring> = Arc::<Bell<B::Bell>>::clone(&bell);
    here(|context, _| context.asleep.await_sleepers(count, ring));
    let started = start();
    switching(|| bell.raw.wait());
    started
}

/// A waiter's bell, which is in the queue until it is woken.
type Waiter<B> = Arc<Bell<<B as Backend>::Bell>>;

/// Exclusive waiters in the order in which they came.
pub(crate) struct ModelWaitQueue<B: Backend> {
    queue: ListLock<B, B::Lock<VecDeque<Waiter<B>>>>,
}

impl<B: Backend> ModelWaitQueue<B> {
    fn with<R>(&self, f: impl FnOnce(&mut VecDeque<Waiter<B>>) -> R) -> R {
        Lock::with(&self.queue, f)
    }
}

impl<B: Backend> WaitQueue for ModelWaitQueue<B> {
    type Waiter = Waiter<B>;

    fn new() -> Self {
        ModelWaitQueue {
            queue: Lock::new(VecDeque::new()),
        }
    }

    fn prepare(&self) -> Waiter<B> {
        let bell = Arc::new(Bell::new());
        self.with(|queue| queue.push_back(Arc::clone(&bell)));
        bell
    }

    fn sleep(&self, waiter: &Waiter<B>) -> bool {
        let bell: Arc<dyn Ring> = Arc::<Bell<B::Bell>>::clone(waiter);
        switching(B::unseen);
        report(here(|context, _| context.asleep.fall_asleep(bell)));
        switching(|| waiter.raw.wait());
        !waiter.interrupted.load(Ordering::SeqCst)
    }

    fn finish(&self, waiter: Waiter<B>) {
        self.with(|queue| queue.retain(|other| !Arc::ptr_eq(other, &waiter)));
    }

    fn wake(&self) -> bool {
        if !broken::wakes() {
            return false;
        }
        let Some(waiter) = self.with(VecDeque::pop_front) else {
            return false;
        };
        let bell: Arc<dyn Ring> = waiter;
        switching(B::unseen);
        here(|context, _| context.asleep.wake(&bell));
        bell.ring();
        true
    }
}

impl<B: Backend> Wait for Model<B> {
    type WaitQueue = ModelWaitQueue<B>;

    fn fence(site: Site) {
        let ordering = here(|context, _| context.broken.ordering(site));
        match ordering.unwrap_or(site.ordering()) {
            // A fence that orders nothing is none.
            Ordering::Relaxed => {}
            ordering => switching(|| B::fence(ordering)),
        }
    }
}
