// SPDX-License-Identifier: MIT OR Apache-2.0

//! Nobody sleeps for ever: when every CPU waits, no reader may be among them.

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct NoLostWakeup;

impl NoLostWakeup {
    pub(super) fn new(_: &Scenario) -> Self {
        NoLostWakeup
    }
}

impl Monitor for NoLostWakeup {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        if event.what != What::Deadlock {
            return Ok(());
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
