// SPDX-License-Identifier: MIT OR Apache-2.0

//! Worlds: how a scenario is played again and again, and what is remembered of it.

pub(crate) mod backend;
pub mod explore;
mod loom;
pub mod numa;
mod shuttle;
mod threads;

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once};

use prodq::Step;
use serde::{Deserialize, Serialize};

use crate::context::{lock, Context, Event, What};
use crate::coverage::{Counts, Coverage};
use crate::fault::{Broken, Fault, FaultError};
use crate::play::play;
use crate::scenario::Scenario;
use crate::theorem::{judge, Theorem, Violation};
use crate::world::backend::Backend;

/// A world, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum World {
    /// Real threads, so many times.
    Threads {
        /// Executions.
        executions: u64,
    },
    /// Loom, at most so many executions.
    Loom {
        /// Whether racing loads are read-modify-writes: all interleavings of them are seen then, and no
        /// stale value. Stock loads may be stale, and loom overlooks some of their interleavings.
        newest_loads: bool,
        /// The limit, which a run that is not complete reaches.
        limit: u64,
        /// The most preemptions of one execution, if they are bounded.
        #[serde(default)]
        preemption_bound: Option<usize>,
    },
    /// Shuttle: so many executions each with the Random, URW and PCT (depth 5) schedulers.
    Shuttle {
        /// The seed of the first scheduler; the others use the next ones.
        seed: u64,
        /// Executions of each scheduler.
        executions: u64,
    },
    /// The explorer, at most so many executions.
    Explore {
        /// The memory model.
        memory: MemoryModel,
        /// The limit, which a run that is not complete reaches.
        limit: u64,
    },
}

/// A memory model of the explorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Sequential consistency.
    Sc,
    /// RC11 without load buffering: relaxed, acquire and release accesses, SeqCst fences; a
    /// compare-exchange may fail on a stale value.
    Rc11,
}

impl World {
    /// The world's name.
    pub fn name(self) -> &'static str {
        match self {
            World::Threads { .. } => "threads",
            World::Loom { .. } => "loom",
            World::Shuttle { .. } => "shuttle",
            World::Explore { .. } => "explore",
        }
    }

    /// The memory model that it shows.
    pub fn model(self) -> String {
        match self {
            World::Threads { .. } => std::env::consts::ARCH.to_owned(),
            World::Loom {
                newest_loads,
                preemption_bound,
                ..
            } => {
                let loads = if newest_loads { "newest" } else { "stale" };
                let bound = preemption_bound.map(|bound| format!(", {bound} preemptions"));
                format!("C11, {loads} loads{}", bound.unwrap_or_default())
            }
            World::Shuttle { .. } => "SC".to_owned(),
            World::Explore { memory, .. } => match memory {
                MemoryModel::Sc => "SC".to_owned(),
                MemoryModel::Rc11 => "RC11".to_owned(),
            },
        }
    }

    /// Whether loads find the newest value.
    pub fn finds_newest(self) -> bool {
        match self {
            World::Threads { .. } => false,
            World::Loom { newest_loads, .. } => newest_loads,
            World::Shuttle { .. } => true,
            World::Explore { memory, .. } => memory == MemoryModel::Sc,
        }
    }

    /// Whether one CPU runs at a time, so that the order of events is the order of the accesses.
    pub fn is_linear(self) -> bool {
        !matches!(self, World::Threads { .. })
    }
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The scenario.
    pub scenario: Scenario,
    /// The world.
    pub world: World,
    /// What is broken.
    pub fault: Fault,
    /// The theorems to watch. The run ends early when all of them are refuted.
    pub theorems: Vec<Theorem>,
    /// The run ends as soon as one of these theorems is refuted.
    pub until: Vec<Theorem>,
    /// Only this execution is of interest: a replay.
    pub only: Option<Schedule>,
    /// Counts executions while they are made.
    pub ticks: Arc<AtomicU64>,
    /// Tells how much of an exploration is behind, as the bits of an `f64` from 0 to 1.
    pub share: Arc<AtomicU64>,
    /// Where the explorer leaves what is needed to go on, and finds it.
    pub checkpoint: Option<PathBuf>,
    /// Whether the events of every execution are kept.
    pub keep: bool,
}

impl Job {
    /// A job that breaks nothing.
    pub fn new(scenario: Scenario, world: World, theorems: &[Theorem]) -> Job {
        Job {
            scenario,
            world,
            fault: Fault::None,
            theorems: theorems.to_vec(),
            until: Vec::new(),
            only: None,
            ticks: Arc::default(),
            share: Arc::default(),
            checkpoint: None,
            keep: false,
        }
    }

    /// The same with a fault.
    #[must_use]
    pub fn with_fault(mut self, fault: Fault) -> Job {
        self.fault = fault;
        self
    }
}

