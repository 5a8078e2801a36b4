// SPDX-License-Identifier: MIT OR Apache-2.0

//! What is played: pure data.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::design::{Baseline, Policy, Repair};

/// One thing that a CPU does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Offers a packet of this truesize, in bytes.
    Offer(u32),
    /// Receives a packet if there is one.
    Recv,
    /// Receives a packet, and sleeps while there is none.
    Wait,
    /// Receives a packet after at most so many looks without a lock.
    Busy(usize),
    /// Peeks at a packet if there is one.
    Peek,
    /// Hands a new packet to the free list of this CPU.
    Defer(usize),
    /// Flushes the CPU's own free lists.
    Flush,
    /// Changes rcvbuf, in bytes.
    SetRcvbuf(u32),
    /// Publishes the socket, which nobody can find before. Without it the socket is there from the
    /// start.
    Open,
    /// Closes the socket; it is released after a grace period.
    Close,
}

/// One CPU: its node and its script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// The node that the CPU belongs to.
    pub node: usize,
    /// What it does, in order.
    pub ops: Vec<Op>,
}

/// A scenario: a socket, the memory of its protocol, and CPUs with scripts.
///
/// CPU 0 runs in the main thread. When all have finished, the main thread receives what is left,
/// unless `leave_queued`, and destroys the socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// Its name, in lower case with dashes.
    pub name: String,
    /// How many nodes the socket has queues for.
    pub nodes: usize,
    /// rcvbuf at the start, in bytes.
    pub rcvbuf: u32,
    /// The design that the patch replaced, if one of them is played instead of the kernel's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// The admission policy.
    #[serde(default)]
    pub policy: Policy,
    /// What is repaired in the kernel's design, apart from the policy; nothing by default.
    #[serde(default)]
    pub repair: Option<Repair>,
    /// The largest `rmem_alloc` that `bounded-overshoot` allows, in bytes, where it is known exactly or
    /// asked about; [`bound`](Self::bound) otherwise.
    #[serde(default)]
    pub overshoot: Option<u64>,
    /// Whether packets are stamped with the drop count.
    #[serde(default)]
    pub rxq_ovfl: bool,
    /// The three limits of protocol memory, in pages; none by default.
    #[serde(default)]
    pub mem_limits: Option<[u32; 3]>,
    /// `udp_rmem_min`, in bytes.
    #[serde(default)]
    pub rmem_min: u32,
    /// What condensing makes of a larger packet, in bytes; packets stay as they are by default.
    #[serde(default)]
    pub condense_to: Option<u32>,
    /// Packets of these sizes are offered by CPU 0 before the others start.
    #[serde(default)]
    pub prefill: Vec<u32>,
    /// How many packets a free list counts before it is full (`skb_defer_max`).
    #[serde(default)]
    pub defer_max: u32,
    /// Whether somebody who is not in the scenario holds the receive queue's lock for ever.
    #[serde(default)]
    pub lock_held: bool,
    /// Whether the other CPUs start when those that begin with a wait are asleep.
    #[serde(default)]
    pub readers_asleep: bool,
    /// Whether the packets that nobody received stay for the destructor.
    #[serde(default)]
    pub leave_queued: bool,
    /// Whether the allocation of the node queues is refused.
    #[serde(default)]
    pub init_fails: bool,
    /// The CPUs.
    pub cpus: Vec<Cpu>,
}

/// A scenario that makes no sense.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("scenario {name:?}: {what}")]
pub struct ScenarioError {
    name: String,
    what: String,
}

impl Scenario {
    /// A scenario of `nodes` nodes with plenty of protocol memory; the CPUs are added by
    /// [`cpu`](Self::cpu).
    pub fn new(name: &str, nodes: usize, rcvbuf: u32) -> Scenario {
        Scenario {
            name: name.to_owned(),
            nodes,
            rcvbuf,
            baseline: None,
            policy: Policy::default(),
            repair: None,
            overshoot: None,
            rxq_ovfl: false,
            mem_limits: None,
            rmem_min: 0,
            condense_to: None,
            prefill: Vec::new(),
            defer_max: 0,
            lock_held: false,
            readers_asleep: false,
            leave_queued: false,
            init_fails: false,
            cpus: Vec::new(),
        }
    }

    /// The scenario with one more CPU, of `node`.
    #[must_use]
    pub fn cpu(mut self, node: usize, ops: impl IntoIterator<Item = Op>) -> Scenario {
        let ops = ops.into_iter().collect();
        self.cpus.push(Cpu { node, ops });
        self
    }

    /// The scenario with `count` more CPUs on each node that do the same.
    #[must_use]
    pub fn cpus_on_each_node(mut self, count: usize, ops: &[Op]) -> Scenario {
        for node in 0..self.nodes {
            for _ in 0..count {
                self = self.cpu(node, ops.iter().copied());
            }
        }
        self
    }

