// SPDX-License-Identifier: MIT OR Apache-2.0

//! Nobody waits for anybody, except the elected CPU for the lock: counted in the CPU's own steps.

use prodq::{LockName, Step};

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

/// Where a CPU is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Outside,
    /// In enqueue, and has not pushed.
    Before,
    /// Has pushed and is elected.
    Elected,
    /// Has pushed and is not elected: all that is left is to return.
    Returning,
}

#[derive(Clone, Copy, Default)]
struct Cpu {
    node: usize,
    place: Place,
    retries: usize,
    /// The changes of its node's list up to its own last one.
    known: usize,
    /// Whether it is a drain that holds the receive queue's lock.
    locked: bool,
    /// How many readers it may wake: one for each packet that it has queued.
    due: usize,
}

pub(super) struct Progress {
    cpus: Vec<Cpu>,
    /// Pushes and takes of each node.
    changes: Vec<usize>,
    /// How many readers are counted as about to sleep.
    sleepers: i32,
}

impl Progress {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let cpu = |cpu: &crate::scenario::Cpu| Cpu {
            node: cpu.node,
            ..Cpu::default()
        };
        Progress {
            cpus: scenario.cpus.iter().map(cpu).collect(),
            changes: vec![0; scenario.nodes],
            sleepers: 0,
        }
    }

    fn change(&mut self, cpu: usize, node: usize) {
        self.changes[node] += 1;
        self.cpus[cpu].known = self.changes[node];
    }

    fn step(&mut self, ledger: &Ledger, index: usize, step: Step) -> Result<(), String> {
        let cpu = self.cpus[index];
        let others = self.changes[cpu.node] - cpu.known;
        ensure(cpu.place != Place::Returning, || {
            format!("CPU {index} has pushed, is not elected, and does not return: {step:?}")
        })?;
        match step {
            Step::Retry { .. } if cpu.place == Place::Before => {
                self.cpus[index].retries += 1;
                ensure(!ledger.linear || cpu.retries < others, || {
                    format!(
                        "CPU {index} tries its push for the {}. time; others have changed the list {others} \
                         times",
                        cpu.retries + 2
                    )
                })
            }
            Step::Push {
                node, was_empty, ..
            } => {
                self.change(index, node);
                self.cpus[index].place = if was_empty {
                    Place::Elected
                } else {
                    Place::Returning
                };
                Ok(())
            }
            Step::TakeAll { node, .. } => {
                self.change(index, node);
                self.cpus[index].due = 0;
                Ok(())
            }
            Step::Lock { lock } => {
                let waits = match cpu.place {
                    Place::Outside => false,
                    Place::Before | Place::Returning => true,
                    Place::Elected => lock != LockName::Receive,
                };
                self.cpus[index].locked = cpu.place == Place::Elected;
                ensure(!waits, || {
                    format!(
                        "CPU {index} waited for the lock {lock:?} in enqueue and is not elected"
                    )
                })
            }
            Step::Unlock { .. } => {
                self.cpus[index].locked = false;
                Ok(())
            }
            Step::Free { .. } => ensure(!cpu.locked, || {
                format!("CPU {index} holds the lock that others wait for: {step:?}")
            }),
            Step::Queue { .. } => {
                self.cpus[index].due += 1;
                Ok(())
            }
            // Whoever makes the socket dead wakes everybody.
            Step::Orphan => {
                self.cpus[index].due = usize::MAX;
                Ok(())
            }
            Step::Wake { .. } => {
                self.cpus[index].due = cpu.due.saturating_sub(1);
                ensure(!cpu.locked && cpu.due > 0, || {
                    format!(
                        "CPU {index} wakes a reader, holds the lock: {}, may wake: {}",
                        cpu.locked, cpu.due
                    )
                })
            }
            Step::Sleepers { by, .. } => {
                self.sleepers += by;
                Ok(())
            }
            Step::Sleep => ensure(cpu.place == Place::Outside, || {
                format!("CPU {index} sleeps in enqueue")
            }),
            _ => Ok(()),
        }
    }
}

impl Monitor for Progress {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let place = &mut self.cpus[event.cpu].place;
        match event.what {
            What::Step(step) => self.step(ledger, event.cpu, step),
            What::Offer { .. } => {
                *place = Place::Before;
                self.cpus[event.cpu].retries = 0;
                Ok(())
            }
            What::Return { .. } => {
                *place = Place::Outside;
                Ok(())
            }
            What::Stuck => {
                let elected = *place == Place::Elected;
                ensure(elected, || {
                    format!(
                        "CPU {} waits for the lock for ever and is not elected",
                        event.cpu
                    )
                })
            }
            _ => Ok(()),
        }
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        ensure(self.sleepers == 0, || {
            format!("{} readers are counted as asleep at the end", self.sleepers)
        })?;
        let inside = self.cpus.iter().position(|cpu| cpu.place != Place::Outside);
        ensure(inside.is_none(), || {
            format!(
                "CPU {} is in enqueue at the end",
                inside.unwrap_or_default()
            )
        })
    }
}
