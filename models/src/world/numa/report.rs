// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a flood looks like in virtual time, before and after the patch, in the words of the threads:
//! datagrams and errors per second, and how long an enqueue takes.

use serde::{Deserialize, Serialize};

use super::threads::{Histogram, THREADS};
use super::{events, Costs};
use crate::context::{Event, What};
use crate::design::Baseline;
use crate::scenario::{Op, Scenario};
use crate::theorem::{judge, Theorem};
use crate::world::World;

use prodq::{DropReason, Step};

/// What is assumed beside `costs.json`.
pub const ASSUMED: &[&str] = &[
    "the number of CPUs that flood, which the threads do not tell: by their histograms and rates (Little's \
     law, each bucket as long as its middle) 17 were in the function at a time before the patch, and 20 \
     after it; 24 is the smallest number for 6 nodes that leaves a CPU time for anything else",
    "the load: what a CPU does before it offers a packet is what it has time for if 24 or more CPUs handle \
     the 15.3 million packets a second of the threads' host after the patch, between half and one and a half \
     of it; fewer CPUs are as fast as 24",
    "every CPU offers its next packet after the last one has left enqueue: one that waits offers nothing, \
     as if its card dropped the rest",
    "rcvbuf, which the threads do not tell: the kernel's default, or as much as waiting CPUs may charge \
     before the patch, so that nothing is refused there, as hardly anything is in the threads",
    "one reader, on a CPU of its own of node 0, that sleeps while there is nothing to read",
    "a lock is a fair queued spinlock on one line with the queue that it guards",
    "a packet's header is one line; a line is fetched by one CPU at a time, first come first served",
];

/// What the model leaves out.
pub const MISSING: &[&str] = &[
    "how the kernel's struct sock lays out what the core keeps on lines of its own: sk_forward_alloc \
     away from the queue whose lock guards it, sk_rmem_alloc in the queue's own group of lines",
    "what else a packet touches in the kernel: the wait queue, epoll, statistics, the flow's state",
    "that a waiter which has seen a lock free still has to get its line alone: a third transfer",
    "that a CPU which owns a contended line often gets several accesses in before the line is taken: \
     here it goes to the next in line at once, which makes the retries of a push dearer",
    "bandwidth: transfers of different lines do not disturb each other",
    "the difference between nodes of one socket and of two",
    "hyper-threads, prefetching, out-of-order execution: an access is waited for",
    "interrupts, the scheduler, RPS, and drops in the card or in the backlog",
];

/// A flood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Nodes.
    pub nodes: usize,
    /// Producing CPUs on each.
    pub cpus_per_node: usize,
    /// Packets of each CPU, before the patch and after: after it most are refused, which takes less time.
    pub packets: [usize; 2],
    /// Bytes of each packet (truesize).
    pub truesize: u32,
    /// rcvbuf, in bytes.
    pub rcvbuf: u32,
    /// What a CPU does for a packet before the socket, in nanoseconds; drawn between half and one and a
    /// half of it.
    pub packet_ns: u64,
    /// How often it is played, with this seed and the next ones.
    pub runs: usize,
    /// The first seed.
    pub seed: u64,
}

/// As many CPUs as flood, by the threads' histograms: see [`ASSUMED`].
pub const FLOODING: [usize; 2] = [6, 4];

impl Default for Options {
    fn default() -> Self {
        Options::new(FLOODING[0], FLOODING[1])
    }
}

impl Options {
    /// The threads' load from so many CPUs, with the truesize of a small packet, and the kernel's default
    /// of rcvbuf unless waiting CPUs would charge more than half of it.
    pub fn new(nodes: usize, cpus_per_node: usize) -> Self {
        let cpus = (nodes * cpus_per_node).max(1);
        let truesize = 832;
        let waiting = u32::try_from(cpus)
            .unwrap_or(u32::MAX)
            .saturating_mul(truesize);
        let load = cpus.max(FLOODING[0] * FLOODING[1]);
        Options {
            nodes,
            cpus_per_node,
            packets: [76_800, 115_200].map(|all| (all / cpus).clamp(200, 4_800)),
            truesize,
            rcvbuf: waiting
                .saturating_mul(2)
                .checked_next_power_of_two()
                .unwrap_or(1 << 30)
                .max(212_992),
            packet_ns: THREADS[1].beside_ns(load).round() as u64,
            runs: 7,
            seed: crate::catalog::SEED,
        }
    }

