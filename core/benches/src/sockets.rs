// SPDX-License-Identifier: MIT OR Apache-2.0

//! The core's socket and the designs before it do the job; batches of any size on one thread.

use std::cell::{Cell, RefCell, UnsafeCell};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr};
use std::sync::Arc;

use prodq::baseline::{self, Design};
use prodq::{
    boxed_nodes, HwLock, HwPacket, HwSock, KernelOrder, Lock, Options, Platform, Polling,
    ProdQueue, Proto, ProtoMem, Skb, Sock, Step, Udp,
};

use crate::{Job, RCVBUF, TRUESIZE};

type HwUdp = Udp<u64>;

/// A socket of one node with an rcvbuf of `limit` bytes.
fn open(limit: u32) -> HwSock<u64> {
    let options = Options {
        rcvbuf: limit,
        rxq_ovfl: false,
    };
    let memory = Arc::new(ProtoMem::unlimited());
    HwSock::open(1, options, memory).expect("a socket of one node")
}

macro_rules! design {
    ($(#[$doc:meta])* $name:ident, $title:expr, $design:ty, $open:expr) => {
        $(#[$doc])*
        pub struct $name;

        impl Job for $name {
            const NAME: &'static str = $title;
            type Packet = HwPacket<u64>;
            type Writer = Arc<$design>;
            type Reader = Arc<$design>;

            fn open(limit: u32) -> (Self::Writer, Self::Reader) {
                let design = Arc::new($open(open(limit)));
                (Arc::clone(&design), design)
            }
            fn packet(truesize: u32) -> HwPacket<u64> {
                Box::new(Skb::new(truesize, 0).expect("a size that is allowed"))
            }
            #[inline]
            fn offer(design: &Self::Writer, packet: HwPacket<u64>) -> Result<(), HwPacket<u64>> {
                match design.enqueue(0, packet) {
                    Ok(_) => Ok(()),
                    Err(refused) => Err(refused.skb),
                }
            }
            #[inline]
            fn take(design: &Self::Reader) -> Option<HwPacket<u64>> {
                design.sock().recv()
            }
        }
    };
}

design!(
    /// The core: the per-node queue, one node.
    PerNode,
    "prodq",
    HwSock<u64>,
    std::convert::identity
);
design!(
    /// 2025: one busylock for each socket.
    PerSocket,
    baseline::SocketBusylock::<HwUdp>::NAME,
    baseline::SocketBusylock<HwUdp>,
    baseline::SocketBusylock::new
);
design!(
    /// 2016: an array of busylocks, as large as for one CPU.
    Hashed,
    baseline::HashedBusylock::<HwUdp, Locks>::NAME,
    baseline::HashedBusylock<HwUdp, Locks>,
    |sock| {
        let locks = (0..baseline::busylocks(1)).map(|_| Lock::new(()));
        baseline::HashedBusylock::new(sock, locks.collect())
    }
);
design!(
    /// Before 2016: every producer takes the receive queue's lock.
    Plain,
    baseline::PlainLock::<HwUdp>::NAME,
    baseline::PlainLock<HwUdp>,
    baseline::PlainLock::new
);

type Locks = Box<[HwLock<()>]>;

/// Real hardware, on which others push at a moment of our choice: right after a push that elects.
pub struct Batching;

thread_local! {
    /// Whose packets are pushed next, or null.
    static OTHERS: Cell<*const Batches> = const { Cell::new(ptr::null()) };
}

// SAFETY: Std's atomics, cell and mutex, as in `prodq::Hw`.
unsafe impl Platform for Batching {
    type AtomicI32 = AtomicI32;
    type AtomicIsize = AtomicIsize;
    type AtomicPtr<T: 'static> = AtomicPtr<T>;
    type Cell<T> = UnsafeCell<T>;
    type Lock<T: Send> = HwLock<T>;

    #[inline(always)]
    fn trace(step: Step) {
        if let Step::Push {
            was_empty: true, ..
        } = step
        {
            let others = OTHERS.replace(ptr::null());
            // SAFETY: `enqueue` lent itself for the time of its call, which this is in.
            if let Some(others) = unsafe { others.as_ref() } {
                others.push_others();
            }
        }
    }
}

type BatchPacket = Box<Skb<Batching, u64>>;

struct BatchUdp;

impl Proto for BatchUdp {
    type Platform = Batching;
    type Packet = BatchPacket;
    type Admission = KernelOrder;
    type Readers = Polling;
    type Nodes = Box<[ProdQueue<Batching>]>;
    type Memory = Arc<ProtoMem<Batching>>;
}

/// A socket that is given batches of one size: what an elected CPU drains while others push.
pub struct Batches {
    sock: Sock<BatchUdp>,
    size: usize,
    spare: RefCell<Vec<BatchPacket>>,
}

impl Batches {
    /// An empty socket for batches of `size` packets, `batches` of which are enqueued before any is
    /// received.
    pub fn new(size: usize, batches: usize) -> Batches {
        let options = Options {
            rcvbuf: 2 * RCVBUF,
            rxq_ovfl: false,
        };
        let memory = Arc::new(ProtoMem::unlimited());
        let mut sock = Sock::new(options, memory).expect("an rcvbuf that is allowed");
        sock.init(|| boxed_nodes(1)).expect("memory for one node");
        let packet = || Box::new(Skb::new(TRUESIZE, 0).expect("a size that is allowed"));
        let spare = RefCell::new((0..batches * size).map(|_| packet()).collect());
        Batches { sock, size, spare }
    }

    fn push(&self) {
        if let Some(packet) = self.spare.borrow_mut().pop() {
            assert!(self.sock.enqueue(0, packet).is_ok(), "rcvbuf is too small");
        }
    }

    fn push_others(&self) {
        for _ in 1..self.size {
            self.push();
        }
    }

    /// Enqueues one batch: a push that elects, the pushes of the others, the drain.
    #[inline(never)]
    pub fn enqueue(&self) {
        OTHERS.set(self);
        let packet = self.spare.borrow_mut().pop();
        let packet = packet.expect("fewer batches than there are packets for");
        assert!(self.sock.enqueue(0, packet).is_ok(), "rcvbuf is too small");
    }

    /// Receives everything, one by one; returns how many.
    pub fn recv_all(&self) -> usize {
        let mut spare = self.spare.borrow_mut();
        let before = spare.len();
        while let Some(packet) = self.sock.recv() {
            spare.push(packet);
        }
        spare.len() - before
    }
}
