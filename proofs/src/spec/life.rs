// SPDX-License-Identifier: MIT OR Apache-2.0

//! The socket's life: init, options, publish, close, destruct.

use prodq::{DropReason, Step};
use serde::{Deserialize, Serialize};

use super::{allow, At, Design, Loads, Packets, State, Why, Word, NOT_HERE};

/// Where a CPU is that changes the socket's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Life {
    /// It makes the first step.
    Beginning,
    /// It has changed rcvbuf, and changes the threshold.
    SettingRcvbuf,
    /// It has marked the socket dead, and wakes the sleepers.
    Orphaning,
    /// It destroys the socket.
    Destructing {
        /// Bytes of freed packets that are to be released.
        total: u32,
        /// Whether the queues are one.
        spliced: bool,
    },
    /// It has released everything.
    Released,
    /// It has given the node queues back.
    NodesFreed,
}

/// What is known of the socket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Lifetime {
    made: bool,
    pub(super) initialised: bool,
    /// Whether a table's slot holds it.
    slot: Word,
    gone: bool,
    /// Whether some CPU has stopped in the middle of something.
    pub(super) stopped: bool,
}

impl Lifetime {
    pub(super) fn is_alive(&self) -> bool {
        self.made && !self.gone
    }
}

impl Design {
    /// A step of a CPU that changes the socket's life.
    pub(super) fn live<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Life,
        step: Step,
    ) -> Result<At, Why> {
        let next = match (at, step) {
            (Life::Beginning, Step::Init { nodes }) => {
                allow(!s.life.made, "there is a socket already")?;
                let due = if self.init_fails { 0 } else { self.nodes };
                allow(nodes == due, "it has another number of nodes")?;
                s.life.made = true;
                s.life.initialised = nodes != 0;
                return Ok(At::Outside);
            }
            (Life::Beginning, Step::Publish { slot: 0 }) => {
                let new = s.life.is_alive() && s.life.slot.version() == 0 && self.table;
                allow(new, "there is nothing to publish")?;
                s.life.slot.set::<Q>(1);
                return Ok(At::Outside);
            }
            (Life::Beginning, Step::LookUp { slot: 0, found }) => {
                let slot = &s.life.slot;
                let right = match self.loads {
                    Loads::Newest => slot.value == i32::from(found),
                    Loads::Coherent => slot.since(0).any(|value| value == i32::from(found)),
                };
                allow(right && self.table, "the slot is told wrongly")?;
                return Ok(At::Outside);
            }
            (Life::Beginning, Step::Unpublish { slot: 0 }) => {
                allow(s.life.slot.value == 1, "the slot is empty")?;
                s.life.slot.set::<Q>(0);
                return Ok(At::Outside);
            }
            // Somebody asks for the figures.
            (Life::Beginning, Step::ReadDrops { value }) => {
                self.sum_of_drops(s, 0, value)?;
                return Ok(At::Outside);
            }
            (Life::Beginning, Step::SetRcvbuf { from, to }) => {
                let right = s.life.is_alive() && from as i32 == s.rcvbuf.value && to as i32 > 0;
                allow(right, "rcvbuf was another")?;
                s.rcvbuf.set::<Q>(to as i32);
                Life::SettingRcvbuf
            }
            (Life::SettingRcvbuf, Step::SetThreshold { to }) => {
                // Where two CPUs set rcvbuf at once the later threshold may belong to the earlier limit.
                let right = s.rcvbuf.since(0).any(|limit| limit >> 2 == to);
                allow(right, "it is not a quarter of rcvbuf")?;
                s.threshold.set::<Q>(to);
                return Ok(At::Outside);
            }
            (Life::Beginning, Step::Orphan) => {
                allow(s.life.is_alive(), "there is no socket")?;
                allow(self.sleepers.is_some(), "readers do not sleep")?;
                s.sleep.dead.set::<Q>(1);
                Life::Orphaning
            }
            (Life::Orphaning, Step::Wake { woken: true }) => {
                s.sleep.wakes += 1;
                Life::Orphaning
            }
            // The last of the sleepers is awake.
            (Life::Orphaning, _) => return self.begin(s, cpu, step),
            (Life::Beginning, Step::Destruct) => {
                allow(s.life.is_alive(), "there is no socket")?;
                let away = s.cpus.iter().all(|cpu| cpu.at.is_away());
                allow(away, "a CPU is using the socket")?;
                let drained = s.nodes.iter().all(|node| {
                    node.list.is_empty() && !node.elected && node.rmem_alloc.value == 0
                });
                allow(
                    drained || s.life.stopped,
                    "a node's queue is not empty, and nobody looks there any more",
                )?;
                s.life.gone = true;
                let total = s.deficit;
                let spliced = s.receive.is_empty();
                Life::Destructing { total, spliced }
            }
            (Life::Destructing { total, spliced }, step) => {
                self.destruct(s, cpu, (total, spliced), step)?
            }
            (Life::Released, Step::FreeNodes) => {
                allow(s.life.initialised, "there are no node queues")?;
                Life::NodesFreed
            }
            (Life::Released | Life::NodesFreed, Step::Destructed { forward_alloc }) => {
                let freed = at == Life::NodesFreed || !s.life.initialised;
                allow(freed, "the node queues are to be given back")?;
                allow(forward_alloc == s.forward_alloc, "forward_alloc is another")?;
                allow(
                    s.life.stopped || (forward_alloc, s.pages) == (0, 0),
                    "protocol memory is left",
                )?;
                return Ok(At::Outside);
            }
            _ => return Err(NOT_HERE),
        };
        Ok(At::Life(next))
    }

    /// The packets that nobody received are freed, and their bytes released.
    fn destruct<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        (total, spliced): (u32, bool),
        step: Step,
    ) -> Result<Life, Why> {
        if !spliced {
            s.splice(self, cpu, step)?;
            let spliced = s.receive.is_empty();
            return Ok(Life::Destructing { total, spliced });
        }
        let first = s.reader.first();
        let full = first.is_some_and(|skb| total.saturating_add(skb.size) > i32::MAX as u32);
        match (first, step) {
            (
                Some(first),
                Step::Free {
                    skb,
                    reason: DropReason::Closed,
                },
            ) if !full => {
                allow(first.id == skb, "another packet is the first")?;
                s.reader.take();
                let total = total + first.size;
                Ok(Life::Destructing { total, spliced })
            }
            (Some(_), _) if !full => Err("packets are to be freed first"),
            (first, step) => Ok(match s.give_back(self, cpu, (total, false), step)? {
                false => Life::Destructing { total, spliced },
                true if first.is_some() => Life::Destructing { total: 0, spliced },
                true => Life::Released,
            }),
        }
    }
}
