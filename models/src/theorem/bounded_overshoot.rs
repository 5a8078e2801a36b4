// SPDX-License-Identifier: MIT OR Apache-2.0

//! rmem_alloc stays below the bound.

use prodq::Step;

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct BoundedOvershoot {
    bound: u64,
}

impl BoundedOvershoot {
    pub(super) fn new(scenario: &Scenario) -> Self {
        BoundedOvershoot {
            bound: scenario.overshoot.unwrap_or_else(|| scenario.bound()),
        }
    }
}

impl Monitor for BoundedOvershoot {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let after = match event.what {
            What::Step(Step::AddRmem { size, .. }) => ledger.rmem_alloc + i64::from(size),
            // Not under the lock: only the access itself knows.
            What::Step(Step::ChargeSock { size, old, .. }) => i64::from(old) + i64::from(size),
            _ => return Ok(()),
        };
        ensure(after <= self.bound as i64, || {
            format!(
                "rmem_alloc is {after} bytes; the bound is {} bytes",
                self.bound
            )
        })
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}
