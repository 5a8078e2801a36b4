// SPDX-License-Identifier: MIT OR Apache-2.0

//! A case's rows in the theorem table, and what they are expected to be.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::catalog::{applies, concerns, Case, Tier};
use crate::coverage::Coverage;
use crate::fault::Fault;
use crate::theorem::Theorem;
use crate::witness::{Witness, WitnessError};
use crate::world::{run, Job, Outcome, World};

/// What a run says of a theorem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A complete exploration by the validated explorer, or a proof.
    Proved,
    /// Nothing was found, by sampling or by an exploration that is not validated to be exhaustive.
    Holds,
    /// Nothing was found before the run was cut short.
    Truncated,
    /// A counterexample was found.
    Refuted,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Verdict::Proved => "proved",
            Verdict::Holds => "holds",
            Verdict::Truncated => "truncated",
            Verdict::Refuted => "refuted",
        })
    }
}

/// A line of the theorem table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The theorem.
    pub theorem: Theorem,
    /// The world.
    pub world: String,
    /// The memory model.
    pub model: String,
    /// The tier that it was played in.
    pub tier: Tier,
    /// The scenario.
    pub scenario: String,
    /// CPUs in it.
    pub cpus: usize,
    /// Nodes in it.
    pub nodes: usize,
    /// Packets offered in it, at most.
    pub packets: usize,
    /// The design and its admission policy.
    pub design: String,
    /// Executions played.
    pub executions: u64,
    /// How many there were when the case was pinned.
    pub expected_executions: Option<u64>,
    /// Of the explorer: executions that were given up because they would have repeated others.
    pub blocked: u64,
    /// Of an explorer's run that was cut short: how many executions there are at least, to all
    /// appearances.
    pub estimate: Option<f64>,
    /// Whether the world says that there are no more.
    pub complete: bool,
    /// What it showed.
    pub verdict: Verdict,
    /// What it should show.
    pub expected: Verdict,
    /// For `bounded-overshoot`: the largest `rmem_alloc` seen, in bytes.
    pub largest: Option<i64>,
    /// For `bounded-overshoot`: what it was when the case was pinned.
    pub expected_largest: Option<i64>,
    /// For `refinement`: how many steps were replayed against the spec.
    #[serde(default)]
    pub steps: Option<u64>,
    /// Milliseconds for the case, which all its theorems share.
    pub wall_ms: u64,
    /// The witness file, of a counterexample or of the largest `rmem_alloc`.
    pub witness: Option<PathBuf>,
}

impl Row {
    /// Whether the row says what it should.
    pub fn is_expected(&self) -> bool {
        let executions = match self.expected_executions {
            Some(pinned) => pinned == self.executions,
            // Real threads cannot be pinned, and the tiers above the quick one need not be.
            None => self.world == "threads" || self.tier > Tier::Quick,
        };
        let largest = self.expected_largest.is_none() || self.expected_largest == self.largest;
        self.verdict == self.expected && executions && largest
    }
}

/// What was seen of a case when it was last accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    tier: Tier,
    scenario: String,
    world: String,
    model: String,
    executions: u64,
    complete: bool,
    largest: i64,
    /// The theorems that the kernel's own design breaks there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    refuted: Vec<Theorem>,
}

impl Pin {
    fn expected(&self, theorem: Theorem) -> Verdict {
        match (self.world.as_str(), self.complete) {
            _ if self.refuted.contains(&theorem) => Verdict::Refuted,
            ("explore", true) => Verdict::Proved,
            ("explore" | "loom", false) => Verdict::Truncated,
            _ => Verdict::Holds,
        }
    }
}

/// The pinned cases.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Manifest {
    pins: Vec<Pin>,
}

