// SPDX-License-Identifier: MIT OR Apache-2.0

//! A counterexample that a person can read, and a file that can be replayed.

use std::fmt::Write as _;
use std::path::Path;

use prodq::{SkbId, Step};
use serde::{Deserialize, Serialize};

use crate::context::{Event, Kind, What};
use crate::fault::Fault;
use crate::ledger::Ledger;
use crate::scenario::Scenario;
use crate::theorem::Theorem;
use crate::world::{reaching, run, Finding, Job, JobError, Outcome, Schedule, World};

const FORMAT: &str = "prodq-witness-1";

/// An execution that shows something, with all that is needed to see it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    format: String,
    /// The theorem it is about.
    pub theorem: Theorem,
    /// What it shows.
    pub what: String,
    /// The world it was found in.
    pub world: World,
    /// The scenario.
    pub scenario: Scenario,
    /// What was broken.
    pub fault: Fault,
    /// The execution.
    pub schedule: Schedule,
    /// The timeline, line by line.
    pub timeline: Vec<String>,
}

/// A file that is no witness.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// It cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, std::io::Error),
    /// It cannot be written.
    #[error("{0} cannot be written: {1}")]
    Write(String, std::io::Error),
    /// It is something else.
    #[error("{0} is not a witness file (a JSON object with \"format\": \"{FORMAT}\"): {1}")]
    Parse(String, String),
    /// It is a witness of something that cannot be played.
    #[error(transparent)]
    Job(#[from] JobError),
}

/// What became of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The same execution showed the same again.
    Same,
    /// It was recorded from real threads, which cannot be made to repeat it.
    Recorded,
    /// Something else happened.
    Different(String),
}

impl Witness {
    /// The witness of a finding of this job.
    pub fn new(job: &Job, theorem: Theorem, finding: &Finding) -> Witness {
        Witness {
            format: FORMAT.to_owned(),
            theorem,
            what: finding.what.clone(),
            world: job.world,
            scenario: job.scenario.clone(),
            fault: job.fault.clone(),
            schedule: finding.schedule.clone(),
            timeline: timeline(&job.scenario, &finding.events),
        }
    }