/// How to find an execution again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// The how-manieth execution it was, from 1: loom explores in the same order every time.
    Execution(u64),
    /// The tasks in the order in which they were let run.
    Tasks(Vec<usize>),
    /// The events in their order, by task, and how they went where there was a choice.
    Events(Vec<(u8, explore::op::Choice)>),
    /// It cannot be repeated: real threads.
    Recorded,
}

/// A refuted theorem.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was wrong.
    pub what: String,
    /// How to find it again.
    pub schedule: Schedule,
    /// What happened up to there.
    pub events: Vec<Event>,
}

/// What a run showed.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many executions were played, by our own count.
    pub executions: u64,
    /// How many steps of the core were judged.
    pub steps: u64,
    /// Whether the world says that it has no more of them, and was not stopped.
    pub complete: bool,
    /// Of the explorer: how many executions were given up because they would have repeated others.
    pub blocked: u64,
    /// Of an explorer's run that was cut short: how many executions there are at least, to all
    /// appearances.
    pub estimate: Option<f64>,
    /// Whether the run ended before its time: at its limit, or in an execution that could not go on.
    pub cut_short: bool,
    /// The largest `rmem_alloc` seen, in bytes.
    pub largest: i64,
    /// The first execution that reached it.
    pub reached: Option<Finding>,
    /// The refuted theorems.
    pub findings: BTreeMap<Theorem, Finding>,
    /// In how many executions what was seen.
    pub coverage: Coverage,
    /// The events of every execution, where the job asks for them.
    pub kept: Vec<Vec<Event>>,
}

