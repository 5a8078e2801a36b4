// SPDX-License-Identifier: MIT OR Apache-2.0

//! The explorer on shuttle's coroutines: a task announces what it is about to do and yields; the
//! scheduler knows what everybody is about to do, chooses one event, and lets its task do it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use shuttle::scheduler::{Schedule, Scheduler, Task, TaskId};

use super::dpor::{Dpor, Enabled, Reduction, Saved, Wrote};
use super::memory::{CellState, Memory, Model, Race, TASKS};
use super::op::{Choice, Compare, Event, Pending};

/// What one task is at.
#[derive(Clone, Copy, Debug, Default)]
struct TaskState {
    pending: Option<Pending>,
    /// Events so far.
    seq: u16,
    finished: bool,
    exists: bool,
}

/// One execution.
struct Machine {
    memory: Memory,
    tasks: [TaskState; TASKS],
    current: usize,
    /// The event that the current task was let run for.
    event: Option<Event>,
    dpor: Rc<RefCell<Dpor>>,
}

thread_local! {
    static MACHINE: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

impl Machine {
    /// The locks that tasks wait for.
    fn waiting(&self) -> Vec<Event> {
        let waiting = |(index, task): (usize, &TaskState)| match task.pending {
            Some(pending @ Pending::Lock { .. }) => Some(Event {
                task: index as u8,
                seq: task.seq + 1,
                pending,
                choice: Choice::Only,
            }),
            _ => None,
        };
        self.tasks.iter().enumerate().filter_map(waiting).collect()
    }
}

fn machine<R>(f: impl FnOnce(&mut Machine) -> R) -> R {
    MACHINE.with_borrow_mut(|machine| match machine {
        Some(machine) => f(machine),
        None => unreachable!("a primitive of the explorer outside of an execution"),
    })
}

/// Whether an execution is under way on this thread.
fn is_running() -> bool {
    MACHINE.with_borrow(Option::is_some) && !std::thread::panicking()
}

/// Announces what the current task is about to do, lets the scheduler choose, and does it.
fn perform<R>(pending: Pending, act: impl FnOnce(&mut Memory, Event) -> R) -> R {
    machine(|machine| machine.tasks[machine.current].pending = Some(pending));
    shuttle::thread::yield_now();
    machine(|machine| {
        let Some(event) = machine.event.take() else {
            unreachable!("a task with something to do runs only when it is chosen");
        };
        let task = &mut machine.tasks[machine.current];
        task.pending = None;
        task.seq = event.seq;
        act(&mut machine.memory, event)
    })
}

/// Whether the current task may touch the word at all: it must know that it was made.
pub(crate) fn check_word(word: u16) -> Result<(), Race> {
    machine(|machine| machine.memory.check_created(machine.current, word))
}

pub(crate) fn new_word(value: u64) -> u16 {
    machine(|machine| machine.memory.word(machine.current, value))
}

pub(crate) fn load(word: u16, ordering: Ordering) -> u64 {
    perform(Pending::Load { word }, |memory, event| {
        memory.load(event, word, ordering)
    })
}

fn note(event: Event, value: u64, before: u64) {
    let wrote = Wrote {
        message: event.message(),
        value,
        before,
    };
    machine(|machine| machine.dpor.borrow_mut().wrote(wrote));
}

pub(crate) fn store(word: u16, value: u64, ordering: Ordering) {
    let (event, before) = perform(Pending::Store { word }, |memory, event| {
        (event, memory.store(event, word, value, ordering))
    });
    note(event, value, before);
}

/// A read-modify-write as `pending` says; `change` gives the new value, or `None` to fail.
pub(crate) fn rmw(
    pending: Pending,
    word: u16,
    success: Ordering,
    failure: Ordering,
    change: impl FnOnce(u64) -> Option<u64>,
) -> (u64, bool) {
    let mut written = None;
    let (old, event) = perform(pending, |memory, event| {
        let change = |old| {
            written = change(old);
            written
        };
        (memory.rmw(event, word, success, failure, change), event)
    });
    if let Some(value) = written {
        note(event, value, old);
    }
    (old, written.is_some())
}

/// An addition whose result nobody uses. Under sequential consistency two of them commute; in the
/// weak model they are messages, and a load may read what is between them.
pub(crate) fn add(word: u16, value: u64, ordering: Ordering) {
    let pending = machine(|machine| {
        if machine.memory.is_weak() {
            Pending::Rmw {
                word,
                compare: Compare::Never,
            }
        } else {
            Pending::Add { word }
        }
    });
    let add = |old: u64| Some(old.wrapping_add(value));
    rmw(pending, word, ordering, ordering, add);
}

pub(crate) fn fence(ordering: Ordering) {
    if ordering == Ordering::SeqCst {
        perform(Pending::Fence, |memory, event| {
            memory.fence(usize::from(event.task), ordering);
        });
    } else {
        machine(|machine| machine.memory.fence(machine.current, ordering));
    }
}

pub(crate) fn new_lock() -> u16 {
    machine(|machine| machine.memory.lock())
}

pub(crate) fn acquire(lock: u16) {
    perform(Pending::Lock { lock }, |memory, event| {
        memory.acquire(usize::from(event.task), lock);
    });
}

/// Releases a lock; while a panic unwinds, without letting others run.
pub(crate) fn release(lock: u16) {
    if !is_running() {
        MACHINE.with_borrow_mut(|machine| {
            if let Some(machine) = machine {
                machine.memory.release(machine.current, lock);
            }
        });
        return;
    }
    perform(Pending::Unlock { lock }, |memory, event| {
        memory.release(usize::from(event.task), lock);
    });
}

pub(crate) fn new_bell() -> u16 {
    machine(|machine| machine.memory.bell(machine.current))
}

pub(crate) fn wait(bell: u16) {
    perform(Pending::Wait { bell }, |memory, event| {
        memory.wait(usize::from(event.task), bell);
    });
}

pub(crate) fn ring(bell: u16) {
    perform(Pending::Ring { bell }, |memory, event| {
        memory.ring(usize::from(event.task), bell);
    });
}

/// The current task is about to use something that the explorer does not see.
pub(crate) fn unseen() {
    perform(Pending::Unseen, |_, _| ());
}

pub(crate) fn read_cell(cell: &mut CellState) -> Result<(), Race> {
    machine(|machine| machine.memory.read_cell(machine.current, cell))
}

pub(crate) fn write_cell(cell: &mut CellState) -> Result<(), Race> {
    machine(|machine| machine.memory.write_cell(machine.current, cell))
}

pub(crate) fn retire_word(word: u16) -> Result<(), Race> {
    if !is_running() {
        return Ok(());
    }
    machine(|machine| machine.memory.retire(machine.current, word))
}

/// A task that was spawned.
pub(crate) struct Thread {
    task: u8,
    handle: shuttle::thread::JoinHandle<()>,
}

pub(crate) fn spawn(f: impl FnOnce() + Send + 'static) -> Thread {
    // Tasks are numbered in the order in which they are made.
    let task = machine(|machine| {
        let parent = machine.current;
        let used = machine.tasks.iter().filter(|task| task.exists).count();
        assert!(used < TASKS, "the explorer runs at most {TASKS} tasks");
        machine.tasks[used].exists = true;
        machine.memory.spawn(used, Some(parent));
        let seq = machine.tasks[parent].seq;
        let mut dpor = machine.dpor.borrow_mut();
        dpor.spawned(used as u8, parent as u8, seq);
        used
    });
    let handle = shuttle::thread::spawn(move || {
        f();
        MACHINE.with_borrow_mut(|machine| {
            if let Some(machine) = machine {
                machine.tasks[task].finished = true;
            }
        });
    });
    Thread {
        task: task as u8,
        handle,
    }
}

pub(crate) fn join(thread: Thread) {
    let child = thread.task;
    perform(Pending::Join { task: child }, |memory, event| {
        memory.join(usize::from(event.task), usize::from(child));
    });
    let joined = thread.handle.join();
    debug_assert!(joined.is_ok(), "a task's panic ends the execution");
}

/// The newest value of a word, after the execution.
pub(crate) fn final_value(word: u16) -> u64 {
    machine(|machine| machine.memory.value(word))
}

/// What a run showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stats {
    pub(crate) executions: u64,
    /// Executions that were given up because what they would show is known.
    pub(crate) blocked: u64,
    /// Executions equivalent to an earlier one, if that was looked for.
    pub(crate) duplicates: Option<u64>,
    pub(crate) complete: bool,
    /// The part that is behind, an estimate that is too high.
    pub(crate) progress: f64,
}

