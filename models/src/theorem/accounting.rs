// SPDX-License-Identifier: MIT OR Apache-2.0

//! The counters say what is there.

use prodq::{LockName, Platform, Step};

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::design::Policy;
use crate::ledger::Ledger;
use crate::scenario::Scenario;

const PAGE_SHIFT: u32 = prodq::Hw::PAGE_SHIFT;

pub(super) struct Accounting {
    /// The node of each CPU, where admission reads the node's counter first.
    node_first: Option<Vec<usize>>,
    /// The bytes that the node's counter, as read last, says were handed over to the socket's.
    handed_over: Vec<i64>,
    /// Whether `rmem_alloc` changes under the lock only.
    under_lock: bool,
}

impl Accounting {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let nodes = scenario.cpus.iter().map(|cpu| cpu.node).collect();
        Accounting {
            node_first: (scenario.policy != Policy::KernelOrder).then_some(nodes),
            handed_over: vec![0; scenario.cpus.len()],
            under_lock: scenario.baseline.is_none(),
        }
    }

    /// What the CPU must find in the socket's counter, now that it has read its node's.
    fn read_node(&mut self, ledger: &Ledger, cpu: usize, node: usize, value: i32) {
        let own = self.node_first.as_ref().is_some_and(|of| of[cpu] == node);
        if own && ledger.linear {
            let handed_over = ledger.nodes[node].handed_over(value.into(), ledger.known[cpu]);
            self.handed_over[cpu] = handed_over.unwrap_or(0);
        }
    }
}

/// `name` was `old` and is `new` now; the ledger says that it was `ghost`.
fn counter(name: &str, old: i64, new: i64, ghost: Option<i64>) -> Result<(), String> {
    ensure(old >= 0 && new >= 0, || {
        format!("{name} is negative: it went from {old} to {new}")
    })?;
    ensure(ghost.is_none_or(|ghost| ghost == old), || {
        format!(
            "{name} is {old}; what was added and subtracted makes {}",
            ghost.unwrap_or_default()
        )
    })
}

impl Monitor for Accounting {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let What::Step(step) = event.what else {
            return Ok(());
        };
        let node_ghost = |node: usize| ledger.linear.then(|| ledger.nodes[node].rmem_alloc);
        // Where the counter changes without the lock, only a linear world knows what it was.
        let ordered = ledger.linear || self.under_lock;
        match step {
            Step::Charge {
                node, size, old, ..
            } => {
                let (old, size) = (i64::from(old), i64::from(size));
                let name = format!("the counter of node {node}");
                counter(&name, old, old + size, node_ghost(node))
            }
            Step::Uncharge { node, size, old } => {
                let name = format!("the counter of node {node}");
                let batch = ledger.batch[event.cpu];
                let (old, size) = (i64::from(old), i64::from(size));
                counter(&name, old, old - size, node_ghost(node))?;
                ensure(size == i64::from(batch), || {
                    format!("{size} bytes were taken from {name} for a batch of {batch} bytes")
                })?;
                let to_free = ledger.batch_to_free[event.cpu];
                ensure(ledger.batch_added[event.cpu] && to_free == 0, || {
                    format!("{size} bytes left {name} before they were handed over or freed")
                })
            }
            Step::AddRmem { size, old } => {
                let (old, size) = (i64::from(old), i64::from(size));
                counter("rmem_alloc", old, old + size, Some(ledger.rmem_alloc))
            }
            Step::SubRmem { size, old } => {
                let (old, size) = (i64::from(old), i64::from(size));
                let ghost = ordered.then_some(ledger.rmem_alloc);
                counter("rmem_alloc", old, old - size, ghost)
            }
            Step::ChargeSock { size, old, .. } => {
                let (old, size) = (i64::from(old), i64::from(size));
                let ghost = ordered.then_some(ledger.rmem_alloc);
                counter("rmem_alloc", old, old + size, ghost)
            }
            Step::UnchargeSock { size, old, .. } => {
                let (old, size) = (i64::from(old), i64::from(size));
                let ghost = ordered.then_some(ledger.rmem_alloc);
                counter("rmem_alloc", old, old - size, ghost)
            }
            Step::ChargePages { pages, old } => {
                let old = old as i64;
                counter("pages", old, old + pages as i64, Some(ledger.pages))
            }
            Step::UnchargePages { pages, old } => {
                let old = old as i64;
                counter("pages", old, old - pages as i64, Some(ledger.pages))
            }
            Step::ReadRmem { value } => {
                counter("rmem_alloc", value.into(), 0, None)?;
                let least = self.handed_over[event.cpu] - ledger.released;
                ensure(i64::from(value) >= least, || {
                    format!(
                        "admission missed a batch: it read rmem_alloc {value} after a node counter that \
                         {} bytes had left",
                        self.handed_over[event.cpu]
                    )
                })
            }
            Step::ReadNode { node, value } => {
                self.read_node(ledger, event.cpu, node, value);
                let name = format!("the counter of node {node}");
                counter(&name, value.into(), 0, None)
            }
            Step::Unlock {
                lock: LockName::Receive,
                forward_alloc,
            } => {
                let charged = ledger.pages << PAGE_SHIFT;
                // A design before the patch charges a packet before it has the lock: what is on its way
                // has no pages yet.
                let used = ledger.rmem_alloc - ledger.on_their_way + i64::from(forward_alloc);
                ensure(charged == used && forward_alloc >= 0, || {
                    format!(
                        "{} pages are charged; forward_alloc {forward_alloc} and rmem_alloc {} make \
                         {used} bytes",
                        ledger.pages,
                        ledger.rmem_alloc - ledger.on_their_way
                    )
                })
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        for (index, node) in ledger.nodes.iter().enumerate() {
            ensure(node.rmem_alloc == 0, || {
                format!(
                    "the counter of node {index} is {} when nothing is in flight",
                    node.rmem_alloc
                )
            })?;
        }
        Ok(())
    }
}