    /// The scenario; `baseline` is the design, or the node queues.
    pub fn scenario(&self, baseline: Option<Baseline>) -> Scenario {
        let packets = self.packets[usize::from(baseline.is_none())];
        let offered = packets * self.nodes * self.cpus_per_node;
        let flood = Scenario {
            baseline,
            ..Scenario::new("numa-flood", self.nodes, self.rcvbuf)
        };
        flood
            .cpus_on_each_node(self.cpus_per_node, &vec![Op::Offer(self.truesize); packets])
            .cpu(0, vec![Op::Wait; offered])
    }
}

/// What a second of it looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// The design.
    pub design: String,
    /// The seed.
    pub seed: u64,
    /// How long the window was that is counted, in nanoseconds of virtual time.
    pub window_ns: u64,
    /// InDatagrams per second.
    pub delivered: u64,
    /// RcvbufErrors per second.
    pub refused: u64,
    /// Half of the enqueues took at most so many nanoseconds.
    pub p50_ns: u64,
    /// 99 of 100 took at most so many.
    pub p99_ns: u64,
    /// How long enqueues took.
    pub histogram: Histogram,
    /// The largest `rmem_alloc`, in bytes.
    pub largest: i64,
    /// What the theorem says that it never exceeds, in bytes.
    pub bound: u64,
    /// Packets offered, and delivered, refused or dropped for memory, in the whole execution.
    pub conservation: [usize; 2],
}

impl Figures {
    /// Packets per second that the host got rid of.
    pub fn handled(&self) -> u64 {
        self.delivered + self.refused
    }
}

/// Plays the flood once.
///
/// # Errors
/// That the scenario makes no sense, or what an execution did that a theorem forbids.
pub fn measure(
    scenario: &Scenario,
    costs: &Costs,
    packet_ns: u64,
    seed: u64,
) -> Result<Figures, Box<dyn std::error::Error + Send + Sync>> {
    let timed = events(scenario, costs, packet_ns, seed)?;
    let only: Vec<Event> = timed.iter().map(|(_, event)| *event).collect();
    let theorems = [
        Theorem::Conservation,
        Theorem::BoundedOvershoot,
        Theorem::Accounting,
        Theorem::NoStranding,
    ];
    // It is shuttle's engine with another order of the same steps.
    let world = World::Shuttle {
        seed,
        executions: 1,
    };
    let judgement = judge(scenario, &theorems, &only, world);
    if let Some(violation) = judgement.violations.first() {
        return Err(format!("{}: {}", violation.theorem, violation.what).into());
    }
    Ok(Figures {
        largest: judgement.ledger.largest,
        bound: scenario.bound(),
        ..in_window(scenario, seed, &timed)
    })
}

fn in_window(scenario: &Scenario, seed: u64, timed: &[(u64, Event)]) -> Figures {
    // From a quarter of the time until the first producer is done.
    let mut last = vec![None; scenario.cpus.len()];
    for (time, event) in timed {
        if matches!(event.what, What::Return { .. }) {
            last[event.cpu] = Some(*time);
        }
    }
    let end = last.iter().flatten().copied().min().unwrap_or(0);
    let start = end / 4;
    let mut entered = vec![0; scenario.cpus.len()];
    let mut times = Vec::new();
    let (mut delivered, mut refused) = (0_u64, 0_u64);
    let mut conservation = [0; 2];
    for (time, event) in timed {
        let counts = (start..end).contains(time);
        match event.what {
            What::Offer { .. } => {
                entered[event.cpu] = *time;
                conservation[0] += 1;
            }
            What::Return { .. } if counts => times.push(time - entered[event.cpu]),
            What::Deliver { .. } => {
                conservation[1] += 1;
                delivered += u64::from(counts);
            }
            What::Step(
                Step::Refuse { .. }
                | Step::Free {
                    reason: DropReason::ProtoMem,
                    ..
                },
            ) => {
                conservation[1] += 1;
                refused += u64::from(counts);
            }
            _ => {}
        }
    }
    times.sort_unstable();
    let window_ns = (end - start).max(1);
    let per_second = |count: u64| count * 1_000_000_000 / window_ns;
    let percentile = |of_100: usize| times.get(times.len() * of_100 / 100).copied().unwrap_or(0);
    Figures {
        design: scenario.design(),
        seed,
        window_ns,
        delivered: per_second(delivered),
        refused: per_second(refused),
        p50_ns: percentile(50),
        p99_ns: percentile(99),
        histogram: Histogram::of(&times),
        largest: 0,
        bound: 0,
        conservation,
    }
}

