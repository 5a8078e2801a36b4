// SPDX-License-Identifier: MIT OR Apache-2.0

//! The largest `rmem_alloc` that the spec can reach: a search through all its states.
//!
//! Every CPU offers packets without end. That leaves finitely many states, because packets are known by
//! their sizes only. Three things keep them few, and lose nothing of what `rmem_alloc` can be:
//!
//! - **Symmetry.** CPUs of one node are alike, and so are two nodes: a state stands for all its
//!   permutations.
//! - **Moves.** A [`Move`] is a step that other CPUs can tell, with the steps after it that they cannot:
//!   those of a CPU under a lock that only change what the lock guards. Taking a lock can be put off until
//!   the next step that others can tell, and leaving it brought forward.
//! - **Refused packets.** A CPU whose packet will be refused for sure has changed nothing, and is as if it
//!   had not offered it. So all packets of a path are admitted.
//!
//! Protocol memory, drop counters and stamps are left out: `rmem_alloc` does not depend on them while
//! there are pages.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;
use prodq::{LockName, Step};
use serde::{Deserialize, Serialize};

use crate::spec::{
    refuses, Anonymous, At, Design, Enqueue, Loads, Packets, Policy, Receive, Skb, State,
};

/// What is searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// Nodes.
    pub nodes: usize,
    /// CPUs on each node, all of which offer packets.
    pub cpus: usize,
    /// rcvbuf, in bytes.
    pub rcvbuf: u32,
    /// The sizes that packets may have, in bytes.
    pub sizes: Vec<u32>,
    /// The admission policy.
    pub policy: Policy,
    /// Whether one more CPU receives.
    #[serde(default)]
    pub reader: bool,
}

/// A setup that cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(String);

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// Whether the search is made for it.
    ///
    /// # Errors
    /// [`SetupError`] says what is wrong and what is allowed.
    pub fn check(&self) -> Result<(), SetupError> {
        let wrong = |what: String| Err(SetupError(what));
        let (nodes, cpus) = (self.nodes, self.cpus);
        if nodes == 0 || cpus == 0 || nodes * cpus > 7 {
            return wrong(format!(
                "{nodes} nodes of {cpus} CPUs; there must be from 1 to 7 CPUs in all"
            ));
        }
        if nodes > 2 && self.policy == Policy::AllNodes {
            let name = self.policy.name();
            return wrong(format!(
                "{nodes} nodes with {name}: the others are read one after the other, so that nodes are \
                 not alike; at most 2 are allowed"
            ));
        }
        let sizes: BTreeSet<_> = self.sizes.iter().copied().collect();
        if sizes.is_empty() || sizes.len() != self.sizes.len() || sizes.len() > 2 {
            return wrong(format!(
                "sizes {:?}; it needs one, or two different ones",
                self.sizes
            ));
        }
        let bytes = self.sizes.iter().copied().chain([self.rcvbuf]);
        if let Some(bytes) = bytes.into_iter().find(|&n| n == 0 || n > 1 << 20) {
            return wrong(format!(
                "{bytes} bytes; sizes and rcvbuf are from 1 to 2^20"
            ));
        }
        if self.reader && self.sizes.len() > 1 {
            return wrong("a reader with two sizes; it goes with one".to_owned());
        }
        Ok(())
    }

    /// The machine.
    pub fn design(&self) -> Design {
        let producers = (0..self.nodes).flat_map(|node| vec![node; self.cpus]);
        Design {
            cpus: producers.chain(self.reader.then_some(0)).collect(),
            nodes: self.nodes,
            policy: self.policy,
            rcvbuf: self.rcvbuf,
            rxq_ovfl: false,
            stamp_under_lock: false,
            count_batch: false,
            sleepers: None,
            memory: None,
            init_fails: false,
            table: false,
            lock_held: false,
            defer_max: 0,
            reset_after_take: false,
            loads: Loads::Newest,
        }
    }
}

/// A step that others can tell, of a CPU; the size of the packet where it offers one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The CPU.
    pub cpu: usize,
    /// The packet that it offers, in bytes.
    pub offer: Option<u32>,
}

/// The machine of a search: the spec's design, and how it goes on by moves.
#[derive(Clone, Debug)]
pub struct Machine {
    setup: Setup,
    design: Design,
}

