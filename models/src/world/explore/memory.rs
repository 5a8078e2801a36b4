// SPDX-License-Identifier: MIT OR Apache-2.0

//! The memory of one execution, in either model.
//!
//! `Sc` reads the newest message and synchronises with it, whatever the ordering. `Rc11` is a promise-free view machine: a word is a list of messages in
//! modification order, each with the view that its writer released; a task has a view of each word; a
//! load picks any message not older than its view; a read-modify-write reads the newest one and
//! continues its release sequence. Load buffering is outside of it. SeqCst on an access is treated as
//! acquire-release; SeqCst fences are exact.
//!
//! Happens-before is kept beside the views, as vector clocks, to find data races on cells and with
//! freeing. Two accesses that race are found in whichever order they came, so they need not be events.

use std::sync::atomic::Ordering;

use super::op::{Choice, Compare, Event, Message, Pending};

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// Sequential consistency.
    Sc,
    /// Release, acquire and relaxed accesses as in RC11, without load buffering.
    Rc11 {
        /// Whether a compare-exchange may also fail on a stale value, as a load may read one; and, if it
        /// is a weak one, for no reason. Without it a failure counts as a write of the newest value.
        stale_failure: bool,
    },
}

/// The most tasks of one execution.
pub(crate) const TASKS: usize = 8;
/// The most words of one execution.
pub(crate) const WORDS: usize = 32;

/// The distance of neighbouring messages, so that a store can be placed between two.
const GAP: u32 = 1 << 12;

/// For each word the oldest message that may be read, and for each task what happened before.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View {
    words: [u32; WORDS],
    clock: [u32; TASKS],
}

impl View {
    fn join_words(&mut self, other: &View) {
        for (mine, theirs) in self.words.iter_mut().zip(other.words) {
            *mine = (*mine).max(theirs);
        }
    }

    fn join(&mut self, other: &View) {
        self.join_words(other);
        for (mine, theirs) in self.clock.iter_mut().zip(other.clock) {
            *mine = (*mine).max(theirs);
        }
    }
}

#[derive(Clone, Debug)]
struct Written {
    name: Message,
    /// Its place in modification order.
    time: u32,
    value: u64,
    /// What a reader that acquires learns.
    view: View,
    /// Whether it was written by a read-modify-write, to which nothing may come between it and the
    /// message that it read.
    joined: bool,
}

#[derive(Debug, Default)]
struct Word {
    /// In modification order.
    messages: Vec<Written>,
    /// The last access of each task, for the race with freeing.
    accessed: [u32; TASKS],
}

#[derive(Debug, Default)]
struct Lock {
    holder: Option<u8>,
    view: View,
}

#[derive(Debug)]
struct Bell {
    /// The task that made it, and the number of its bells: the same in all equivalent executions.
    name: u16,
    rung: bool,
    view: View,
}

#[derive(Debug, Default)]
struct Task {
    /// What the task knows.
    view: View,
    /// What an acquire fence would add to it.
    read: View,
    /// What a relaxed write releases: the view at the last release fence.
    released: View,
}

/// A data race: two accesses that no happens-before orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Race;

/// The accesses to a cell so far.
#[derive(Debug, Default)]
pub(crate) struct CellState {
    written: Option<(u8, u32)>,
    read: [u32; TASKS],
}

/// The memory.
pub(crate) struct Memory {
    model: Model,
    words: Vec<Word>,
    locks: Vec<Lock>,
    bells: Vec<Bell>,
    tasks: Vec<Task>,
    fences: View,
}

/// Under sequential consistency every access synchronises.
fn in_force(model: Model, ordering: Ordering) -> Ordering {
    match model {
        Model::Sc => Ordering::SeqCst,
        Model::Rc11 { .. } => ordering,
    }
}

fn acquires(ordering: Ordering) -> bool {
    matches!(
        ordering,
        Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst
    )
}

fn releases(ordering: Ordering) -> bool {
    matches!(
        ordering,
        Ordering::Release | Ordering::AcqRel | Ordering::SeqCst
    )
}

