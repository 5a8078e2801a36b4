// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a user would pick instead, with a limit in bytes around it.
//!
//! A queue behind a mutex counts its bytes there. The others read an atomic counter, compare, and add to
//! it, as the core's admission does. They do less than the core: none accounts pages of protocol memory,
//! holds releases back, or tells why a packet was dropped.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{mpsc, Arc, Mutex, MutexGuard, PoisonError};

use crate::Job;

/// A packet of the peers.
pub struct Load {
    truesize: u32,
    /// What it carries.
    pub data: u64,
}

fn load(truesize: u32) -> Box<Load> {
    Box::new(Load { truesize, data: 0 })
}

fn fits(held: u32, size: u32, limit: u32) -> bool {
    held == 0 || held.saturating_add(size) <= limit
}

/// The bytes that wait in a queue which has no lock to count them under.
pub struct Budget {
    held: AtomicU32,
    limit: u32,
}

impl Budget {
    fn new(limit: u32) -> Arc<Budget> {
        let held = AtomicU32::new(0);
        Arc::new(Budget { held, limit })
    }

    #[inline]
    fn admit(&self, load: Box<Load>) -> Result<Box<Load>, Box<Load>> {
        if !fits(self.held.load(Relaxed), load.truesize, self.limit) {
            return Err(load);
        }
        self.held.fetch_add(load.truesize, Relaxed);
        Ok(load)
    }

    #[inline]
    fn release(&self, load: Box<Load>) -> Box<Load> {
        self.held.fetch_sub(load.truesize, Relaxed);
        load
    }
}

macro_rules! counted {
    ($(#[$doc:meta])* $name:ident, $title:literal, $writer:ty, $reader:ty, $open:expr, $send:expr, $receive:expr) => {
        $(#[$doc])*
        pub struct $name;

        impl Job for $name {
            const NAME: &'static str = $title;
            type Packet = Box<Load>;
            type Writer = (Arc<Budget>, $writer);
            type Reader = (Arc<Budget>, $reader);

            fn open(limit: u32) -> (Self::Writer, Self::Reader) {
                let budget = Budget::new(limit);
                let (writer, reader) = $open;
                ((Arc::clone(&budget), writer), (budget, reader))
            }
            fn packet(truesize: u32) -> Box<Load> {
                load(truesize)
            }
            #[inline]
            fn offer((budget, writer): &Self::Writer, packet: Box<Load>) -> Result<(), Box<Load>> {
                $send(writer, budget.admit(packet)?)
            }
            #[inline]
            fn take((budget, reader): &Self::Reader) -> Option<Box<Load>> {
                $receive(reader).map(|packet| budget.release(packet))
            }
        }
    };
}

counted!(
    /// `crossbeam_queue::SegQueue`.
    SegQueue,
    "crossbeam SegQueue",
    Arc<crossbeam_queue::SegQueue<Box<Load>>>,
    Arc<crossbeam_queue::SegQueue<Box<Load>>>,
    {
        let queue = Arc::new(crossbeam_queue::SegQueue::new());
        (Arc::clone(&queue), queue)
    },
    |queue: &Arc<crossbeam_queue::SegQueue<_>>, packet| {
        queue.push(packet);
        Ok(())
    },
    |queue: &Arc<crossbeam_queue::SegQueue<_>>| queue.pop()
);

counted!(
    /// `crossbeam_channel::unbounded`.
    CrossbeamChannel,
    "crossbeam channel",
    crossbeam_channel::Sender<Box<Load>>,
    crossbeam_channel::Receiver<Box<Load>>,
    crossbeam_channel::unbounded(),
    |sender: &crossbeam_channel::Sender<_>, packet| sender.send(packet).map_err(|error| error.0),
    |receiver: &crossbeam_channel::Receiver<_>| receiver.try_recv().ok()
);

counted!(
    /// `std::sync::mpsc::channel`: one reader only.
    StdChannel,
    "std mpsc",
    mpsc::Sender<Box<Load>>,
    mpsc::Receiver<Box<Load>>,
    mpsc::channel(),
    |sender: &mpsc::Sender<_>, packet| sender.send(packet).map_err(|error| error.0),
    |receiver: &mpsc::Receiver<_>| receiver.try_recv().ok()
);

/// A queue and its bytes, for a lock to guard.
#[derive(Default)]
pub struct Held {
    bytes: u32,
    queue: VecDeque<Box<Load>>,
}

impl Held {
    #[inline]
    fn offer(&mut self, packet: Box<Load>, limit: u32) -> Result<(), Box<Load>> {
        if !fits(self.bytes, packet.truesize, limit) {
            return Err(packet);
        }
        self.bytes += packet.truesize;
        self.queue.push_back(packet);
        Ok(())
    }

    #[inline]
    fn take(&mut self) -> Option<Box<Load>> {
        let packet = self.queue.pop_front()?;
        self.bytes -= packet.truesize;
        Some(packet)
    }
}

macro_rules! locked {
    ($(#[$doc:meta])* $name:ident, $title:literal, $lock:ty, $take:expr) => {
        $(#[$doc])*
        pub struct $name;

        impl Job for $name {
            const NAME: &'static str = $title;
            type Packet = Box<Load>;
            type Writer = Arc<(u32, $lock)>;
            type Reader = Arc<(u32, $lock)>;

            fn open(limit: u32) -> (Self::Writer, Self::Reader) {
                let queue = Arc::new((limit, <$lock>::default()));
                (Arc::clone(&queue), queue)
            }
            fn packet(truesize: u32) -> Box<Load> {
                load(truesize)
            }
            #[inline]
            fn offer(writer: &Self::Writer, packet: Box<Load>) -> Result<(), Box<Load>> {
                let (limit, lock) = &**writer;
                $take(lock).offer(packet, *limit)
            }
            #[inline]
            fn take(reader: &Self::Reader) -> Option<Box<Load>> {
                $take(&reader.1).take()
            }
        }
    };
}

#[inline]
fn std_guard(lock: &Mutex<Held>) -> MutexGuard<'_, Held> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

locked!(
    /// `std::sync::Mutex<VecDeque>`.
    StdMutex,
    "std Mutex<VecDeque>",
    Mutex<Held>,
    std_guard
);

locked!(
    /// `parking_lot::Mutex<VecDeque>`.
    ParkingLot,
    "parking_lot Mutex<VecDeque>",
    parking_lot::Mutex<Held>,
    parking_lot::Mutex::lock
);
