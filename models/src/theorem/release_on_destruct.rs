// SPDX-License-Identifier: MIT OR Apache-2.0

//! Everything is given back, once, and not touched afterwards: what is freed is poisoned, and a CPU
//! that touches it says so and stops.

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct ReleaseOnDestruct;

impl ReleaseOnDestruct {
    pub(super) fn new(_: &Scenario) -> Self {
        ReleaseOnDestruct
    }
}

impl Monitor for ReleaseOnDestruct {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        match event.what {
            What::DataRace { what, freeing } if freeing || ledger.destructing => Err(format!(
                "the release races with an access: CPU {} and {what}",
                event.cpu
            )),
            What::TouchedFreed { what } => Err(format!(
                "CPU {} touched {what} after it was freed",
                event.cpu
            )),
            _ => Ok(()),
        }
    }

    fn end(&mut self, ledger: &Ledger) -> Result<(), String> {
        let [socks, nodes] = ledger.freed;
        ensure(socks == 1 && ledger.destructed.len() == 1, || {
            format!(
                "the socket was destructed {} times and freed {socks} times",
                ledger.destructed.len()
            )
        })?;
        ensure(nodes == u32::from(ledger.initialised), || {
            format!("the node queues were freed {nodes} times")
        })?;
        for (number, packet) in &ledger.packets {
            ensure(packet.freed == 1, || {
                format!("packet {number} was freed {} times", packet.freed)
            })?;
        }
        let forward_alloc = ledger.destructed.first().copied().unwrap_or(0);
        ensure(
            ledger.rmem_alloc == 0 && forward_alloc == 0 && ledger.pages == 0,
            || {
                format!(
                    "the destructor left rmem_alloc {} bytes, forward_alloc {forward_alloc} bytes, \
                     {} pages",
                    ledger.rmem_alloc, ledger.pages
                )
            },
        )
    }
}