    /// Every size that is offered, with the node it is offered on.
    fn offers(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let main = self.cpus.first().map_or(0, |cpu| cpu.node);
        let prefill = self.prefill.iter().map(move |&size| (main, size));
        let offers = self.cpus.iter().flat_map(|cpu| {
            cpu.ops.iter().filter_map(|op| match op {
                Op::Offer(size) => Some((cpu.node, *size)),
                _ => None,
            })
        });
        prefill.chain(offers)
    }

    /// How many packets there are: offered at most, or handed to free lists.
    pub fn packets(&self) -> usize {
        self.offers().count() + self.ops().filter(|op| matches!(op, Op::Defer(_))).count()
    }

    /// The CPUs that own free lists.
    pub fn owners(&self) -> BTreeSet<usize> {
        let owner = |op| match op {
            Op::Defer(owner) => Some(owner),
            _ => None,
        };
        self.ops().filter_map(owner).collect()
    }

    /// Whether some CPU publishes the socket while others look for it.
    pub fn opens(&self) -> bool {
        self.ops().any(|op| op == Op::Open)
    }

    /// Whether the socket comes or goes while others look for it, so that they need a table.
    pub fn needs_table(&self) -> bool {
        self.opens() || self.ops().any(|op| op == Op::Close)
    }

    /// Whether readers sleep, or look without a lock.
    pub fn sleeps(&self) -> bool {
        self.ops().any(|op| matches!(op, Op::Wait | Op::Busy(_)))
    }

    /// Whether the CPU sleeps before anything else happens.
    pub fn starts_asleep(&self, cpu: usize) -> bool {
        let first = self.cpus.get(cpu).and_then(|cpu| cpu.ops.first());
        self.readers_asleep && first == Some(&Op::Wait)
    }