    /// Reads a witness file.
    ///
    /// # Errors
    /// [`WitnessError`] says what is wrong with the file.
    pub fn read(path: &Path) -> Result<Witness, WitnessError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| WitnessError::Read(name.clone(), error))?;
        let witness: Witness = serde_json::from_str(&text)
            .map_err(|error| WitnessError::Parse(name.clone(), error.to_string()))?;
        if witness.format != FORMAT {
            let error = format!("its format is {:?}", witness.format);
            return Err(WitnessError::Parse(name, error));
        }
        Ok(witness)
    }

    /// Writes a witness file, and the folders above it.
    ///
    /// # Errors
    /// [`WitnessError::Write`].
    pub fn write(&self, path: &Path) -> Result<(), WitnessError> {
        let text = serde_json::to_string_pretty(self).map_err(std::io::Error::from);
        let write = |text: String| {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, text + "\n")
        };
        text.and_then(write)
            .map_err(|error| WitnessError::Write(path.display().to_string(), error))
    }

    /// Plays the execution again.
    ///
    /// # Errors
    /// [`JobError`] when the witness is of something that cannot be played.
    pub fn replay(&self) -> Result<Replay, JobError> {
        if self.schedule == Schedule::Recorded {
            return Ok(Replay::Recorded);
        }
        let mut job = Job::new(self.scenario.clone(), self.world, &[self.theorem]);
        job.fault = self.fault.clone();
        job.only = Some(self.schedule.clone());
        let outcome = run(&job)?;
        let Some(finding) = self.same(&outcome) else {
            return Ok(Replay::Different("nothing was found".to_owned()));
        };
        let again = timeline(&self.scenario, &finding.events);
        Ok(if finding.what != self.what {
            Replay::Different(finding.what.clone())
        } else if again != self.timeline {
            Replay::Different("the same was found on another way".to_owned())
        } else {
            Replay::Same
        })
    }

    fn same<'a>(&self, outcome: &'a Outcome) -> Option<&'a Finding> {
        if self.what == reaching(outcome.largest) {
            return outcome.reached.as_ref();
        }
        outcome.findings.get(&self.theorem)
    }

    /// The whole witness for a terminal.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}: {}", self.theorem, self.what);
        let _ = writeln!(
            text,
            "{} ({}), scenario {}, rcvbuf {} bytes: {}",
            self.world.name(),
            self.world.model(),
            self.scenario.name,
            self.scenario.rcvbuf,
            self.scenario.scripts()
        );
        if self.fault != Fault::None {
            let _ = writeln!(text, "broken on purpose: {:?}", self.fault);
        }
        for line in &self.timeline {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

/// At most so many CPUs get a column of their own.
const COLUMNS: usize = 4;
const WIDTH: usize = 30;

/// One line an event: a column for each CPU, and the counters after it.
pub fn timeline(scenario: &Scenario, events: &[Event]) -> Vec<String> {
    let mut ledger = Ledger::new(scenario, true);
    let cpus = scenario.cpus.len();
    let mut lines = vec![heading(scenario)];
    for (index, event) in events.iter().enumerate() {
        ledger.enter(event, scenario);
        let text = describe(&ledger, event);
        let lanes = if cpus <= COLUMNS {
            let lane = |cpu| {
                let text = if cpu == event.cpu { text.as_str() } else { "" };
                format!("{text:WIDTH$}")
            };
            (0..cpus).map(lane).collect::<Vec<_>>().join("| ")
        } else {
            format!("CPU {:<3} {text:WIDTH$}", event.cpu)
        };
        lines.push(format!("{:>5}  {lanes}| {}", index + 1, counters(&ledger)));
    }
    lines
}

fn heading(scenario: &Scenario) -> String {
    let cpus = scenario.cpus.len();
    let lanes = if cpus <= COLUMNS {
        let lane = |(index, cpu): (usize, &crate::scenario::Cpu)| {
            let text = format!("CPU {index} (node {})", cpu.node);
            format!("{text:WIDTH$}")
        };
        let lanes: Vec<_> = scenario.cpus.iter().enumerate().map(lane).collect();
        lanes.join("| ")
    } else {
        format!("CPU     {:WIDTH$}", "")
    };
    format!(" step  {lanes}| node: bytes/listed | rmem_alloc, pages")
}

fn counters(ledger: &Ledger) -> String {
    let node = |(index, node): (usize, &crate::ledger::Node)| {
        format!("{index}: {}/{}", node.rmem_alloc, node.list.len())
    };
    let busy = |(_, node): &(usize, &crate::ledger::Node)| {
        ledger.nodes.len() <= 2 || node.rmem_alloc != 0 || !node.list.is_empty()
    };
    let nodes: Vec<_> = ledger
        .nodes
        .iter()
        .enumerate()
        .filter(busy)
        .map(node)
        .collect();
    format!(
        "{} | {}, {}",
        nodes.join("  "),
        ledger.rmem_alloc,
        ledger.pages
    )
}

fn describe(ledger: &Ledger, event: &Event) -> String {
    let p = |skb: SkbId| match ledger.number(skb) {
        Some(number) => format!("p{number}"),
        None => "an unknown packet".to_owned(),
    };
    match event.what {
        What::Offer { skb, size, .. } => format!("offer {} ({size} B)", p(skb)),
        What::Return { skb, refused: true } => format!("has {} again", p(skb)),
        What::Return { .. } => "returns".to_owned(),
        What::Deliver { skb, dropcount: 0 } => format!("received {}", p(skb)),
        What::Deliver { skb, dropcount } => format!("received {} stamped {dropcount}", p(skb)),
        What::Told { found: Some(skb) } => format!("was shown {}", p(skb)),
        What::Told { found: None } => "was told that there is nothing".to_owned(),
        What::Freed { kind, address } => match kind {
            Kind::Packet => format!("freed {}", p(SkbId(address))),
            Kind::Nodes => "freed the node queues".to_owned(),
            Kind::Sock => "freed the socket".to_owned(),
            Kind::Busylocks => "freed the busylocks".to_owned(),
        },
        What::TouchedFreed { what } => format!("touches {what}, freed"),
        What::DataRace { what, .. } => format!("data race on {what}"),
        What::Hand { skb, .. } => format!("hand {} to a free list", p(skb)),
        What::Stuck => "waits for the lock for ever".to_owned(),
        What::Flushed => "every free list is flushed".to_owned(),
        What::Deadlock => "deadlock: every CPU waits".to_owned(),
        What::FinalDrops { value } => format!("the socket counts {value} drops"),
        What::Step(step) => describe_step(step, &p),
    }
}

fn describe_step(step: Step, p: &dyn Fn(SkbId) -> String) -> String {
    match step {
        Step::ReadRmem { value } => format!("read rmem_alloc: {value}"),
        Step::ReadNode { node, value } => format!("read node {node}: {value}"),
        Step::Refuse { skb, reason, .. } => format!("refuse {}: {reason:?}", p(skb)),
        Step::Condense { skb, from, to } => format!("condense {}: {from} to {to}", p(skb)),
        Step::Charge {
            node, size, old, ..
        } => format!("charge node {node}: {old} + {size}"),
        Step::ChargeSock { skb, size, old } => format!("{} charged: {old} + {size}", p(skb)),
        Step::UnchargeSock { skb, size, old } => format!("{} uncharged: {old} - {size}", p(skb)),
        Step::Retry { skb } => format!("retry the push of {}", p(skb)),
        Step::Push { skb, was_empty, .. } => {
            let elected = if was_empty { ", elected" } else { "" };
            format!("push {}{elected}", p(skb))
        }
        Step::ReadDrops { value } => format!("read drops: {value}"),
        Step::Lock { lock } => format!("lock {lock:?}"),
        Step::TakeAll { node, empty } => {
            let nothing = if empty { ": nothing" } else { "" };
            format!("take the list of node {node}{nothing}")
        }
        Step::ChargePages { pages, old } => format!("charge pages: {old} + {pages}"),
        Step::ReadPressure { value } => format!("under pressure, rmem {value}"),
        Step::UnchargePages { pages, old } => format!("return pages: {old} - {pages}"),
        Step::Queue { skb, dropcount: 0 } => format!("queue {}", p(skb)),
        Step::Queue { skb, dropcount } => format!("queue {} stamped {dropcount}", p(skb)),
        Step::NoMemory { skb } => format!("no memory for {}", p(skb)),
        Step::AddRmem { size, old } => format!("rmem_alloc: {old} + {size}"),
        Step::Unlock { lock, .. } => format!("unlock {lock:?}"),
        Step::Free { skb, reason } => format!("free {}: {reason:?}", p(skb)),
        Step::AddDrops { slot, count, old } => format!("drops{slot}: {old} + {count}"),
        Step::Uncharge { node, size, old } => format!("uncharge node {node}: {old} - {size}"),
        Step::Dequeue { skb } => format!("dequeue {}", p(skb)),
        Step::Peek { skb } => format!("peek at {}", p(skb)),
        Step::Empty => "nothing to receive".to_owned(),
        Step::HoldBack { deficit } => format!("hold back {deficit} B"),
        Step::SubRmem { size, old } => format!("rmem_alloc: {old} - {size}"),
        Step::Splice { count } => format!("splice {count}"),
        Step::Len { queue, by, old } => format!("{queue:?} queue: {old} {by:+}"),
        Step::Sleepers { by, old } => format!("sleepers: {old} {by:+}"),
        Step::Sleep => "sleep".to_owned(),
        Step::Awake { woken: true } => "awake".to_owned(),
        Step::Awake { woken: false } => "interrupted".to_owned(),
        Step::Wake { woken: true } => "wake a reader".to_owned(),
        Step::Wake { woken: false } => "wake: nobody".to_owned(),
        Step::Orphan => "mark the socket dead".to_owned(),
        Step::DeferCount { owner, old, .. } => format!("count for CPU {owner}: {old} + 1"),
        Step::DeferFull { skb, .. } => format!("full: keeps {}", p(skb)),
        Step::Defer { owner, skb, .. } => format!("{} to CPU {owner}'s list", p(skb)),
        Step::DeferReset { owner, old, .. } => format!("reset CPU {owner}'s count: {old} to 0"),
        Step::DeferTake { owner, .. } => format!("take CPU {owner}'s list"),
        Step::SetRcvbuf { from, to } => format!("rcvbuf: {from} to {to}"),
        Step::SetThreshold { to } => format!("release threshold: {to}"),
        Step::Init { nodes: 0 } => "init: no memory".to_owned(),
        Step::Init { nodes } => format!("init: {nodes} nodes"),
        Step::Destruct => "destruct".to_owned(),
        Step::FreeNodes => "give the node queues back".to_owned(),
        Step::Destructed { forward_alloc } => format!("destructed, forward {forward_alloc}"),
        Step::Publish { .. } => "publish".to_owned(),
        Step::LookUp { found: true, .. } => "look up".to_owned(),
        Step::LookUp { .. } => "look up: closed".to_owned(),
        Step::Unpublish { .. } => "unpublish".to_owned(),
    }
}