/// Hears how executions end.
pub(crate) trait Observer {
    /// An execution starts; false to explore no more.
    fn start(&mut self, exploration: &Dpor, executions: u64) -> bool;
    /// An execution has ended: everybody finished, or nobody could go on and somebody waits.
    fn end(&mut self, exploration: &mut Dpor, deadlock: bool);
}

/// Shuttle's scheduler, and the owner of the exploration.
pub(crate) struct Explorer<O> {
    model: Model,
    dpor: Rc<RefCell<Dpor>>,
    observer: O,
    stats: Rc<RefCell<Stats>>,
    started: bool,
    gave_up: Rc<Cell<bool>>,
    deadlock: bool,
}

impl<O: Observer> Explorer<O> {
    pub(crate) fn new(
        model: Model,
        reduction: Reduction,
        look_for_duplicates: bool,
        observer: O,
        stats: Rc<RefCell<Stats>>,
    ) -> Self {
        let stale_failure = matches!(
            model,
            Model::Rc11 {
                stale_failure: true
            }
        );
        let dpor = Dpor::new(reduction, stale_failure, look_for_duplicates);
        Explorer {
            model,
            dpor: Rc::new(RefCell::new(dpor)),
            observer,
            stats,
            started: false,
            gave_up: Rc::default(),
            deadlock: false,
        }
    }

