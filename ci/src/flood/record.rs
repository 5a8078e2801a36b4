// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a flood leaves behind: one JSON object a line, which tables and plots are made of.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use super::machine::Machine;
use super::run::{Outcome, Plan, TICK};
use super::world::DesignName;

/// A line of `--json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// The first one.
    Machine(Machine),
    /// What happened in one second.
    Second(Second),
    /// What came of one flood.
    Run(Run),
}

/// What became of packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sides {
    /// Received by a reader.
    pub delivered: u64,
    /// Refused because rcvbuf was full.
    pub rcvbuf_errors: u64,
    /// Dropped because protocol memory was exhausted.
    pub mem_errors: u64,
}

/// One second, in the words of `nstat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names are those of /proc/net/snmp.
pub struct Second {
    pub design: String,
    pub second: u64,
    pub in_datagrams: u64,
    pub in_errors: u64,
    pub rcvbuf_errors: u64,
    pub mem_errors: u64,
}

impl Second {
    /// What happened between two looks.
    pub(super) fn new(design: DesignName, second: u64, before: Sides, now: Sides) -> Second {
        let rcvbuf_errors = now.rcvbuf_errors - before.rcvbuf_errors;
        let mem_errors = now.mem_errors - before.mem_errors;
        Second {
            design: design.name().to_owned(),
            second,
            in_datagrams: now.delivered - before.delivered,
            in_errors: rcvbuf_errors + mem_errors,
            rcvbuf_errors,
            mem_errors,
        }
    }
}

/// The accounts at the end of a flood.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conservation {
    /// Packets offered by producers.
    pub offered: u64,
    /// Packets received by readers.
    pub delivered: u64,
    /// Packets refused because rcvbuf was full.
    pub rcvbuf_errors: u64,
    /// Packets dropped because protocol memory was exhausted.
    pub mem_errors: u64,
    /// Packets received not after all earlier ones of their producer, by the same reader: swapped, or
    /// received twice.
    pub out_of_order: u64,
    /// Whether those received are those that were accepted, by the sum of their fingerprints; not known
    /// when the socket freed some.
    pub same_packets: Option<bool>,
    /// Packets that the destructor found.
    pub left_in_queues: u64,
    /// The socket's drop counter (modulo 2^32).
    pub drop_counter: u32,
    /// `rmem_alloc` when the readers had received everything, in bytes.
    pub rmem_alloc: i32,
    /// Pages charged to the protocol after the socket's end.
    pub pages: isize,
    /// Packets allocated.
    pub made: u64,
    /// Packets that the socket freed.
    pub freed: u64,
    /// Packets that came back.
    pub back: u64,
}

impl Conservation {
    /// What is wrong; nothing if everything is accounted for.
    pub fn complaints(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut demand = |good: bool, what: String| {
            if !good {
                wrong.push(what);
            }
        };
        let dropped = self.rcvbuf_errors + self.mem_errors;
        demand(
            self.offered == self.delivered + dropped,
            format!(
                "{} packets were offered, {} delivered and {dropped} dropped",
                self.offered, self.delivered
            ),
        );
        demand(
            self.drop_counter == dropped as u32,
            format!("the drop counter is {}, not {dropped}", self.drop_counter),
        );
        demand(
            self.out_of_order == 0,
            format!("{} packets were out of order, or twice", self.out_of_order),
        );
        demand(
            self.same_packets != Some(false),
            "the packets delivered are not those that were accepted".to_owned(),
        );
        demand(
            self.left_in_queues == 0,
            format!("{} packets were left in the queues", self.left_in_queues),
        );
        demand(
            self.rmem_alloc == 0 && self.pages == 0,
            format!(
                "rmem_alloc is {} bytes and {} pages are charged, not 0 and 0",
                self.rmem_alloc, self.pages
            ),
        );
        demand(
            self.made == self.freed + self.back,
            format!(
                "{} packets were allocated, {} freed by the socket and {} came back",
                self.made, self.freed, self.back
            ),
        );
        wrong
    }
}

/// How long enqueue took, in nanoseconds. The time of reading the clock is in it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub struct Times {
    pub mean: f64,
    pub p50: u64,
    pub p90: u64,
    pub p99: u64,
    pub p999: u64,
    pub max: u64,
}

/// How many enqueues took at least `from` and less than `to` nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // Told above.
pub struct Bucket {
    pub from: u64,
    pub to: u64,
    pub count: u64,
}

