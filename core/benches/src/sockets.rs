// SPDX-License-Identifier: MIT OR Apache-2.0

//! The core's socket does the job, and batches of any size on one thread.

use std::cell::{Cell, RefCell, UnsafeCell};
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr};
use std::sync::Arc;

use prodq::{
    boxed_nodes, HwLock, HwPacket, HwSock, KernelOrder, Options, Platform, Polling, ProdQueue,
    Proto, ProtoMem, Skb, Sock, Step,
};

use crate::{Job, RCVBUF, TRUESIZE};

/// The core: the per-node queue, one node.
pub struct PerNode;

impl Job for PerNode {
    const NAME: &'static str = "prodq";
    type Packet = HwPacket<u64>;
    type Writer = Arc<HwSock<u64>>;
    type Reader = Arc<HwSock<u64>>;

    fn open(limit: u32) -> (Self::Writer, Self::Reader) {
        let options = Options {
            rcvbuf: limit,
            rxq_ovfl: false,
        };
        let memory = Arc::new(ProtoMem::unlimited());
        let sock = Arc::new(HwSock::open(1, options, memory).expect("a socket of one node"));
        (Arc::clone(&sock), sock)
    }
    fn packet(truesize: u32) -> HwPacket<u64> {
        Box::new(Skb::new(truesize, 0).expect("a size that is allowed"))
    }
    #[inline]
    fn offer(sock: &Self::Writer, packet: HwPacket<u64>) -> Result<(), HwPacket<u64>> {
        match sock.enqueue(0, packet) {
            Ok(_) => Ok(()),
            Err(refused) => Err(refused.skb),
        }
    }
    #[inline]
    fn take(sock: &Self::Reader) -> Option<HwPacket<u64>> {
        sock.recv()
    }
}

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