type Change = fn(&mut Options, &mut Costs);

/// What the outcome depends on: the same with something else, and what that is. What would be more CPUs
/// than a scenario may have is left out.
pub fn variants(options: &Options, costs: &Costs) -> Vec<(&'static str, Options, Costs)> {
    let with = |change: Change| {
        let (mut changed, mut costs) = (*options, costs.clone());
        change(&mut changed, &mut costs);
        changed.seed = options.seed;
        changed.runs = 1;
        (changed, costs)
    };
    let all: [(&str, Change); 14] = [
        ("6 CPUs on each node, the same load in all", |options, _| {
            *options = Options::new(options.nodes, 6);
        }),
        (
            "16 CPUs on each node, the same load in all",
            |options, _| {
                *options = Options::new(options.nodes, 16);
            },
        ),
        (
            "64 CPUs on each node, the same load in all",
            |options, _| {
                *options = Options::new(options.nodes, 64);
            },
        ),
        ("half of the load", |options, _| {
            options.packet_ns = options.packet_ns * 2 + THREADS[1].mean_ns().round() as u64;
        }),
        ("100 ns before the socket", |options, _| {
            options.packet_ns = 100
        }),
        ("rcvbuf 1 MiB", |options, _| options.rcvbuf = 1 << 20),
        ("rcvbuf 4 MiB", |options, _| options.rcvbuf = 4 << 20),
        ("a reader as fast as 2016's fastest", |_, costs| {
            costs.recv_ns.value = 155;
        }),
        ("a reader as slow as 2016's slowest", |_, costs| {
            costs.recv_ns.value = 365;
        }),
        ("wake-ups for nothing", |_, costs| {
            costs.wake_ns.value = 0;
            costs.sleep_ns.value = 0;
        }),
        (
            "sk_forward_alloc on a line of its own, as in the kernel",
            |_, costs| costs.further_lines.value = 1,
        ),
        ("a lock handed over in 3 transfers", |_, costs| {
            costs.hand_over_transfers.value = 3;
        }),
        ("both of these", |_, costs| {
            costs.further_lines.value = 1;
            costs.hand_over_transfers.value = 3;
        }),
        ("both of these, 64 CPUs on each node", |options, costs| {
            *options = Options::new(options.nodes, 64);
            costs.further_lines.value = 1;
            costs.hand_over_transfers.value = 3;
        }),
    ];
    all.into_iter()
        .map(|(what, change)| {
            let (options, costs) = with(change);
            (what, options, costs)
        })
        .filter(|(_, options, _)| options.scenario(None).check().is_ok())
        .collect()
}

/// Before and after: the runs of each, sorted by what they handled.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The busylock of each socket, and the node queues.
    pub runs: [Vec<Figures>; 2],
}

impl Comparison {
    /// The run in the middle, by what it handled: before and after.
    pub fn medians(&self) -> [&Figures; 2] {
        [0, 1].map(|side| &self.runs[side][self.runs[side].len() / 2])
    }

    /// After / before, in the medians of the runs: delivered, handled, and before / after in the median
    /// time of an enqueue.
    pub fn ratios(&self) -> [f64; 3] {
        let median = |side: usize, of: fn(&Figures) -> u64| {
            let mut values: Vec<_> = self.runs[side].iter().map(of).collect();
            values.sort_unstable();
            values[values.len() / 2] as f64
        };
        [
            median(1, |f| f.delivered) / median(0, |f| f.delivered),
            median(1, Figures::handled) / median(0, Figures::handled),
            median(0, |f| f.p50_ns) / median(1, |f| f.p50_ns),
        ]
    }
}

/// Plays the flood before and after the patch, as often as the options say.
///
/// # Errors
/// As [`measure`]; and when the options ask for no runs.
pub fn report(
    options: &Options,
    costs: &Costs,
) -> Result<Comparison, Box<dyn std::error::Error + Send + Sync>> {
    if options.runs == 0 {
        return Err("0 runs; it needs at least 1".into());
    }
    let side = |baseline| {
        let scenario = options.scenario(baseline);
        let seeds = (0..options.runs as u64).map(|run| options.seed.wrapping_add(run));
        let runs: Result<Vec<_>, _> = seeds
            .map(|seed| measure(&scenario, costs, options.packet_ns, seed))
            .collect();
        runs.map(|mut runs| {
            runs.sort_by_key(Figures::handled);
            runs
        })
    };
    Ok(Comparison {
        runs: [side(Some(Baseline::SocketBusylock))?, side(None)?],
    })
}
