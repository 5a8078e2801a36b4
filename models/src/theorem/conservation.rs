// SPDX-License-Identifier: MIT OR Apache-2.0

//! Every packet has one fate.

use prodq::{DropReason, LockName, SkbId, Step};

use super::admitted::Admitted;
use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct Conservation {
    admitted: Admitted,
    charges_first: bool,
    /// For each CPU that reads: whether nothing was queued when it had the receive queue's lock last.
    saw_nothing: Vec<Option<bool>>,
    /// For each CPU that reads: what it has found since it was told something.
    found: Vec<Option<Option<SkbId>>>,
}

impl Conservation {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Conservation {
            admitted: Admitted::new(scenario),
            charges_first: scenario.baseline.is_some(),
            saw_nothing: vec![None; scenario.cpus.len()],
            found: vec![None; scenario.cpus.len()],
        }
    }

    /// A reader is told that there is nothing only where there is nothing.
    fn reader(&mut self, ledger: &Ledger, cpu: usize, step: Step) -> Result<(), String> {
        let saw_nothing = &mut self.saw_nothing[cpu];
        match step {
            Step::Lock {
                lock: LockName::Reader,
            } => *saw_nothing = Some(false),
            Step::Unlock { lock, .. } => match lock {
                LockName::Reader => *saw_nothing = None,
                LockName::Busy => {}
                LockName::Receive => {
                    if let Some(saw_nothing) = saw_nothing {
                        *saw_nothing = ledger.queued().next().is_none();
                    }
                }
            },
            Step::Peek { skb } => self.found[cpu] = Some(Some(skb)),
            Step::Empty => {
                self.found[cpu] = Some(None);
                let queued = ledger.queued().next();
                return ensure(queued.is_none() || *saw_nothing == Some(true), || {
                    format!(
                        "CPU {cpu} found nothing while packet {} was queued",
                        queued.unwrap_or_default()
                    )
                });
            }
            _ => {}
        }
        Ok(())
    }
}

impl Monitor for Conservation {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        self.admitted.event(event);
        if let What::Step(step) = event.what {
            self.reader(ledger, event.cpu, step)?;
        }
        let (skb, again) = match event.what {
            What::Told { found } => {
                let seen = self.found[event.cpu].take();
                return ensure(seen == Some(found), || {
                    let number = |skb: Option<SkbId>| skb.and_then(|skb| ledger.number(skb));
                    format!(
                        "CPU {} was shown packet {:?}, and what it had found is {:?}",
                        event.cpu,
                        number(found),
                        seen.map(number)
                    )
                });
            }
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
            What::Step(Step::Refuse { skb, .. }) => {
                // The designs before the patch charge first and refuse by what they find then.
                let may = self.charges_first || self.admitted.may(event.cpu).1;
                return ensure(may, || {
                    format!(
                        "packet {} was refused; its CPU read that {} bytes are in use, and it fits",
                        ledger.number(skb).unwrap_or_default(),
                        self.admitted.occupied(event.cpu)
                    )
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
