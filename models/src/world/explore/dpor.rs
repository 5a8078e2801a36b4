// SPDX-License-Identifier: MIT OR Apache-2.0

//! Optimal dynamic partial-order reduction: one execution of every class of equivalent ones, by sleep
//! sets and wake-up trees (Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order
//! reduction", POPL 2014).
//!
//! Two things are added to the paper. A task whose step can go several ways (which message a load
//! reads) has as many events, which exclude each other; a load races with a later write of its word,
//! and the race is reversed by the load that reads that write. And a lock is two events, so that a
//! critical section is ordered before the next one; its race is between the two acquisitions.
//!
//! The exploration is a stack of frames, one for each event of the current execution; the program is
//! run again from its start for each execution.

use std::collections::HashMap;

use super::memory::TASKS;
use super::op::{dependent, initial, Access, Choice, Compare, Event, Initial, Message, Pending};

/// A sequence that must be explored, as a branch of a tree.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Node {
    event: Event,
    children: Vec<Node>,
}

/// For each task, how many of its events happen before.
type Clock = [u16; TASKS];

/// One event of the current execution, and what is left to do in its place.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Frame {
    event: Event,
    /// Events whose exploration from here would repeat one that was made.
    sleep: Vec<Event>,
    /// How many branches were explored before this one.
    done: u32,
    /// Branches to explore after this one.
    rest: Vec<Node>,
    /// The wake-up tree below this event, until the next frame takes it.
    below: Vec<Node>,
    /// What happens before, the event itself included.
    clock: Clock,
}

/// How to explore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// One execution of each class.
    Optimal,
    /// Sleep sets without a plan: everything that is not asleep is tried, and what turns out to repeat
    /// an execution is given up. Complete by construction.
    SleepSets,
    /// Every interleaving and every choice: slow, and right by construction.
    None,
    /// Only this execution, given by the task and the choice of each of its events; where the list
    /// ends, any.
    Replay(Vec<(u8, Choice)>),
}

/// What a scheduler may choose from.
pub(crate) struct Enabled {
    pub(crate) task: u8,
    pub(crate) seq: u16,
    pub(crate) pending: Pending,
    pub(crate) choices: Vec<Choice>,
}

impl Enabled {
    fn events(&self) -> impl Iterator<Item = Event> + '_ {
        self.choices.iter().map(|&choice| Event {
            task: self.task,
            seq: self.seq,
            pending: self.pending,
            choice,
        })
    }
}

/// An exploration between two executions.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Saved {
    frames: Vec<Frame>,
    replayed: usize,
    blocked: u64,
}

/// A message of the current execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrote {
    pub(crate) message: Message,
    pub(crate) value: u64,
    /// The value that was there before, which whoever comes first instead would find.
    pub(crate) before: u64,
}

/// The exploration.
pub(crate) struct Dpor {
    reduction: Reduction,
    /// Whether a compare-exchange that fails is a load, which may read a stale value.
    stale_failure: bool,
    frames: Vec<Frame>,
    /// The event under way is the frame of this index.
    depth: usize,
    /// Frames that were there when the execution started.
    replayed: usize,
    /// At a deadlock: the locks that are waited for.
    waiting: Vec<Event>,
    /// The parent of each task, and how many events it had when it made it.
    parents: [Option<(u8, u16)>; TASKS],
    /// The messages of this execution.
    wrote: Vec<Wrote>,
    /// Executions that were given up because all that could be done was asleep.
    pub(crate) blocked: u64,
    /// Hashes of the happens-before graphs, when duplicates are looked for.
    seen: Option<HashMap<u64, u64>>,
}

impl Dpor {
    pub(crate) fn new(
        reduction: Reduction,
        stale_failure: bool,
        look_for_duplicates: bool,
    ) -> Dpor {
        Dpor {
            reduction,
            stale_failure,
            frames: Vec::new(),
            depth: 0,
            replayed: 0,
            waiting: Vec::new(),
            parents: [None; TASKS],
            wrote: Vec::new(),
            blocked: 0,
            seen: look_for_duplicates.then(HashMap::new),
        }
    }

    /// How many executions were equivalent to one before, if that is looked for.
    pub(crate) fn duplicates(&self) -> Option<u64> {
        let seen = self.seen.as_ref()?;
        Some(seen.values().map(|count| count - 1).sum())
    }