type Node = State<Anonymous>;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The largest `rmem_alloc`, in bytes.
    pub largest: u32,
    /// How many states there are, permutations not counted.
    pub states: usize,
    /// A shortest path to it, in moves: who makes which step, with all the steps of the spec, and which
    /// packets are offered.
    pub path: Path,
}

/// A path of the spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// How many moves.
    pub moves: usize,
    /// The steps in order, with their CPUs.
    pub steps: Vec<(usize, Step)>,
    /// The sizes of the packets that each CPU offers, in order.
    pub offers: Vec<Vec<u32>>,
}

impl Machine {
    /// The machine of a setup.
    ///
    /// # Errors
    /// [`SetupError`]: see [`Setup::check`].
    pub fn new(setup: &Setup) -> Result<Machine, SetupError> {
        setup.check()?;
        Ok(Machine {
            design: setup.design(),
            setup: setup.clone(),
        })
    }

    /// rcvbuf, in bytes.
    pub fn rcvbuf(&self) -> u32 {
        self.setup.rcvbuf
    }

    /// The state after init.
    pub fn start(&self) -> Node {
        let mut state = self.design.start();
        let nodes = self.setup.nodes;
        let made = self.design.step(&mut state, 0, Step::Init { nodes });
        debug_assert!(made.is_ok(), "a socket can be made at the start");
        state
    }

    /// The moves that may be possible.
    pub fn moves(&self, state: &Node) -> Vec<Move> {
        let producers = self.setup.nodes * self.setup.cpus;
        let mut moves = Vec::new();
        for (cpu, of) in state.cpus.iter().enumerate() {
            if of.at == At::Outside && cpu < producers {
                let offers = self.setup.sizes.iter();
                moves.extend(offers.map(|&size| Move {
                    cpu,
                    offer: Some(size),
                }));
            } else {
                moves.push(Move { cpu, offer: None });
            }
        }
        moves
    }

    /// The state after a move and the steps that make it, or `None` when it is not possible or leads to
    /// nothing.
    pub fn go(&self, state: &Node, moved: Move) -> Option<(Node, Vec<Step>)> {
        let mut next = state.clone();
        let cpu = moved.cpu;
        if let Some(size) = moved.offer {
            let skb = Skb::anonymous(size);
            self.design.offer(&mut next, cpu, skb.id, size).ok()?;
        }
        let mut steps = Vec::new();
        loop {
            let at = next.cpus[cpu].at;
            if at == At::Enqueue(Enqueue::Done) {
                self.design.returned(&mut next, cpu, false).ok()?;
                break;
            }
            if !steps.is_empty() && self.tells_next(&next, cpu) {
                break;
            }
            let step = self.step_of(&next, cpu)?;
            self.design.step(&mut next, cpu, step).ok()?;
            steps.push(step);
            if next.cpus[cpu].at == At::Outside {
                next.cpus[cpu].skb = None;
                break;
            }
        }
        let reader_found_nothing = steps.iter().any(|step| matches!(step, Step::Empty));
        if reader_found_nothing || self.is_doomed(&next, cpu) {
            return None;
        }
        Some((next, steps))
    }

    /// Whether the CPU's next step is one that others can tell: an access to a counter or a list, with
    /// the taking of the lock before it.
    fn tells_next(&self, state: &Node, cpu: usize) -> bool {
        let of = &state.cpus[cpu];
        match of.at {
            At::Enqueue(at @ Enqueue::Reading { .. }) => {
                let next = self.design.next_of_admission(state, cpu, at);
                !matches!(next, Some(Step::Condense { .. }))
            }
            At::Enqueue(Enqueue::Draining) => of.batch.taken.is_empty(),
            At::Enqueue(
                Enqueue::Condensed
                | Enqueue::Charged { .. }
                | Enqueue::Elected { .. }
                | Enqueue::Unlocked { .. },
            ) => true,
            _ => false,
        }
    }

    /// Whether admission starts over and forgets all but its first read.
    fn starts_over(&self, reads: u8, sum: u32) -> bool {
        (self.setup.policy, reads) == (Policy::AllNodes, 2) && sum > self.setup.rcvbuf >> 1
    }

