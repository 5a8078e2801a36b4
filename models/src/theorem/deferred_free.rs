// SPDX-License-Identifier: MIT OR Apache-2.0

//! What goes to another CPU's free list is freed there, once, and the list stays in use.

use prodq::Step;

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct DeferredFree {
    /// Every list has been flushed and nobody uses them.
    flushed: bool,
}

impl DeferredFree {
    pub(super) fn new(_: &Scenario) -> Self {
        DeferredFree { flushed: false }
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