impl Memory {
    pub(crate) fn new(model: Model) -> Memory {
        Memory {
            model,
            words: Vec::new(),
            locks: Vec::new(),
            bells: Vec::new(),
            tasks: Vec::new(),
            fences: View::default(),
        }
    }

    pub(crate) fn is_weak(&self) -> bool {
        matches!(self.model, Model::Rc11 { .. })
    }

    /// The task, which a new one inherits from its parent.
    pub(crate) fn spawn(&mut self, task: usize, parent: Option<usize>) {
        assert!(task < TASKS, "the explorer runs at most {TASKS} tasks");
        let view = parent.map_or(View::default(), |parent| self.tasks[parent].view);
        self.tasks
            .resize_with(self.tasks.len().max(task + 1), Task::default);
        self.tasks[task].view = view;
        self.tasks[task].view.clock[task] = 1;
        if let Some(parent) = parent {
            self.tasks[parent].view.clock[parent] += 1;
        }
    }

    /// What `child` did happens before what `task` does from now on.
    pub(crate) fn join(&mut self, task: usize, child: usize) {
        let view = self.tasks[child].view;
        self.tasks[task].view.join(&view);
    }

    /// A new word, made by `task`.
    pub(crate) fn word(&mut self, task: usize, value: u64) -> u16 {
        let index = self.words.len();
        assert!(index < WORDS, "the explorer has at most {WORDS} words");
        let mut word = Word::default();
        word.accessed[task] = self.tasks[task].view.clock[task];
        let mut view = View::default();
        // To read a word before its creation happened is a race; see `check_created`.
        view.clock = self.tasks[task].view.clock;
        word.messages.push(Written {
            name: Message::INITIAL,
            time: GAP,
            value,
            view,
            joined: false,
        });
        self.words.push(word);
        self.tasks[task].view.words[index] = GAP;
        index as u16
    }

    pub(crate) fn lock(&mut self) -> u16 {
        self.locks.push(Lock::default());
        (self.locks.len() - 1) as u16
    }

    pub(crate) fn is_free(&self, lock: u16) -> bool {
        self.locks[usize::from(lock)].holder.is_none()
    }

    pub(crate) fn value(&self, word: u16) -> u64 {
        self.newest(word).value
    }

    fn newest(&self, word: u16) -> &Written {
        match self.words[usize::from(word)].messages.last() {
            Some(message) => message,
            None => unreachable!("a word starts with a message"),
        }
    }

    /// The ways in which a task's step can go, the newest first.
    pub(crate) fn choices(&self, task: usize, pending: Pending) -> Vec<Choice> {
        let (Pending::Load { word } | Pending::Store { word } | Pending::Rmw { word, .. }) =
            pending
        else {
            return vec![Choice::Only];
        };
        if !self.is_weak() {
            return vec![Choice::Only];
        }
        let oldest = self.tasks[task].view.words[usize::from(word)];
        let messages = &self.words[usize::from(word)].messages;
        let readable = (0..messages.len())
            .rev()
            .take_while(|&index| messages[index].time >= oldest);
        let read = |index: usize| Choice::Reads(messages[index].name);
        // Behind any message that the task may not have overtaken, but not before one made from it.
        let writable = readable
            .clone()
            .filter(|&index| !messages.get(index + 1).is_some_and(|next| next.joined));
        let after = |index: usize| {
            if index + 1 == messages.len() {
                Choice::Only
            } else {
                Choice::After(messages[index].name)
            }
        };
        match pending {
            Pending::Load { .. } => readable.map(read).collect(),
            Pending::Rmw { compare, .. } => {
                let stale = matches!(
                    self.model,
                    Model::Rc11 {
                        stale_failure: true
                    }
                );
                let succeeds = |&index: &usize| match compare {
                    Compare::Never => true,
                    Compare::Unless(value) | Compare::Weak(value) => {
                        messages[index].value == value.0 || (!stale && index + 1 == messages.len())
                    }
                };
                let fails = |&index: &usize| match compare {
                    Compare::Never => false,
                    Compare::Unless(value) => stale && messages[index].value != value.0,
                    Compare::Weak(_) => stale,
                };
                let successes = writable.filter(succeeds).map(after);
                successes.chain(readable.filter(fails).map(read)).collect()
            }
            _ => writable.map(after).collect(),
        }
    }

