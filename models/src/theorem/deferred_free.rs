// SPDX-License-Identifier: MIT OR Apache-2.0

//! What goes to another CPU's free list is freed there, once, and the list stays in use.

use std::collections::BTreeMap;

use prodq::{SkbId, Step};

use super::{ensure, Monitor};
use crate::context::{Event, Kind, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct DeferredFree {
    /// Every list has been flushed and nobody uses them.
    flushed: bool,
    max: isize,
    /// What each CPU counted last, before its own.
    counted: Vec<isize>,
    /// The list, by owner and node, that each packet was put on.
    list: BTreeMap<SkbId, (usize, usize)>,
    /// The list that each CPU took last.
    taken: Vec<Option<(usize, usize)>>,
}

impl DeferredFree {
    pub(super) fn new(scenario: &Scenario) -> Self {
        DeferredFree {
            flushed: false,
            max: scenario.defer_max as isize,
            counted: vec![0; scenario.cpus.len()],
            list: BTreeMap::new(),
            taken: vec![None; scenario.cpus.len()],
        }
    }
}

impl DeferredFree {
    fn step(&mut self, cpu: usize, step: Step) -> Result<(), String> {
        let count = self.counted[cpu] + 1;
        match step {
            Step::DeferCount { old, .. } => self.counted[cpu] = old,
            Step::DeferTake { owner, node } => self.taken[cpu] = Some((owner, node)),
            Step::Defer {
                owner, node, skb, ..
            } => {
                self.list.insert(skb, (owner, node));
                return ensure(count < self.max, || {
                    format!("a free list took packet {count}; its limit is {}", self.max)
                });
            }
            Step::DeferFull { .. } => {
                return ensure(count >= self.max, || {
                    format!(
                        "a free list refused packet {count}; its limit is {}",
                        self.max
                    )
                });
            }
            _ => {}
        }
        Ok(())
    }
}

impl Monitor for DeferredFree {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        match event.what {
            What::Flushed => {
                self.flushed = true;
                freed_once(ledger)
            }
            What::Step(Step::DeferFull { owner, node, .. }) if self.flushed => Err(format!(
                "the free list of CPU {owner} for node {node} is empty, nobody uses it, and it refuses a \
                 packet"
            )),
            What::Step(step) => self.step(event.cpu, step),
            What::Freed {
                kind: Kind::Packet,
                address,
            } => {
                let list = self.list.remove(&SkbId(address));
                let taken = self.taken[event.cpu];
                ensure(list.is_none() || list == taken, || {
                    format!(
                        "a packet was freed from the list (owner, node) {taken:?} and put on {list:?}"
                    )
                })
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        freed_once(ledger)
    }
}

fn freed_once(ledger: &Ledger) -> Result<(), String> {
    for (number, freed) in &ledger.deferred {
        ensure(*freed == 1, || {
            format!("packet {number} was handed to a free list and freed {freed} times")
        })?;
    }
    Ok(())
}
