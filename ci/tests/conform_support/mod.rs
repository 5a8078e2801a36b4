// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the tests of the comparison share: the recordings, and cores that are broken on purpose.

#![allow(dead_code)] // Each test uses some of it.

use std::path::PathBuf;
use std::sync::atomic::AtomicI32;

use prodq::{Admission, AtomicInt, Counters, Hw, KernelOrder, Platform, Site};
use prodq_ci::conform::core_side::play_on;
use prodq_ci::conform::seen::Recording;
use prodq_ci::conform::trace::{Header, Trace};
use prodq_ci::conform::world::SharedPages;

/// Plays a recording's operations on a core.
pub type Core = fn(&Header, &Recording) -> anyhow::Result<Recording>;

/// The recordings of `ci/traces`.
pub fn traces() -> Vec<(PathBuf, Trace)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("traces");
    let files = std::fs::read_dir(&folder).expect("ci/traces");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    paths.sort();
    let read = |path: PathBuf| {
        let trace = Trace::read(&path).expect("a recording");
        (path, trace)
    };
    paths.into_iter().map(read).collect()
}

/// How a platform bends what the core reads and adds.
pub trait Bend: Copy + Send + Sync + 'static {
    /// log2 of the page size that the core believes in.
    const PAGE_SHIFT: u32 = Hw::PAGE_SHIFT;
    /// What a load at `site` gives instead of `value`.
    fn load(_site: Site, value: i32) -> i32 {
        value
    }
    /// What is added or subtracted at `site` instead of `value`.
    fn change(_site: Site, value: i32) -> i32 {
        value
    }
    /// As `change`, for the protocol's pages.
    fn pages(_site: Site, pages: isize) -> isize {
        pages
    }
}

/// The platform of a comparison, bent.
#[derive(Clone, Copy)]
pub struct Bent<B>(B);

// SAFETY: Counters are bent on purpose; pointers, cells and locks are `Hw`s.
unsafe impl<B: Bend> Platform for Bent<B> {
    type AtomicI32 = BentInt<B>;
    type AtomicIsize = BentPages<B>;
    type AtomicPtr<T: 'static> = <Hw as Platform>::AtomicPtr<T>;
    type Cell<T> = <Hw as Platform>::Cell<T>;
    type Lock<T: Send> = <Hw as Platform>::Lock<T>;
    const PAGE_SHIFT: u32 = B::PAGE_SHIFT;
}

pub struct BentInt<B>(AtomicI32, std::marker::PhantomData<B>);

impl<B: Bend> AtomicInt<i32> for BentInt<B> {
    fn new(value: i32) -> Self {
        BentInt(AtomicInt::new(value), std::marker::PhantomData)
    }
    fn load(&self, site: Site) -> i32 {
        B::load(site, AtomicInt::load(&self.0, site))
    }
    fn fetch_add(&self, value: i32, site: Site) -> i32 {
        AtomicInt::fetch_add(&self.0, B::change(site, value), site)
    }
    fn fetch_sub(&self, value: i32, site: Site) -> i32 {
        AtomicInt::fetch_sub(&self.0, B::change(site, value), site)
    }
    fn swap(&self, value: i32, site: Site) -> i32 {
        AtomicInt::swap(&self.0, value, site)
    }
}

pub struct BentPages<B>(SharedPages, std::marker::PhantomData<B>);

impl<B: Bend> AtomicInt<isize> for BentPages<B> {
    fn new(value: isize) -> Self {
        BentPages(AtomicInt::new(value), std::marker::PhantomData)
    }
    fn load(&self, site: Site) -> isize {
        self.0.load(site)
    }
    fn fetch_add(&self, pages: isize, site: Site) -> isize {
        self.0.fetch_add(B::pages(site, pages), site)
    }
    fn fetch_sub(&self, pages: isize, site: Site) -> isize {
        self.0.fetch_sub(B::pages(site, pages), site)
    }
    fn swap(&self, pages: isize, site: Site) -> isize {
        self.0.swap(pages, site)
    }
}

