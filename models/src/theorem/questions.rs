// SPDX-License-Identifier: MIT OR Apache-2.0

//! What is asked about the kernel's design and is no theorem of it.

use std::collections::BTreeSet;

use prodq::{DropReason, Step};

use super::{ensure, Monitor};
use crate::context::{Event, What};
use crate::ledger::Ledger;
use crate::scenario::Scenario;

/// Whether a packet is refused that fitted all the time.
pub(super) struct NoNeedlessDrop {
    rcvbuf: u32,
    /// The most that was held since each CPU's admission began.
    most: Vec<Option<i64>>,
}

impl NoNeedlessDrop {
    pub(super) fn new(scenario: &Scenario) -> Self {
        NoNeedlessDrop {
            rcvbuf: scenario.rcvbuf,
            most: vec![None; scenario.cpus.len()],
        }
    }
}

impl Monitor for NoNeedlessDrop {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let held = ledger.held();
        for most in self.most.iter_mut().flatten() {
            *most = (*most).max(held);
        }
        match event.what {
            What::Offer { .. } => self.most[event.cpu] = Some(held),
            What::Return { .. } => self.most[event.cpu] = None,
            What::Step(Step::SetRcvbuf { to, .. }) => self.rcvbuf = self.rcvbuf.min(to),
            What::Step(Step::Refuse { size, .. }) if ledger.linear => {
                let most = self.most[event.cpu].unwrap_or(held);
                let fitted = most + i64::from(size) <= i64::from(self.rcvbuf);
                return ensure(!fitted, || {
                    format!(
                        "a packet of {size} bytes was refused; the socket and its nodes held at most \
                         {most} of {} bytes meanwhile",
                        self.rcvbuf
                    )
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}

/// Whether a batch as a whole passes the test that one packet has to.
pub(super) struct MemoryMinimum {
    rmem_min: i64,
    /// What each CPU's current batch has queued.
    queued: Vec<i64>,
    /// What each CPU found in `rmem_alloc` when it asked for the current packet's memory.
    found: Vec<Option<i64>>,
}

impl MemoryMinimum {
    pub(super) fn new(scenario: &Scenario) -> Self {
        MemoryMinimum {
            rmem_min: scenario.rmem_min.into(),
            queued: vec![0; scenario.cpus.len()],
            found: vec![None; scenario.cpus.len()],
        }
    }
}

impl Monitor for MemoryMinimum {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let cpu = event.cpu;
        match event.what {
            What::Step(Step::TakeAll { .. }) => self.queued[cpu] = 0,
            What::Step(Step::ReadPressure { value }) => self.found[cpu] = Some(value.into()),
            What::Step(Step::NoMemory { .. }) => self.found[cpu] = None,
            What::Step(Step::Queue { skb, .. }) => {
                let holds = self.found[cpu].take().map(|found| found + self.queued[cpu]);
                self.queued[cpu] += ledger.packet(skb).map_or(0, |packet| packet.charged.into());
                let rmem_min = self.rmem_min;
                return ensure(holds.is_none_or(|holds| holds < rmem_min), || {
                    format!(
                        "a packet was queued under memory pressure on a socket that holds {} bytes; the \
                         minimum is {rmem_min}",
                        holds.unwrap_or_default()
                    )
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}

/// Whether a packet can be neither with its producer nor with a reader.
pub(super) struct NoHiddenPacket {
    returned: BTreeSet<usize>,
}

impl NoHiddenPacket {
    pub(super) fn new(_: &Scenario) -> Self {
        NoHiddenPacket {
            returned: BTreeSet::new(),
        }
    }
}

impl Monitor for NoHiddenPacket {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        match event.what {
            What::Return { skb, .. } => self.returned.extend(ledger.number(skb)),
            What::Step(Step::Empty) if ledger.linear => {
                for (index, node) in ledger.nodes.iter().enumerate() {
                    let hidden = node.list.iter().find(|skb| self.returned.contains(skb));
                    if let Some(packet) = hidden {
                        return Err(format!(
                            "a reader found nothing; packet {packet}, whose enqueue has returned, waits \
                             on node {index} for CPU {}",
                            node.elected.unwrap_or_default()
                        ));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}

/// Whether enqueue can hide the loss of the packet it was given.
pub(super) struct HonestReturn;

impl HonestReturn {
    pub(super) fn new(_: &Scenario) -> Self {
        HonestReturn
    }
}

impl Monitor for HonestReturn {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let What::Return { skb, refused } = event.what else {
            return Ok(());
        };
        let dropped = ledger.packet(skb).map(|packet| packet.dropped.as_slice());
        let lost = dropped.is_some_and(|reasons| reasons.contains(&DropReason::ProtoMem));
        ensure(refused || !lost, || {
            format!(
                "enqueue returned success for packet {}, which it had dropped: no memory",
                ledger.number(skb).unwrap_or_default()
            )
        })
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}

/// Whether the packets of one CPU come in the order in which it offered them: the half of the theorem
/// `order` that needs three preemptions to be broken by a drain that takes its list before the lock.
pub(super) struct OrderOfCpu(Vec<Option<usize>>);

impl OrderOfCpu {
    pub(super) fn new(scenario: &Scenario) -> Self {
        OrderOfCpu(vec![None; scenario.cpus.len()])
    }
}

impl Monitor for OrderOfCpu {
    fn event(&mut self, ledger: &Ledger, event: &Event) -> Result<(), String> {
        let What::Step(Step::Dequeue { skb }) = event.what else {
            return Ok(());
        };
        let (Some(number), Some(packet)) = (ledger.number(skb), ledger.packet(skb)) else {
            return Ok(());
        };
        // A CPU's packets are numbered in the order in which it offers them.
        let last = self.0[packet.cpu].replace(number);
        ensure(last < Some(number), || {
            format!(
                "packet {number} of CPU {} was delivered after its packet {}",
                packet.cpu,
                last.unwrap_or_default()
            )
        })
    }

    fn end(&mut self, _: &Ledger) -> Result<(), String> {
        Ok(())
    }
}