impl Manifest {
    /// Where it is kept.
    pub fn path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("manifest.json")
    }

    /// Reads a manifest.
    ///
    /// # Errors
    /// It says that it cannot be read, or that it is not a manifest.
    pub fn load(path: &Path) -> Result<Manifest, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{} is not a manifest: {error}", path.display()))
    }

    /// Writes it, one pin a line.
    ///
    /// # Errors
    /// It says that it cannot be written.
    pub fn store(&self, path: &Path) -> Result<(), String> {
        let lines: Result<Vec<_>, _> = self.pins.iter().map(serde_json::to_string).collect();
        let lines = lines.map_err(|error| error.to_string())?;
        let text = format!("{{\"pins\": [\n{}\n]}}\n", lines.join(",\n"));
        std::fs::write(path, text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }

    /// How many executions a case took when it was pinned; 0 when it was not.
    pub fn executions(&self, tier: Tier, case: &Case) -> u64 {
        self.pin(tier, case).map_or(0, |pin| pin.executions)
    }

    /// The theorems that the kernel's own design breaks there.
    pub fn refuted(&self, tier: Tier, case: &Case) -> &[Theorem] {
        self.pin(tier, case).map_or(&[], |pin| &pin.refuted)
    }

    fn pin(&self, tier: Tier, case: &Case) -> Option<&Pin> {
        self.pins.iter().find(|pin| {
            pin.tier == tier
                && pin.scenario == case.scenario.name
                && pin.world == case.world.name()
                && pin.model == case.world.model()
        })
    }

    /// Fills in what is expected of a row of this tier.
    pub fn expect(&self, tier: Tier, row: &mut Row) {
        let of_row = |pin: &&Pin| {
            let case = (&pin.scenario, &pin.world, &pin.model);
            pin.tier == tier && case == (&row.scenario, &row.world, &row.model)
        };
        let Some(pin) = self.pins.iter().find(of_row) else {
            // What the kernel's design breaks in the quick tier it may break here; nothing else.
            let known =
                |pin: &Pin| pin.scenario == row.scenario && pin.refuted.contains(&row.theorem);
            let may_be_refuted = self.pins.iter().any(known);
            row.expected = match row.verdict {
                Verdict::Refuted if !may_be_refuted => Verdict::Holds,
                verdict => verdict,
            };
            return;
        };
        row.expected_executions = Some(pin.executions);
        row.expected_largest = row.largest.map(|_| pin.largest);
        row.expected = pin.expected(row.theorem);
    }

    /// What a theorem is expected to be in a case of this tier; `None` when the case is not pinned, as those
    /// of real threads never are.
    pub fn expected(&self, tier: Tier, case: &Case, theorem: Theorem) -> Option<Verdict> {
        self.pin(tier, case).map(|pin| pin.expected(theorem))
    }

    /// Takes what a case shows now as what it should show.
    pub fn accept(&mut self, accepted: Pin) {
        let key = |pin: &Pin| {
            (
                pin.tier,
                pin.scenario.clone(),
                pin.world.clone(),
                pin.model.clone(),
            )
        };
        self.pins.retain(|pin| key(pin) != key(&accepted));
        self.pins.push(accepted);
        self.pins.sort_by_key(key);
    }
}

/// Whether a world plays the same executions on every run.
fn is_repeatable(world: World) -> bool {
    !matches!(world, World::Threads { .. })
}

/// What a case showed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// A row for each theorem that applies, without what is expected of it.
    pub rows: Vec<Row>,
    /// What to pin. Only what is the same on every run and every machine is pinned, which real threads
    /// are not.
    pub pin: Option<Pin>,
    /// What was seen in it.
    pub coverage: Coverage,
    /// Whether it was explored to the end.
    pub explored: bool,
}

/// How a run is watched while it goes on, and kept from starting again.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Executions so far.
    pub ticks: Arc<AtomicU64>,
    /// How much of an exploration is behind; see [`Job::share`].
    pub share: Arc<AtomicU64>,
    /// Where the explorer's checkpoints are kept, if they are.
    pub checkpoints: Option<PathBuf>,
    /// The run ends as soon as one of these theorems is refuted.
    pub until: Vec<Theorem>,
    /// What is broken.
    pub fault: Fault,
}

