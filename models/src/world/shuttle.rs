// SPDX-License-Identifier: MIT OR Apache-2.0

//! Shuttle: big scenarios, sampled schedules, sequential consistency. No evidence about orderings.

use std::cell::UnsafeCell;
use std::mem::{discriminant, ManuallyDrop};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use prodq::Step;
use shuttle::scheduler::{
    DfsScheduler, PctScheduler, RandomScheduler, ReplayScheduler, Schedule, Scheduler, Task,
    TaskId, UrwRandomScheduler,
};
use shuttle::sync::atomic::{AtomicI32, AtomicIsize, AtomicPtr};
use shuttle::sync::{Condvar, Mutex};
use shuttle::{Config, FailurePersistence, MaxSteps, Runner};

use super::backend::{
    raw_bell, raw_int, raw_lock, raw_ptr, unwatched_cell, Backend, RawBell, RawCell, RawInt,
    RawLock, RawPtr,
};
use super::{catching, Run};
use crate::context::{lock, What};
use crate::model::Retire;

/// Shuttle's primitives.
pub(crate) struct Shuttle;

pub(crate) struct Cell<T>(UnsafeCell<T>);

impl Backend for Shuttle {
    type I32 = AtomicI32;
    type Isize = AtomicIsize;
    type Ptr<T: 'static> = AtomicPtr<T>;
    type Cell<T> = Cell<T>;
    type Lock<T: Send> = Mutex<T>;
    type Bell = Bell;
    type Thread = shuttle::thread::JoinHandle<()>;

    fn fence(ordering: Ordering) {
        shuttle::sync::atomic::fence(ordering);
    }

    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread {
        shuttle::thread::spawn(f)
    }

    fn join(thread: Self::Thread) {
        let joined = thread.join();
        debug_assert!(
            joined.is_ok(),
            "shuttle ends the execution when a thread panics"
        );
    }
}

raw_int!(AtomicI32, i32, |_| ());
raw_int!(AtomicIsize, isize, |_| ());
raw_ptr!(AtomicPtr, |_| ());
raw_lock!(Mutex);
raw_bell!(Bell, Mutex, Condvar);
unwatched_cell!(Cell);

/// Passes on what another scheduler decides, and remembers it.
///
/// The scheduler is never dropped: dropped before its last execution it would print a seed, and here an
/// early end is a verdict.
struct Recorder<S> {
    scheduler: ManuallyDrop<S>,
    run: Arc<Run>,
}

impl<S: Scheduler> Scheduler for Recorder<S> {
    fn new_execution(&mut self) -> Option<Schedule> {
        let mut state = lock(&self.run.state);
        state.tasks.clear();
        if state.enough {
            return None;
        }
        drop(state);
        self.scheduler.new_execution()
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        let task = self.scheduler.next_task(runnable, current, is_yielding)?;
        lock(&self.run.state).tasks.push(task.into());
        Some(task)
    }

    fn next_u64(&mut self) -> u64 {
        self.scheduler.next_u64()
    }
}

/// Makes shuttle set its panic hook, which it does when it first runs anything.
pub(super) fn set_its_panic_hook() {
    Runner::new(RandomScheduler::new_from_seed(0, 1), config()).run(|| ());
}

pub(super) fn config() -> Config {
    let mut config = Config::new();
    config.stack_size = 0x2_0000;
    config.failure_persistence = FailurePersistence::None;
    config.max_steps = MaxSteps::FailAfter(10_000_000);
    config.silence_warnings = true;
    config
}

fn sample(run: &Arc<Run>, scheduler: impl Scheduler + 'static) {
    let recorder = Recorder {
        scheduler: ManuallyDrop::new(scheduler),
        run: Arc::clone(run),
    };
    let shared = Arc::clone(run);
    catching(run, move || {
        Runner::new(recorder, config()).run(move || {
            shared.execute::<Shuttle>();
        });
    });
}

