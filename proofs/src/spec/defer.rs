// SPDX-License-Identifier: MIT OR Apache-2.0

//! Free lists.

use prodq::{SkbId, Step};
use serde::{Deserialize, Serialize};

use super::{allow, At, Design, Loads, Packets, State, Why, NOT_HERE};

/// Where a CPU is that hands a packet to a free list or flushes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Deferring {
    /// It has a packet to hand over.
    Counting,
    /// It has counted the packet for a list, which counts as full, or not.
    Counted {
        /// The list's owner and node.
        list: (usize, usize),
        /// Whether the list is full.
        full: bool,
        /// How many changes of the list may have been seen.
        known: u32,
    },
    /// It flushes its own lists.
    Flushing,
    /// It has reset the count of this list, and takes it.
    Reset {
        /// The list's owner and node.
        list: (usize, usize),
    },
    /// It has taken this list, and resets its count.
    Taken {
        /// The list's owner and node.
        list: (usize, usize),
    },
}

/// One free list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct List {
    count: isize,
    skbs: Vec<SkbId>,
    changes: u32,
}

impl List {
    pub(super) fn is_empty(&self) -> bool {
        self.skbs.is_empty()
    }
}

impl Design {
    fn list<'a, Q>(
        &self,
        s: &'a mut State<Q>,
        owner: usize,
        node: usize,
    ) -> Result<&'a mut List, Why> {
        let list = s.lists.get_mut(owner * self.nodes + node);
        list.ok_or("there is no such list")
    }

    /// A step of a CPU at the free lists.
    pub(super) fn defer<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Deferring,
        step: Step,
    ) -> Result<At, Why> {
        let skb = s.cpus[cpu].skb.map(|skb| skb.id);
        let next = match (at, step) {
            (Deferring::Counting, Step::DeferCount { owner, node, old }) => {
                let max = self.defer_max as isize;
                let of = self.list(s, owner, node)?;
                allow(of.count == old, "the list has another count")?;
                of.count += 1;
                Deferring::Counted {
                    list: (owner, node),
                    full: old + 1 >= max,
                    known: match self.loads {
                        Loads::Newest => of.changes,
                        Loads::Coherent => 0,
                    },
                }
            }
            (
                Deferring::Counted {
                    list, full: true, ..
                },
                Step::DeferFull {
                    owner,
                    node,
                    skb: id,
                },
            ) => {
                allow(
                    list == (owner, node) && Some(id) == skb,
                    "this is another packet",
                )?;
                s.cpus[cpu].skb = None;
                return Ok(At::Outside);
            }
            (
                Deferring::Counted {
                    list,
                    full: false,
                    known,
                },
                Step::Retry { skb: id },
            ) => {
                allow(Some(id) == skb, "this is another packet")?;
                let newest = self.loads == Loads::Newest;
                let changes = self.list(s, list.0, list.1)?.changes;
                allow(changes > known, "nobody has changed the list")?;
                Deferring::Counted {
                    list,
                    full: false,
                    known: if newest { changes } else { known + 1 },
                }
            }
            (
                Deferring::Counted {
                    list, full: false, ..
                },
                Step::Defer {
                    owner,
                    node,
                    skb: id,
                    was_empty,
                },
            ) => {
                allow(
                    list == (owner, node) && Some(id) == skb,
                    "this is another packet",
                )?;
                let list = self.list(s, owner, node)?;
                allow(
                    was_empty == list.is_empty(),
                    "the list's emptiness is told wrongly",
                )?;
                list.skbs.push(id);
                list.changes += 1;
                s.cpus[cpu].skb = None;
                return Ok(At::Outside);
            }
            (Deferring::Flushing, Step::DeferReset { owner, node, old })
                if !self.reset_after_take =>
            {
                let list = self.list(s, owner, node)?;
                allow(list.count == old, "the list has another count")?;
                list.count = 0;
                let list = (owner, node);
                Deferring::Reset { list }
            }
            (Deferring::Flushing, Step::DeferTake { owner, node }) if self.reset_after_take => {
                self.take(s, owner, node)?;
                let list = (owner, node);
                Deferring::Taken { list }
            }
            (Deferring::Reset { list }, Step::DeferTake { owner, node }) => {
                allow(list == (owner, node), "this is another list")?;
                self.take(s, owner, node)?;
                return Ok(At::Outside);
            }
            (Deferring::Taken { list }, Step::DeferReset { owner, node, old }) => {
                allow(list == (owner, node), "this is another list")?;
                let list = self.list(s, owner, node)?;
                allow(list.count == old, "the list has another count")?;
                list.count = 0;
                return Ok(At::Outside);
            }
            _ => return Err(NOT_HERE),
        };
        Ok(At::Defer(next))
    }

    fn take<Q>(&self, s: &mut State<Q>, owner: usize, node: usize) -> Result<(), Why> {
        let list = self.list(s, owner, node)?;
        allow(!list.is_empty(), "a flush takes a list that is not empty")?;
        list.skbs.clear();
        list.changes += 1;
        Ok(())
    }
}
