// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a socket asks of the protocol's memory, and when it gives it back. Everything here changes under
//! one of the two locks, so that it holds among real threads, too.

use prodq::{LockName, Platform, SkbId, Step};

use super::admitted::Admitted;
use super::ensure;
use crate::context::Event;
use crate::design::Repair;
use crate::ledger::Ledger;
use crate::scenario::Scenario;

const PAGE_SHIFT: u32 = prodq::Hw::PAGE_SHIFT;
const PAGE: i64 = 1 << PAGE_SHIFT;

/// What one CPU's drain asked for the current packet.
#[derive(Clone, Copy)]
struct Asked {
    pages: i64,
    /// Pages of the protocol with them.
    allocated: i64,
    /// `forward_alloc` before.
    forward_alloc: i64,
}

/// Pages are charged for a packet as needed, and as the limits allow.
pub(super) struct Charges {
    limits: [i64; 3],
    rmem_min: i64,
    count_batch: bool,
    asked: Vec<Option<Asked>>,
    /// What each CPU found in `rmem_alloc` under memory pressure.
    pressure: Vec<Option<i64>>,
    /// The bytes that each CPU's current batch has queued and not added to `rmem_alloc`.
    queued: Vec<i64>,
    /// Whether there are batches.
    batches: bool,
}

impl Charges {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let cpus = scenario.cpus.len();
        Charges {
            limits: scenario.mem_limits.unwrap_or([u32::MAX; 3]).map(i64::from),
            rmem_min: scenario.rmem_min.into(),
            count_batch: scenario.repair == Some(Repair::CountBatch),
            asked: vec![None; cpus],
            pressure: vec![None; cpus],
            queued: vec![0; cpus],
            batches: scenario.baseline.is_none(),
        }
    }

    pub(super) fn step(&mut self, ledger: &Ledger, cpu: usize, step: Step) -> Result<(), String> {
        let charged = ledger.pages << PAGE_SHIFT;
        let handed_over = ledger.rmem_alloc - ledger.on_their_way;
        let forward_alloc = charged - handed_over - self.queued[cpu];
        match step {
            Step::TakeAll { .. } => self.queued[cpu] = 0,
            Step::ChargePages { pages, old } => {
                self.pressure[cpu] = None;
                self.asked[cpu] = Some(Asked {
                    pages: pages as i64,
                    allocated: (old + pages) as i64,
                    forward_alloc,
                });
            }
            Step::ReadPressure { value } => self.pressure[cpu] = Some(value.into()),
            Step::Queue { skb, .. } => {
                let size = self.decided(ledger, cpu, skb, forward_alloc, true)?;
                if self.batches {
                    self.queued[cpu] += size;
                }
            }
            Step::NoMemory { skb } => {
                self.decided(ledger, cpu, skb, forward_alloc, false)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The packet was queued, or found no memory; returns its size.
    fn decided(
        &mut self,
        ledger: &Ledger,
        cpu: usize,
        skb: SkbId,
        forward_alloc: i64,
        queued: bool,
    ) -> Result<i64, String> {
        let number = ledger.number(skb).unwrap_or_default();
        let size = ledger
            .packet(skb)
            .map_or(0, |p| i64::from(p.charged.max(p.charged_early)));
        let Some(asked) = self.asked[cpu].take() else {
            ensure(queued && size <= forward_alloc, || {
                format!(
                    "packet {number} of {size} bytes was queued: {queued}; no page was asked for, and \
                     forward_alloc was {forward_alloc}"
                )
            })?;
            return Ok(size);
        };
        let needed = (size - asked.forward_alloc + PAGE - 1) >> PAGE_SHIFT;
        ensure(asked.pages == needed, || {
            format!(
                "{} pages were charged for packet {number}, which needs {needed}",
                asked.pages
            )
        })?;
        let [low, _, high] = self.limits;
        let pending = if self.count_batch {
            self.queued[cpu]
        } else {
            0
        };
        let pressed = low < asked.allocated && asked.allocated <= high;
        ensure(!pressed || self.pressure[cpu].is_some(), || {
            format!("packet {number} was queued: {queued}; nobody asked how much its socket holds")
        })?;
        let under = self.pressure[cpu].is_some_and(|held| held + pending < self.rmem_min);
        let allowed = asked.allocated <= low || (asked.allocated <= high && under);
        ensure(allowed == queued, || {
            format!(
                "packet {number} was queued: {queued}; it makes {} pages of the protocol, whose limits are \
                 {:?}",
                asked.allocated, self.limits
            )
        })?;
        Ok(size)
    }
}

/// What is dequeued is released, at once or with a later packet.
pub(super) struct Releases {
    admitted: Admitted,
    /// Bytes dequeued and not released.
    due: i64,
    /// Packets in the reader queue.
    at_hand: i64,
    /// Whether there were more when one was dequeued last.
    more: bool,
    /// Whether each CPU has released something under the lock that it holds.
    released: Vec<bool>,
}

impl Releases {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Releases {
            admitted: Admitted::new(scenario),
            due: 0,
            at_hand: 0,
            more: false,
            released: vec![false; scenario.cpus.len()],
        }
    }

    pub(super) fn event(&mut self, event: &Event) {
        self.admitted.event(event);
    }

    pub(super) fn step(&mut self, ledger: &Ledger, cpu: usize, step: Step) -> Result<(), String> {
        let due = self.due;
        match step {
            Step::Splice { count } => self.at_hand += count as i64,
            Step::Dequeue { skb } => {
                self.at_hand -= 1;
                self.more = self.at_hand > 0;
                self.due += ledger.packet(skb).map_or(0, |p| i64::from(p.charged));
            }
            Step::HoldBack { deficit } => {
                let below = |threshold| due < i64::from(threshold);
                let may = self.more && self.admitted.thresholds(cpu).any(below);
                return ensure(may && due == i64::from(deficit), || {
                    format!(
                        "CPU {cpu} holds {deficit} of {due} bytes back; more packets are at hand: {}",
                        self.more
                    )
                });
            }
            Step::SubRmem { size, .. } if !ledger.destructing => {
                self.due = 0;
                self.released[cpu] = true;
                let reached = |threshold| due >= i64::from(threshold);
                let must = !self.more || self.admitted.thresholds(cpu).any(reached);
                return ensure(must && due == i64::from(size), || {
                    format!(
                        "CPU {cpu} releases {size} of {due} bytes; more packets are at hand: {}",
                        self.more
                    )
                });
            }
            Step::Unlock {
                lock: LockName::Receive,
                forward_alloc,
            } if std::mem::take(&mut self.released[cpu]) => {
                return ensure((1..=PAGE).contains(&forward_alloc.into()), || {
                    format!(
                        "a release leaves {forward_alloc} bytes in forward_alloc; it is to leave from 1 \
                         to {PAGE}"
                    )
                });
            }
            _ => {}
        }
        Ok(())
    }
}
