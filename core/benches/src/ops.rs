// SPDX-License-Identifier: MIT OR Apache-2.0

//! The operations that are timed and counted. Every packet is there already: no operation allocates.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::thread;
use std::time::{Duration, Instant};

use prodq::{Hw, LlistHead};

use crate::floor::{Futex, Spin, Unlock, Words};
use crate::list::{self, Cordyceps, List};
use crate::peers::{CrossbeamChannel, ParkingLot, SegQueue, StdChannel, StdMutex};
use crate::sockets::{Batches, Hashed, PerNode, PerSocket, Plain};
use crate::{Job, RCVBUF, TRUESIZE};

/// An operation, and the time of so many of it.
pub struct Operation {
    /// What is done.
    pub group: &'static str,
    /// By whom.
    pub name: String,
    /// How many packets one operation is about.
    pub packets: u64,
    /// How many threads do it at the same time; each does as many operations.
    pub threads: usize,
    run: Box<dyn FnMut(u64) -> Duration>,
}

impl Operation {
    fn new(group: &'static str, name: &str, run: impl FnMut(u64) -> Duration + 'static) -> Self {
        Operation {
            group,
            name: name.to_owned(),
            packets: 1,
            threads: 1,
            run: Box::new(run),
        }
    }

    /// Does it so many times; the time it took, without what is prepared and put away.
    pub fn run(&mut self, operations: u64) -> Duration {
        (self.run)(operations)
    }
}

/// The name of the function that everything measured is called through, for callgrind.
pub const MEASURED: &str = "*ops::measured*";

#[inline(never)]
fn measured(f: impl FnOnce()) {
    f();
}

fn timed(f: impl FnOnce()) -> Duration {
    let start = Instant::now();
    measured(f);
    start.elapsed()
}

/// How many packets are enqueued before they are received.
const CHUNK: u64 = 200;

const SIZE: i32 = TRUESIZE as i32;

/// All operations with a name; those of one group are about the same.
pub fn all() -> Vec<Operation> {
    let mut all = vec![
        floor("pair", "floor", pair_floor::<Futex>),
        floor("pair", "floor, plain unlocks", pair_floor::<Spin>),
        floor("enqueue", "floor", enqueue_floor::<Futex>),
        floor("enqueue", "floor, plain unlocks", enqueue_floor::<Spin>),
        floor("drop", "floor", Words::refuse),
        floor("list", "floor", Words::push_and_take),
    ];
    job::<PerNode>(&mut all);
    job::<PerSocket>(&mut all);
    job::<Hashed>(&mut all);
    job::<Plain>(&mut all);
    job::<SegQueue>(&mut all);
    job::<CrossbeamChannel>(&mut all);
    job::<StdChannel>(&mut all);
    job::<ParkingLot>(&mut all);
    job::<StdMutex>(&mut all);
    all.extend([
        pair_by_two::<PerNode>(),
        pair_by_two::<PerSocket>(),
        pair_by_two::<Hashed>(),
        pair_by_two::<Plain>(),
        pair_by_two::<SegQueue>(),
        pair_by_two::<CrossbeamChannel>(),
        pair_by_two::<ParkingLot>(),
        pair_by_two::<StdMutex>(),
    ]);
    all.extend((0..=8).map(|log| batch(1 << log)));
    all.extend([
        push_and_take::<LlistHead<Hw>>("list", 1),
        push_and_take::<Cordyceps>("list", 1),
        push_and_take::<LlistHead<Hw>>("list-2-threads", 2),
        push_and_take::<Cordyceps>("list-2-threads", 2),
    ]);
    // A group's operations one after the other, so that they meet the same machine.
    all.sort_by_key(|operation| operation.group);
    all
}

/// What one thread can do with somebody who does the job.
fn job<J: Job + 'static>(all: &mut Vec<Operation>) {
    all.extend([enqueue::<J>(), pair::<J>(), refuse::<J>()]);
}

/// Enqueues of packets that somebody receives later.
fn enqueue<J: Job + 'static>() -> Operation {
    let (writer, reader) = J::open(RCVBUF);
    let mut packets: Vec<_> = (0..CHUNK).map(|_| J::packet(TRUESIZE)).collect();
    Operation::new("enqueue", J::NAME, move |mut left| {
        let mut time = Duration::ZERO;
        while left != 0 {
            let chunk = left.min(CHUNK);
            time += timed(|| {
                for packet in packets.drain(..chunk as usize) {
                    assert!(J::offer(black_box(&writer), packet).is_ok());
                }
            });
            packets.extend(std::iter::from_fn(|| J::take(&reader)));
            assert_eq!(packets.len() as u64, CHUNK, "a packet is lost");
            left -= chunk;
        }
        time
    })
}