    fn touch(&mut self, task: usize, word: u16) {
        let now = self.tasks[task].view.clock[task];
        self.words[usize::from(word)].accessed[task] = now;
    }

    /// Whether the word's creation is known to the task.
    pub(crate) fn check_created(&self, task: usize, word: u16) -> Result<(), Race> {
        if self.tasks[task].view.words[usize::from(word)] == 0 {
            return Err(Race);
        }
        Ok(())
    }

    fn read(&mut self, task: usize, word: u16, at: usize, ordering: Ordering) -> u64 {
        let ordering = in_force(self.model, ordering);
        let message = &self.words[usize::from(word)].messages[at];
        let (value, time, view) = (message.value, message.time, message.view);
        let task = &mut self.tasks[task];
        let seen = &mut task.view.words[usize::from(word)];
        *seen = (*seen).max(time);
        task.read.join(&view);
        if acquires(ordering) {
            task.view.join(&view);
        }
        value
    }

    fn find(&self, word: u16, name: Message) -> usize {
        let messages = &self.words[usize::from(word)].messages;
        match messages.iter().rposition(|message| message.name == name) {
            Some(index) => index,
            None => unreachable!("a choice is among the messages"),
        }
    }

    /// A load.
    pub(crate) fn load(&mut self, event: Event, word: u16, ordering: Ordering) -> u64 {
        let task = usize::from(event.task);
        self.touch(task, word);
        let at = match event.choice {
            Choice::Reads(name) => self.find(word, name),
            _ => self.words[usize::from(word)].messages.len() - 1,
        };
        self.read(task, word, at, ordering)
    }

    fn write(
        &mut self,
        event: Event,
        word: u16,
        after: usize,
        value: u64,
        ordering: Ordering,
        joined: bool,
    ) {
        let ordering = in_force(self.model, ordering);
        let task = usize::from(event.task);
        let messages = &self.words[usize::from(word)].messages;
        let before = messages[after].time;
        let time = match messages.get(after + 1) {
            Some(next) => before + (next.time - before) / 2,
            None => before + GAP,
        };
        assert!(
            time > before,
            "too many stores are placed behind one message"
        );
        let continued = joined.then(|| messages[after].view);
        let writer = &mut self.tasks[task];
        writer.view.words[usize::from(word)] = time;
        let mut view = if releases(ordering) {
            writer.view
        } else {
            writer.released
        };
        view.words[usize::from(word)] = time;
        if releases(ordering) {
            writer.view.clock[task] += 1;
        }
        if let Some(continued) = continued {
            view.join(&continued);
        }
        let message = Written {
            name: event.message(),
            time,
            value,
            view,
            joined,
        };
        self.words[usize::from(word)]
            .messages
            .insert(after + 1, message);
    }

    /// A plain atomic store; returns the value it is placed behind.
    pub(crate) fn store(&mut self, event: Event, word: u16, value: u64, ordering: Ordering) -> u64 {
        self.touch(usize::from(event.task), word);
        let after = match event.choice {
            Choice::After(name) => self.find(word, name),
            _ => self.words[usize::from(word)].messages.len() - 1,
        };
        let before = self.words[usize::from(word)].messages[after].value;
        self.write(event, word, after, value, ordering, false);
        before
    }

    /// A read-modify-write: `change` gives the new value, or `None` to fail. Returns the value read.
    pub(crate) fn rmw(
        &mut self,
        event: Event,
        word: u16,
        success: Ordering,
        failure: Ordering,
        change: impl FnOnce(u64) -> Option<u64>,
    ) -> u64 {
        let task = usize::from(event.task);
        self.touch(task, word);
        let at = match event.choice {
            Choice::Reads(name) => {
                let at = self.find(word, name);
                return self.read(task, word, at, failure);
            }
            Choice::After(name) => self.find(word, name),
            Choice::Only => self.words[usize::from(word)].messages.len() - 1,
        };
        let old = self.words[usize::from(word)].messages[at].value;
        match change(old) {
            Some(value) => {
                self.read(task, word, at, success);
                self.write(event, word, at, value, success, true);
            }
            None => {
                self.read(task, word, at, failure);
            }
        }
        old
    }

