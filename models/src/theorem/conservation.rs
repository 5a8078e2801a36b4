// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every packet has one fate.

use prodq::{DropReason, Step};

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct Conservation;

impl Conservation {
    pub(super) fn new(_: &Scenario) -> Self {
        Conservation
    }
}

impl Monitor for Conservation {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let (skb, again) = match event.what {
            What::DataRace {
                what,
                freeing: false,
            } if !ledger.destructing => {
                return Err(format!("data race: CPU {} and {what}", event.cpu));
            }
            What::Step(Step::Free { skb, reason }) => {
                let found_none = ledger.packet(skb).is_some_and(|packet| packet.no_memory);
                let may = match reason {
                    DropReason::ProtoMem => found_none,
                    DropReason::Closed => ledger.destructing,
                    DropReason::RcvbufFull => false,
                };
                return ensure(may, || {
                    let number = ledger.number(skb).unwrap_or_default();
                    format!("packet {number} was freed for a reason that it had not: {reason:?}")
                });
            }
            What::Step(Step::Queue { skb, .. }) => (skb, ledger.packet(skb).map(|p| p.queued > 0)),
            What::Deliver { skb, .. } => (skb, ledger.packet(skb).map(|p| p.delivered > 0)),
            _ => return Ok(()),
        };
        match again {
            None => Err(format!("{skb:?} was handed over and never offered")),
            Some(true) => Err(format!(
                "packet {:?} was handed over twice",
                ledger.number(skb).unwrap_or_default()
            )),
            Some(false) => Ok(()),
        }
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        for (number, packet) in &ledger.packets {
            let fates = packet.delivered as usize
                + packet.dropped.len()
                + usize::from(packet.refused)
                + usize::from(packet.returned && !packet.refused && !ledger.initialised);
            ensure(fates == 1, || {
                format!(
                    "packet {number} was delivered {} times, dropped {:?}, refused: {}, given back: {}",
                    packet.delivered, packet.dropped, packet.refused, packet.returned
                )
            })?;
            ensure(packet.refused <= packet.returned, || {
                format!("packet {number} was refused and not given back")
            })?;
        }
        Ok(())
    }
}
