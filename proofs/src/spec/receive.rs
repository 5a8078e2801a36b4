// SPDX-License-Identifier: MIT OR Apache-2.0

//! The reader's side: dequeue, release, refill.

use prodq::{LockName, Step};
use serde::{Deserialize, Serialize};

use super::{allow, At, Design, Loads, Packets, State, Why, NOT_HERE};

/// Where in recv or peek a CPU is. It holds the reader queue's lock; where `both` is true, the receive
/// queue's, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Receive {
    /// It looks at the reader queue.
    Looking,
    /// It found the reader queue empty and refills it.
    Refilling,
    /// It has dequeued a packet; the threshold had this number then.
    Dequeued {
        /// Whether it holds both locks.
        both: bool,
        /// The number.
        threshold: usize,
    },
    /// It releases what is due.
    Releasing {
        /// Whether it dequeued with both locks held.
        both: bool,
    },
    /// It has released it, and splices.
    Released {
        /// The same.
        both: bool,
    },
    /// Readers sleep: the packet leaves the reader queue's length, last of all.
    Counting {
        /// Whether it holds both locks.
        both: bool,
    },
    /// It has nothing left to do with the receive queue's lock.
    Leaving,
    /// It peeks: the refill is over.
    Peeking,
    /// All that is left is to leave the reader queue's lock.
    Finishing,
}

impl Design {
    /// A step of a CPU in recv or peek.
    pub(super) fn receive<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Receive,
        step: Step,
    ) -> Result<At, Why> {
        let next = match (at, step) {
            (Receive::Looking | Receive::Peeking, Step::Peek { skb }) => {
                let first = s.reader.first().is_some_and(|first| first.id == skb);
                allow(first, "another packet is the first")?;
                Receive::Finishing
            }
            (
                Receive::Looking,
                Step::Lock {
                    lock: LockName::Receive,
                },
            ) => {
                allow(s.reader.is_empty(), "there are packets at hand")?;
                s.lock(LockName::Receive)?;
                Receive::Refilling
            }
            (Receive::Refilling, Step::Splice { .. } | Step::Len { .. }) => {
                s.splice(self, cpu, step)?;
                Receive::Refilling
            }
            (Receive::Refilling, _) if !s.receive.is_empty() => {
                return Err("the receive queue is to be spliced first");
            }
            (Receive::Looking | Receive::Refilling, Step::Dequeue { skb }) => {
                let first = s.reader.first().filter(|first| first.id == skb);
                let first = first.ok_or("another packet is the first")?;
                s.reader.take();
                s.deficit = s.deficit.wrapping_add(first.size);
                s.cpus[cpu].skb = Some(first);
                Receive::Dequeued {
                    both: at == Receive::Refilling,
                    threshold: s.threshold.version(),
                }
            }
            (Receive::Refilling, Step::Empty) => {
                allow(s.reader.is_empty(), "there are packets at hand")?;
                s.cpus[cpu].found_nothing = true;
                Receive::Leaving
            }
            (
                Receive::Refilling,
                Step::Unlock {
                    lock: LockName::Receive,
                    forward_alloc,
                },
            ) => {
                s.unlock_receive(self, forward_alloc)?;
                Receive::Peeking
            }
            (Receive::Peeking, Step::Empty) => {
                allow(s.reader.is_empty(), "there are packets at hand")?;
                Receive::Finishing
            }
            (Receive::Dequeued { both, threshold }, Step::HoldBack { deficit }) => {
                let held = self.holds_back(s, threshold, true);
                allow(held && deficit == s.deficit, "it is to be released")?;
                self.dequeued(both)
            }
            (
                Receive::Counting { both },
                Step::Len {
                    queue: LockName::Reader,
                    by: -1,
                    old,
                },
            ) => {
                s.len(LockName::Reader, -1, old)?;
                left(both)
            }
            (
                Receive::Dequeued {
                    both: false,
                    threshold,
                },
                Step::Lock {
                    lock: LockName::Receive,
                },
            ) => {
                let due = self.holds_back(s, threshold, false);
                allow(due, "it is to be held back")?;
                s.lock(LockName::Receive)?;
                Receive::Releasing { both: false }
            }
            (Receive::Dequeued { both: true, .. } | Receive::Releasing { .. }, _) => {
                let both = match at {
                    Receive::Dequeued { threshold, .. } => {
                        let due = self.holds_back(s, threshold, false);
                        allow(due, "it is to be held back")?;
                        true
                    }
                    at => at == Receive::Releasing { both: true },
                };
                let size = (s.deficit, true);
                if s.give_back(self, cpu, size, step)? {
                    s.deficit = 0;
                    Receive::Released { both }
                } else {
                    Receive::Releasing { both }
                }
            }
            (Receive::Released { both }, Step::Splice { .. } | Step::Len { .. })
                if !s.receive.is_empty() =>
            {
                s.splice(self, cpu, step)?;
                Receive::Released { both }
            }
            (Receive::Released { both: true }, Step::Len { .. }) if self.sleepers.is_some() => {
                return self.receive(s, cpu, Receive::Counting { both: true }, step);
            }
            (
                Receive::Released { both: false },
                Step::Unlock {
                    lock: LockName::Receive,
                    forward_alloc,
                },
            ) => {
                allow(
                    s.receive.is_empty(),
                    "the receive queue is to be spliced first",
                )?;
                s.unlock_receive(self, forward_alloc)?;
                self.dequeued(false)
            }
            (Receive::Released { both: true }, _) if self.sleepers.is_some() => {
                return Err("the queue's length is to be told first");
            }
            (
                Receive::Released { both: true } | Receive::Leaving,
                Step::Unlock {
                    lock: LockName::Receive,
                    forward_alloc,
                },
            ) => {
                let left = at == Receive::Leaving || s.receive.is_empty();
                allow(left, "the receive queue is to be spliced first")?;
                s.unlock_receive(self, forward_alloc)?;
                Receive::Finishing
            }
            (
                Receive::Finishing,
                Step::Unlock {
                    lock: LockName::Reader,
                    forward_alloc: 0,
                },
            ) => {
                s.unlock(LockName::Reader);
                return Ok(At::Outside);
            }
            _ => return Err(NOT_HERE),
        };
        if matches!(step, Step::Dequeue { .. }) {
            s.cpus[cpu].found_nothing = false;
        }
        Ok(At::Receive(next))
    }

    /// Where a CPU is that is done with the packet it has dequeued, but for the queue's length.
    fn dequeued(&self, both: bool) -> Receive {
        if self.sleepers.is_some() {
            Receive::Counting { both }
        } else {
            left(both)
        }
    }

    /// Whether the release may be held back, or else may be due: the threshold is read at some moment
    /// since it had this number.
    fn holds_back<Q: Packets>(&self, s: &State<Q>, threshold: usize, held: bool) -> bool {
        let from = match self.loads {
            Loads::Newest => threshold,
            Loads::Coherent => 0,
        };
        let more = !s.reader.is_empty();
        let below = |threshold| s.deficit < threshold as u32;
        let mut thresholds = s.threshold.since(from);
        thresholds.any(|threshold| (below(threshold) && more) == held)
    }
}

/// What is left to do with these locks held.
fn left(both: bool) -> Receive {
    if both {
        Receive::Leaving
    } else {
        Receive::Finishing
    }
}
