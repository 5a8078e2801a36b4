// SPDX-License-Identifier: MIT OR Apache-2.0

//! What was dropped is counted, and the stamps that users see only grow.

use prodq::{DropReason, Step};

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::{Ledger, Packet};
use crate::scenario::Scenario;

pub(super) struct DropCount {
    stamps: bool,
    /// The node of each CPU.
    of_cpu: Vec<usize>,
    last_stamp: u32,
}

impl DropCount {
    pub(super) fn new(scenario: &Scenario) -> Self {
        DropCount {
            stamps: scenario.rxq_ovfl,
            of_cpu: scenario.cpus.iter().map(|cpu| cpu.node).collect(),
            last_stamp: 0,
        }
    }
}

/// Packets that the socket must have counted.
fn lost(ledger: &Ledger) -> u32 {
    let lost = |packet: &&Packet| packet.refused || packet.dropped.contains(&DropReason::ProtoMem);
    ledger.packets.values().filter(lost).count() as u32
}

impl Monitor for DropCount {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        match event.what {
            What::Step(Step::Dequeue { skb }) if self.stamps => {
                let stamp = ledger.packet(skb).map_or(0, |packet| packet.stamp);
                let last = std::mem::replace(&mut self.last_stamp, stamp);
                ensure(last <= stamp, || {
                    format!("a packet stamped {stamp} was delivered after one stamped {last}")
                })
            }
            What::Step(Step::Queue { dropcount, .. }) if !self.stamps => {
                ensure(dropcount == 0, || {
                    format!("a packet was stamped {dropcount}, and nobody asked for stamps")
                })
            }
            What::Step(Step::AddDrops { slot, .. }) => {
                let node = self.of_cpu[event.cpu];
                ensure(slot == node % 2, || {
                    format!(
                        "CPU {} of node {node} counted a drop in half {slot}",
                        event.cpu
                    )
                })
            }
            What::Deliver { skb, dropcount } => {
                let stamp = ledger.packet(skb).map_or(0, |packet| packet.stamp);
                ensure(stamp == dropcount, || {
                    format!("a packet stamped {stamp} was delivered with the stamp {dropcount}")
                })
            }
            What::FinalDrops { value } => ensure(value == lost(ledger), || {
                format!(
                    "the socket counts {value} drops; {} packets were dropped",
                    lost(ledger)
                )
            }),
            _ => Ok(()),
        }
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        let counted = ledger.drops[0].wrapping_add(ledger.drops[1]);
        ensure(counted == lost(ledger), || {
            format!(
                "{counted} drops were counted; {} packets were dropped",
                lost(ledger)
            )
        })?;
        let count = |fate: fn(&Packet) -> bool| ledger.packets.values().filter(|p| fate(p)).count();
        let delivered = count(|p| p.delivered > 0);
        let queued = count(|p| p.dropped.contains(&DropReason::Closed));
        let no_memory = count(|p| p.dropped.contains(&DropReason::ProtoMem));
        let refused = count(|p| p.refused);
        let turned_away = count(|p| p.returned && !p.refused);
        let sum = delivered + queued + no_memory + refused + turned_away;
        ensure(sum == ledger.packets.len(), || {
            format!(
                "{} packets were offered; {delivered} were delivered, {queued} were queued at close, \
                 {refused} were refused, {no_memory} found no memory",
                ledger.packets.len()
            )
        })
    }
}