    /// Whether the CPU's packet is sure to be refused: what counts against rcvbuf only grows with more
    /// reads.
    fn is_doomed(&self, state: &Node, cpu: usize) -> bool {
        let At::Enqueue(Enqueue::Reading {
            reads, sum, first, ..
        }) = state.cpus[cpu].at
        else {
            return false;
        };
        let counted = if self.starts_over(reads, sum) {
            first
        } else {
            sum
        };
        counted != 0 && refuses(counted, state.cpus[cpu].size(), self.setup.rcvbuf)
    }

    /// The step that the CPU makes next, with what the state has for it to find.
    fn step_of(&self, state: &Node, cpu: usize) -> Option<Step> {
        let node = self.design.cpus[cpu];
        let of = &state.cpus[cpu];
        let (size, skb) = (of.size(), Skb::anonymous(of.size()).id);
        let rmem = state.rmem_alloc.value;
        let own = state.nodes[node].rmem_alloc.value;
        let lock = |lock| Step::Lock { lock };
        let unlock = |lock| Step::Unlock {
            lock,
            forward_alloc: 0,
        };
        let dequeue = |skb: Skb| Step::Dequeue { skb: skb.id };
        let splice = Step::Splice {
            count: state.receive.len(),
        };
        let deficit = state.deficit;
        Some(match of.at {
            At::Outside => lock(LockName::Reader),
            At::Enqueue(at) => match at {
                Enqueue::Entered { .. } | Enqueue::Reading { .. } => {
                    return self.design.next_of_admission(state, cpu, at)
                }
                Enqueue::Condensed => Step::Charge {
                    node,
                    skb,
                    size,
                    old: own,
                },
                Enqueue::Charged { .. } => Step::Push {
                    node,
                    skb,
                    was_empty: state.nodes[node].list.is_empty(),
                },
                Enqueue::Elected { .. } => lock(LockName::Receive),
                Enqueue::Locked { .. } => Step::TakeAll { node, empty: false },
                Enqueue::Draining => match of.batch.taken.first() {
                    Some(skb) => Step::Queue {
                        skb: skb.id,
                        dropcount: 0,
                    },
                    None => Step::AddRmem {
                        size: of.batch.queued_bytes,
                        old: rmem,
                    },
                },
                Enqueue::Added => unlock(LockName::Receive),
                Enqueue::Unlocked { .. } => Step::Uncharge {
                    node,
                    size: of.batch.bytes,
                    old: own,
                },
                _ => return None,
            },
            At::Receive(at) => match (at, state.reader.first()) {
                (Receive::Looking, None) => lock(LockName::Receive),
                (Receive::Refilling, _) if !state.receive.is_empty() => splice,
                (Receive::Looking | Receive::Refilling, Some(skb)) => dequeue(skb),
                (Receive::Refilling, None) => Step::Empty,
                (Receive::Dequeued { .. }, Some(_)) if deficit < self.setup.rcvbuf >> 2 => {
                    Step::HoldBack { deficit }
                }
                (Receive::Dequeued { both: false, .. }, _) => lock(LockName::Receive),
                (Receive::Dequeued { .. } | Receive::Releasing { .. }, _) => Step::SubRmem {
                    size: deficit,
                    old: rmem,
                },
                (Receive::Released { .. }, _) if !state.receive.is_empty() => splice,
                (Receive::Released { .. } | Receive::Leaving, _) => unlock(LockName::Receive),
                (Receive::Finishing, _) => unlock(LockName::Reader),
                (Receive::Peeking | Receive::Counting { .. }, _) => return None,
            },
            _ => return None,
        })
    }