/// Enqueue and recv of one packet, again and again.
fn pair<J: Job + 'static>() -> Operation {
    let (writer, reader) = J::open(RCVBUF);
    let mut packet = Some(J::packet(TRUESIZE));
    Operation::new("pair", J::NAME, move |pairs| {
        timed(|| {
            for _ in 0..pairs {
                let offered = packet.take().expect("a packet that was not lost");
                assert!(J::offer(black_box(&writer), offered).is_ok());
                packet = J::take(black_box(&reader));
            }
        })
    })
}

/// A packet that is refused, again and again.
fn refuse<J: Job + 'static>() -> Operation {
    let (writer, reader) = J::open(TRUESIZE);
    assert!(J::offer(&writer, J::packet(TRUESIZE)).is_ok());
    let mut packet = Some(J::packet(TRUESIZE));
    Operation::new("drop", J::NAME, move |drops| {
        // The first packet stays in the queue, and the queue with it.
        let _ = &reader;
        timed(|| {
            for _ in 0..drops {
                let offered = packet.take().expect("a packet that was refused");
                packet = J::offer(black_box(&writer), offered).err();
            }
        })
    })
}

/// Waits until so many threads are here.
fn meet(arrived: &AtomicUsize, threads: usize) {
    arrived.fetch_add(1, AcqRel);
    while arrived.load(Acquire) < threads {
        std::hint::spin_loop();
    }
}

/// Enqueue and recv by two threads on one queue; the time of the slower one.
fn pair_by_two<J: Job + 'static>() -> Operation
where
    J::Writer: Sync,
    J::Reader: Sync,
{
    let (writer, reader) = J::open(RCVBUF);
    let run = move |pairs| {
        let arrived = AtomicUsize::new(0);
        let work = || {
            let mut packet = J::packet(TRUESIZE);
            meet(&arrived, 2);
            timed(|| {
                for _ in 0..pairs {
                    assert!(J::offer(&writer, packet).is_ok());
                    // The packet may be in the other thread's hands for a moment.
                    packet = loop {
                        match J::take(&reader) {
                            Some(packet) => break packet,
                            None => std::hint::spin_loop(),
                        }
                    };
                }
            })
        };
        thread::scope(|scope| {
            let threads = [scope.spawn(work), scope.spawn(work)];
            let times = threads.map(|thread| thread.join().expect("no thread panics"));
            times[0].max(times[1])
        })
    };
    let operation = Operation::new("pair-2-threads", J::NAME, run);
    Operation {
        threads: 2,
        ..operation
    }
}

/// The enqueues of a batch: `packets` pushes, the first of which elects, and one drain.
fn batch(packets: usize) -> Operation {
    let in_chunk = (CHUNK as usize / packets).max(1);
    let batches = Batches::new(packets, in_chunk);
    let run = move |mut left: u64| {
        let mut time = Duration::ZERO;
        while left != 0 {
            let chunk = left.min(in_chunk as u64);
            time += timed(|| (0..chunk).for_each(|_| batches.enqueue()));
            let received = batches.recv_all() as u64;
            assert_eq!(received, chunk * packets as u64, "a packet is lost");
            left -= chunk;
        }
        time
    };
    Operation {
        packets: packets as u64,
        ..Operation::new("batch", &format!("{packets:03}"), run)
    }
}

/// A push; a take and a walk if the list was empty.
fn push_and_take<L: List>(group: &'static str, threads: usize) -> Operation {
    let run = move |pushes| {
        let arrived = AtomicUsize::new(0);
        list::by_threads::<L>(threads, pushes, |push| {
            meet(&arrived, threads);
            timed(push)
        })
    };
    Operation {
        threads,
        ..Operation::new(group, L::NAME, run)
    }
}

fn floor(group: &'static str, name: &str, path: fn(&Words)) -> Operation {
    let words = Words::default();
    Operation::new(group, name, move |paths| {
        timed(|| (0..paths).for_each(|_| path(black_box(&words))))
    })
}

fn enqueue_floor<U: Unlock>(words: &Words) {
    words.push(SIZE);
    words.drain::<U>(SIZE);
}

fn pair_floor<U: Unlock>(words: &Words) {
    enqueue_floor::<U>(words);
    words.recv::<U>(SIZE);
}
