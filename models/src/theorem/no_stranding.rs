// SPDX-License-Identifier: MIT OR Apache-2.0

//! No packet is left on a list without an elected CPU that will take it.

use prodq::Step;

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct NoStranding {
    nodes: Vec<usize>,
}

impl NoStranding {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let nodes = scenario.cpus.iter().map(|cpu| cpu.node).collect();
        NoStranding { nodes }
    }
}

impl Monitor for NoStranding {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        if let What::Step(Step::Push { node, .. } | Step::TakeAll { node, .. }) = event.what {
            let home = self.nodes[event.cpu];
            ensure(node == home, || {
                format!("CPU {} of node {home} works on node {node}", event.cpu)
            })?;
        }
        match event.what {
            What::Step(Step::Push {
                node, was_empty, ..
            }) if ledger.linear => {
                let before = &ledger.nodes[node];
                match (was_empty, before.elected) {
                    (true, Some(other)) => Err(format!(
                        "CPU {} was elected on node {node} while CPU {other} is elected and has not \
                         taken the list",
                        event.cpu
                    )),
                    (false, None) => Err(format!(
                        "CPU {} pushed onto node {node}, was not elected, and nobody is",
                        event.cpu
                    )),
                    _ => Ok(()),
                }
            }
            What::Step(Step::TakeAll { node, empty }) => {
                ensure(!empty, || {
                    format!(
                        "CPU {} was elected on node {node} and found the list empty",
                        event.cpu
                    )
                })?;
                let elected = ledger.nodes[node].elected;
                ensure(!ledger.linear || elected == Some(event.cpu), || {
                    format!(
                        "CPU {} took the list of node {node}, where {elected:?} is elected",
                        event.cpu
                    )
                })
            }
            What::Return { .. } if ledger.linear => {
                let node = self.nodes[event.cpu];
                let before = &ledger.nodes[node];
                ensure(before.inside > 1 || before.list.is_empty(), || {
                    format!(
                        "no CPU is inside enqueue any more and {} packets are on the list of node \
                         {node}",
                        before.list.len()
                    )
                })
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        for (index, node) in ledger.nodes.iter().enumerate() {
            ensure(node.elections == node.drains, || {
                format!(
                    "node {index} had {} elections and {} drains",
                    node.elections, node.drains
                )
            })?;
        }
        let stranded = |packet: &crate::ledger::Packet| {
            packet.pushed > 0 && packet.queued == 0 && packet.dropped.is_empty()
        };
        for (number, packet) in &ledger.packets {
            ensure(!stranded(packet), || {
                format!(
                    "packet {number} was pushed onto node {} and never taken",
                    packet.node
                )
            })?;
        }
        Ok(())
    }
}