    fn ops(&self) -> impl Iterator<Item = Op> + '_ {
        self.cpus.iter().flat_map(|cpu| cpu.ops.iter().copied())
    }

    /// An upper bound of `rmem_alloc`, in bytes, for any interleaving of sequentially consistent
    /// loads, with K nodes, C CPUs that produce, s the largest truesize and B the largest rcvbuf or s,
    /// whichever is more: (K + 1) B + (2 C - K) s for the kernel's order of reads, which is not tight;
    /// K B + (C - K) s when the node's counter is read first, which one node attains. `AllNodes` admits
    /// nothing that `NodeFirst` does not, so the second bound is one for it too. See `proofs/README.md`.
    /// The designs before the patch have bounds that do not know of nodes; [`prodq::baseline`] says why.
    pub fn bound(&self) -> u64 {
        let mut producers = self.producing_cpus();
        producers.sort_unstable();
        let cpus = producers.len() as u64;
        producers.dedup();
        let nodes = producers.len() as u64;
        let largest = u64::from(self.offers().map(|(_, size)| size).max().unwrap_or(0));
        let limits = self.ops().filter_map(|op| match op {
            Op::SetRcvbuf(bytes) => Some(bytes),
            _ => None,
        });
        let rcvbuf = limits.chain([self.rcvbuf]).max().unwrap_or(0);
        let limit = u64::from(rcvbuf).max(largest);
        if let Some(baseline) = self.baseline {
            return match baseline {
                Baseline::PlainLock | Baseline::HashedBusylock => {
                    u64::from(rcvbuf) + cpus * largest
                }
                Baseline::SocketBusylock => limit + cpus.saturating_sub(1) * largest,
            };
        }
        match self.policy {
            Policy::KernelOrder => (nodes + 1) * limit + (2 * cpus - nodes) * largest,
            Policy::NodeFirst | Policy::AllNodes => nodes * limit + (cpus - nodes) * largest,
        }
    }

    /// The node of each CPU that offers a packet; the packets offered beforehand are CPU 0's.
    fn producing_cpus(&self) -> Vec<usize> {
        let offers = |cpu: &Cpu| cpu.ops.iter().any(|op| matches!(op, Op::Offer(_)));
        let mut nodes = Vec::new();
        for (index, cpu) in self.cpus.iter().enumerate() {
            if offers(cpu) || (index == 0 && !self.prefill.is_empty()) {
                nodes.push(cpu.node);
            }
        }
        nodes
    }

    /// The design that it asks for, in words.
    pub fn design(&self) -> String {
        let repair = self.repair.map(|repair| format!(", {}", repair.name()));
        let free_lists = if self.owners().is_empty() {
            ""
        } else {
            ", free lists"
        };
        let readers = if self.sleeps() {
            ", sleeping readers"
        } else {
            ""
        };
        if let Some(baseline) = self.baseline {
            return format!("{}{readers}{free_lists}", baseline.name());
        }
        format!(
            "prod-queue, {}{readers}{free_lists}{}",
            self.policy.name(),
            repair.unwrap_or_default()
        )
    }

    /// Whether the scenario can be played.
    ///
    /// # Errors
    /// [`ScenarioError`] says what is wrong and what is allowed.
    pub fn check(&self) -> Result<(), ScenarioError> {
        let wrong = |what: String| {
            Err(ScenarioError {
                name: self.name.clone(),
                what,
            })
        };
        if self.cpus.is_empty() || self.cpus.len() > 512 {
            return wrong(format!("{} CPUs; it needs from 1 to 512", self.cpus.len()));
        }
        if self.nodes == 0 || self.nodes > 64 {
            return wrong(format!("{} nodes; it needs from 1 to 64", self.nodes));
        }
        if let Some(cpu) = self.cpus.iter().find(|cpu| cpu.node >= self.nodes) {
            let last = self.nodes - 1;
            return wrong(format!("a CPU of node {}; nodes are 0 to {last}", cpu.node));
        }
        let changed = self.policy != Policy::KernelOrder || self.repair.is_some();
        if let Some(baseline) = self.baseline.filter(|_| changed || self.init_fails) {
            return wrong(format!(
                "the design {} with a policy, a repair or a failing init; it has none of them",
                baseline.name()
            ));
        }
        if let Some(repair) = self.repair.filter(|_| self.policy != Policy::KernelOrder) {
            return wrong(format!(
                "the repair {} with the policy {}; it goes with {} only",
                repair.name(),
                self.policy.name(),
                Policy::KernelOrder.name()
            ));
        }
        let readers_repair = self.repair == Some(Repair::LookAtBothQueues);
        let other_repair = self.repair.is_some() && !readers_repair;
        if self.sleeps() && (other_repair || self.policy != Policy::KernelOrder) {
            return wrong(format!(
                "sleeping readers in the design {}; they go with {} and the repair {} only",
                self.design(),
                Policy::KernelOrder.name(),
                Repair::LookAtBothQueues.name()
            ));
        }
        let limits = self.ops().filter_map(|op| match op {
            Op::SetRcvbuf(bytes) => Some(bytes),
            _ => None,
        });
        let sizes = self.offers().map(|(_, size)| size);
        let all = sizes.chain(limits).chain([self.rcvbuf]);
        if let Some(error) = all.chain(self.condense_to).find_map(|size| {
            let checked = prodq::SizeError::check(size);
            checked.err()
        }) {
            return wrong(error.to_string());
        }
        if self.ops().filter(|&op| op == Op::Close).count() > 2 {
            return wrong("more than 2 closes; it may have 0, 1 or 2".to_owned());
        }
        if self.ops().filter(|&op| op == Op::Open).count() > 1 {
            return wrong("more than 1 open; it may have 0 or 1".to_owned());
        }
        if let Some(owner) = self
            .owners()
            .into_iter()
            .find(|&cpu| cpu >= self.cpus.len())
        {
            let last = self.cpus.len() - 1;
            return wrong(format!("a free list of CPU {owner}; CPUs are 0 to {last}"));
        }
        let offer = |op| matches!(op, Op::Offer(_));
        if self.lock_held && !(self.prefill.is_empty() && self.ops().all(offer)) {
            return wrong(
                "a lock that is held for ever goes with CPUs that offer packets only".to_owned(),
            );
        }
        if self.readers_asleep
            && (self.starts_asleep(0) || self.opens() || !self.prefill.is_empty())
        {
            return wrong(
                "readers that are asleep at the start, and nothing to sleep for, or CPU 0 among them"
                    .to_owned(),
            );
        }
        if self.opens() && !self.prefill.is_empty() {
            return wrong("packets before the socket is open".to_owned());
        }
        if let Some([low, pressure, high]) = self.mem_limits {
            if low > pressure || pressure > high {
                return wrong(format!(
                    "memory limits {low}, {pressure}, {high}; they must ascend"
                ));
            }
        }
        Ok(())
    }

    /// The scripts, one CPU a piece: `n0: +100 recv | n1: +100 close`.
    pub fn scripts(&self) -> String {
        let cpu = |cpu: &Cpu| {
            let ops: Vec<_> = cpu.ops.iter().map(ToString::to_string).collect();
            format!("n{}: {}", cpu.node, ops.join(" "))
        };
        self.cpus.iter().map(cpu).collect::<Vec<_>>().join(" | ")
    }
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Op::Offer(size) => write!(f, "+{size}"),
            Op::Recv => f.write_str("recv"),
            Op::Wait => f.write_str("wait"),
            Op::Busy(looks) => write!(f, "busy={looks}"),
            Op::Peek => f.write_str("peek"),
            Op::Defer(owner) => write!(f, "defer={owner}"),
            Op::Flush => f.write_str("flush"),
            Op::SetRcvbuf(bytes) => write!(f, "rcvbuf={bytes}"),
            Op::Open => f.write_str("open"),
            Op::Close => f.write_str("close"),
        }
    }
}