/// Plays every interleaving, or `limit` of them.
pub(super) fn depth_first(run: &Arc<Run>, limit: usize) {
    sample(run, DfsScheduler::new(Some(limit), false));
}

/// Lets CPUs run in the order of the steps that they are to make: one CPU until it has made a step of
/// that kind, then the next.
struct Guide {
    run: Arc<Run>,
    steps: std::vec::IntoIter<(usize, Step)>,
    /// How many events of each CPU are behind.
    seen: Vec<usize>,
    /// The CPU that made the last step; it may still have to leave a lock that others wait for.
    last: usize,
    started: bool,
    /// Whether all CPUs exist, which the main thread makes.
    complete: bool,
}

impl Guide {
    /// The CPU whose turn it is.
    fn turn(&mut self) -> Option<usize> {
        let context = lock(&self.run.state).context.clone()?;
        while let Some((cpu, step)) = self.steps.as_slice().first() {
            let is_kind = |what| match what {
                What::Step(made) => discriminant(&made) == discriminant(step),
                _ => false,
            };
            let Some(place) = context.find(*cpu, self.seen[*cpu], is_kind) else {
                return Some(*cpu);
            };
            self.seen[*cpu] = place + 1;
            self.last = *cpu;
            self.steps.next();
        }
        None
    }
}

impl Scheduler for Guide {
    fn new_execution(&mut self) -> Option<Schedule> {
        let again = std::mem::replace(&mut self.started, true);
        (!again).then(|| Schedule::new(0))
    }

    fn next_task(&mut self, runnable: &[&Task], _: Option<TaskId>, _: bool) -> Option<TaskId> {
        let can = |cpu: usize| {
            let mut tasks = runnable.iter().map(|task| task.id());
            tasks.find(|&task| task == TaskId::from(cpu))
        };
        self.complete |= can(self.seen.len() - 1).is_some();
        if !self.complete {
            return can(0);
        }
        let turn = self.turn().and_then(can);
        turn.or_else(|| can(self.last))
            .or_else(|| runnable.first().map(|task| task.id()))
    }

    fn next_u64(&mut self) -> u64 {
        0
    }
}

/// Plays one execution, in which the CPUs make these steps in this order.
pub(super) fn guided(run: &Arc<Run>, steps: Vec<(usize, Step)>) {
    let guide = Guide {
        run: Arc::clone(run),
        steps: steps.into_iter(),
        seen: vec![0; run.scenario.cpus.len()],
        last: 0,
        started: false,
        complete: false,
    };
    sample(run, guide);
}

/// Plays it `executions` times with each scheduler, or the one schedule of a replay.
pub(super) fn run(run: &Arc<Run>, seed: u64, executions: u64) {
    if let Some(super::Schedule::Tasks(tasks)) = &run.job.only {
        let tasks = tasks.iter().map(|&task| TaskId::from(task));
        let schedule = Schedule::new_from_task_ids(0, tasks);
        let mut scheduler = ReplayScheduler::new_from_schedule(schedule);
        scheduler.set_allow_incomplete();
        return sample(run, scheduler);
    }
    let each = usize::try_from(executions).unwrap_or(usize::MAX);
    let done = || {
        let state = lock(&run.state);
        state.enough || state.outcome.cut_short
    };
    sample(run, RandomScheduler::new_from_seed(seed, each));
    // The others refuse a scenario that has one interleaving.
    let busy = |cpu: &&crate::scenario::Cpu| !cpu.ops.is_empty();
    if run.scenario.cpus.iter().filter(busy).count() < 2 {
        return;
    }
    if !done() {
        let seed = seed.wrapping_add(1);
        sample(run, UrwRandomScheduler::new_from_seed(seed, each));
    }
    // PCT refuses a program in which there is nothing to choose.
    let busy = run.scenario.cpus.iter().filter(|cpu| !cpu.ops.is_empty());
    if busy.count() > 1 && !done() {
        let seed = seed.wrapping_add(2);
        sample(run, PctScheduler::new_from_seed(seed, 5, each));
    }
}