/// Runs a case and leaves its witnesses in `folder`. Every theorem that applies is watched, so that the
/// executions do not depend on which of them somebody asks for.
///
/// # Errors
/// [`WitnessError`] when the case makes no sense or a witness cannot be written.
pub fn see(case: &Case, tier: Tier, folder: &Path, watch: &Watch) -> Result<Report, WitnessError> {
    let applying =
        |theorem: &&Theorem| applies(**theorem, case.world) && concerns(**theorem, &case.scenario);
    let theorems: Vec<_> = Theorem::ALL.iter().filter(applying).copied().collect();
    let mut job = Job::new(case.scenario.clone(), case.world, &theorems);
    job.ticks = Arc::clone(&watch.ticks);
    job.share = Arc::clone(&watch.share);
    job.until.clone_from(&watch.until);
    job.fault.clone_from(&watch.fault);
    job.checkpoint = watch.checkpoints.as_ref().map(|folder| {
        let model = case.world.model().to_lowercase();
        folder.join(format!("{}-{model}.json", case.scenario.name))
    });
    let start = Instant::now();
    let outcome = run(&job)?;
    let wall_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut rows = Vec::new();
    for &theorem in &theorems {
        let mut row = row(&job, tier, &outcome, theorem, wall_ms);
        let finding = outcome.findings.get(&theorem);
        let reached = outcome.reached.as_ref().filter(|_| row.largest.is_some());
        if let Some(finding) = finding.or(reached) {
            let model = match case.world {
                World::Loom {
                    newest_loads: true, ..
                } => "-newest".to_owned(),
                World::Explore { .. } => format!("-{}", case.world.model().to_lowercase()),
                _ => String::new(),
            };
            let place = format!("{}-{}{model}", case.scenario.name, case.world.name());
            let path = folder.join(format!("{place}-{theorem}.json"));
            Witness::new(&job, theorem, finding).write(&path)?;
            row.witness = Some(path);
        }
        rows.push(row);
    }
    let pin = is_repeatable(case.world).then(|| Pin {
        tier,
        scenario: case.scenario.name.clone(),
        world: case.world.name().to_owned(),
        model: case.world.model(),
        executions: outcome.executions,
        complete: outcome.complete,
        largest: outcome.largest,
        refuted: outcome.findings.keys().copied().collect(),
    });
    let explored = outcome.complete && matches!(case.world, World::Explore { .. });
    Ok(Report {
        rows,
        pin,
        coverage: outcome.coverage,
        explored,
    })
}

fn row(job: &Job, tier: Tier, outcome: &Outcome, theorem: Theorem, wall_ms: u64) -> Row {
    let verdict = if outcome.findings.contains_key(&theorem) {
        Verdict::Refuted
    } else if outcome.cut_short {
        Verdict::Truncated
    } else if outcome.complete && matches!(job.world, World::Explore { .. }) {
        Verdict::Proved
    } else {
        Verdict::Holds
    };
    Row {
        theorem,
        world: job.world.name().to_owned(),
        model: job.world.model(),
        tier,
        scenario: job.scenario.name.clone(),
        cpus: job.scenario.cpus.len(),
        nodes: job.scenario.nodes,
        packets: job.scenario.packets(),
        design: job.scenario.design(),
        executions: outcome.executions,
        expected_executions: None,
        blocked: outcome.blocked,
        estimate: outcome.estimate,
        complete: outcome.complete,
        verdict,
        expected: Verdict::Holds,
        largest: (theorem == Theorem::BoundedOvershoot).then_some(outcome.largest),
        expected_largest: None,
        steps: (theorem == Theorem::Refinement).then_some(outcome.steps),
        wall_ms,
        witness: None,
    }
}
