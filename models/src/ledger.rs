// SPDX-License-Identifier: MIT OR Apache-2.0

//! The one ledger: what an execution did, in ghost variables, told event by event.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use prodq::{DropReason, SkbId, Step};

use crate::context::{Event, Kind, What};
use crate::scenario::Scenario;

/// What is known of one packet.
#[derive(Clone, Debug, Default)]
pub struct Packet {
    /// The CPU that offered it.
    pub cpu: usize,
    /// That CPU's node.
    pub node: usize,
    /// Bytes charged for it.
    pub charged: u32,
    /// Bytes charged for it to the socket, while it is not queued yet.
    pub charged_early: u32,
    /// How often it was pushed.
    pub pushed: u32,
    /// Its place among the pushes of its node.
    pub push_order: usize,
    /// How often it was put on the receive queue.
    pub queued: u32,
    /// How often a reader was given it.
    pub delivered: u32,
    /// Whether admission refused it.
    pub refused: bool,
    /// Whether the caller has it again.
    pub returned: bool,
    /// Whether a drain found no memory for it.
    pub no_memory: bool,
    /// Why the socket freed it, each time it did.
    pub dropped: Vec<DropReason>,
    /// How often its memory was freed.
    pub freed: u32,
    /// Its drop-count stamp.
    pub stamp: u32,
}

/// What is known of one node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The packets on the list, oldest first.
    pub list: Vec<usize>,
    /// The CPU that is elected and has not taken the list.
    pub elected: Option<usize>,
    /// How many CPUs of the node are inside enqueue.
    pub inside: usize,
    /// Bytes charged and not yet subtracted.
    pub rmem_alloc: i64,
    /// How often a push found the list empty.
    pub elections: u64,
    /// How often the list was taken.
    pub drains: u64,
    /// How many packets were pushed.
    pub pushes: usize,
    /// Every value that the counter had, with the bytes that its drains had added to the socket's
    /// counter by then.
    pub history: Vec<(i64, i64)>,
}

impl Node {
    fn change(&mut self, by: i64, handed_over: i64) {
        let handed_over = handed_over + self.history.last().map_or(0, |last| last.1);
        self.rmem_alloc += by;
        self.history.push((self.rmem_alloc, handed_over));
    }

    /// The bytes that were in the socket's counter, at least, when the node's counter was `value`, for a
    /// CPU that knows the counter's changes up to number `known`.
    pub fn handed_over(&self, value: i64, known: usize) -> Option<i64> {
        let initial = (known == 0 && value == 0).then_some(0);
        let later = self.history.iter().skip(known.saturating_sub(1));
        let later = later.filter(|(old, _)| *old == value);
        initial
            .into_iter()
            .chain(later.map(|(_, bytes)| *bytes))
            .min()
    }
}

/// What an execution did so far.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Whether the order of events is the order of the accesses. Among real threads it is so only for
    /// what a lock orders, and what else is across CPUs must not be asked of the ledger.
    pub linear: bool,
    /// Whether loads find the newest value.
    pub newest: bool,
    /// The packets offered so far, by number.
    pub packets: BTreeMap<usize, Packet>,
    /// How often each packet was freed that went to a free list, by number.
    pub deferred: BTreeMap<usize, u32>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The bytes that each CPU's current batch was charged.
    pub batch: Vec<u32>,
    /// The bytes that each CPU's last batch added to `rmem_alloc`.
    pub added: Vec<u32>,
    /// How many changes of its node's counter each CPU knows of: up to its own last one.
    pub known: Vec<usize>,
    /// Bytes of batches that are in the socket's counter and not yet out of their node's.
    pub counted_twice: i64,
    /// Bytes of packets that were charged to the socket before they are queued, in the designs that do.
    pub on_their_way: i64,
    /// Bytes taken from `rmem_alloc` so far.
    pub released: i64,
    /// Whether each CPU's current batch was added to the socket's counter.
    pub batch_added: Vec<bool>,
    /// How many packets of each CPU's current batch found no memory and are not freed yet.
    pub batch_to_free: Vec<i64>,
    /// The packet that each CPU dequeued last and has not delivered.
    pub in_hand: Vec<Option<usize>>,
    /// `rmem_alloc`, in bytes.
    pub rmem_alloc: i64,
    /// The largest `rmem_alloc` so far, in bytes.
    pub largest: i64,
    /// Pages charged.
    pub pages: i64,
    /// The numbers of the packets that were queued and not taken by a reader.
    waiting: BTreeSet<usize>,
    /// The two drop counters.
    pub drops: [u32; 2],
    /// Whether the socket has node queues.
    pub initialised: bool,
    /// Whether the destructor is at work.
    pub destructing: bool,
    /// The CPUs that sleep.
    pub asleep: BTreeSet<usize>,
    /// How often the destructor ran to its end, and what it left in `forward_alloc`.
    pub destructed: Vec<i32>,
    /// How often a socket's and a node array's memory was freed.
    pub freed: [u32; 2],
    by_address: HashMap<SkbId, usize>,
}

