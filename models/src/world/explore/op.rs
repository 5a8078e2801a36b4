// SPDX-License-Identifier: MIT OR Apache-2.0

//! Events: what a task does in one step, and which of them commute.

/// A message's name: the task that wrote it and the number of that task's event. The same in all
/// equivalent executions. The message that a word starts with has no writer.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct Message {
    pub(crate) task: u8,
    pub(crate) seq: u16,
}

impl Message {
    /// What a word starts with.
    pub(crate) const INITIAL: Message = Message {
        task: u8::MAX,
        seq: 0,
    };
}

/// A value that is compared with. It says nothing about which event it is: the address of a packet
/// differs from execution to execution, so all of them are equal here.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Value(pub(crate) u64);

impl PartialEq for Value {
    fn eq(&self, _: &Value) -> bool {
        true
    }
}

impl Eq for Value {}

impl std::hash::Hash for Value {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// When a read-modify-write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) enum Compare {
    /// Never.
    Never,
    /// When it finds another value.
    Unless(Value),
    /// When it finds another value, or for no reason.
    Weak(Value),
}

/// What a task is about to do: announced before it is let run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) enum Pending {
    /// Reads a word.
    Load { word: u16 },
    /// Overwrites a word.
    Store { word: u16 },
    /// Reads and changes a word, or fails to.
    Rmw { word: u16, compare: Compare },
    /// Adds to a word; nobody uses the result.
    Add { word: u16 },
    /// A fence of sequential consistency.
    Fence,
    /// Takes a lock; waits while it is held.
    Lock { lock: u16 },
    /// Releases a lock.
    Unlock { lock: u16 },
    /// Waits for another task's end.
    Join { task: u8 },
    /// Waits for a bell.
    Wait { bell: u16 },
    /// Rings a bell, before or after somebody waits for it.
    Ring { bell: u16 },
    /// Uses something that the explorer does not see.
    Unseen,
}

/// How a task's step goes, where there is a choice.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// There is none.
    Only,
    /// A load reads this message, or a compare-exchange fails on it.
    Reads(Message),
    /// A write is placed right behind this message, which is not the newest.
    After(Message),
}

/// A step of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub(crate) struct Event {
    pub(crate) task: u8,
    /// The number of the task's event, from 1.
    pub(crate) seq: u16,
    pub(crate) pending: Pending,
    pub(crate) choice: Choice,
}

/// What an event is to others on the same word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reads the newest value: sequential consistency.
    Read(u16),
    /// Reads a message, whatever was written since.
    ReadFrom(u16, Message),
    /// Writes, or fails to: a read-modify-write always has the newest value.
    Write(u16),
    /// Adds, and nobody uses the result.
    Add(u16),
    /// Takes or releases a lock.
    Lock(u16),
    /// A fence.
    Fence,
    /// Waits for a bell or rings it.
    Bell(u16),
    /// What the explorer does not see.
    Unseen,
    /// Nothing that others see.
    Local,
}

impl Event {
    pub(crate) fn message(self) -> Message {
        Message {
            task: self.task,
            seq: self.seq,
        }
    }

    /// Where it happens: a word, a lock, the fences, or nowhere.
    #[inline]
    fn place(self) -> u32 {
        match self.pending {
            Pending::Load { word }
            | Pending::Store { word }
            | Pending::Rmw { word, .. }
            | Pending::Add { word } => u32::from(word),
            Pending::Lock { lock } | Pending::Unlock { lock } => 1 << 16 | u32::from(lock),
            Pending::Fence => 1 << 17,
            Pending::Join { task } => 1 << 18 | u32::from(task),
            Pending::Wait { bell } | Pending::Ring { bell } => 1 << 19 | u32::from(bell),
            Pending::Unseen => 1 << 20,
        }
    }

    pub(crate) fn access(self) -> Access {
        match (self.pending, self.choice) {
            (Pending::Load { word } | Pending::Rmw { word, .. }, Choice::Reads(message)) => {
                Access::ReadFrom(word, message)
            }
            (Pending::Load { word }, _) => Access::Read(word),
            (Pending::Store { word } | Pending::Rmw { word, .. }, _) => Access::Write(word),
            (Pending::Add { word }, _) => Access::Add(word),
            (Pending::Lock { lock } | Pending::Unlock { lock }, _) => Access::Lock(lock),
            (Pending::Fence, _) => Access::Fence,
            (Pending::Wait { bell } | Pending::Ring { bell }, _) => Access::Bell(bell),
            (Pending::Unseen, _) => Access::Unseen,
            (Pending::Join { .. }, _) => Access::Local,
        }
    }

    /// Whether the task's step could have gone another way from the same state.
    pub(crate) fn has_alternatives(self) -> bool {
        self.choice != Choice::Only
    }

    pub(crate) fn is_lock(self) -> bool {
        matches!(self.pending, Pending::Lock { .. })
    }
}

/// Whether the order of two events matters.
///
/// A load that reads a message commutes with every write of that word but the one that the message is:
/// what was written since does not matter to it.
#[inline]
pub(crate) fn dependent(a: Event, b: Event) -> bool {
    if a.task == b.task {
        return true;
    }
    // Most pairs are of two places, and this is asked of every pair.
    a.place() == b.place() && dependent_there(a, b)
}

fn dependent_there(a: Event, b: Event) -> bool {
    use Access::{Add, Bell, Fence, Local, Lock, Read, ReadFrom, Unseen, Write};
    match (a.access(), b.access()) {
        (Local, _) | (_, Local) => false,
        (Fence, Fence) | (Unseen, Unseen) => true,
        (Lock(x), Lock(y)) | (Bell(x), Bell(y)) => x == y,
        (Read(_) | ReadFrom(..), Read(_) | ReadFrom(..)) | (Add(_), Add(_)) => false,
        (ReadFrom(x, from), Write(y) | Add(y)) => x == y && from == b.message(),
        (Write(x) | Add(x), ReadFrom(y, from)) => x == y && from == a.message(),
        (Read(x) | Write(x) | Add(x), Read(y) | Write(y) | Add(y)) => x == y,
        _ => false,
    }
}

/// Whether `event` may come first in a sequence that is equivalent to `sequence`, or to one that
/// continues it: a weak initial. If it is in the sequence, tells where.
pub(crate) enum Initial {
    /// It is the event at this index.
    At(usize),
    /// It is not in the sequence and commutes with all of it.
    Commutes,
    /// It must not come first.
    No,
}

pub(crate) fn initial(event: Event, sequence: &[Event]) -> Initial {
    for (index, &other) in sequence.iter().enumerate() {
        if other.task == event.task {
            return if other == event {
                Initial::At(index)
            } else {
                Initial::No
            };
        }
        if dependent(event, other) {
            return Initial::No;
        }
    }
    Initial::Commutes
}
