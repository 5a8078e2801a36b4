// SPDX-License-Identifier: MIT OR Apache-2.0

//! The explorer: every inequivalent execution, exactly once, under sequential consistency or RC11.
//!
//! `op` says what events are and which commute, `memory` what they do in either model, `dpor` which
//! executions to make, `engine` runs them on shuttle's coroutines, and this file makes a world of it.

pub(crate) mod dpor;
pub(crate) mod engine;
pub mod litmus;
pub(crate) mod memory;
pub(crate) mod op;

use std::cell::{RefCell, UnsafeCell};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::{Arc, OnceLock};

use shuttle::Runner;

use self::dpor::{Dpor, Reduction, Saved};
use self::engine::{Explorer, Observer, Stats};
use self::memory::{CellState, Model, Race};
use self::op::{Choice, Compare, Event, Pending, Value};
use super::backend::{Backend, RawBell, RawCell, RawInt, RawLock, RawPtr, HEADER, LOCK, WORD};
use super::{catching, Finding, Job, JobError, Run, Schedule};
use crate::context::{data_race, data_race_of_freeing, lock};
use crate::fault::Fault;
use crate::model::Retire;
use crate::scenario::Scenario;
use crate::theorem::Theorem;

/// The explorer's primitives.
pub(crate) struct Explore;

/// A value that fits a word of the explorer.
pub(crate) trait Fits: Copy {
    fn into_word(self) -> u64;
    fn from_word(word: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
}

macro_rules! fits {
    ($value:ty, $bits:ty) => {
        impl Fits for $value {
            fn into_word(self) -> u64 {
                self as $bits as u64
            }
            fn from_word(word: u64) -> Self {
                word as $bits as $value
            }
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    };
}

fits!(i32, u32);
fits!(isize, usize);

/// An atomic of the explorer.
pub(crate) struct Word<V> {
    id: u16,
    _value: PhantomData<fn(V) -> V>,
}

impl<V> Word<V> {
    fn with(value: u64) -> Self {
        Word {
            id: engine::new_word(value),
            _value: PhantomData,
        }
    }

    /// The word's number, if its creation is known here.
    fn id(&self) -> u16 {
        unless_race(engine::check_word(self.id), WORD);
        self.id
    }

    fn change(&self, ordering: Ordering, change: impl FnOnce(u64) -> u64) -> u64 {
        let word = self.id();
        let pending = Pending::Rmw {
            word,
            compare: Compare::Never,
        };
        let change = |old| Some(change(old));
        engine::rmw(pending, word, ordering, ordering, change).0
    }
}

fn unless_race(access: Result<(), Race>, what: &'static str) {
    if access.is_err() {
        data_race(what);
    }
}

impl<V: Fits> RawInt<V> for Word<V> {
    fn new(value: V) -> Self {
        Word::with(value.into_word())
    }
    fn load(&self, ordering: Ordering) -> V {
        V::from_word(engine::load(self.id(), ordering))
    }
    fn fetch_add(&self, value: V, ordering: Ordering) -> V {
        let add = |old| V::from_word(old).plus(value).into_word();
        V::from_word(self.change(ordering, add))
    }
    fn fetch_sub(&self, value: V, ordering: Ordering) -> V {
        let subtract = |old| V::from_word(old).minus(value).into_word();
        V::from_word(self.change(ordering, subtract))
    }
    fn swap(&self, value: V, ordering: Ordering) -> V {
        V::from_word(self.change(ordering, |_| value.into_word()))
    }
}

impl<T: 'static> RawPtr<T> for Word<*mut T> {
    fn new(value: *mut T) -> Self {
        Word::with(value as u64)
    }
    fn load(&self, ordering: Ordering) -> *mut T {
        engine::load(self.id(), ordering) as *mut T
    }
    fn swap(&self, value: *mut T, ordering: Ordering) -> *mut T {
        self.change(ordering, |_| value as u64) as *mut T
    }
    fn compare_exchange(
        &self,
        current: *mut T,
        new: *mut T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<*mut T, *mut T> {
        let (current, new) = (current as u64, new as u64);
        let word = self.id();
        let pending = Pending::Rmw {
            word,
            compare: Compare::Unless(Value(current)),
        };
        let change = |old| (old == current).then_some(new);
        match engine::rmw(pending, word, success, failure, change) {
            (old, true) => Ok(old as *mut T),
            (old, false) => Err(old as *mut T),
        }
    }
}

impl<V> Retire for Word<V> {
    const WHAT: &'static str = WORD;
    fn retire(&mut self) {
        if engine::retire_word(self.id).is_err() {
            data_race_of_freeing(WORD);
        }
    }
}

/// A cell of the explorer.
pub(crate) struct Cell<T> {
    state: RefCell<CellState>,
    value: UnsafeCell<T>,
}

impl<T> RawCell<T> for Cell<T> {
    fn new(value: T) -> Self {
        let cell = Cell {
            state: RefCell::default(),
            value: UnsafeCell::new(value),
        };
        unless_race(engine::write_cell(&mut cell.state.borrow_mut()), HEADER);
        cell
    }
    unsafe fn with<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        unless_race(engine::read_cell(&mut self.state.borrow_mut()), HEADER);
        // SAFETY: The caller's duty, and one task runs at a time.
        f(unsafe { &*self.value.get() })
    }
    unsafe fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        unless_race(engine::write_cell(&mut self.state.borrow_mut()), HEADER);
        // SAFETY: The caller's duty, and one task runs at a time.
        f(unsafe { &mut *self.value.get() })
    }
}

