// SPDX-License-Identifier: MIT OR Apache-2.0

//! The world that the core is compared in: hardware, with the page counter of a kernel.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use prodq::{AtomicInt, Hw, Platform, Site, Step};

use super::seen::Pages;

thread_local! {
    /// What the next counter of this thread starts with, and what the last one has.
    static START: Cell<PerCpu> = const { Cell::new(PerCpu::nothing()) };
    static LAST: Cell<PerCpu> = const { Cell::new(PerCpu::nothing()) };
    static STEPS: Cell<[u64; KINDS.len()]> = const { Cell::new([0; KINDS.len()]) };
}

/// The protocol's counter as the kernel keeps it on one CPU: see [`Pages`].
#[derive(Clone, Copy, Debug)]
struct PerCpu {
    shared: isize,
    reserve: isize,
    most: isize,
}

impl PerCpu {
    const fn nothing() -> PerCpu {
        PerCpu {
            shared: 0,
            reserve: 0,
            most: 1,
        }
    }
}

/// The counter of [`Live`]: it answers with the shared part, as the kernel's limits see it.
pub struct SharedPages(Mutex<PerCpu>);

impl SharedPages {
    fn change(&self, pages: isize) -> isize {
        let mut at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        at.reserve += pages;
        if at.reserve.abs() >= at.most {
            at.shared += at.reserve;
            at.reserve = 0;
        }
        LAST.set(*at);
        at.shared
    }
}

impl AtomicInt<isize> for SharedPages {
    /// Starts with what the protocol has, which is told to the thread beforehand.
    fn new(value: isize) -> Self {
        let mut start = START.get();
        start.shared += value;
        LAST.set(start);
        SharedPages(Mutex::new(start))
    }
    fn load(&self, _: Site) -> isize {
        self.change(0)
    }
    fn fetch_add(&self, pages: isize, _: Site) -> isize {
        self.change(pages) - pages
    }
    fn fetch_sub(&self, pages: isize, _: Site) -> isize {
        self.change(-pages) + pages
    }
    fn swap(&self, pages: isize, _: Site) -> isize {
        let mut at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut at.shared, pages)
    }
}

/// Hardware, with the page size and the page counter of one CPU of a kernel, that counts the steps it
/// hears.
#[derive(Clone, Copy, Debug)]
pub struct Live<const PAGE_SHIFT: u32>;

// SAFETY: The primitives are those of `Hw`, but for a page counter under a mutex.
unsafe impl<const PAGE_SHIFT: u32> Platform for Live<PAGE_SHIFT> {
    const PAGE_SHIFT: u32 = PAGE_SHIFT;
    type AtomicI32 = <Hw as Platform>::AtomicI32;
    type AtomicIsize = SharedPages;
    type AtomicPtr<T: 'static> = <Hw as Platform>::AtomicPtr<T>;
    type Cell<T> = <Hw as Platform>::Cell<T>;
    type Lock<T: Send> = <Hw as Platform>::Lock<T>;

    fn trace(step: Step) {
        let Some(kind) = KINDS.iter().position(|(_, is)| is(&step)) else {
            return;
        };
        let mut steps = STEPS.get();
        steps[kind] += 1;
        STEPS.set(steps);
    }
}

type Kind = (&'static str, fn(&Step) -> bool);

/// The branches that must have been taken before an agreement means anything; a step counts for the
/// first that it is.
const KINDS: [Kind; 10] = [
    ("refused", |s| matches!(s, Step::Refuse { .. })),
    (
        "condensed",
        |s| matches!(s, Step::Condense { from, to, .. } if to < from),
    ),
    ("not-condensed", |s| matches!(s, Step::Condense { .. })),
    ("no-memory", |s| matches!(s, Step::NoMemory { .. })),
    ("rmem-min-asked", |s| matches!(s, Step::ReadPressure { .. })),
    ("held-back", |s| matches!(s, Step::HoldBack { .. })),
    ("released", |s| matches!(s, Step::SubRmem { .. })),
    ("spliced", |s| matches!(s, Step::Splice { .. })),
    ("peeked", |s| matches!(s, Step::Peek { .. })),
    ("empty", |s| matches!(s, Step::Empty)),
];

/// How often each branch of the core was taken on this thread by [`Live`].
pub fn coverage() -> BTreeMap<&'static str, u64> {
    let counts = STEPS.get();
    let names = KINDS.iter().map(|(name, _)| *name);
    names.zip(counts).collect()
}

/// What the last counter of this thread has.
pub fn last() -> Pages {
    let last = LAST.get();
    Pages {
        shared: last.shared as i64,
        reserve: last.reserve as i64,
    }
}

/// Makes the next counter of this thread start with `start`, on a CPU that keeps back up to `most`
/// pages.
pub fn begin(start: Pages, most: u32) {
    START.set(PerCpu {
        shared: start.shared as isize,
        reserve: start.reserve as isize,
        most: most as isize,
    });
}