    /// Goes on where another exploration of the same program was saved.
    pub(crate) fn restore(&mut self, saved: Saved, executions: u64) {
        self.dpor.borrow_mut().restore(saved);
        self.stats.borrow_mut().executions = executions;
    }

    /// Everybody who can go on, and how.
    fn enabled(machine: &Machine, runnable: &[&Task]) -> Vec<Enabled> {
        let mut enabled = Vec::with_capacity(runnable.len());
        for task in runnable {
            let index = usize::from(task.id());
            let state = &machine.tasks[index];
            let Some(pending) = state.pending else {
                continue;
            };
            let can_go_on = match pending {
                Pending::Lock { lock } => machine.memory.is_free(lock),
                Pending::Join { task } => machine.tasks[usize::from(task)].finished,
                Pending::Wait { bell } => machine.memory.was_rung(bell),
                _ => true,
            };
            if can_go_on {
                enabled.push(Enabled {
                    task: index as u8,
                    seq: state.seq + 1,
                    pending,
                    choices: machine.memory.choices(index, pending),
                });
            }
        }
        enabled
    }
}

impl<O: Observer> Scheduler for Explorer<O> {
    fn new_execution(&mut self) -> Option<Schedule> {
        if self.started {
            let gave_up = self.gave_up.replace(false);
            let mut stats = self.stats.borrow_mut();
            if !gave_up {
                stats.executions += 1;
                let deadlock = std::mem::take(&mut self.deadlock);
                self.observer.end(&mut self.dpor.borrow_mut(), deadlock);
            }
            MACHINE.set(None);
            let more = self.dpor.borrow_mut().advance();
            stats.blocked = self.dpor.borrow().blocked;
            if !more {
                stats.complete = true;
                stats.duplicates = self.dpor.borrow().duplicates();
                return None;
            }
        }
        self.started = true;
        let executions = self.stats.borrow().executions;
        if !self.observer.start(&self.dpor.borrow(), executions) {
            self.stats.borrow_mut().progress = self.dpor.borrow().progress();
            return None;
        }
        let mut memory = Memory::new(self.model);
        memory.spawn(0, None);
        let mut tasks = [TaskState::default(); TASKS];
        tasks[0].exists = true;
        MACHINE.set(Some(Machine {
            memory,
            tasks,
            current: 0,
            event: None,
            dpor: Rc::clone(&self.dpor),
        }));
        Some(Schedule::new(0))
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        _current: Option<TaskId>,
        _is_yielding: bool,
    ) -> Option<TaskId> {
        machine(|machine| {
            // Who has announced nothing is between two events, or at its end.
            let busy = |task: &&&Task| machine.tasks[usize::from(task.id())].pending.is_none();
            if let Some(task) = runnable.iter().find(busy) {
                machine.current = usize::from(task.id());
                return Some(task.id());
            }
            let enabled = Self::enabled(machine, runnable);
            self.deadlock = enabled.is_empty();
            if self.deadlock {
                self.dpor.borrow_mut().deadlock(machine.waiting());
            }
            let event = self.dpor.borrow_mut().next(&enabled);
            let Some(event) = event else {
                self.gave_up.set(!self.deadlock);
                return None;
            };
            machine.current = usize::from(event.task);
            machine.event = Some(event);
            let chosen = |task: &&&Task| usize::from(task.id()) == machine.current;
            runnable.iter().find(chosen).map(|task| task.id())
        })
    }

    fn next_u64(&mut self) -> u64 {
        0
    }
}
