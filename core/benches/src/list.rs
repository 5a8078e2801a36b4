// SPDX-License-Identifier: MIT OR Apache-2.0

//! The list alone: push, and whoever found it empty takes everything.

use std::ptr::NonNull;
use std::thread;
use std::time::Duration;

use cordyceps::stack::Links;
use cordyceps::{Linked, TransferStack};
use prodq::{Hw, LlistHead, SkbHead};

use crate::TRUESIZE;

/// A list of entries that stay where they are.
pub trait List: Default + Sync {
    /// Its name in tables.
    const NAME: &'static str;
    /// An entry.
    type Entry;

    /// An entry that is in no list.
    fn entry() -> Self::Entry;
    /// Pushes an entry; if the list was empty, takes it and hands each entry to `taken`.
    ///
    /// # Safety
    /// The entry is the caller's until this call, is valid while the list has it, and belongs to whoever
    /// is handed it.
    unsafe fn push_and_take(
        &self,
        entry: NonNull<Self::Entry>,
        taken: impl FnMut(NonNull<Self::Entry>),
    );
}

impl List for LlistHead<Hw> {
    const NAME: &'static str = "prodq";
    type Entry = SkbHead<Hw>;

    fn entry() -> SkbHead<Hw> {
        SkbHead::new(TRUESIZE).expect("a size that is allowed")
    }
    #[inline]
    unsafe fn push_and_take(
        &self,
        entry: NonNull<SkbHead<Hw>>,
        mut taken: impl FnMut(NonNull<SkbHead<Hw>>),
    ) {
        // SAFETY: The caller's.
        if unsafe { self.add(entry) } {
            let mut chain = self.take_all();
            while let Some(entry) = chain.pop() {
                taken(entry);
            }
        }
    }
}

/// An entry of cordyceps' stack, as large as a packet's header.
#[derive(Default)]
pub struct Entry {
    links: Links<Entry>,
    _sizes: [u32; 4],
}

// SAFETY: The handle is the pointer itself, and entries are not moved while they are linked.
unsafe impl Linked<Links<Entry>> for Entry {
    type Handle = NonNull<Entry>;

    fn into_ptr(entry: NonNull<Entry>) -> NonNull<Entry> {
        entry
    }
    unsafe fn from_ptr(entry: NonNull<Entry>) -> NonNull<Entry> {
        entry
    }
    unsafe fn links(entry: NonNull<Entry>) -> NonNull<Links<Entry>> {
        // SAFETY: The caller's pointer is valid.
        unsafe { NonNull::new_unchecked(&raw mut (*entry.as_ptr()).links) }
    }
}

/// `cordyceps::TransferStack`.
#[derive(Default)]
pub struct Cordyceps(TransferStack<Entry>);

// SAFETY: The stack is an atomic pointer; an entry is touched by whoever owns it alone.
unsafe impl Sync for Cordyceps {}

impl List for Cordyceps {
    const NAME: &'static str = "cordyceps TransferStack";
    type Entry = Entry;

    fn entry() -> Entry {
        Entry::default()
    }
    #[inline]
    unsafe fn push_and_take(&self, entry: NonNull<Entry>, mut taken: impl FnMut(NonNull<Entry>)) {
        if self.0.push_was_empty(entry) {
            let mut stack = self.0.take_all();
            while let Some(entry) = stack.pop() {
                taken(entry);
            }
        }
    }
}

/// How many entries a thread starts with.
const ENTRIES: usize = 64;

/// What a thread owns: entries that are in no list.
struct Spare<L: List>(Vec<NonNull<L::Entry>>);

// SAFETY: An entry in no list is plain memory that this value owns.
unsafe impl<L: List> Send for Spare<L> {}

impl<L: List> Spare<L> {
    fn new() -> Self {
        let mut spare = Spare(Vec::with_capacity(1 << 16));
        spare.0.extend((0..ENTRIES).map(|_| Self::allocate()));
        spare
    }

    fn allocate() -> NonNull<L::Entry> {
        NonNull::from(Box::leak(Box::new(L::entry())))
    }

    /// Pushes so many entries, and keeps what it takes; how many it had to allocate, because the other
    /// threads have them.
    fn push(&mut self, list: &L, pushes: u64) -> usize {
        let mut allocated = 0;
        for _ in 0..pushes {
            let entry = self.0.pop().unwrap_or_else(|| {
                allocated += 1;
                Self::allocate()
            });
            // SAFETY: The entry was this thread's, and entries live until all threads have ended.
            unsafe { list.push_and_take(entry, |entry| self.0.push(entry)) };
        }
        allocated
    }
}

/// Lets `threads` threads push `pushes` times each, when and how `run` calls them; the longest time that
/// it returned.
pub fn by_threads<L: List>(
    threads: usize,
    pushes: u64,
    run: impl Fn(&mut dyn FnMut()) -> Duration + Sync,
) -> Duration {
    let list = L::default();
    let work = || {
        let mut spare = Spare::<L>::new();
        let mut allocated = 0;
        let time = run(&mut || allocated += spare.push(&list, pushes));
        (time, allocated, spare)
    };
    let ends: Vec<_> = thread::scope(|scope| {
        let spawned: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ends = spawned.into_iter().map(|thread| thread.join());
        ends.map(|end| end.expect("no thread panics")).collect()
    });
    let time = ends.iter().map(|(time, ..)| *time).max();
    let made: usize = ends.iter().map(|(_, made, _)| made + ENTRIES).sum();
    let mut kept = 0;
    for (_, _, spare) in ends {
        kept += spare.0.len();
        for entry in spare.0 {
            // SAFETY: It came from a leaked box, is in no list, and all threads have ended.
            drop(unsafe { Box::from_raw(entry.as_ptr()) });
        }
    }
    assert_eq!(kept, made, "an entry is lost");
    time.unwrap_or_default()
}
