// SPDX-License-Identifier: MIT OR Apache-2.0

//! The producer's side: admit, charge, push, and drain when elected.

use prodq::{DropReason, LockName, SkbId, Step};
use serde::{Deserialize, Serialize};

use super::{allow, At, Batch, Design, Loads, Packets, Policy, State, Why, NOT_HERE, PAGE_SHIFT};

/// Where in enqueue a CPU is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Enqueue {
    /// It has come in; rcvbuf had this number then.
    Entered {
        /// The number of rcvbuf's value.
        limit: usize,
    },
    /// Admission has made so many reads; rcvbuf was read between these two numbers of its values.
    Reading {
        /// How many reads.
        reads: u8,
        /// What counts against rcvbuf so far, in bytes.
        sum: u32,
        /// What the first of them found, in bytes.
        first: u32,
        /// The numbers of rcvbuf's values.
        limits: (usize, usize),
    },
    /// The packet was condensed, and is admitted.
    Condensed,
    /// The packet's drop was counted.
    Refusing,
    /// The packet is refused; all that is left is to return.
    Refused,
    /// The packet is charged; `known` changes of the list may have been seen.
    Charged {
        /// How many.
        known: u32,
    },
    /// It is elected. `drops` numbers the first drop counter's value at that moment.
    Elected {
        /// Whether the stamp was sampled.
        sampled: bool,
        /// The number.
        drops: usize,
    },
    /// The same, with the receive queue's lock held.
    Locked {
        /// Whether the stamp was sampled.
        sampled: bool,
        /// The number.
        drops: usize,
    },
    /// It has taken the list, and turns to the next packet.
    Draining,
    /// It has charged pages for the packet, within the limits.
    Funded {
        /// How many.
        pages: isize,
    },
    /// It has charged pages for the packet, and must look at `rmem_alloc`.
    Pressed {
        /// How many.
        pages: isize,
    },
    /// It has charged pages for the packet, beyond the limits, and must give them back.
    Unfunded {
        /// How many.
        pages: isize,
    },
    /// There is no memory for the packet.
    Broke,
    /// The batch is in `rmem_alloc`.
    Added,
    /// It has left the lock, has called so many readers and freed so many packets.
    Unlocked {
        /// How many readers.
        calls: u32,
        /// How many packets.
        freed: u32,
    },
    /// It has counted the packets that it freed.
    Counted,
    /// All that is left is to return.
    Done,
}

/// What admission reads next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Rmem,
    Node(usize),
}

/// Whether a packet is refused that finds so many bytes occupied: it does not fit, unless it is the first
/// of a socket whose counters cannot overflow.
pub(crate) fn refuses(occupied: u32, size: u32, rcvbuf: u32) -> bool {
    let exempt = occupied == 0 && rcvbuf <= i32::MAX as u32 >> 1;
    occupied.wrapping_add(size) > rcvbuf && !exempt
}

impl Design {
    /// The read of this number by a CPU of `node`, if the policy makes it.
    fn read(&self, node: usize, reads: u8) -> Option<Read> {
        let others = self.nodes - 1;
        match (self.policy, usize::from(reads)) {
            (Policy::KernelOrder, 0) => Some(Read::Rmem),
            (Policy::KernelOrder, 1) => Some(Read::Node(node)),
            (Policy::NodeFirst | Policy::AllNodes, 0) => Some(Read::Node(node)),
            (Policy::NodeFirst | Policy::AllNodes, 1) => Some(Read::Rmem),
            (Policy::AllNodes, n) if n < 2 + others => {
                let other = n - 2;
                Some(Read::Node(other + usize::from(other >= node)))
            }
            (Policy::AllNodes, n) if n == 2 + others => Some(Read::Rmem),
            _ => None,
        }
    }

    /// Whether some value that rcvbuf may have had when it was read is such.
    fn some_limit<Q: Packets>(
        &self,
        s: &State<Q>,
        (from, to): (usize, usize),
        such: impl Fn(u32) -> bool,
    ) -> bool {
        let from = if self.loads == Loads::Newest { from } else { 0 };
        let mut limits = s.rcvbuf.since(from).take(to - from + 1);
        limits.any(|limit| such(limit as u32))
    }