/// A job that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The scenario makes no sense.
    #[error(transparent)]
    Scenario(#[from] crate::scenario::ScenarioError),
    /// The fault makes no sense.
    #[error(transparent)]
    Fault(#[from] FaultError),
    /// The scenario is too big for the world.
    #[error("{0} runs at most {1} CPUs; the scenario has {2}")]
    TooManyCpus(&'static str, usize, usize),
    /// There is no such scenario.
    #[error("there is no scenario {0}")]
    NoScenario(String),
    /// The checkpoint cannot be used.
    #[error("the checkpoint {0} cannot be used: {1}")]
    Checkpoint(String, String),
}

/// One run: shared by all its executions.
struct Run {
    job: Job,
    scenario: Arc<Scenario>,
    broken: Broken,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    outcome: Outcome,
    /// The execution under way.
    context: Option<Arc<Context>>,
    tasks: Vec<usize>,
    events: Vec<(u8, explore::op::Choice)>,
    /// For what the explorer found: equivalent schedules with fewer switches.
    calmer: BTreeMap<Theorem, Vec<(u8, explore::op::Choice)>>,
    enough: bool,
    counts: Counts,
    checkpoint_error: Option<String>,
}

/// The payload of the panic that ends a run with nothing left to find.
struct Enough;

impl Run {
    fn new(job: &Job) -> Result<Arc<Run>, JobError> {
        job.scenario.check()?;
        Ok(Arc::new(Run {
            scenario: Arc::new(job.scenario.clone()),
            broken: job.fault.resolve()?,
            job: job.clone(),
            state: Mutex::default(),
        }))
    }

    /// Plays one execution and judges it; true when nothing is left to find.
    fn execute<B: Backend>(&self) -> bool {
        let context = self.start::<B>();
        let execution = lock(&self.state).outcome.executions;
        let skip = matches!(&self.job.only, Some(Schedule::Execution(only)) if *only != execution);
        if skip {
            return false;
        }
        self.judge(&context, &self.job.theorems)
    }

    /// Plays one execution.
    fn start<B: Backend>(&self) -> Arc<Context> {
        let newest_loads = matches!(
            self.job.world,
            World::Loom {
                newest_loads: true,
                ..
            }
        );
        let cpus = self.scenario.cpus.len();
        let context = Context::new(cpus, self.broken.clone(), newest_loads);
        {
            let mut state = lock(&self.state);
            state.context = Some(Arc::clone(&context));
            state.outcome.executions += 1;
        }
        self.job.ticks.fetch_add(1, Ordering::Relaxed);
        play::<B>(&self.scenario, &context);
        PANIC.take();
        context.release_quarantine();
        context
    }

    /// Judges an execution that the explorer has ended; tells which theorems it is the first to refute.
    fn explored(&self, events: Vec<(u8, explore::op::Choice)>, deadlock: bool) -> Vec<Theorem> {
        let mut state = lock(&self.state);
        state.events = events;
        let Some(context) = state.context.take() else {
            return Vec::new();
        };
        let known: Vec<_> = state.outcome.findings.keys().copied().collect();
        drop(state);
        if deadlock {
            self.failed(&context, &self.job.theorems, "a deadlock: every CPU waits");
        } else {
            self.judge(&context, &self.job.theorems);
        }
        let state = lock(&self.state);
        let found = state.outcome.findings.keys().copied();
        found.filter(|theorem| !known.contains(theorem)).collect()
    }

    /// An execution that could not go on refutes these theorems.
    fn failed(&self, context: &Context, theorems: &[Theorem], what: &str) {
        let events = context.events();
        let mut state = lock(&self.state);
        for &theorem in theorems {
            if self.job.theorems.contains(&theorem) {
                let violation = Violation {
                    theorem,
                    what: what.to_owned(),
                    events: events.len(),
                };
                self.find(&mut state, violation, &events);
            }
        }
    }

    fn judge(&self, context: &Context, theorems: &[Theorem]) -> bool {
        let events = context.events();
        let judgement = judge(&self.scenario, theorems, &events, self.job.world);
        let is_step = |event: &&Event| matches!(event.what, What::Step(_));
        let steps = events.iter().filter(is_step).count();
        let mut state = lock(&self.state);
        state.counts.add(judgement.seen);
        state.outcome.steps += steps as u64;
        let largest = judgement.ledger.largest;
        if largest > state.outcome.largest {
            let reached = events.iter().position(|event| reaches(event, largest));
            let what = reaching(largest);
            let upto = reached.map_or(events.len(), |index| index + 1);
            state.outcome.reached = Some(self.finding(&state, what, &events[..upto]));
            state.outcome.largest = largest;
        }
        for violation in judgement.violations {
            self.find(&mut state, violation, &events);
        }
        if self.job.keep {
            state.outcome.kept.push(events);
        }
        let found = |theorem: &Theorem| state.outcome.findings.contains_key(theorem);
        let all_found = !self.job.theorems.is_empty() && self.job.theorems.iter().all(found);
        let one_found = self.job.until.iter().any(found);
        state.enough |= all_found || one_found || self.job.only.is_some();
        state.enough
    }

    fn find(&self, state: &mut State, violation: Violation, events: &[Event]) {
        if !state.outcome.findings.contains_key(&violation.theorem) {
            let upto = &events[..violation.events];
            let finding = self.finding(state, violation.what, upto);
            state.outcome.findings.insert(violation.theorem, finding);
        }
    }

    fn finding(&self, state: &State, what: String, events: &[Event]) -> Finding {
        let schedule = match self.job.world {
            World::Threads { .. } => Schedule::Recorded,
            World::Loom { .. } => Schedule::Execution(state.outcome.executions),
            World::Shuttle { .. } => Schedule::Tasks(state.tasks.clone()),
            World::Explore { .. } => Schedule::Events(state.events.clone()),
        };
        Finding {
            what,
            schedule,
            events: events.to_vec(),
        }
    }

    /// An execution ended in a panic: one of ours, or one of the world's.
    fn crashed(&self, panic: Box<dyn Any + Send>) {
        if panic.is::<Enough>() {
            return;
        }
        let mut state = lock(&self.state);
        state.outcome.cut_short = true;
        let Some(context) = state.context.take() else {
            drop(state);
            resume_unwind(panic);
        };
        // What ran in it may still refer to it.
        std::mem::forget(Arc::clone(&context));
        let message = panic_message();
        let (theorems, what) = if message.contains("Causality violation") {
            let line = message.lines().find(|line| !line.trim().is_empty());
            let line = line.unwrap_or_default().trim().to_owned();
            if context.was_retiring() || is_destructing(&context.events()) {
                let what = format!("the release races with an access: {line}");
                (vec![Theorem::ReleaseOnDestruct], what)
            } else {
                (vec![Theorem::Conservation], format!("data race: {line}"))
            }
        } else {
            // A deadlock, or a limit of the world: nothing holds that was not shown.
            (self.job.theorems.clone(), message)
        };
        drop(state);
        self.failed(&context, &theorems, &what);
    }
}

/// Whether the event brings `rmem_alloc` to `largest` bytes.
fn reaches(event: &Event, largest: i64) -> bool {
    match event.what {
        What::Step(Step::AddRmem { size, old } | Step::ChargeSock { size, old, .. }) => {
            i64::from(old) + i64::from(size) == largest
        }
        _ => false,
    }
}

/// What a witness of the largest `rmem_alloc` says.
pub fn reaching(largest: i64) -> String {
    format!("rmem_alloc reaches {largest} bytes")
}

/// Whether a destructor had started and not ended.
fn is_destructing(events: &[Event]) -> bool {
    let steps = events.iter().filter_map(|event| match event.what {
        What::Step(step) => Some(step),
        _ => None,
    });
    let mut destructing = false;
    for step in steps {
        match step {
            Step::Destruct => destructing = true,
            Step::Destructed { .. } => destructing = false,
            _ => {}
        }
    }
    destructing
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static QUIET: RefCell<bool> = const { RefCell::new(false) };
}

fn panic_message() -> String {
    PANIC.take().unwrap_or_else(|| "a panic".to_owned())
}

/// Keeps the panics of executions off the terminal: they are verdicts.
fn hush_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Shuttle sets a hook of its own, once, which this one replaces.
        let before = std::panic::take_hook();
        shuttle::set_its_panic_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.with_borrow(|quiet| *quiet) {
                return before(info);
            }
            let payload = info.payload();
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or(payload.downcast_ref::<&str>().copied());
            // The first panic says what happened; those that follow are its unwinding.
            PANIC.with_borrow_mut(|panic| {
                panic.get_or_insert_with(|| text.unwrap_or("a panic").to_owned());
            });
        }));
    });
}