    /// The schedule so far.
    pub(crate) fn schedule(&self) -> Vec<Event> {
        self.frames[..self.depth]
            .iter()
            .map(|frame| frame.event)
            .collect()
    }

    /// An equivalent schedule with fewer switches between tasks: each task goes on as long as what it
    /// needs has happened.
    pub(crate) fn calmer_schedule(&mut self) -> Vec<Event> {
        self.frames.truncate(self.depth);
        self.order();
        let mut left: Vec<&Frame> = self.frames.iter().collect();
        let mut known: Clock = [0; TASKS];
        let mut calmer: Vec<Event> = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let ready = |frame: &&Frame| {
                let task = usize::from(frame.event.task);
                let needs = frame.clock.iter().zip(&known).enumerate();
                let mut others = needs.filter(|(of, _)| *of != task);
                frame.event.seq == known[task] + 1 && others.all(|(_, (need, has))| need <= has)
            };
            let last = calmer.last().map(|event| event.task);
            let same = left
                .iter()
                .position(|frame| Some(frame.event.task) == last && ready(frame));
            let Some(next) = same.or_else(|| left.iter().position(ready)) else {
                return self.schedule();
            };
            let event = left.remove(next).event;
            known[usize::from(event.task)] = event.seq;
            calmer.push(event);
        }
        calmer
    }

    /// The part of the exploration that is behind, from 0 to 1, if what is planned were all and every
    /// branch of a state took as long as another. Races plan more as they are found, so it is too
    /// high.
    pub(crate) fn progress(&self) -> f64 {
        let (mut done, mut share) = (0.0, 1.0);
        for frame in &self.frames {
            let branches = f64::from(frame.done) + 1.0 + frame.rest.len() as f64;
            done += share * f64::from(frame.done) / branches;
            share /= branches;
        }
        done
    }

    /// Everything that is needed to go on between two executions.
    pub(crate) fn save(&self) -> Saved {
        Saved {
            frames: self.frames.clone(),
            replayed: self.replayed,
            blocked: self.blocked,
        }
    }

    /// Goes on where another exploration of the same program was saved.
    pub(crate) fn restore(&mut self, saved: Saved) {
        self.frames = saved.frames;
        self.replayed = saved.replayed;
        self.blocked = saved.blocked;
    }

    /// Says who made a task.
    pub(crate) fn spawned(&mut self, task: u8, parent: u8, seq: u16) {
        self.parents[usize::from(task)] = Some((parent, seq));
    }

    /// Says that an event changed its word.
    pub(crate) fn wrote(&mut self, wrote: Wrote) {
        self.wrote.push(wrote);
    }

    /// Says that nobody can go on, and who waits for a lock.
    pub(crate) fn deadlock(&mut self, waiting: Vec<Event>) {
        self.waiting = waiting;
    }

    fn find_wrote(&self, event: Event) -> Option<Wrote> {
        let message = event.message();
        self.wrote
            .iter()
            .find(|wrote| wrote.message == message)
            .copied()
    }

    /// Chooses the next event. `None` when all that is enabled is asleep.
    pub(crate) fn next(&mut self, enabled: &[Enabled]) -> Option<Event> {
        let find = |event: Event| {
            enabled
                .iter()
                .flat_map(Enabled::events)
                .find(|e| *e == event)
        };
        if self.depth == self.frames.len() {
            let frame = self.new_frame(enabled)?;
            if find(frame.event).is_none() {
                // A load may be too late for a store that was placed in the past.
                self.blocked += 1;
                return None;
            }
            self.frames.push(frame);
        }
        let event = &mut self.frames[self.depth].event;
        match find(*event) {
            // The same event, with the values of this execution.
            Some(possible) => *event = possible,
            None if self.depth >= self.replayed => {
                self.blocked += 1;
                return None;
            }
            None => panic!("{event:?} cannot be repeated: the program depends on something else"),
        }
        let event = *event;
        self.depth += 1;
        Some(event)
    }

    fn new_frame(&mut self, enabled: &[Enabled]) -> Option<Frame> {
        let last = self.frames.last_mut();
        let (below, sleep) = last.map_or_else(Default::default, |last| {
            let awake = |asleep: &&Event| !dependent(**asleep, last.event);
            let sleep: Vec<_> = last.sleep.iter().filter(awake).copied().collect();
            (std::mem::take(&mut last.below), sleep)
        });
        let mut todo = if below.is_empty() {
            self.free_choice(enabled, &sleep)
        } else {
            below
        };
        if todo.is_empty() {
            self.blocked += u64::from(!enabled.is_empty());
            return None;
        }
        let first = todo.remove(0);
        Some(Frame {
            event: first.event,
            sleep,
            done: 0,
            rest: todo,
            below: first.children,
            clock: [0; TASKS],
        })
    }

    /// The branches of a state that nobody has asked for: one task's ways to go on, or everybody's
    /// without reduction.
    fn free_choice(&self, enabled: &[Enabled], sleep: &[Event]) -> Vec<Node> {
        let leaf = |event| Node {
            event,
            children: Vec::new(),
        };
        let all = || enabled.iter().flat_map(Enabled::events);
        match &self.reduction {
            Reduction::Optimal => {}
            Reduction::None => return all().map(leaf).collect(),
            Reduction::SleepSets => {
                let awake = all().filter(|event| !sleep.contains(event));
                return awake.map(leaf).collect();
            }
            Reduction::Replay(schedule) => {
                let wanted = schedule.get(self.depth);
                let is_wanted = |event: &Event| wanted == Some(&(event.task, event.choice));
                let event = all().find(is_wanted).or_else(|| all().next());
                return event.map(leaf).into_iter().collect();
            }
        }
        // The task that ran last goes on if it can: fewer switches are easier to read.
        let last = self.frames.last().map(|frame| frame.event.task);
        let first = enabled.iter().filter(|task| Some(task.task) == last);
        let others = enabled.iter().filter(|task| Some(task.task) != last);
        for task in first.chain(others) {
            let awake = task.events().filter(|event| !sleep.contains(event));
            let awake: Vec<_> = awake.map(leaf).collect();
            if !awake.is_empty() {
                return awake;
            }
        }
        Vec::new()
    }

    /// Ends the execution and prepares the next one; false when there is none.
    pub(crate) fn advance(&mut self) -> bool {
        // An execution that was given up ended in the middle: what it did is analysed all the same,
        // and the event that could not happen only leads to its siblings.
        let impossible = self.frames.len() > self.depth;
        let siblings = if impossible {
            self.frames.truncate(self.depth + 1);
            self.frames.pop()
        } else {
            None
        };
        if self.reduction == Reduction::Optimal {
            self.order();
            self.reverse_races();
            self.reverse_waits();
        }
        self.note_class();
        self.frames.extend(siblings);
        self.depth = 0;
        self.wrote.clear();
        self.waiting.clear();
        self.parents = [None; TASKS];
        while let Some(frame) = self.frames.last_mut() {
            if !frame.rest.is_empty() {
                let next = frame.rest.remove(0);
                if self.reduction != Reduction::None {
                    frame.sleep.push(frame.event);
                }
                frame.event = next.event;
                frame.below = next.children;
                frame.done += 1;
                self.replayed = self.frames.len() - 1;
                return true;
            }
            self.frames.pop();
        }
        false
    }

    fn note_class(&mut self) {
        use std::hash::{DefaultHasher, Hash, Hasher};
        if self.seen.is_none() {
            return;
        }
        if self.reduction != Reduction::Optimal {
            self.replayed = 0;
            self.order();
        }
        let graph = self.frames.iter().map(|frame| (frame.event, frame.clock));
        let mut graph: Vec<_> = graph.collect();
        graph.sort_unstable_by_key(|(event, _)| (event.task, event.seq));
        let mut hasher = DefaultHasher::new();
        graph.hash(&mut hasher);
        if let Some(seen) = &mut self.seen {
            *seen.entry(hasher.finish()).or_default() += 1;
        }
    }

    /// Whether the event at `earlier` happens before the one whose clock this is.
    fn before(&self, earlier: usize, clock: &Clock) -> bool {
        let event = self.frames[earlier].event;
        event.seq <= clock[usize::from(event.task)]
    }

    /// The clock of a task before an event of it, of which all before `index` have happened.
    fn task_clock(&self, index: usize, event: Event) -> Clock {
        let task = usize::from(event.task);
        let own = self.frames[..index]
            .iter()
            .rev()
            .find(|frame| frame.event.task == event.task);
        let mut clock = match (own, self.parents[task]) {
            (Some(own), _) => own.clock,
            (None, Some((parent, seq))) => self.clock_of(parent, seq),
            (None, None) => [0; TASKS],
        };
        if let Pending::Join { task: child } = event.pending {
            let of_child = self.frames[..index]
                .iter()
                .rev()
                .find(|f| f.event.task == child);
            let of_child = match (of_child, self.parents[usize::from(child)]) {
                (Some(last), _) => last.clock,
                (None, Some((parent, seq))) => self.clock_of(parent, seq),
                (None, None) => [0; TASKS],
            };
            join(&mut clock, &of_child);
        }
        clock
    }

    fn clock_of(&self, task: u8, seq: u16) -> Clock {
        let is_it = |frame: &&Frame| frame.event.task == task && frame.event.seq == seq;
        match self.frames.iter().find(is_it) {
            Some(frame) => frame.clock,
            // A task that made another one before its first event.
            None => [0; TASKS],
        }
    }

    /// Computes the clocks of the new events.
    fn order(&mut self) {
        for index in self.replayed..self.frames.len() {
            let event = self.frames[index].event;
            let mut clock = self.task_clock(index, event);
            for earlier in (0..index).rev() {
                if !self.before(earlier, &clock) && dependent(self.frames[earlier].event, event) {
                    let of_earlier = self.frames[earlier].clock;
                    join(&mut clock, &of_earlier);
                }
            }
            clock[usize::from(event.task)] = event.seq;
            self.frames[index].clock = clock;
        }
    }

    /// Plants a sequence for each race. Races between old events too: what is planted for them depends
    /// on what came after.
    fn reverse_races(&mut self) {
        for later in 1..self.frames.len() {
            let event = self.frames[later].event;
            let before_it = self.task_clock(later, event);
            // What a direct predecessor has before it is no direct one.
            let mut known = before_it;
            for earlier in (0..later).rev() {
                let other = self.frames[earlier].event;
                if other.task == event.task {
                    continue;
                }
                if dependent(other, event) && !self.before(earlier, &known) {
                    let clock = self.frames[earlier].clock;
                    join(&mut known, &clock);
                    if let Some(first) = self.first_instead(other, event) {
                        let mut sequence = self.independent_after(earlier);
                        sequence.push(first);
                        self.plant(earlier, sequence);
                    }
                }
                // Releasing a lock lets the next one take it, which is no race; taking it is.
                if event.is_lock()
                    && other.is_lock()
                    && dependent(other, event)
                    && !self.before(earlier, &before_it)
                    && self.is_last_holder(earlier, later)
                {
                    let mut sequence = self.independent_after(earlier);
                    sequence.push(event);
                    self.plant(earlier, sequence);
                }
                self.reverse_read(earlier, later);
            }
        }
    }

    /// At a deadlock: whoever waits for a lock could have taken it before its holder did.
    fn reverse_waits(&mut self) {
        for waiter in self.waiting.clone() {
            let end = self.frames.len();
            let before_it = self.task_clock(end, waiter);
            let takes = |frame: &Frame| frame.event.pending == waiter.pending;
            let Some(holder) = self.frames.iter().rposition(takes) else {
                continue;
            };
            if !self.before(holder, &before_it) {
                let mut sequence = self.independent_after(holder);
                sequence.push(waiter);
                self.plant(holder, sequence);
            }
        }
    }

    /// How the later of two dependent events would go if it came before the earlier one; `None` when it
    /// could not, or when that is one of the ways in which it was let go anyway.
    fn first_instead(&self, earlier: Event, later: Event) -> Option<Event> {
        match (earlier.access(), later.access(), later.pending) {
            // A lock is taken after it was released; the race is between those who take it.
            (Access::Lock(_), Access::Lock(_), _) => None,
            // Who waits for a bell goes on after it was rung.
            (_, _, Pending::Wait { .. }) => None,
            // A compare-exchange before the write would find the value that was there, and succeed or
            // fail on it; failing on a stale value is possible after the write as well.
            (
                Access::Write(_),
                _,
                Pending::Rmw {
                    compare: Compare::Unless(expected) | Compare::Weak(expected),
                    ..
                },
            ) if self.stale_failure => {
                let before = self.find_wrote(earlier)?.before;
                (before == expected.0).then_some(Event {
                    choice: Choice::Only,
                    ..later
                })
            }
            // A load that reads a message comes after it, and may read older ones after it, too.
            (Access::Write(_), Access::ReadFrom(..), _) => None,
            _ => Some(later),
        }
    }

    /// Whether nobody took the lock between the two.
    fn is_last_holder(&self, earlier: usize, later: usize) -> bool {
        let event = self.frames[later].event;
        let between = &self.frames[earlier + 1..later];
        let took = |frame: &Frame| frame.event.is_lock() && frame.event.pending == event.pending;
        !between.iter().any(took)
    }

    /// A load, or a compare-exchange that failed on what it read, and a later write of that word: after
    /// the write there is one more way for it to go.
    fn reverse_read(&mut self, earlier: usize, later: usize) {
        let (load, write) = (self.frames[earlier].event, self.frames[later].event);
        let Access::ReadFrom(word, _) = load.access() else {
            return;
        };
        let clock = self.frames[later].clock;
        if write.access() != Access::Write(word) || self.before(earlier, &clock) {
            return;
        }
        let Some(Wrote { message, value, .. }) = self.find_wrote(write) else {
            return;
        };
        let reads = match load.pending {
            Pending::Rmw {
                compare: Compare::Unless(expected),
                ..
            } => expected.0 != value,
            _ => true,
        };
        if reads {
            let mut sequence = self.independent_after(earlier);
            sequence.push(Event {
                choice: Choice::Reads(message),
                ..load
            });
            self.plant(earlier, sequence);
        }
        let changes = match load.pending {
            Pending::Rmw {
                compare: Compare::Unless(expected) | Compare::Weak(expected),
                ..
            } => expected.0 == value,
            _ => false,
        };
        if changes {
            // It changes the newest value only, so no other write may come between.
            let mut sequence = self.independent_after(earlier);
            let overtakes = |&event: &Event| self.is_after_next_write(event, word, later);
            sequence.retain(|event| !overtakes(event));
            sequence.push(Event {
                choice: Choice::Only,
                ..load
            });
            self.plant(earlier, sequence);
        }
    }

    /// Whether the event is the next write of the word after `write`, or happens after it.
    fn is_after_next_write(&self, event: Event, word: u16, write: usize) -> bool {
        let writes = |frame: &&Frame| frame.event.access() == Access::Write(word);
        let Some(next) = self.frames[write + 1..].iter().find(writes) else {
            return false;
        };
        let this = self.frames.iter().find(|frame| frame.event == event);
        this.is_some_and(|frame| next.event.seq <= frame.clock[usize::from(next.event.task)])
    }

    /// The events after `earlier` that do not happen after it.
    fn independent_after(&self, earlier: usize) -> Vec<Event> {
        let after = self.frames[earlier + 1..].iter();
        let independent = after.filter(|frame| !self.before(earlier, &frame.clock));
        independent.map(|frame| frame.event).collect()
    }

    /// Makes sure that an execution is explored which starts with something equivalent to `sequence`
    /// in the place of the event at `index`.
    fn plant(&mut self, index: usize, mut sequence: Vec<Event>) {
        let frame = &mut self.frames[index];
        let covered = |&asleep: &Event| match initial(asleep, &sequence) {
            Initial::At(_) => true,
            Initial::Commutes => !asleep.has_alternatives(),
            Initial::No => false,
        };
        if frame.sleep.iter().any(covered) {
            return;
        }
        let mut branches = &mut frame.rest;
        let mut at_root = true;
        loop {
            if branches.is_empty() && !at_root {
                return;
            }
            at_root = false;
            let mut chosen = None;
            for (position, branch) in branches.iter().enumerate() {
                match initial(branch.event, &sequence) {
                    Initial::At(index) => {
                        sequence.remove(index);
                        chosen = Some(position);
                    }
                    // Below one way of a step the others would be lost.
                    Initial::Commutes if !branch.event.has_alternatives() => {
                        chosen = Some(position);
                    }
                    Initial::Commutes | Initial::No => continue,
                }
                break;
            }
            match chosen {
                Some(_) if sequence.is_empty() => return,
                Some(position) => branches = &mut branches[position].children,
                None => break,
            }
        }
        let chain = |below: Vec<Node>, event| {
            vec![Node {
                event,
                children: below,
            }]
        };
        let branch = sequence.into_iter().rev().fold(Vec::new(), chain);
        branches.extend(branch);
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