    /// The one of a state's permutations that stands for all.
    pub fn canonical(&self, mut state: Node) -> Node {
        let (nodes, cpus) = (self.setup.nodes, self.setup.cpus);
        for cpu in &mut state.cpus {
            // What is not used any more makes no difference.
            if let At::Enqueue(Enqueue::Reading { reads, sum, .. }) = &mut cpu.at {
                if self.starts_over(*reads, *sum) {
                    *sum = (self.setup.rcvbuf >> 1) + 1;
                }
            }
        }
        for node in 0..nodes {
            state.cpus[node * cpus..(node + 1) * cpus].sort_unstable();
        }
        if nodes > 1 {
            let readers = state.cpus.split_off(nodes * cpus);
            let mut all = std::mem::take(&mut state.cpus).into_iter();
            let blocks = std::mem::take(&mut state.nodes).into_iter();
            let mut blocks: Vec<_> = blocks
                .map(|node| (node, all.by_ref().take(cpus).collect::<Vec<_>>()))
                .collect();
            blocks.sort_unstable();
            for (node, cpus) in blocks {
                state.nodes.push(node);
                state.cpus.extend(cpus);
            }
            state.cpus.extend(readers);
        }
        state
    }

    fn pack(&self, state: Node) -> Vec<u8> {
        // A state is plain numbers: packing it cannot fail.
        postcard::to_allocvec(&self.canonical(state)).unwrap_or_default()
    }

    fn unpack(&self, bytes: &[u8], start: &Node) -> Option<Node> {
        let mut state: Node = postcard::from_bytes(bytes).ok()?;
        // What a search never changes is not packed.
        state.rcvbuf.clone_from(&start.rcvbuf);
        state.threshold.clone_from(&start.threshold);
        state.life.clone_from(&start.life);
        Some(state)
    }

    /// Searches all states, breadth first; `None` when there are more than `limit`.
    pub fn search(&self, limit: usize) -> Option<Found> {
        let start = self.start();
        let mut seen = Seen::default();
        seen.insert(&self.pack(start.clone()), 0);
        let (mut largest, mut reached) = (0, 0);
        let mut index = 0;
        while index < seen.len() {
            if seen.len() > limit {
                return None;
            }
            let state = self.unpack(seen.get(index), &start)?;
            for moved in self.moves(&state) {
                let Some((next, _)) = self.go(&state, moved) else {
                    continue;
                };
                let rmem_alloc = next.rmem_alloc.value;
                let new = seen.insert(&self.pack(next), index as u32);
                if new && rmem_alloc > largest {
                    largest = rmem_alloc;
                    reached = seen.len() - 1;
                }
            }
            index += 1;
        }
        Some(Found {
            largest: largest as u32,
            states: seen.len(),
            path: self.path(&seen, reached)?,
        })
    }

    /// The path to a state that was seen, without permutations.
    fn path(&self, seen: &Seen, reached: usize) -> Option<Path> {
        let mut indices = Vec::new();
        let mut index = reached;
        while index != 0 {
            indices.push(index);
            index = seen.parents[index] as usize;
        }
        let mut path = Path {
            moves: indices.len(),
            offers: vec![Vec::new(); self.design.cpus.len()],
            ..Path::default()
        };
        let mut state = self.start();
        for &index in indices.iter().rev() {
            let moves = self.moves(&state).into_iter();
            let all = moves.filter_map(|moved| Some((moved, self.go(&state, moved)?)));
            let mut right = all.filter(|(_, (next, _))| self.pack(next.clone()) == seen.get(index));
            let (moved, (next, steps)) = right.next()?;
            path.offers[moved.cpu].extend(moved.offer);
            path.steps
                .extend(steps.into_iter().map(|step| (moved.cpu, step)));
            state = next;
        }
        Some(path)
    }
}

/// The states seen so far, one after the other, and from which each was reached first.
#[derive(Default)]
struct Seen {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    parents: Vec<u32>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl Seen {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    /// Adds a state, and tells whether it is new.
    fn insert(&mut self, state: &[u8], parent: u32) -> bool {
        let hash = self.hasher.hash_one(state);
        let same = |&index: &u32| self.get(index as usize) == state;
        if self.table.find(hash, same).is_some() {
            return false;
        }
        let index = self.len() as u32;
        self.bytes.extend_from_slice(state);
        self.ends.push(self.bytes.len());
        self.parents.push(parent);
        let Seen {
            bytes,
            ends,
            table,
            hasher,
            ..
        } = self;
        table.insert_unique(hash, index, |&index| {
            let index = index as usize;
            let start = index.checked_sub(1).map_or(0, |before| ends[before]);
            hasher.hash_one(&bytes[start..ends[index]])
        });
        true
    }
}