impl<T> Retire for Cell<T> {
    const WHAT: &'static str = HEADER;
    fn retire(&mut self) {
        if engine::write_cell(self.state.get_mut()).is_err() {
            data_race_of_freeing(HEADER);
        }
    }
}

/// A lock of the explorer.
pub(crate) struct Lock<T> {
    id: u16,
    value: UnsafeCell<T>,
}

// SAFETY: The value is only reached by whoever holds the lock.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T: Send> RawLock<T> for Lock<T> {
    fn new(value: T) -> Self {
        Lock {
            id: engine::new_lock(),
            value: UnsafeCell::new(value),
        }
    }
    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        struct Held(u16);
        impl Drop for Held {
            fn drop(&mut self) {
                engine::release(self.0);
            }
        }
        engine::acquire(self.id);
        let _held = Held(self.id);
        // SAFETY: The lock is held.
        f(unsafe { &mut *self.value.get() })
    }
    fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

impl<T: Send> Retire for Lock<T> {
    const WHAT: &'static str = LOCK;
    fn retire(&mut self) {}
}

/// A bell of the explorer.
pub(crate) struct Bell(u16);

impl RawBell for Bell {
    fn new() -> Self {
        Bell(engine::new_bell())
    }
    fn wait(&self) {
        engine::wait(self.0);
    }
    fn ring(&self) {
        engine::ring(self.0);
    }
}

impl Backend for Explore {
    type I32 = Word<i32>;
    type Isize = Word<isize>;
    type Ptr<T: 'static> = Word<*mut T>;
    type Cell<T> = Cell<T>;
    type Lock<T: Send> = Lock<T>;
    type Bell = Bell;
    type Thread = engine::Thread;

    fn fence(ordering: Ordering) {
        engine::fence(ordering);
    }
    fn unseen() {
        engine::unseen();
    }
    fn spawn(f: impl FnOnce() + Send + 'static) -> Self::Thread {
        engine::spawn(f)
    }
    fn join(thread: Self::Thread) {
        engine::join(thread);
    }
}

/// Judges each execution of a run when it has ended.
struct Judge {
    run: Arc<Run>,
    limit: u64,
}

/// How many executions there are between two looks at the clock of a long run.
const ROUND: u64 = 1 << 10;
/// How many rounds there are between two checkpoints.
const ROUNDS: u64 = 1 << 6;

impl Observer for Judge {
    fn start(&mut self, exploration: &Dpor, executions: u64) -> bool {
        if executions.is_multiple_of(ROUND) {
            let share = exploration.progress().to_bits();
            self.run.job.share.store(share, Relaxed);
        }
        let stop = executions >= self.limit;
        if executions > 0 && (stop || executions.is_multiple_of(ROUND * ROUNDS)) {
            Checkpoint::write(&self.run, exploration, executions);
        }
        !stop && !lock(&self.run.state).enough
    }

    fn end(&mut self, exploration: &mut Dpor, deadlock: bool) {
        let found = self
            .run
            .explored(replayable(&exploration.schedule()), deadlock);
        if !found.is_empty() {
            let calmer = replayable(&exploration.calmer_schedule());
            let mut state = lock(&self.run.state);
            for theorem in found {
                state.calmer.insert(theorem, calmer.clone());
            }
        }
    }
}

fn replayable(schedule: &[Event]) -> Vec<(u8, Choice)> {
    let step = |event: &Event| (event.task, event.choice);
    schedule.iter().map(step).collect()
}

/// A run that can be gone on with: what is left to explore, and what was found.
#[derive(serde::Serialize, serde::Deserialize)]
struct Checkpoint {
    scenario: Scenario,
    fault: Fault,
    theorems: Vec<Theorem>,
    world: String,
    /// A hash of the program that explored: another one may know other executions.
    program: u64,
    saved: Saved,
    executions: u64,
    largest: i64,
    findings: BTreeMap<Theorem, Vec<(u8, Choice)>>,
}

