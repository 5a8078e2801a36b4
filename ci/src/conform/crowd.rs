// SPDX-License-Identifier: MIT OR Apache-2.0

//! Several CPUs flood one socket of the kernel while another thread samples `SO_MEMINFO`.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{anyhow, Context, Result};
use nix::sched::{sched_setaffinity, CpuSet};
use nix::unistd::Pid;
use prodq_models::scenario::{Op, Scenario};
use serde::Serialize;

use super::machine::Scales;
use super::op::{Family, Parts};
use super::truesize::Truesizes;
use super::udp::Udp;

/// Datagrams of each sender.
const DATAGRAMS: u64 = 100_000;
/// Bytes of each datagram.
const PAYLOAD: u32 = 100;
/// How long the last datagrams may be on their way.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a flood came to.
#[derive(Clone, Debug, Serialize)]
pub struct Flood {
    /// Always `two-cpus`.
    pub part: &'static str,
    /// Threads that send, each on a CPU of its own while there are CPUs.
    pub senders: usize,
    /// CPUs that can deliver.
    pub cpus: usize,
    /// NUMA nodes.
    pub nodes: usize,
    /// The limit in force, in bytes.
    pub rcvbuf: u32,
    /// Whether somebody receives meanwhile.
    pub reader: bool,
    /// How often `SO_MEMINFO` was looked at during the flood.
    pub samples: u64,
    /// The largest `rmem_alloc` seen, in bytes.
    pub largest: i64,
    /// What `bounded-overshoot` allows, in bytes.
    pub bound: u64,
    /// Datagrams sent.
    pub sent: u64,
    /// Datagrams received.
    pub received: u64,
    /// Datagrams that the socket dropped.
    pub dropped: u64,
    /// Datagrams that a CPU's backlog dropped before UDP saw them.
    pub backlog: u64,
}

impl Flood {
    /// Whether the bound held and every datagram was accounted for.
    pub fn holds(&self) -> bool {
        let accounted = self.received + self.dropped + self.backlog;
        self.largest >= 0 && self.largest as u64 <= self.bound && self.sent == accounted
    }
}

impl fmt::Display for Flood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "two CPUs: {} senders on {} CPUs of {} node(s), rcvbuf {}, {}: largest rmem_alloc {} in {} \
             samples, bound {}; {} sent = {} received + {} dropped + {} lost in the backlog: {}",
            self.senders,
            self.cpus,
            self.nodes,
            self.rcvbuf,
            if self.reader { "with a reader" } else { "no reader" },
            self.largest,
            self.samples,
            self.bound,
            self.sent,
            self.received,
            self.dropped,
            self.backlog,
            if self.holds() { "holds" } else { "DOES NOT HOLD" }
        )
    }
}

/// Floods a socket whose limit is asked to be `asked` bytes, from CPUs of `allowed`.
pub fn flood(asked: i32, reader: bool, allowed: &CpuSet) -> Result<Flood> {
    let mut truesizes = Truesizes::default();
    Scales::new(Family::V4)?.weigh(Parts::whole(PAYLOAD), &mut truesizes)?;
    let truesize = truesizes
        .get(Family::V4, Parts::whole(PAYLOAD))
        .context("a truesize")?;
    let truesize = truesize.full.max(truesize.condensed);
    let cpus: Vec<_> = (0..CpuSet::count())
        .filter(|&cpu| allowed.is_set(cpu).unwrap_or(false))
        .collect();
    let nodes = nodes()?;
    let socket = Udp::open(Family::V4)?;
    socket.set_rcvbuf(asked)?;
    let rcvbuf = socket.mem_info()?.rcvbuf;
    let mut scenario = Scenario::new("two-cpus", nodes, rcvbuf);
    for cpu in 0..cpus.len().max(nodes) {
        scenario = scenario.cpu(cpu % nodes, [Op::Offer(truesize)]);
    }
    let senders = cpus.len().max(2);
    let lost = backlog()?;
    let over = AtomicBool::new(false);
    let (sampled, received, sent) = thread::scope(|scope| {
        let sampler = scope.spawn(|| sample(&socket, &over));
        let receiver = reader.then(|| scope.spawn(|| receive(&socket, &over)));
        let send = |index: usize| {
            let cpu = cpus[index % cpus.len()];
            let socket = &socket;
            scope.spawn(move || send(socket, cpu))
        };
        let senders: Vec<_> = (0..senders).map(send).collect();
        let sent: Result<Vec<u64>> = senders.into_iter().map(joined).collect();
        over.store(true, Ordering::Relaxed);
        let received = receiver.map_or(Ok(0), joined);
        (joined(sampler), received, sent)
    });
    let (samples, largest) = sampled?;
    let mut flood = Flood {
        part: "two-cpus",
        senders,
        cpus: cpus.len(),
        nodes,
        rcvbuf,
        reader,
        samples,
        largest,
        bound: scenario.bound(),
        sent: sent?.iter().sum(),
        received: received?,
        dropped: 0,
        backlog: 0,
    };
    let start = Instant::now();
    loop {
        while socket.discard()? {
            flood.received += 1;
        }
        flood.dropped = socket.mem_info()?.drops.into();
        flood.backlog = backlog()? - lost;
        if flood.received + flood.dropped + flood.backlog >= flood.sent
            || start.elapsed() > PATIENCE
        {
            return Ok(flood);
        }
        thread::yield_now();
    }
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, Result<T>>) -> Result<T> {
    thread
        .join()
        .map_err(|_| anyhow!("a thread of the flood panicked"))?
}

fn send(to: &Udp, cpu: usize) -> Result<u64> {
    let mut here = CpuSet::new();
    here.set(cpu).context("a CPU to send from")?;
    sched_setaffinity(Pid::from_raw(0), &here).context("sched_setaffinity")?;
    let sender = Udp::open(Family::V4)?;
    let payload = [0; PAYLOAD as usize];
    for _ in 0..DATAGRAMS {
        sender.send(to, &payload)?;
    }
    Ok(DATAGRAMS)
}

fn receive(socket: &Udp, over: &AtomicBool) -> Result<u64> {
    let mut received = 0;
    while !over.load(Ordering::Relaxed) {
        received += u64::from(socket.discard()?);
    }
    Ok(received)
}

/// How many samples, and the largest `rmem_alloc`.
fn sample(socket: &Udp, over: &AtomicBool) -> Result<(u64, i64)> {
    let mut samples = 0;
    let mut largest = 0;
    while !over.load(Ordering::Relaxed) {
        let rmem_alloc = i64::from(socket.mem_info()?.rmem_alloc);
        // A negative value would be the worst find of all.
        if rmem_alloc < 0 {
            return Ok((samples, rmem_alloc));
        }
        largest = largest.max(rmem_alloc);
        samples += 1;
    }
    Ok((samples, largest))
}

fn nodes() -> Result<usize> {
    let folder =
        std::fs::read_dir("/sys/devices/system/node").context("/sys/devices/system/node")?;
    let is_node = |name: &str| {
        let number = name.strip_prefix("node");
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let nodes = folder
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_str().is_some_and(is_node))
        .count();
    Ok(nodes.max(1))
}

/// Datagrams dropped because a CPU's backlog was full, on all CPUs.
fn backlog() -> Result<u64> {
    let text =
        std::fs::read_to_string("/proc/net/softnet_stat").context("/proc/net/softnet_stat")?;
    let mut sum = 0;
    for line in text.lines() {
        let field = line.split_ascii_whitespace().nth(1);
        sum += u64::from_str_radix(field.context("/proc/net/softnet_stat")?, 16)?;
    }
    Ok(sum)
}