macro_rules! bend {
    ($(#[$doc:meta])* $name:ident { $($body:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name;
        impl Bend for $name { $($body)* }
    };
}

bend!(
    /// Not bent.
    Straight {}
);
bend!(
    /// Memory is released when the deficit exceeds a quarter of rcvbuf, not when it reaches it.
    ThresholdOff {
        fn load(site: Site, value: i32) -> i32 {
            value + i32::from(site == Site::ReadThreshold)
        }
    }
);
bend!(
    /// Memory is released with every packet: the deficit is never held.
    NeverHeld {
        fn load(site: Site, value: i32) -> i32 {
            if site == Site::ReadThreshold { 0 } else { value }
        }
    }
);
bend!(
    /// Charges are rounded up to two pages.
    TwoPages {
        const PAGE_SHIFT: u32 = Hw::PAGE_SHIFT + 1;
    }
);
bend!(
    /// The protocol is charged one page too many.
    PageTooMany {
        fn pages(site: Site, pages: isize) -> isize {
            pages + isize::from(site == Site::ChargePages)
        }
    }
);
bend!(
    /// The protocol gets back one page too few whenever it gets back several.
    PageTooFew {
        fn pages(site: Site, pages: isize) -> isize {
            pages - isize::from(site == Site::UnchargePages && pages > 1)
        }
    }
);
bend!(
    /// A drop counts twice.
    DropsTwice {
        fn change(site: Site, value: i32) -> i32 {
            if site == Site::AddDrops { 2 * value } else { value }
        }
    }
);
bend!(
    /// The protocol's limits look at memory of the socket that is not there.
    NoMinimum {
        fn load(site: Site, value: i32) -> i32 {
            if site == Site::ReadPressure { i32::MAX } else { value }
        }
    }
);

/// The kernel's order of reads, but an empty socket is never seen as empty.
#[derive(Clone, Copy)]
pub struct NoExemption;

impl Admission for NoExemption {
    const NAME: &'static str = "no exemption";

    fn occupied<P: Platform>(counters: &Counters<'_, P>) -> u32 {
        KernelOrder::occupied(counters).max(1)
    }
}

/// The core, but condensing a datagram changes nothing.
fn no_condensing(header: &Header, recording: &Recording) -> anyhow::Result<Recording> {
    let mut header = header.clone();
    let mut rows = Vec::from(header.truesizes);
    for (_, _, _, _, full, condensed) in &mut rows {
        *condensed = *full;
    }
    header.truesizes = rows.into();
    STRAIGHT(&header, recording)
}

/// The core that is not broken, through the same adapter: must be found faultless.
pub const STRAIGHT: Core = play_on::<Bent<Straight>, KernelOrder>;

/// The broken cores, and whether memory pressure or the protocol's pages show them.
pub const BROKEN: [(&str, Core); 9] = [
    (
        "threshold off by one",
        play_on::<Bent<ThresholdOff>, KernelOrder>,
    ),
    (
        "accept-if-empty missing",
        play_on::<Bent<Straight>, NoExemption>,
    ),
    (
        "deficit never held",
        play_on::<Bent<NeverHeld>, KernelOrder>,
    ),
    (
        "pages rounded to two",
        play_on::<Bent<TwoPages>, KernelOrder>,
    ),
    (
        "a page too many charged",
        play_on::<Bent<PageTooMany>, KernelOrder>,
    ),
    (
        "a page too few returned",
        play_on::<Bent<PageTooFew>, KernelOrder>,
    ),
    (
        "drops counted twice",
        play_on::<Bent<DropsTwice>, KernelOrder>,
    ),
    ("condensing missing", no_condensing),
    (
        "udp_rmem_min missing",
        play_on::<Bent<NoMinimum>, KernelOrder>,
    ),
];
