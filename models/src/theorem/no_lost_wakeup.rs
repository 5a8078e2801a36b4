// SPDX-License-Identifier: MIT OR Apache-2.0

//! Nobody sleeps for ever: when every CPU waits, no reader may be among them. And nobody sleeps longer
//! than need be: a drain of m packets wakes m of those who sleep, or all.

use prodq::Step;

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct NoLostWakeup {
    drains: Vec<Option<Drain>>,
    /// Wake-ups whose reader has not said that it is awake. Some never will, because they were not yet
    /// asleep and found a packet: those who sleep are rather counted too low.
    under_way: usize,
    dead: bool,
}

/// A batch that was queued and whose drain has not ended.
#[derive(Clone, Copy)]
struct Drain {
    packets: usize,
    /// Readers that sleep and that no other drain may have woken, at least.
    sleepers: usize,
    woken: usize,
}

impl NoLostWakeup {
    pub(super) fn new(scenario: &Scenario) -> Self {
        NoLostWakeup {
            drains: vec![None; scenario.cpus.len()],
            under_way: 0,
            dead: false,
        }
    }

    /// What concerns the drains of a world that has an order of events.
    fn step(&mut self, ledger: &Ledger, cpu: usize, step: Step) -> Result<(), String> {
        match step {
            Step::TakeAll { .. } => {
                self.drains[cpu] = Some(Drain {
                    packets: 0,
                    sleepers: 0,
                    woken: 0,
                });
            }
            Step::Queue { .. } => {
                // Another drain may have taken a sleeper off the wait queue and not said so yet.
                let mut claimed = self.under_way;
                for (other, drain) in self.drains.iter_mut().enumerate() {
                    if let Some(drain) = drain.as_mut().filter(|_| other != cpu) {
                        claimed += drain.packets.saturating_sub(drain.woken);
                        drain.sleepers = drain.sleepers.saturating_sub(1);
                    }
                }
                if let Some(drain) = &mut self.drains[cpu] {
                    drain.packets += 1;
                    drain.sleepers = ledger.asleep.len().saturating_sub(claimed);
                }
            }
            Step::Wake { woken: true } => {
                self.under_way += 1;
                if let Some(drain) = &mut self.drains[cpu] {
                    drain.woken += 1;
                }
            }
            Step::Awake { .. } => self.under_way = self.under_way.saturating_sub(1),
            Step::Orphan => self.dead = true,
            Step::Uncharge { .. } => {
                let Some(drain) = self.drains[cpu].take() else {
                    return Ok(());
                };
                let due = drain.packets.min(drain.sleepers);
                return ensure(self.dead || drain.woken >= due, || {
                    format!(
                        "CPU {cpu} has queued {} packets while {} readers slept and woke {}",
                        drain.packets, drain.sleepers, drain.woken
                    )
                });
            }
            _ => {}
        }
        Ok(())
    }
}

impl Monitor for NoLostWakeup {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        match event.what {
            What::Deadlock => {}
            What::Step(step) if ledger.linear => return self.step(ledger, event.cpu, step),
            _ => return Ok(()),
        }
        let asleep: Vec<_> = ledger.asleep.iter().map(ToString::to_string).collect();
        let queued: Vec<_> = ledger.queued().map(|number| number.to_string()).collect();
        let packets = if queued.is_empty() {
            "no packet is queued".to_owned()
        } else {
            format!("queued are the packets {}", queued.join(", "))
        };
        Err(format!(
            "deadlock: every CPU waits or has finished, CPUs {} sleep, {packets}",
            asleep.join(", ")
        ))
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        ensure(ledger.asleep.is_empty(), || {
            format!("CPUs {:?} sleep at the end", ledger.asleep)
        })
    }
}
