// SPDX-License-Identifier: MIT OR Apache-2.0

//! Readers that sleep. Who is woken, and when, is the wait queue's business and left loose here: that
//! nobody is forgotten is the theorem `no-lost-wakeup`.

use prodq::Step;
use serde::{Deserialize, Serialize};

use super::{allow, At, Design, Loads, Packets, State, Why, Word, NOT_HERE};

/// Where a reader is that found both queues empty and may wait. The words that it looks at without a lock
/// had these numbers when it announced itself: the receive queue's length, the reader queue's, dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Waiting {
    /// It is about to announce itself.
    Announcing,
    /// It has, and looks once more.
    Looking([usize; 3]),
    /// It sleeps.
    Asleep,
    /// It is awake, and not counted out yet.
    Awake,
}

/// What sleepers and wakers share.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sleep {
    pub(super) receive_len: Word,
    pub(super) reader_len: Word,
    pub(super) dead: Word,
    sleepers: i32,
    /// How many readers were woken, and how many awoke because of it.
    pub(super) wakes: u32,
    pub(super) awoken: u32,
}

impl Design {
    /// A step of a reader that found nothing.
    pub(super) fn wait<Q: Packets>(
        &self,
        s: &mut State<Q>,
        cpu: usize,
        at: Waiting,
        step: Step,
    ) -> Result<At, Why> {
        let both_queues = self.sleepers.ok_or("readers of this design do not sleep")?;
        let next = match (at, step) {
            (Waiting::Announcing, Step::Sleepers { by: 1, old }) => {
                allow(s.cpus[cpu].found_nothing, "it has not looked")?;
                allow(old == s.sleep.sleepers, "the sleepers are others")?;
                s.sleep.sleepers += 1;
                s.cpus[cpu].found_nothing = false;
                let sleep = &s.sleep;
                let words = [&sleep.receive_len, &sleep.reader_len, &sleep.dead];
                Waiting::Looking(match self.loads {
                    Loads::Newest => words.map(Word::version),
                    Loads::Coherent => [0; 3],
                })
            }
            (Waiting::Looking([receive, reader, dead]), Step::Sleep) => {
                let was_zero = |word: &Word, from| word.since(from).any(|value| value == 0);
                let nothing = was_zero(&s.sleep.receive_len, receive)
                    && (!both_queues || was_zero(&s.sleep.reader_len, reader))
                    && was_zero(&s.sleep.dead, dead);
                allow(nothing, "there are packets, or the socket is dead")?;
                Waiting::Asleep
            }
            (Waiting::Asleep, Step::Awake { woken }) => {
                s.sleep.awoken += u32::from(woken);
                Waiting::Awake
            }
            (_, Step::Sleepers { by: -1, old }) => {
                if let Waiting::Looking([receive, reader, dead]) = at {
                    let was_set = |word: &Word, from| word.since(from).any(|value| value != 0);
                    let something = was_set(&s.sleep.receive_len, receive)
                        || (both_queues && was_set(&s.sleep.reader_len, reader))
                        || was_set(&s.sleep.dead, dead);
                    allow(something, "there is nothing to stay awake for")?;
                } else {
                    allow(at == Waiting::Awake, NOT_HERE)?;
                }
                allow(old == s.sleep.sleepers, "the sleepers are others")?;
                s.sleep.sleepers -= 1;
                return Ok(At::Outside);
            }
            _ => return Err(NOT_HERE),
        };
        Ok(At::Waiting(next))
    }
}
