// SPDX-License-Identifier: MIT OR Apache-2.0

//! rmem_alloc stays below the bound.

use prodq::Step;

use super::admitted::Admitted;
use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::design::Policy;
use crate::ledger::Ledger;
use crate::scenario::Scenario;

pub(super) struct BoundedOvershoot {
    bound: u64,
    /// The node of each CPU.
    of_cpu: Vec<usize>,
    nodes: usize,
    policy: Policy,
    admitted: Admitted,
    /// Whether each CPU has condensed its current packet.
    condensed: Vec<bool>,
}

impl BoundedOvershoot {
    pub(super) fn new(scenario: &Scenario) -> Self {
        BoundedOvershoot {
            bound: scenario.overshoot.unwrap_or_else(|| scenario.bound()),
            of_cpu: scenario.cpus.iter().map(|cpu| cpu.node).collect(),
            nodes: scenario.nodes,
            policy: scenario.policy,
            admitted: Admitted::new(scenario),
            condensed: vec![false; scenario.cpus.len()],
        }
    }

    /// The CPU charges a packet: by what it has read it may, and has condensed it if it must.
    fn charge(&self, cpu: usize) -> Result<(), String> {
        let own = self.of_cpu[cpu];
        ensure(self.admitted.has_read(cpu, own), || {
            format!("CPU {cpu} admitted a packet and did not read both rmem_alloc and the counter of node {own}")
        })?;
        let occupied = self.admitted.occupied(cpu);
        ensure(self.admitted.may(cpu).0, || {
            format!("CPU {cpu} read that {occupied} bytes are in use, and admitted a packet that exceeds rcvbuf")
        })?;
        let (above, below) = self.admitted.half_full(cpu);
        let condensed = self.condensed[cpu];
        ensure(if condensed { above } else { below }, || {
            format!("CPU {cpu} read that {occupied} bytes are in use; its packet was condensed: {condensed}")
        })?;
        let missed = (0..self.nodes).find(|&node| !self.admitted.has_read(cpu, node));
        let all = below || self.policy != Policy::AllNodes || missed.is_none();
        ensure(all, || {
            format!(
                "CPU {cpu} read that {occupied} bytes are in use, and not the counter of node {}",
                missed.unwrap_or_default()
            )
        })
    }
}

impl Monitor for BoundedOvershoot {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        self.admitted.event(event);
        let after = match event.what {
            What::Offer { .. } => {
                self.condensed[event.cpu] = false;
                return Ok(());
            }
            What::Step(Step::Condense { .. }) => {
                self.condensed[event.cpu] = true;
                return Ok(());
            }
            What::Step(Step::Charge { .. }) => return self.charge(event.cpu),
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
