// SPDX-License-Identifier: MIT OR Apache-2.0

//! First in, first out: for each CPU, and for each node in the order of its pushes.

use prodq::Step;

use super::questions::OrderOfCpu;
use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct Order {
    of_cpu: OrderOfCpu,
    /// The last packet delivered of each node.
    of_node: Vec<Option<usize>>,
}

impl Order {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Order {
            of_cpu: OrderOfCpu::new(scenario),
            of_node: vec![None; scenario.nodes],
        }
    }
}

impl Monitor for Order {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        if let What::Deliver { skb, .. } = event.what {
            let (given, in_hand) = (ledger.number(skb), ledger.in_hand[event.cpu]);
            return ensure(given == in_hand, || {
                format!(
                    "CPU {} was given packet {given:?} and had dequeued packet {in_hand:?}",
                    event.cpu
                )
            });
        }
        let What::Step(Step::Dequeue { skb }) = event.what else {
            return Ok(());
        };
        let (Some(number), Some(packet)) = (ledger.number(skb), ledger.packet(skb)) else {
            return Ok(());
        };
        self.of_cpu.event(ledger, event)?;
        if packet.pushed == 0 {
            // A design without node lists promises nothing for a node.
            return Ok(());
        }
        let last = self.of_node[packet.node].replace(number);
        let last_order = last.map(|last| ledger.packets[&last].push_order);
        ensure(
            !ledger.linear || last_order < Some(packet.push_order),
            || {
                format!(
                    "packet {number} was pushed onto node {} before packet {} and delivered after it",
                    packet.node,
                    last.unwrap_or_default()
                )
            },
        )
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}