/// The edges of the buckets in nanoseconds: powers of two up to 512, so that there is something to see
/// below a microsecond, then the microseconds that the kernel's histograms show, in powers of two.
fn edges() -> impl Iterator<Item = u64> {
    let nanoseconds = (3..=9).map(|log| 1 << log);
    let microseconds = (0..=27).map(|log| 1000 << log);
    [0].into_iter().chain(nanoseconds).chain(microseconds)
}

/// The buckets from the first to the last that has something in it.
pub(super) fn buckets(times: &Histogram<u64>) -> Vec<Bucket> {
    let edges: Vec<_> = edges().collect();
    let count = |pair: &[u64]| Bucket {
        from: pair[0],
        to: pair[1],
        count: times.count_between(pair[0], pair[1] - 1),
    };
    let all: Vec<_> = edges.windows(2).map(count).collect();
    let has = |bucket: &Bucket| bucket.count != 0;
    let first = all.iter().position(has).unwrap_or(0);
    let last = all.iter().rposition(has).unwrap_or(0);
    all[first..=last].to_vec()
}

/// One flood.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The design's name.
    pub design: String,
    /// Which repetition it is, from 1.
    pub round: usize,
    /// How many producers there were.
    pub producers: usize,
    /// How many readers there were.
    pub readers: usize,
    /// How many nodes the socket had queues for.
    pub nodes: usize,
    /// What packets weighed, in bytes, in turn.
    pub truesizes: Vec<u32>,
    /// The limit, in bytes.
    pub rcvbuf: u32,
    /// How long a reader took for each packet, in nanoseconds.
    pub reader_delay: u64,
    /// The limit of protocol memory in pages, if there was one.
    pub udp_mem: Option<u32>,
    /// Whether each producer was bound to a CPU.
    pub pinned: bool,
    /// How long packets were produced, in seconds.
    pub seconds: f64,
    /// Packets delivered in a second.
    pub in_datagrams: f64,
    /// Packets refused because rcvbuf was full, in a second.
    pub rcvbuf_errors: f64,
    /// Packets dropped because protocol memory was exhausted, in a second.
    pub mem_errors: f64,
    /// Packets delivered and dropped in a second.
    pub handled: f64,
    /// How long enqueue took.
    pub enqueue: Times,
    /// The same as a histogram.
    pub histogram: Vec<Bucket>,
    /// The largest `rmem_alloc`, in bytes.
    pub largest: i32,
    /// What the theorem allows, in bytes.
    pub bound: u64,
    /// Milliseconds between the values of the next field.
    pub tick_ms: u64,
    /// The largest `rmem_alloc` of each tick, in bytes.
    pub largest_by_tick: Vec<i32>,
    /// The accounts.
    pub conservation: Conservation,
    /// What is wrong: nothing, if everything is accounted for and `rmem_alloc` stayed within the bound.
    pub wrong: Vec<String>,
}

impl Run {
    /// What came of a plan.
    pub(super) fn new(plan: &Plan, round: usize, bound: u64, outcome: Outcome) -> Run {
        let seconds = outcome.time.as_secs_f64();
        let rate = |count: u64| count as f64 / seconds;
        let Sides {
            delivered,
            rcvbuf_errors,
            mem_errors,
        } = outcome.sides;
        let times = &outcome.times;
        let largest = outcome.highest.iter().copied().max().unwrap_or(0);
        let mut wrong = outcome.conservation.complaints();
        if largest as u64 > bound {
            wrong.push(format!(
                "rmem_alloc was {largest} bytes; the bound is {bound} bytes"
            ));
        }
        Run {
            design: plan.design.name().to_owned(),
            round,
            producers: plan.producers.len(),
            readers: plan.readers.len(),
            nodes: plan.nodes,
            truesizes: plan.truesizes.clone(),
            rcvbuf: plan.rcvbuf,
            reader_delay: plan.reader_delay.as_nanos() as u64,
            udp_mem: plan.udp_mem,
            pinned: outcome.pinned && plan.producers.iter().all(|place| place.cpu.is_some()),
            seconds,
            in_datagrams: rate(delivered),
            rcvbuf_errors: rate(rcvbuf_errors),
            mem_errors: rate(mem_errors),
            handled: rate(delivered + rcvbuf_errors + mem_errors),
            enqueue: Times {
                mean: times.mean(),
                p50: times.value_at_quantile(0.5),
                p90: times.value_at_quantile(0.9),
                p99: times.value_at_quantile(0.99),
                p999: times.value_at_quantile(0.999),
                max: times.max(),
            },
            histogram: buckets(times),
            largest,
            bound,
            tick_ms: TICK.as_millis() as u64,
            largest_by_tick: outcome.highest,
            conservation: outcome.conservation,
            wrong,
        }
    }
}
