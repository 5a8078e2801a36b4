// SPDX-License-Identifier: MIT OR Apache-2.0

//! What each CPU has read to admit its packet, and what follows from it. Only a CPU's own reads are
//! looked at, so that it holds for stale reads and among real threads, too.

use prodq::Step;

use crate::context::{Event, What};
use crate::scenario::{Op, Scenario};

/// The current packet of one CPU.
#[derive(Clone, Default)]
struct Look {
    /// The limits that the CPU may find: what it set last, and whatever others set.
    limits: Vec<u32>,
    size: u32,
    rmem_alloc: Option<u32>,
    nodes: Vec<Option<u32>>,
}

pub(super) struct Admitted {
    looks: Vec<Look>,
    others: Vec<Vec<u32>>,
}

impl Admitted {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let sets = |cpu: usize| {
            scenario.cpus[cpu].ops.iter().filter_map(|op| match op {
                Op::SetRcvbuf(bytes) => Some(*bytes),
                _ => None,
            })
        };
        let cpus = 0..scenario.cpus.len();
        let all_others = |cpu| cpus.clone().filter(move |&other| other != cpu);
        let others: Vec<Vec<u32>> = cpus
            .clone()
            .map(|cpu| all_others(cpu).flat_map(sets).collect())
            .collect();
        let look = |others: &Vec<u32>| Look {
            limits: others.iter().copied().chain([scenario.rcvbuf]).collect(),
            nodes: vec![None; scenario.nodes],
            ..Look::default()
        };
        Admitted {
            looks: others.iter().map(look).collect(),
            others,
        }
    }

    pub(super) fn event(&mut self, event: &Event) {
        let look = &mut self.looks[event.cpu];
        match event.what {
            What::Offer { size, .. } => {
                look.size = size;
                look.rmem_alloc = None;
                look.nodes.fill(None);
            }
            What::Step(Step::ReadRmem { value }) => look.rmem_alloc = Some(value as u32),
            What::Step(Step::ReadNode { node, value }) => look.nodes[node] = Some(value as u32),
            What::Step(Step::SetRcvbuf { to, .. }) => {
                look.limits.clone_from(&self.others[event.cpu]);
                look.limits.push(to);
            }
            _ => {}
        }
    }

    /// Whether the CPU has read the socket's counter and that of `node`.
    pub(super) fn has_read(&self, cpu: usize, node: usize) -> bool {
        let look = &self.looks[cpu];
        look.rmem_alloc.is_some() && look.nodes[node].is_some()
    }

    /// The occupancy, in bytes, as the CPU read it.
    pub(super) fn occupied(&self, cpu: usize) -> u32 {
        let look = &self.looks[cpu];
        let read = look.nodes.iter().flatten();
        read.fold(look.rmem_alloc.unwrap_or(0), |sum, &bytes| {
            sum.wrapping_add(bytes)
        })
    }

    /// Whether one of the limits that the CPU may have found makes `holds` true.
    fn some_limit(&self, cpu: usize, holds: impl Fn(u32) -> bool) -> bool {
        self.looks[cpu].limits.iter().any(|&limit| holds(limit))
    }

    /// Whether the CPU may admit its packet, and whether it may refuse it. Both, while a limit changes.
    pub(super) fn may(&self, cpu: usize) -> (bool, bool) {
        let (occupied, size) = (self.occupied(cpu), self.looks[cpu].size);
        let fits = |limit: u32| {
            let exempt = occupied == 0 && limit <= i32::MAX as u32 / 2;
            occupied.wrapping_add(size) <= limit || exempt
        };
        let refused = |limit| !fits(limit);
        (self.some_limit(cpu, fits), self.some_limit(cpu, refused))
    }

    /// Whether the CPU may find the socket more than half full, and whether it may not.
    pub(super) fn half_full(&self, cpu: usize) -> (bool, bool) {
        let occupied = self.occupied(cpu);
        let above = |limit: u32| occupied > limit / 2;
        let below = |limit| !above(limit);
        (self.some_limit(cpu, above), self.some_limit(cpu, below))
    }

    /// The thresholds, in bytes, below which the CPU may hold back a release.
    pub(super) fn thresholds(&self, cpu: usize) -> impl Iterator<Item = u32> + '_ {
        self.looks[cpu].limits.iter().map(|limit| limit / 4)
    }
}