/// A hash of the running program, or 0 where it cannot be read.
fn this_program() -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    static HASH: OnceLock<u64> = OnceLock::new();
    *HASH.get_or_init(|| {
        let program = std::env::current_exe().and_then(std::fs::read);
        program.map_or(0, |bytes| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            hasher.finish()
        })
    })
}

impl Checkpoint {
    /// Writes the run's checkpoint, if it has a file for it. That it cannot be written is told at the
    /// end of the run.
    fn write(run: &Run, exploration: &Dpor, executions: u64) {
        let Some(path) = &run.job.checkpoint else {
            return;
        };
        let mut state = lock(&run.state);
        let schedule = |(&theorem, finding): (&Theorem, &Finding)| match &finding.schedule {
            Schedule::Events(events) => (theorem, events.clone()),
            _ => (theorem, Vec::new()),
        };
        let checkpoint = Checkpoint {
            scenario: run.job.scenario.clone(),
            fault: run.job.fault.clone(),
            theorems: run.job.theorems.clone(),
            world: run.job.world.model(),
            program: this_program(),
            saved: exploration.save(),
            executions,
            largest: state.outcome.largest,
            findings: state.outcome.findings.iter().map(schedule).collect(),
        };
        let text = serde_json::to_string(&checkpoint).map_err(std::io::Error::from);
        let partial = path.with_extension("partial");
        let written = text.and_then(|text| {
            std::fs::write(&partial, text)?;
            std::fs::rename(&partial, path)
        });
        state.checkpoint_error = written.err().map(|error| error.to_string());
    }

    /// The run's checkpoint, if there is one and it is this run's.
    fn read(job: &Job) -> Result<Option<Checkpoint>, JobError> {
        let Some(path) = &job.checkpoint else {
            return Ok(None);
        };
        let wrong = |what: String| JobError::Checkpoint(path.display().to_string(), what);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let checkpoint: Checkpoint =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let same = checkpoint.scenario == job.scenario
            && checkpoint.fault == job.fault
            && checkpoint.theorems == job.theorems
            && checkpoint.world == job.world.model()
            && checkpoint.program == this_program();
        if !same {
            let what = "it is of another scenario, fault, list of theorems, model or program";
            return Err(wrong(what.to_owned()));
        }
        Ok(Some(checkpoint))
    }
}

/// Explores the run's scenario, to the end or to the limit.
pub(super) fn run(run: &Arc<Run>, model: Model, limit: u64) -> Result<(), JobError> {
    let reduction = match &run.job.only {
        Some(Schedule::Events(events)) => Reduction::Replay(events.clone()),
        _ => Reduction::Optimal,
    };
    let judge = Judge {
        run: Arc::clone(run),
        limit,
    };
    let stats = Rc::new(RefCell::new(Stats::default()));
    let mut explorer = Explorer::new(model, reduction, false, judge, Rc::clone(&stats));
    if let Some(checkpoint) = Checkpoint::read(&run.job)? {
        for (theorem, schedule) in checkpoint.findings {
            let mut again = run.job.clone();
            again.checkpoint = None;
            again.theorems = vec![theorem];
            again.only = Some(Schedule::Events(schedule));
            let found = super::run(&again)?.findings;
            lock(&run.state).outcome.findings.extend(found);
        }
        lock(&run.state).outcome.largest = checkpoint.largest;
        explorer.restore(checkpoint.saved, checkpoint.executions);
    }
    let shared = Arc::clone(run);
    catching(run, move || {
        Runner::new(explorer, super::shuttle::config()).run(move || {
            shared.start::<Explore>();
        });
    });
    let mut state = lock(&run.state);
    if let (Some(error), Some(path)) = (&state.checkpoint_error, &run.job.checkpoint) {
        let path = path.display().to_string();
        return Err(JobError::Checkpoint(path, error.clone()));
    }
    let stats = stats.borrow();
    state.outcome.executions = stats.executions;
    state.outcome.blocked = stats.blocked;
    if stats.progress > 0.0 {
        state.outcome.estimate = Some(stats.executions as f64 / stats.progress);
    }
    state.outcome.cut_short |= !stats.complete && !state.enough;
    state.outcome.complete = stats.complete && !state.outcome.cut_short && run.job.only.is_none();
    if let (true, Some(path)) = (state.outcome.complete, &run.job.checkpoint) {
        // Nothing is left to go on with. There is no file when the run never came that far.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}