    /// A load of `rmem_alloc` (word 0) or of a node's counter (1 and its number).
    fn load<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        word: usize,
        value: i32,
    ) -> Result<(), Why> {
        let (known, node) = (s.cpus[cpu].known.get(word).copied(), word.wrapping_sub(1));
        let read = s.nodes.get(node).map_or(&s.rmem_alloc, |n| &n.rmem_alloc);
        if self.loads == Loads::Newest {
            return allow(read.value == value, "the counter has another value");
        }
        let found = read.find(value, known.unwrap_or(0));
        let found = found.ok_or("the counter had no such value since this CPU last knew it")?;
        s.know(cpu, word, found);
        Ok(())
    }

    /// The reads of admission, one by one.
    fn admit<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Enqueue,
        step: Step,
    ) -> Result<At, Why> {
        let (reads, mut sum, first, limits) = match at {
            Enqueue::Entered { limit } => (0, 0, 0, (limit, s.rcvbuf.version())),
            Enqueue::Reading {
                reads,
                sum,
                first,
                limits,
            } => (reads, sum, first, limits),
            _ => return Err(NOT_HERE),
        };
        let due = self.read(self.cpus[cpu], reads);
        if (self.policy, reads) == (Policy::AllNodes, 2) {
            let full = self.some_limit(s, limits, |limit| sum > limit >> 1);
            allow(full, "all nodes are read only above half of rcvbuf")?;
            sum = first;
        }
        let value = match step {
            Step::ReadRmem { value } if due == Some(Read::Rmem) => {
                self.load(s, cpu, 0, value)?;
                value as u32
            }
            Step::ReadNode { node, value } if due == Some(Read::Node(node)) => {
                self.load(s, cpu, 1 + node, value)?;
                value as u32
            }
            _ => return Err("this is not the policy's next read"),
        };
        Ok(At::Enqueue(Enqueue::Reading {
            reads: reads + 1,
            sum: sum.wrapping_add(value),
            first: match (self.policy, reads) {
                (Policy::AllNodes, 0) => value,
                (_, 1) => first,
                _ => 0,
            },
            limits,
        }))
    }

    /// The step that follows in admission where loads find the newest values, unless the packet is
    /// refused: for a search.
    pub(crate) fn next_of_admission<Q: Packets>(
        &self,
        s: &State<Q>,
        cpu: usize,
        at: Enqueue,
    ) -> Option<Step> {
        let (node, skb) = (self.cpus[cpu], s.cpus[cpu].skb?);
        let (reads, sum) = match at {
            Enqueue::Entered { .. } => (0, 0),
            Enqueue::Reading { reads, sum, .. } => (reads, sum),
            _ => return None,
        };
        let limit = s.rcvbuf.value as u32;
        let early = (self.policy, reads) == (Policy::AllNodes, 2) && sum <= limit >> 1;
        let (id, size) = (skb.id, skb.size);
        Some(match self.read(node, reads).filter(|_| !early) {
            Some(Read::Rmem) => Step::ReadRmem {
                value: s.rmem_alloc.value,
            },
            Some(Read::Node(node)) => Step::ReadNode {
                node,
                value: s.nodes[node].rmem_alloc.value,
            },
            None if refuses(sum, size, limit) => return None,
            None if sum > limit >> 1 => Step::Condense {
                skb: id,
                from: size,
                to: size,
            },
            None => Step::Charge {
                node,
                skb: id,
                size,
                old: s.nodes[node].rmem_alloc.value,
            },
        })
    }

    /// Whether the reads are done, and rcvbuf may then be such.
    fn decides<Q: Packets>(
        &self,
        s: &State<Q>,
        cpu: usize,
        at: Enqueue,
        such: impl Fn(u32, u32, u32) -> bool,
    ) -> bool {
        let Enqueue::Reading {
            reads, sum, limits, ..
        } = at
        else {
            return false;
        };
        let size = s.cpus[cpu].skb.map_or(0, |skb| skb.size);
        let early = (self.policy, reads) == (Policy::AllNodes, 2);
        let last = self.read(self.cpus[cpu], reads).is_none();
        self.some_limit(s, limits, |limit| {
            (last || early && sum <= limit >> 1) && such(sum, size, limit)
        })
    }

    /// A step of a CPU in enqueue.
    pub(super) fn enqueue<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Enqueue,
        step: Step,
    ) -> Result<At, Why> {
        let node = self.cpus[cpu];
        let skb = s.cpus[cpu].skb.ok_or(NOT_HERE)?;
        let mine = |id: SkbId| allow(id == skb.id, "this is another packet");
        let next = match (at, step) {
            (_, Step::ReadRmem { .. } | Step::ReadNode { .. }) => {
                allow(s.life.initialised, "the socket is not initialised")?;
                return self.admit(s, cpu, at, step);
            }
            (Enqueue::Reading { .. }, Step::AddDrops { slot, count, old }) => {
                allow(self.decides(s, cpu, at, refuses), "the packet fits")?;
                s.add_drops(node, (slot, count, old), 1)?;
                Enqueue::Refusing
            }
            (
                Enqueue::Refusing,
                Step::Refuse {
                    node: on,
                    skb: id,
                    size,
                    reason: DropReason::RcvbufFull,
                },
            ) => {
                mine(id)?;
                allow((on, size) == (node, skb.size), "this is another packet")?;
                Enqueue::Refused
            }
            (Enqueue::Reading { .. }, Step::Condense { skb: id, from, to }) => {
                mine(id)?;
                let half_full = |sum, size, limit| !refuses(sum, size, limit) && sum > limit >> 1;
                allow(
                    self.decides(s, cpu, at, half_full),
                    "the socket is not half full, or too full",
                )?;
                allow(from == skb.size && to <= from, "condensing makes larger")?;
                s.cpus[cpu].skb = Some(super::Skb { size: to, ..skb });
                Enqueue::Condensed
            }
            (
                Enqueue::Reading { .. } | Enqueue::Condensed,
                Step::Charge {
                    node: on,
                    skb: id,
                    size,
                    old,
                },
            ) => {
                mine(id)?;
                let fits = |sum, size, limit| !refuses(sum, size, limit) && sum <= limit >> 1;
                let admitted = at == Enqueue::Condensed || self.decides(s, cpu, at, fits);
                allow(admitted, "the packet does not fit, or is to be condensed")?;
                allow((on, size) == (node, skb.size), "this is another packet")?;
                allow(
                    s.nodes[node].rmem_alloc.value == old,
                    "the node's counter has another value",
                )?;
                s.change_node(cpu, node, size as i32);
                let exact = Q::REPLAY && self.loads == Loads::Newest;
                let known = if exact { s.nodes[node].changes } else { 0 };
                Enqueue::Charged { known }
            }
            (Enqueue::Charged { known }, Step::Retry { skb: id }) => {
                mine(id)?;
                let changes = s.nodes[node].changes;
                allow(changes > known, "nobody has changed the list")?;
                let exact = self.loads == Loads::Newest;
                let known = if exact { changes } else { known + 1 };
                Enqueue::Charged { known }
            }
            (
                Enqueue::Charged { .. },
                Step::Push {
                    node: on,
                    skb: id,
                    was_empty,
                },
            ) => {
                mine(id)?;
                let of = &mut s.nodes[node];
                allow(on == node, "this is another node's list")?;
                allow(
                    was_empty == of.list.is_empty(),
                    "the list's emptiness is told wrongly",
                )?;
                allow(!(was_empty && of.elected), "somebody is elected already")?;
                of.list.put(skb);
                of.elected = true;
                of.changes += u32::from(Q::REPLAY);
                let drops = s.drops[0].version();
                if was_empty {
                    Enqueue::Elected {
                        sampled: false,
                        drops,
                    }
                } else {
                    Enqueue::Done
                }
            }
            _ => return self.drain(s, cpu, at, step),
        };
        Ok(At::Enqueue(next))
    }

    /// A step of an elected CPU.
    fn drain<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Enqueue,
        step: Step,
    ) -> Result<At, Why> {
        let node = self.cpus[cpu];
        let next = match (at, step) {
            (
                Enqueue::Elected {
                    sampled: false,
                    drops,
                },
                Step::ReadDrops { value },
            ) if self.rxq_ovfl && !self.stamp_under_lock => {
                self.sample(s, cpu, drops, value)?;
                Enqueue::Elected {
                    sampled: true,
                    drops,
                }
            }
            (
                Enqueue::Elected { sampled, .. },
                Step::Lock {
                    lock: LockName::Receive,
                },
            ) => {
                let due = self.rxq_ovfl && !self.stamp_under_lock && !sampled;
                allow(!due, "the stamp is to be sampled first")?;
                s.lock(LockName::Receive)?;
                let drops = s.drops[0].version();
                Enqueue::Locked { sampled, drops }
            }
            (
                Enqueue::Locked {
                    sampled: false,
                    drops,
                },
                Step::ReadDrops { value },
            ) if self.rxq_ovfl && self.stamp_under_lock => {
                self.sample(s, cpu, drops, value)?;
                Enqueue::Locked {
                    sampled: true,
                    drops,
                }
            }
            (Enqueue::Locked { sampled, .. }, Step::TakeAll { node: of, empty }) => {
                allow(sampled == self.rxq_ovfl, "the stamp is to be sampled first")?;
                allow(of == node, "this is another node's list")?;
                let of = &mut s.nodes[node];
                allow(
                    !empty && !of.list.is_empty() && of.elected,
                    "an elected CPU finds packets",
                )?;
                let batch = &mut s.cpus[cpu].batch;
                batch.taken = std::mem::take(&mut of.list);
                of.elected = false;
                of.changes += u32::from(Q::REPLAY);
                Enqueue::Draining
            }
            (
                Enqueue::Draining
                | Enqueue::Funded { .. }
                | Enqueue::Pressed { .. }
                | Enqueue::Unfunded { .. }
                | Enqueue::Broke,
                step,
            ) => self.hand_over(s, cpu, at, step)?,
            (
                Enqueue::Added,
                Step::Len {
                    queue: LockName::Receive,
                    by,
                    old,
                },
            ) if s.cpus[cpu].lens == 1 => {
                let right = by == s.cpus[cpu].batch.queued as i32;
                allow(right, "the batch has another length")?;
                s.len(LockName::Receive, by, old)?;
                s.cpus[cpu].lens = 0;
                Enqueue::Added
            }
            (
                Enqueue::Added,
                Step::Unlock {
                    lock: LockName::Receive,
                    forward_alloc,
                },
            ) => {
                allow(s.cpus[cpu].lens == 0, "the queue's length is to be told")?;
                s.unlock_receive(self, forward_alloc)?;
                Enqueue::Unlocked { calls: 0, freed: 0 }
            }
            (Enqueue::Unlocked { calls, freed: 0 }, Step::Wake { woken }) => {
                let due = self.sleepers.is_some() && calls < s.cpus[cpu].batch.queued;
                allow(due, "each packet calls one reader")?;
                s.sleep.wakes += u32::from(woken);
                let calls = calls + 1;
                Enqueue::Unlocked { calls, freed: 0 }
            }
            (
                Enqueue::Unlocked { calls, freed },
                Step::Free {
                    skb,
                    reason: DropReason::ProtoMem,
                },
            ) => {
                let no_memory = &mut s.cpus[cpu].batch.no_memory;
                let last = no_memory.last().is_some_and(|last| last.id == skb);
                allow(last, "this packet is not to be freed now")?;
                no_memory.pop();
                let freed = freed + 1;
                Enqueue::Unlocked { calls, freed }
            }
            (Enqueue::Unlocked { freed, .. }, Step::AddDrops { slot, count, old }) => {
                let all = freed != 0 && s.cpus[cpu].batch.no_memory.is_empty();
                allow(all, "there are no drops to count")?;
                s.add_drops(node, (slot, count, old), freed)?;
                Enqueue::Counted
            }
            (
                Enqueue::Unlocked { freed: 0, .. } | Enqueue::Counted,
                Step::Uncharge {
                    node: of,
                    size,
                    old,
                },
            ) => {
                let batch = &s.cpus[cpu].batch;
                allow(batch.no_memory.is_empty(), "packets are to be freed first")?;
                allow(
                    (of, size) == (node, batch.bytes),
                    "the batch is another one",
                )?;
                allow(
                    s.nodes[node].rmem_alloc.value == old,
                    "the node's counter has another value",
                )?;
                s.change_node(cpu, node, -(size as i32));
                s.cpus[cpu].batch = Batch::default();
                Enqueue::Done
            }
            _ => return Err(NOT_HERE),
        };
        Ok(At::Enqueue(next))
    }

    /// One packet of a batch goes to the receive queue, or finds no memory; after the last one the
    /// batch's bytes are added.
    fn hand_over<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Enqueue,
        step: Step,
    ) -> Result<Enqueue, Why> {
        let batch = &mut s.cpus[cpu].batch;
        let Some(mut skb) = batch.taken.first() else {
            let (size, old) = match step {
                Step::AddRmem { size, old } => (size, old),
                _ => return Err("the batch's bytes are to be added"),
            };
            let right = size == batch.queued_bytes && old == s.rmem_alloc.value;
            allow(right, "these are not the batch's bytes")?;
            let told = self.sleepers.is_some() && batch.queued != 0;
            s.cpus[cpu].lens = u8::from(told);
            s.change_rmem(cpu, size as i32);
            return Ok(Enqueue::Added);
        };
        let missing = i64::from(skb.size) - i64::from(s.forward_alloc);
        let funds = match (self.memory, at) {
            (None, Enqueue::Draining) => Some(skb.size as i32),
            (Some(_), Enqueue::Draining) if missing <= 0 => Some(0),
            (_, Enqueue::Funded { pages }) => Some((pages << PAGE_SHIFT) as i32),
            _ => None,
        };
        match (at, step) {
            (_, Step::Queue { skb: id, dropcount }) => {
                let funds = funds.ok_or("there is no memory for it yet")?;
                allow(id == skb.id, "another packet comes next")?;
                allow(dropcount == batch.stamp, "the batch has another stamp")?;
                batch.taken.take();
                batch.bytes += skb.size;
                batch.queued += 1;
                batch.queued_bytes += skb.size;
                s.forward_alloc += funds - skb.size as i32;
                skb.stamp = dropcount;
                s.receive.put(skb);
                Ok(Enqueue::Draining)
            }
            (Enqueue::Draining, Step::ChargePages { pages, old }) => {
                let ([low, high], _) = self.memory.ok_or(NOT_HERE)?;
                allow(missing > 0, "there is memory for it")?;
                let due = (missing + (1 << PAGE_SHIFT) - 1) >> PAGE_SHIFT;
                let right = pages as i64 == due && old == s.pages;
                allow(right, "these are not the pages that it needs")?;
                s.pages += pages;
                let within = |limit: u32| s.pages as i64 <= i64::from(limit);
                Ok(if within(low) {
                    Enqueue::Funded { pages }
                } else if within(high) {
                    Enqueue::Pressed { pages }
                } else {
                    Enqueue::Unfunded { pages }
                })
            }
            (Enqueue::Pressed { pages }, Step::ReadPressure { value }) => {
                let (_, rmem_min) = self.memory.ok_or(NOT_HERE)?;
                allow(value == s.rmem_alloc.value, "rmem_alloc has another value")?;
                let pending = if self.count_batch {
                    batch.queued_bytes
                } else {
                    0
                };
                let poor = value.wrapping_add(pending as i32) < rmem_min as i32;
                Ok(if poor {
                    Enqueue::Funded { pages }
                } else {
                    Enqueue::Unfunded { pages }
                })
            }
            (Enqueue::Unfunded { pages }, Step::UnchargePages { pages: told, old }) => {
                let right = told == pages && old == s.pages;
                allow(right, "these are not the pages to give back")?;
                s.pages -= pages;
                Ok(Enqueue::Broke)
            }
            (Enqueue::Broke, Step::NoMemory { skb: id }) => {
                allow(id == skb.id, "another packet comes next")?;
                batch.taken.take();
                batch.bytes += skb.size;
                batch.no_memory.push(skb);
                Ok(Enqueue::Draining)
            }
            _ => Err(NOT_HERE),
        }
    }

    /// The drop counters are sampled for the batch.
    fn sample<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        first: usize,
        value: u32,
    ) -> Result<(), Why> {
        self.sum_of_drops(s, first, value)?;
        s.cpus[cpu].batch.stamp = value;
        Ok(())
    }

    /// The two drop counters are read, the first one at some moment since it had number `first`.
    pub(super) fn sum_of_drops<Q>(
        &self,
        s: &State<Q>,
        first: usize,
        value: u32,
    ) -> Result<(), Why> {
        let sum = |a: i32, b: i32| a.wrapping_add(b) as u32 == value;
        let [drops0, drops1] = &s.drops;
        let possible = match self.loads {
            Loads::Newest => drops0.since(first).any(|a| sum(a, drops1.value)),
            Loads::Coherent => drops0.since(0).any(|a| drops1.since(0).any(|b| sum(a, b))),
        };
        allow(possible, "the drop counters had no such sum")
    }
}

impl<Q: Packets> State<Q> {
    /// `count` drops of a CPU of `node` are counted.
    fn add_drops(
        &mut self,
        node: usize,
        (slot, count, old): (usize, u32, i32),
        due: u32,
    ) -> Result<(), Why> {
        let right = slot == node & 1 && count == due && old == self.drops[node & 1].value;
        allow(right, "these are not the drops to count")?;
        self.drops[slot].set::<Q>(old.wrapping_add(count as i32));
        Ok(())
    }
}