/// Runs `f` with panics kept quiet and caught.
fn quietly(f: impl FnOnce()) -> std::thread::Result<()> {
    hush_panics();
    PANIC.take();
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(false);
    result
}

/// Runs executions of a run; one that ends in a panic has something to say.
fn catching(run: &Run, f: impl FnOnce()) {
    let result = quietly(f);
    Context::leave();
    if let Err(panic) = result {
        run.crashed(panic);
    }
}

/// Plays the job's scenario in its world until there is nothing left to see.
///
/// # Errors
/// [`JobError`] when the job makes no sense.
pub fn run(job: &Job) -> Result<Outcome, JobError> {
    let run = Run::new(job)?;
    match job.world {
        World::Threads { executions } => threads::run(&run, executions),
        World::Loom {
            limit,
            preemption_bound,
            ..
        } => {
            let cpus = job.scenario.cpus.len();
            if cpus > 4 {
                return Err(JobError::TooManyCpus("loom", 4, cpus));
            }
            loom::run(&run, limit, preemption_bound);
        }
        World::Shuttle { seed, executions } => shuttle::run(&run, seed, executions),
        World::Explore { memory, limit } => {
            let cpus = job.scenario.cpus.len();
            if cpus > explore::memory::TASKS {
                return Err(JobError::TooManyCpus("the explorer", 8, cpus));
            }
            let model = match memory {
                MemoryModel::Sc => explore::memory::Model::Sc,
                MemoryModel::Rc11 => explore::memory::Model::Rc11 {
                    stale_failure: true,
                },
            };
            explore::run(&run, model, limit)?;
        }
    }
    let mut state = lock(&run.state);
    let mut outcome = std::mem::take(&mut state.outcome);
    outcome.coverage = state.counts.coverage();
    let calmer = std::mem::take(&mut state.calmer);
    drop(state);
    for (theorem, schedule) in calmer {
        calm(job, theorem, schedule, &mut outcome)?;
    }
    Ok(outcome)
}

/// Plays the job's scenario with shuttle's depth-first scheduler, at most `limit` times, for comparison:
/// it makes every interleaving, equivalent or not.
///
/// # Errors
/// [`JobError`] when the job makes no sense.
pub fn shuttle_depth_first(job: &Job, limit: usize) -> Result<Outcome, JobError> {
    let run = Run::new(job)?;
    shuttle::depth_first(&run, limit);
    let mut state = lock(&run.state);
    let mut outcome = std::mem::take(&mut state.outcome);
    outcome.complete = outcome.executions < limit as u64;
    outcome.cut_short = !outcome.complete;
    Ok(outcome)
}

/// Plays one execution of the job's scenario in the world of shuttle, in which the CPUs make these steps in
/// this order. What others cannot tell they may do before or after. After the last of the steps the CPUs
/// run one by one.
///
/// # Errors
/// [`JobError`] when the job makes no sense.
pub fn guided(job: &Job, steps: &[(usize, Step)]) -> Result<Outcome, JobError> {
    let run = Run::new(job)?;
    shuttle::guided(&run, steps.to_vec());
    let mut state = lock(&run.state);
    Ok(std::mem::take(&mut state.outcome))
}

/// Shows a finding by an equivalent execution with fewer switches, if that shows the same.
fn calm(
    job: &Job,
    theorem: Theorem,
    schedule: Vec<(u8, explore::op::Choice)>,
    outcome: &mut Outcome,
) -> Result<(), JobError> {
    if job.only.is_some() {
        return Ok(());
    }
    let mut again = job.clone();
    again.checkpoint = None;
    again.theorems = vec![theorem];
    again.only = Some(Schedule::Events(schedule));
    let calmer = run(&again)?.findings.remove(&theorem);
    if let (Some(calmer), Some(found)) = (calmer, outcome.findings.get_mut(&theorem)) {
        if calmer.what == found.what && switches(&calmer) < switches(found) {
            *found = calmer;
        }
    }
    Ok(())
}

/// How often another CPU goes on.
fn switches(finding: &Finding) -> usize {
    let pairs = finding.events.windows(2);
    pairs.filter(|pair| pair[0].cpu != pair[1].cpu).count()
}
