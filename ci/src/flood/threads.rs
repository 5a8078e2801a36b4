// SPDX-License-Identifier: MIT OR Apache-2.0

//! What producers and readers do, and what they bring home.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::*};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use hdrhistogram::Histogram;
use prodq::baseline::Design;
use prodq::{EnqueueError, Enqueued};
use quanta::Clock;

use super::record::Sides;
use super::run::Plan;
use super::world::{take_highest, Pool, Returned, Stamp, Udp};

/// The least that a slow reader sleeps at once: it saves its delays up for so long.
const NAP: Duration = Duration::from_micros(100);

/// The longest time that is told apart, in nanoseconds.
const LONGEST: u64 = 100_000_000_000;

/// What a thread has done so far, for whoever looks on: only its owner writes.
#[derive(Default)]
#[repr(align(128))]
pub struct Done {
    delivered: AtomicU64,
    rcvbuf_errors: AtomicU64,
    mem_errors: AtomicU64,
}

/// What the threads share beside the socket.
pub struct Shared<'a> {
    plan: &'a Plan,
    clock: Clock,
    done: Vec<Done>,
    returned: Vec<Returned>,
    /// How many tenths of a second have begun; whoever sees a new one writes down its maximum.
    pub tick: AtomicUsize,
    ready: AtomicUsize,
    /// Producers are to end.
    pub stop: AtomicBool,
    producing: AtomicUsize,
}

impl<'a> Shared<'a> {
    /// For the threads of `plan`.
    pub fn new(plan: &'a Plan) -> Self {
        let threads = plan.producers.len() + plan.readers.len();
        Shared {
            plan,
            clock: Clock::new(),
            done: (0..threads).map(|_| Done::default()).collect(),
            returned: plan.producers.iter().map(|_| Returned::default()).collect(),
            tick: AtomicUsize::new(0),
            ready: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            producing: AtomicUsize::new(plan.producers.len()),
        }
    }

    /// Waits until all threads and the caller are here.
    pub fn meet(&self) {
        self.ready.fetch_add(1, AcqRel);
        while self.ready.load(Acquire) <= self.done.len() {
            thread::yield_now();
        }
    }

    /// What all threads have done so far.
    pub fn sides(&self) -> Sides {
        let sum = |field: fn(&Done) -> &AtomicU64| {
            let values = self.done.iter().map(|done| field(done).load(Relaxed));
            values.sum()
        };
        Sides {
            delivered: sum(|done| &done.delivered),
            rcvbuf_errors: sum(|done| &done.rcvbuf_errors),
            mem_errors: sum(|done| &done.mem_errors),
        }
    }
}

/// A producer that has not ended. Readers wait for its end, so it must be told however it ends.
struct Producing<'a>(&'a AtomicUsize);

impl Drop for Producing<'_> {
    fn drop(&mut self) {
        // Release: a reader that sees it finds everything that this producer pushed.
        self.0.fetch_sub(1, Release);
    }
}

/// What a producer brings home.
pub struct Produced<'a> {
    pub pool: Pool<'a>,
    pub offered: u64,
    /// Packets of a batch that found no memory: freed by the socket, whoever made them.
    pub freed: u64,
    /// The sum of the fingerprints of those that were not refused.
    pub fingerprint: u64,
    /// How long enqueue took, in nanoseconds.
    pub times: Histogram<u64>,
    /// The largest `rmem_alloc` that this thread made in each tick, in bytes.
    pub highest: Vec<i32>,
}

/// Offers packets until it is told to stop.
pub fn produce<'a, D: Design<Udp>>(
    design: &D,
    shared: &'a Shared<'_>,
    index: usize,
) -> Result<Produced<'a>> {
    let (plan, clock, done) = (shared.plan, &shared.clock, &shared.done[index]);
    let _producing = Producing(&shared.producing);
    let node = plan.producers[index].node;
    let mut truesizes = plan.truesizes.iter().copied().cycle();
    let mut end = Produced {
        pool: Pool::new(&shared.returned[index]),
        offered: 0,
        freed: 0,
        fingerprint: 0,
        times: Histogram::new_with_max(LONGEST, 3)?,
        highest: Vec::new(),
    };
    let (mut rcvbuf_errors, mut mem_errors) = (0, 0);
    take_highest();
    shared.meet();
    while !shared.stop.load(Relaxed) {
        let stamp = Stamp {
            producer: index,
            number: end.offered,
        };
        let truesize = truesizes.next().unwrap_or(1);
        let packet = end.pool.get(truesize, stamp)?;
        end.offered += 1;
        let before = clock.raw();
        let result = design.enqueue(node, packet);
        let after = clock.raw();
        end.times
            .saturating_record(clock.delta_as_nanos(before, after));
        match result {
            Ok(what) => {
                end.fingerprint = end.fingerprint.wrapping_add(stamp.fingerprint());
                if let Enqueued::Drained { dropped, .. } = what {
                    end.freed += dropped as u64;
                }
            }
            Err(refused) => {
                match refused.error {
                    EnqueueError::RcvbufFull { .. } => rcvbuf_errors += 1,
                    EnqueueError::NoMemory { .. } => mem_errors += 1,
                    error => return Err(error.into()),
                }
                end.pool.put(refused.skb);
            }
        }
        done.rcvbuf_errors.store(rcvbuf_errors, Relaxed);
        done.mem_errors.store(mem_errors + end.freed, Relaxed);
        let tick = shared.tick.load(Relaxed);
        if tick != end.highest.len() {
            end.highest.resize(tick, take_highest());
        }
    }
    end.highest.push(take_highest());
    Ok(end)
}

/// What a reader brings home.
#[derive(Default)]
pub struct Received {
    pub delivered: u64,
    pub fingerprint: u64,
    /// Packets that came not after all earlier ones of their producer.
    pub out_of_order: u64,
}

/// Receives packets until the producers have ended and nothing is left.
pub fn receive<D: Design<Udp>>(design: &D, shared: &Shared<'_>, index: usize) -> Received {
    let plan = shared.plan;
    let done = &shared.done[plan.producers.len() + index];
    let mut next = vec![0; plan.producers.len()];
    let mut end = Received::default();
    let mut owed = Duration::ZERO;
    shared.meet();
    loop {
        // Asked before the look at the queue: what is found empty then stays empty.
        let producing = shared.producing.load(Acquire) != 0;
        let Some(packet) = design.sock().recv() else {
            if !producing {
                return end;
            }
            thread::yield_now();
            continue;
        };
        let Stamp { producer, number } = packet.data;
        if let (Some(next), Some(returned)) =
            (next.get_mut(producer), shared.returned.get(producer))
        {
            end.out_of_order += u64::from(number < *next);
            *next = number + 1;
            end.fingerprint = end.fingerprint.wrapping_add(packet.data.fingerprint());
            returned.put(packet);
        }
        end.delivered += 1;
        done.delivered.store(end.delivered, Relaxed);
        owed += plan.reader_delay;
        if owed >= NAP && producing {
            let start = Instant::now();
            thread::sleep(owed);
            owed = owed.saturating_sub(start.elapsed());
        }
    }
}