impl Ledger {
    /// An empty ledger of a scenario.
    pub fn new(scenario: &Scenario, linear: bool) -> Ledger {
        Ledger {
            linear,
            nodes: vec![Node::default(); scenario.nodes],
            batch: vec![0; scenario.cpus.len()],
            batch_added: vec![false; scenario.cpus.len()],
            batch_to_free: vec![0; scenario.cpus.len()],
            in_hand: vec![None; scenario.cpus.len()],
            added: vec![0; scenario.cpus.len()],
            known: vec![0; scenario.cpus.len()],
            ..Ledger::default()
        }
    }

    /// The number of a packet, by the address of its header.
    pub fn number(&self, skb: SkbId) -> Option<usize> {
        self.by_address.get(&skb).copied()
    }

    /// A packet, by the address of its header.
    pub fn packet(&self, skb: SkbId) -> Option<&Packet> {
        self.packets.get(&self.number(skb)?)
    }

    /// The numbers of the packets in the receive queue and the reader queue.
    pub fn queued(&self) -> impl Iterator<Item = usize> + '_ {
        self.waiting.iter().copied()
    }

    /// The bytes that the socket and its nodes hold, each counted once.
    pub fn held(&self) -> i64 {
        let nodes: i64 = self.nodes.iter().map(|node| node.rmem_alloc).sum();
        self.rmem_alloc + nodes - self.counted_twice
    }

    fn packet_mut(&mut self, skb: SkbId) -> Option<&mut Packet> {
        let number = self.number(skb)?;
        self.packets.get_mut(&number)
    }

    /// Enters an event. What it changes is changed; what it should not have changed is for the
    /// theorems to say, which see it before.
    pub fn enter(&mut self, event: &Event, scenario: &Scenario) {
        match event.what {
            What::Step(step) => self.step(event.cpu, step),
            What::Offer { skb, packet, .. } => {
                let node = scenario.cpus[event.cpu].node;
                self.by_address.insert(skb, packet);
                self.nodes[node].inside += 1;
                let offered = Packet {
                    cpu: event.cpu,
                    node,
                    ..Packet::default()
                };
                self.packets.insert(packet, offered);
            }
            What::Return { skb, refused } => {
                let node = scenario.cpus[event.cpu].node;
                self.nodes[node].inside -= 1;
                if let Some(packet) = self.packet_mut(skb) {
                    packet.returned = refused;
                }
            }
            What::Deliver { skb, .. } => {
                if let Some(packet) = self.packet_mut(skb) {
                    packet.delivered += 1;
                }
            }
            What::Freed { kind, address } => match kind {
                Kind::Packet => {
                    let skb = SkbId(address);
                    let deferred = self.number(skb).and_then(|n| self.deferred.get_mut(&n));
                    if let Some(freed) = deferred {
                        *freed += 1;
                    } else if let Some(packet) = self.packet_mut(skb) {
                        packet.freed += 1;
                    }
                }
                Kind::Sock => self.freed[0] += 1,
                Kind::Nodes => self.freed[1] += 1,
                Kind::Busylocks => {}
            },
            What::Hand { skb, packet } => {
                self.by_address.insert(skb, packet);
                self.deferred.insert(packet, 0);
            }
            What::Flushed
            | What::Told { .. }
            | What::Stuck
            | What::TouchedFreed { .. }
            | What::DataRace { .. }
            | What::Deadlock
            | What::FinalDrops { .. } => {}
        }
    }

    fn step(&mut self, cpu: usize, step: Step) {
        match step {
            Step::Init { nodes } => self.initialised = nodes != 0,
            Step::Charge {
                node, skb, size, ..
            } => {
                self.nodes[node].change(size.into(), 0);
                self.known[cpu] = self.nodes[node].history.len();
                if let Some(packet) = self.packet_mut(skb) {
                    packet.charged = size;
                }
            }
            Step::Push {
                node,
                skb,
                was_empty,
            } => {
                let order = self.nodes[node].pushes;
                if let Some(packet) = self.packet_mut(skb) {
                    packet.pushed += 1;
                    packet.push_order = order;
                }
                let number = self.number(skb);
                let node = &mut self.nodes[node];
                node.list.extend(number);
                node.pushes += 1;
                if was_empty {
                    node.elections += 1;
                    node.elected = Some(cpu);
                }
            }
            Step::TakeAll { node, .. } => {
                let node = &mut self.nodes[node];
                node.list.clear();
                node.elected = None;
                node.drains += 1;
                self.batch[cpu] = 0;
                self.batch_added[cpu] = false;
                self.batch_to_free[cpu] = 0;
            }
            Step::Queue { skb, dropcount } => {
                let (charged, early) = self.packet_mut(skb).map_or((0, 0), |packet| {
                    packet.queued += 1;
                    packet.stamp = dropcount;
                    let early = std::mem::take(&mut packet.charged_early);
                    let charged = packet.charged;
                    packet.charged += early;
                    (charged, early)
                });
                self.waiting.extend(self.number(skb));
                self.batch[cpu] += charged;
                self.on_their_way -= i64::from(early);
            }
            Step::NoMemory { skb } => {
                self.batch_to_free[cpu] += 1;
                if let Some(packet) = self.packet_mut(skb) {
                    packet.no_memory = true;
                }
                self.batch[cpu] += self.packet(skb).map_or(0, |packet| packet.charged);
            }
            Step::AddRmem { size, .. } => {
                self.batch_added[cpu] = true;
                self.rmem_alloc += i64::from(size);
                self.added[cpu] = size;
                self.counted_twice += i64::from(size);
                self.largest = self.largest.max(self.rmem_alloc);
            }
            Step::ChargeSock { skb, size, old } => {
                if let Some(packet) = self.packet_mut(skb) {
                    packet.charged_early = size;
                }
                self.on_their_way += i64::from(size);
                self.rmem_alloc += i64::from(size);
                self.largest = self.largest.max(i64::from(old) + i64::from(size));
            }
            Step::UnchargeSock { skb, size, .. } => {
                if let Some(packet) = self.packet_mut(skb) {
                    packet.charged_early = 0;
                }
                self.on_their_way -= i64::from(size);
                self.rmem_alloc -= i64::from(size);
            }
            Step::SubRmem { size, .. } => {
                self.rmem_alloc -= i64::from(size);
                self.released += i64::from(size);
            }
            Step::Uncharge { node, size, .. } => {
                self.nodes[node].change(-i64::from(size), self.added[cpu].into());
                self.counted_twice -= i64::from(self.added[cpu]);
                self.known[cpu] = self.nodes[node].history.len();
            }
            Step::ChargePages { pages, .. } => self.pages += pages as i64,
            Step::UnchargePages { pages, .. } => self.pages -= pages as i64,
            Step::Refuse { skb, .. } => {
                if let Some(packet) = self.packet_mut(skb) {
                    packet.refused = true;
                }
            }
            Step::Free { skb, reason } => {
                if reason == DropReason::ProtoMem {
                    self.batch_to_free[cpu] -= 1;
                }
                if let Some(packet) = self.packet_mut(skb) {
                    packet.dropped.push(reason);
                }
            }
            Step::AddDrops { slot, count, .. } => {
                self.drops[slot] = self.drops[slot].wrapping_add(count);
            }
            Step::Dequeue { skb } => {
                let number = self.number(skb);
                if let Some(number) = number {
                    self.waiting.remove(&number);
                }
                self.in_hand[cpu] = number;
            }
            Step::Destruct => self.destructing = true,
            Step::Destructed { forward_alloc } => {
                self.destructing = false;
                self.destructed.push(forward_alloc);
            }
            Step::Sleep => {
                self.asleep.insert(cpu);
            }
            Step::Awake { .. } => {
                self.asleep.remove(&cpu);
            }
            _ => {}
        }
    }
}
