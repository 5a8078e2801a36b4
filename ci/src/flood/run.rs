// SPDX-License-Identifier: MIT OR Apache-2.0

//! One flood on one design, and the check that nothing was lost.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{anyhow, Result};
use hdrhistogram::Histogram;
use prodq::baseline::Design;
use prodq::{MemInfo, ProtoMem};

use super::machine::pin;
use super::record::{Conservation, Second, Sides};
use super::threads::{produce, receive, Produced, Received, Shared};
use super::world::{take_found_by_destruct, DesignName, Udp, Work};

/// How often the largest `rmem_alloc` is written down.
pub const TICK: Duration = Duration::from_millis(100);

/// Where a producer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The CPU it is bound to, if it is.
    pub cpu: Option<usize>,
    /// Its node.
    pub node: usize,
}

/// What is played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The design.
    pub design: DesignName,
    /// Where each producer runs.
    pub producers: Vec<Place>,
    /// The CPU of each reader, if it is bound to one.
    pub readers: Vec<Option<usize>>,
    /// How many nodes the socket has queues for.
    pub nodes: usize,
    /// What packets weigh, in bytes, in turn.
    pub truesizes: Vec<u32>,
    /// The limit, in bytes.
    pub rcvbuf: u32,
    /// How long.
    pub time: Duration,
    /// How long a reader takes for each packet.
    pub reader_delay: Duration,
    /// The limit of protocol memory in pages, if there is one.
    pub udp_mem: Option<u32>,
}

/// What came of a flood.
pub struct Outcome {
    /// What was counted until the producers were stopped.
    pub sides: Sides,
    /// How long that took.
    pub time: Duration,
    /// How long enqueue took, in nanoseconds.
    pub times: Histogram<u64>,
    /// The largest `rmem_alloc` of each tick, in bytes; 0 where nothing was added.
    pub highest: Vec<i32>,
    /// Whether everything is accounted for.
    pub conservation: Conservation,
    /// Whether every thread that was to be bound to a CPU is.
    pub pinned: bool,
}

/// Floods a socket, and tells what happened every second.
pub fn flood(plan: &Plan, each_second: &mut dyn FnMut(&Second)) -> Result<Outcome> {
    let memory = Arc::new(match plan.udp_mem {
        None => ProtoMem::unlimited(),
        Some(pages) => ProtoMem::new([pages; 3], 0)?,
    });
    let work = Flood { plan, each_second };
    let design = plan.design;
    let mut outcome = design.with(plan.nodes, plan.rcvbuf, &memory, work)??;
    outcome.conservation.pages = memory.allocated();
    Ok(outcome)
}

struct Flood<'a> {
    plan: &'a Plan,
    each_second: &'a mut dyn FnMut(&Second),
}

impl Work for Flood<'_> {
    type Result = Result<Outcome>;

    fn run<D: Design<Udp> + Send + Sync>(mut self, design: D) -> Result<Outcome> {
        let plan = self.plan;
        let shared = Shared::new(plan);
        let pinned = AtomicBool::new(true);
        let bind = |cpu: Option<usize>| {
            if cpu.is_some_and(|cpu| !pin(cpu)) {
                pinned.store(false, Relaxed);
            }
        };
        let (mut sides, mut time) = (Sides::default(), Duration::ZERO);
        let (produced, received) = thread::scope(|scope| {
            let (design, shared, bind) = (&design, &shared, &bind);
            let producer = |index: usize| {
                scope.spawn(move || {
                    bind(plan.producers[index].cpu);
                    produce(design, shared, index)
                })
            };
            let reader = |index: usize| {
                scope.spawn(move || {
                    bind(plan.readers[index]);
                    receive(design, shared, index)
                })
            };
            let producers: Vec<_> = (0..plan.producers.len()).map(producer).collect();
            let readers: Vec<_> = (0..plan.readers.len()).map(reader).collect();
            shared.meet();
            (sides, time) = self.look_on(shared);
            let ended = |_| anyhow!("a thread of the flood panicked");
            let produced = producers
                .into_iter()
                .map(|thread| thread.join().map_err(ended)?);
            let produced = produced.collect::<Result<Vec<_>>>();
            let received = readers
                .into_iter()
                .map(|thread| thread.join().map_err(ended));
            (produced, received.collect::<Result<Vec<_>>>())
        });
        let (mut produced, received) = (produced?, received?);
        let info = design.sock().mem_info();
        drop(design);
        let mut times = Histogram::new_from(&produced[0].times);
        for producer in &produced {
            times.add(&producer.times)?;
        }
        Ok(Outcome {
            sides,
            time,
            times,
            highest: highest(&produced),
            conservation: conserve(&shared.sides(), &mut produced, &received, info),
            pinned: pinned.into_inner(),
        })
    }
}

impl Flood<'_> {
    /// Counts ticks and seconds until the time is over, and stops the producers.
    fn look_on(&mut self, shared: &Shared<'_>) -> (Sides, Duration) {
        let start = Instant::now();
        let mut before = Sides::default();
        let mut tick = 0;
        while start.elapsed() < self.plan.time {
            tick += 1;
            let wake = (TICK * tick).min(self.plan.time);
            thread::sleep(wake.saturating_sub(start.elapsed()));
            shared.tick.store(tick as usize, Relaxed);
            if tick % 10 == 0 {
                let now = shared.sides();
                let second = Second::new(self.plan.design, u64::from(tick / 10), before, now);
                (self.each_second)(&second);
                before = now;
            }
        }
        let (sides, time) = (shared.sides(), start.elapsed());
        shared.stop.store(true, Relaxed);
        (sides, time)
    }
}

/// The largest value of each tick over all producers.
fn highest(produced: &[Produced<'_>]) -> Vec<i32> {
    let ticks = produced.iter().map(|producer| producer.highest.len()).max();
    let at = |tick: usize| {
        let values = produced
            .iter()
            .filter_map(|producer| producer.highest.get(tick));
        values.copied().max().unwrap_or(0)
    };
    (0..ticks.unwrap_or(0)).map(at).collect()
}

fn conserve(
    counted: &Sides,
    produced: &mut [Produced<'_>],
    received: &[Received],
    info: MemInfo,
) -> Conservation {
    let sum =
        |field: fn(&Produced<'_>) -> u64| produced.iter().map(field).fold(0, u64::wrapping_add);
    let freed = sum(|producer| producer.freed);
    let accepted = sum(|producer| producer.fingerprint);
    let fingerprints = received.iter().map(|reader| reader.fingerprint);
    let delivered = fingerprints.fold(0, u64::wrapping_add);
    let offered = sum(|producer| producer.offered);
    let made = sum(|producer| producer.pool.made);
    Conservation {
        offered,
        delivered: counted.delivered,
        rcvbuf_errors: counted.rcvbuf_errors,
        mem_errors: counted.mem_errors,
        out_of_order: received.iter().map(|reader| reader.out_of_order).sum(),
        // What the socket freed itself is not known by name.
        same_packets: (freed == 0).then_some(accepted == delivered),
        left_in_queues: take_found_by_destruct(),
        drop_counter: info.drops,
        rmem_alloc: info.rmem_alloc,
        pages: 0,
        made,
        freed,
        back: produced
            .iter_mut()
            .map(|producer| producer.pool.empty())
            .sum(),
    }
}
