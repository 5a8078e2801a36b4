// SPDX-License-Identifier: MIT OR Apache-2.0

//! The platform of a flood: real hardware that remembers the largest `rmem_alloc`, and packets that come
//! back to the producer that made them.

use std::cell::{Cell, UnsafeCell};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr};
use std::sync::Arc;

use prodq::baseline::{busylocks, Design, HashedBusylock, PlainLock, SocketBusylock};
use prodq::{
    boxed_nodes, Chain, DropReason, HwLock, KernelOrder, LlistHead, Lock, Options, Packet,
    Platform, Polling, ProdQueue, Proto, ProtoMem, Skb, SkbHead, Sock, Step,
};
use prodq_models::design::Baseline;

/// Real hardware, as `prodq::Hw`. The trace hook looks at the two additions that can raise `rmem_alloc`
/// and keeps the largest sum for each thread: a compare for each of them, nothing for other steps.
pub struct Metered;

thread_local! {
    /// The largest `rmem_alloc` that this thread made since it was asked last.
    static HIGHEST: Cell<i32> = const { Cell::new(0) };
    /// How many packets a destructor on this thread found in the queues.
    static FOUND_BY_DESTRUCT: Cell<u64> = const { Cell::new(0) };
}

/// The largest `rmem_alloc` that this thread made since the last call, in bytes. `rmem_alloc` is largest
/// right after an addition, and each addition tells what it found, so the maximum over all threads is
/// exact.
pub fn take_highest() -> i32 {
    HIGHEST.replace(0)
}

/// How many packets a destructor on this thread found in the queues since the last call.
pub fn take_found_by_destruct() -> u64 {
    FOUND_BY_DESTRUCT.replace(0)
}

// SAFETY: Std's atomics, cell and mutex, as in `prodq::Hw`.
unsafe impl Platform for Metered {
    type AtomicI32 = AtomicI32;
    type AtomicIsize = AtomicIsize;
    type AtomicPtr<T: 'static> = AtomicPtr<T>;
    type Cell<T> = UnsafeCell<T>;
    type Lock<T: Send> = HwLock<T>;

    #[inline(always)]
    fn trace(step: Step) {
        match step {
            Step::AddRmem { size, old } | Step::ChargeSock { size, old, .. } => {
                let after = old.wrapping_add(size as i32);
                if after > HIGHEST.get() {
                    HIGHEST.set(after);
                }
            }
            Step::Free {
                reason: DropReason::Closed,
                ..
            } => FOUND_BY_DESTRUCT.set(FOUND_BY_DESTRUCT.get() + 1),
            _ => {}
        }
    }
}

/// The protocol of the flood.
pub struct Udp;

impl Proto for Udp {
    type Platform = Metered;
    type Packet = FloodPacket;
    type Admission = KernelOrder;
    type Readers = Polling;
    type Nodes = Box<[ProdQueue<Metered>]>;
    type Memory = Arc<ProtoMem<Metered>>;
}

/// A packet of the flood.
pub type FloodPacket = Box<Skb<Metered, Stamp>>;

/// Which packet it is.
#[derive(Clone, Copy, Default)]
pub struct Stamp {
    /// Who made it.
    pub producer: usize,
    /// How many it had offered before.
    pub number: u64,
}

impl Stamp {
    /// A number that tells packets apart well enough for their sum to miss one.
    pub fn fingerprint(self) -> u64 {
        let mixed = self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.producer as u64;
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// A design: one that the patch replaced, or the per-node queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DesignName(pub Option<Baseline>);

impl DesignName {
    /// All of them, from the oldest to the newest.
    pub const ALL: [DesignName; 4] = [
        DesignName(Some(Baseline::PlainLock)),
        DesignName(Some(Baseline::HashedBusylock)),
        DesignName(Some(Baseline::SocketBusylock)),
        DesignName(None),
    ];

    /// Its name, as in tables.
    pub fn name(self) -> &'static str {
        self.0.map_or(Sock::<Udp>::NAME, Baseline::name)
    }

    /// Calls `work` with a socket of this design.
    pub fn with<W: Work>(
        self,
        nodes: usize,
        rcvbuf: u32,
        memory: &Arc<ProtoMem<Metered>>,
        work: W,
    ) -> anyhow::Result<W::Result> {
        let options = Options {
            rcvbuf,
            rxq_ovfl: false,
        };
        let mut sock = Sock::<Udp>::new(options, Arc::clone(memory))?;
        sock.init(|| boxed_nodes(nodes))?;
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(match self.0 {
            Some(Baseline::PlainLock) => work.run(PlainLock::new(sock)),
            Some(Baseline::HashedBusylock) => {
                let locks = (0..busylocks(cpus)).map(|_| Lock::new(()));
                let locks: Box<[HwLock<()>]> = locks.collect();
                work.run(HashedBusylock::new(sock, locks))
            }
            Some(Baseline::SocketBusylock) => work.run(SocketBusylock::new(sock)),
            None => work.run(sock),
        })
    }
}

/// Something to do with a socket of any design.
pub trait Work {
    /// What comes of it.
    type Result;
    /// Does it; the design is dropped in it.
    fn run<D: Design<Udp> + Send + Sync>(self, design: D) -> Self::Result;
}

/// The packets of one producer that were delivered: readers put them here.
#[derive(Default)]
#[repr(align(128))]
pub struct Returned(LlistHead<Metered>);

impl Returned {
    /// Gives a packet back.
    #[inline]
    pub fn put(&self, packet: FloodPacket) {
        // SAFETY: The packet is given up to the list, which only `Pool` takes packets from.
        unsafe { self.0.add(Packet::into_raw(packet)) };
    }
}

/// The packets of one producer that nobody else has.
pub struct Pool<'a> {
    returned: &'a Returned,
    here: Chain<Metered>,
    /// How many it had to make.
    pub made: u64,
}

// SAFETY: The chain owns its packets, which may change threads.
unsafe impl Send for Pool<'_> {}

impl<'a> Pool<'a> {
    /// An empty pool that is refilled from `returned`.
    pub fn new(returned: &'a Returned) -> Self {
        Pool {
            returned,
            here: Chain::default(),
            made: 0,
        }
    }

    fn pop(&mut self) -> Option<FloodPacket> {
        if self.here.is_empty() && !self.returned.0.is_empty() {
            self.here = self.returned.0.take_all();
        }
        // SAFETY: Chain and list get packets by `into_raw` of this type.
        let packet = |head: NonNull<SkbHead<Metered>>| unsafe { Packet::from_raw(head) };
        self.here.pop().map(packet)
    }

    /// A packet that weighs `truesize` bytes: one that came back, or a new one.
    #[inline]
    pub fn get(&mut self, truesize: u32, stamp: Stamp) -> anyhow::Result<FloodPacket> {
        let Some(mut packet) = self.pop() else {
            self.made += 1;
            return Ok(Box::new(Skb::new(truesize, stamp)?));
        };
        packet.data = stamp;
        // SAFETY: The packet is the pool's, and in no list any more.
        unsafe { packet.head().set_truesize(truesize)? };
        Ok(packet)
    }

    /// Keeps a packet that was refused.
    #[inline]
    pub fn put(&mut self, packet: FloodPacket) {
        // SAFETY: The packet is given up to the chain.
        unsafe { self.here.push(Packet::into_raw(packet)) };
    }

    /// Frees everything; how many packets there were.
    pub fn empty(&mut self) -> u64 {
        std::iter::from_fn(|| self.pop()).count() as u64
    }
}