    /// A fence. Acquire and release fences are the task's own business; two SeqCst fences are ordered.
    pub(crate) fn fence(&mut self, task: usize, ordering: Ordering) {
        let fences = &mut self.fences;
        let task_state = &mut self.tasks[task];
        if acquires(ordering) {
            let read = task_state.read;
            task_state.view.join(&read);
        }
        if ordering == Ordering::SeqCst {
            // Two such fences order what may be read, and nothing happens before anything by them.
            task_state.view.join_words(fences);
            fences.join_words(&task_state.view);
        }
        if releases(ordering) {
            task_state.released = task_state.view;
            task_state.view.clock[task] += 1;
        }
    }

    pub(crate) fn acquire(&mut self, task: usize, lock: u16) {
        let lock = &mut self.locks[usize::from(lock)];
        lock.holder = Some(task as u8);
        self.tasks[task].view.join(&lock.view);
    }

    pub(crate) fn release(&mut self, task: usize, lock: u16) {
        let lock = &mut self.locks[usize::from(lock)];
        lock.holder = None;
        lock.view = self.tasks[task].view;
        self.tasks[task].view.clock[task] += 1;
    }

    /// A new bell, made by `task`.
    pub(crate) fn bell(&mut self, task: usize) -> u16 {
        let made = self
            .bells
            .iter()
            .filter(|bell| usize::from(bell.name >> 8) == task);
        let name = (task << 8 | made.count()) as u16;
        self.bells.push(Bell {
            name,
            rung: false,
            view: View::default(),
        });
        name
    }

    fn find_bell(&mut self, name: u16) -> &mut Bell {
        match self.bells.iter_mut().find(|bell| bell.name == name) {
            Some(bell) => bell,
            None => unreachable!("a bell is used after it was made"),
        }
    }

    pub(crate) fn was_rung(&self, name: u16) -> bool {
        self.bells.iter().any(|bell| bell.name == name && bell.rung)
    }

    /// Rings a bell; what the task did happens before what who waits for it does then.
    pub(crate) fn ring(&mut self, task: usize, name: u16) {
        let view = self.tasks[task].view;
        let bell = self.find_bell(name);
        bell.rung = true;
        bell.view.join(&view);
        self.tasks[task].view.clock[task] += 1;
    }

    pub(crate) fn wait(&mut self, task: usize, name: u16) {
        let view = self.find_bell(name).view;
        self.tasks[task].view.join(&view);
    }

    /// A read of a cell.
    pub(crate) fn read_cell(&self, task: usize, cell: &mut CellState) -> Result<(), Race> {
        let clock = &self.tasks[task].view.clock;
        cell.read[task] = clock[task];
        match cell.written {
            Some((writer, when)) if clock[usize::from(writer)] < when => Err(Race),
            _ => Ok(()),
        }
    }

    /// A write of a cell.
    pub(crate) fn write_cell(&self, task: usize, cell: &mut CellState) -> Result<(), Race> {
        self.read_cell(task, cell)?;
        let clock = &self.tasks[task].view.clock;
        cell.written = Some((task as u8, clock[task]));
        ordered(clock, &cell.read)
    }

    /// The freeing of a word.
    pub(crate) fn retire(&self, task: usize, word: u16) -> Result<(), Race> {
        let clock = &self.tasks[task].view.clock;
        ordered(clock, &self.words[usize::from(word)].accessed)
    }
}

/// Whether all these accesses happened before.
fn ordered(clock: &[u32; TASKS], accessed: &[u32; TASKS]) -> Result<(), Race> {
    let before = |(known, when): (&u32, &u32)| when <= known;
    if clock.iter().zip(accessed).all(before) {
        Ok(())
    } else {
        Err(Race)
    }
}
