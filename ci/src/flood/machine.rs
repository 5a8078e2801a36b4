// SPDX-License-Identifier: MIT OR Apache-2.0

//! The machine that a flood runs on: what is told with every result, and where threads are put.

use std::fs;

use quanta::Clock;
use serde::{Deserialize, Serialize};

/// What the figures depend on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// The CPUs that this process may use.
    pub cpus: Vec<usize>,
    /// The CPUs of each NUMA node, as the system tells them.
    pub nodes: Vec<Vec<usize>>,
    /// Whether two threads share a core.
    pub smt: Option<String>,
    /// How the clock frequency is chosen.
    pub governor: Option<String>,
    /// The operating system and its version.
    pub system: String,
    /// The hypervisor's mark, if the processor shows one.
    pub virtual_machine: bool,
    /// The kernel's settings of receive buffers, by name.
    pub settings: Vec<(String, String)>,
    /// What this program was built for and how.
    pub build: String,
    /// The smallest difference that the clock shows, in nanoseconds.
    pub clock_step: u64,
    /// What it takes to read the clock, in nanoseconds: it is in every time of enqueue.
    pub clock_cost: f64,
    /// The load averages before the first flood: what else the machine had to do.
    #[serde(default)]
    pub load: Option<String>,
}

const SETTINGS: [&str; 5] = [
    "net/core/rmem_default",
    "net/core/rmem_max",
    "net/core/netdev_max_backlog",
    "net/ipv4/udp_mem",
    "net/ipv4/udp_rmem_min",
];

fn read(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
}

impl Machine {
    /// Looks at this machine. What cannot be read is left out.
    pub fn here() -> Machine {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = cpuinfo.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let cpus = allowed_cpus();
        let setting = |name: &&str| {
            let value = read(&format!("/proc/sys/{name}"))?;
            Some((name.replace('/', "."), value))
        };
        let (clock_step, clock_cost) = clock();
        let release = read("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            cpu: field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            nodes: nodes().unwrap_or_else(|| vec![cpus.clone()]),
            cpus,
            smt: read("/sys/devices/system/cpu/smt/control"),
            governor: read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            system: format!("{} {release}", std::env::consts::OS),
            virtual_machine: field("flags").is_some_and(|flags| flags.contains(" hypervisor")),
            settings: SETTINGS.iter().filter_map(setting).collect(),
            clock_step,
            clock_cost,
            load: read("/proc/loadavg"),
            build: format!(
                "{}, {}",
                std::env::consts::ARCH,
                if cfg!(debug_assertions) {
                    "with debug assertions"
                } else {
                    "release"
                }
            ),
        }
    }

    /// The node of a CPU; 0 where the system does not tell.
    pub fn node_of(&self, cpu: usize) -> usize {
        let has = |cpus: &Vec<usize>| cpus.contains(&cpu);
        self.nodes.iter().position(has).unwrap_or(0)
    }

    /// What is printed with every result.
    pub fn lines(&self) -> Vec<String> {
        let unknown = || "unknown".to_owned();
        let nodes: Vec<_> = self.nodes.iter().map(|cpus| list(cpus)).collect();
        let settings = self.settings.iter();
        let settings: Vec<_> = settings
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        vec![
            format!(
                "{}{}, {} CPUs to use ({}), NUMA nodes: {} ({})",
                self.cpu,
                if self.virtual_machine {
                    " (virtual)"
                } else {
                    ""
                },
                self.cpus.len(),
                list(&self.cpus),
                self.nodes.len(),
                nodes.join(" | ")
            ),
            format!(
                "{}; SMT {}; frequency governor {}; built for {}",
                self.system,
                self.smt.clone().unwrap_or_else(unknown),
                self.governor.clone().unwrap_or_else(unknown),
                self.build
            ),
            format!(
                "load averages at the start: {}; clock: steps of {} ns, a reading takes {:.0} ns",
                self.load.clone().unwrap_or_else(unknown),
                self.clock_step,
                self.clock_cost
            ),
            settings.join("; "),
        ]
    }
}

/// The clock's smallest step and the cost of a reading, in nanoseconds.
fn clock() -> (u64, f64) {
    const READINGS: u32 = 10_000;
    let clock = Clock::new();
    let start = clock.raw();
    let readings: Vec<_> = (0..READINGS).map(|_| clock.raw()).collect();
    let cost = clock.delta_as_nanos(start, clock.raw()) as f64 / f64::from(READINGS);
    let steps = readings
        .windows(2)
        .map(|pair| clock.delta_as_nanos(pair[0], pair[1]));
    let smallest = steps.filter(|step| *step != 0).min();
    (smallest.unwrap_or(0), cost)
}

fn list(cpus: &[usize]) -> String {
    let cpus: Vec<_> = cpus.iter().map(usize::to_string).collect();
    cpus.join(",")
}

/// The CPUs of each node that has any.
fn nodes() -> Option<Vec<Vec<usize>>> {
    let online = parse_list(&read("/sys/devices/system/node/online")?)?;
    let cpus = |node: &usize| {
        parse_list(&read(&format!(
            "/sys/devices/system/node/node{node}/cpulist"
        ))?)
    };
    let nodes: Vec<_> = online
        .iter()
        .filter_map(cpus)
        .filter(|cpus| !cpus.is_empty())
        .collect();
    (!nodes.is_empty()).then_some(nodes)
}

/// A list such as `0-3,8`.
fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (usize, usize) = (from.parse().ok()?, to.parse().ok()?);
        all.extend(from..=to);
    }
    Some(all)
}

#[cfg(target_os = "linux")]
fn allowed_cpus() -> Vec<usize> {
    use nix::sched::{sched_getaffinity, CpuSet};
    use nix::unistd::Pid;
    let allowed = sched_getaffinity(Pid::from_raw(0)).unwrap_or_default();
    let is_set = |cpu: &usize| allowed.is_set(*cpu).unwrap_or(false);
    (0..CpuSet::count()).filter(is_set).collect()
}

#[cfg(not(target_os = "linux"))]
fn allowed_cpus() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

/// Binds the calling thread to a CPU; false where that is not allowed.
#[cfg(target_os = "linux")]
pub fn pin(cpu: usize) -> bool {
    use nix::sched::{sched_setaffinity, CpuSet};
    let mut only = CpuSet::new();
    only.set(cpu).is_ok() && sched_setaffinity(nix::unistd::Pid::from_raw(0), &only).is_ok()
}

/// Binds the calling thread to a CPU; false where that is not allowed.
#[cfg(not(target_os = "linux"))]
pub fn pin(_: usize) -> bool {
    false
}
