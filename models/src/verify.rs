// SPDX-License-Identifier: MIT OR Apache-2.0

//! A case's rows in the theorem table, and what they are expected to be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::catalog::{applies, Case, Tier};
use crate::theorem::Theorem;
use crate::witness::Witness;
use crate::world::{run, Job, JobError, Outcome, World};

/// What a run says of a theorem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A complete exploration by a validated explorer, or a proof. No world of today says so.
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
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The theorem.
    pub theorem: Theorem,
    /// The world.
    pub world: &'static str,
    /// The memory model.
    pub model: String,
    /// The scenario.
    pub scenario: String,
    /// CPUs in it.
    pub cpus: usize,
    /// Nodes in it.
    pub nodes: usize,
    /// Packets offered in it, at most.
    pub packets: usize,
    /// The design and its admission policy.
    pub design: &'static str,
    /// Executions played.
    pub executions: u64,
    /// How many there were when the case was pinned.
    pub expected_executions: Option<u64>,
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
    /// Milliseconds for the case, which all its theorems share.
    pub wall_ms: u64,
    /// The witness file, of a counterexample or of the largest `rmem_alloc`.
    pub witness: Option<PathBuf>,
}

impl Row {
    /// Whether the row says what it should.
    pub fn is_expected(&self) -> bool {
        let pinned = |pin: Option<u64>| pin.is_none_or(|pin| pin == self.executions);
        let largest = self.expected_largest.is_none() || self.expected_largest == self.largest;
        self.verdict == self.expected && pinned(self.expected_executions) && largest
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

    /// The manifest of this tree.
    ///
    /// # Errors
    /// It says that it cannot be read, or that it is not a manifest.
    pub fn load() -> Result<Manifest, String> {
        let path = Manifest::path();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{} is not a manifest: {error}", path.display()))
    }

    /// Writes it, one pin a line.
    ///
    /// # Errors
    /// It says that it cannot be written.
    pub fn store(&self) -> Result<(), String> {
        let path = Manifest::path();
        let lines: Result<Vec<_>, _> = self.pins.iter().map(serde_json::to_string).collect();
        let lines = lines.map_err(|error| error.to_string())?;
        let text = format!("{{\"pins\": [\n{}\n]}}\n", lines.join(",\n"));
        std::fs::write(&path, text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }

    fn find(&self, tier: Tier, case: &Case) -> Option<&Pin> {
        self.pins.iter().find(|pin| {
            pin.tier == tier
                && pin.scenario == case.scenario.name
                && pin.world == case.world.name()
                && pin.model == case.world.model()
        })
    }

    /// Takes what a case shows now as what it should show. Only what is the same on every run and
    /// every machine is pinned, which real threads are not.
    pub fn accept(&mut self, tier: Tier, case: &Case, seen: &Seen) {
        if !is_repeatable(case.world) {
            return;
        }
        let name = (&case.scenario.name, case.world.name(), case.world.model());
        self.pins.retain(|pin| {
            pin.tier != tier || (&pin.scenario, pin.world.as_str(), pin.model.clone()) != name
        });
        self.pins.push(Pin {
            tier,
            scenario: case.scenario.name.clone(),
            world: case.world.name().to_owned(),
            model: case.world.model(),
            executions: seen.outcome.executions,
            complete: seen.outcome.complete,
            largest: seen.outcome.largest,
            refuted: seen.outcome.findings.keys().copied().collect(),
        });
    }
}

/// Whether a world plays the same executions on every run.
fn is_repeatable(world: World) -> bool {
    !matches!(world, World::Threads { .. })
}

/// A case that was run.
pub struct Seen {
    /// What the run showed.
    pub outcome: Outcome,
    job: Job,
    wall_ms: u64,
}

/// Runs a case for these theorems.
///
/// # Errors
/// [`JobError`] when the case makes no sense.
pub fn see(case: &Case, job: Job) -> Result<Seen, JobError> {
    debug_assert_eq!(case.scenario, job.scenario);
    let start = Instant::now();
    let outcome = run(&job)?;
    Ok(Seen {
        outcome,
        job,
        wall_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// The job of a case: those of the theorems that apply in its world.
pub fn job(case: &Case, theorems: &[Theorem]) -> Job {
    let applying = |theorem: &&Theorem| applies(**theorem, case.world);
    let theorems: Vec<_> = theorems.iter().filter(applying).copied().collect();
    Job::new(case.scenario.clone(), case.world, &theorems)
}

impl Seen {
    fn verdict(&self, theorem: Theorem) -> Verdict {
        if self.outcome.findings.contains_key(&theorem) {
            Verdict::Refuted
        } else if self.outcome.cut_short {
            Verdict::Truncated
        } else {
            Verdict::Holds
        }
    }

    /// The case's rows, and the witnesses that go with them, by file.
    pub fn rows(
        &self,
        case: &Case,
        tier: Tier,
        manifest: &Manifest,
        folder: &Path,
    ) -> (Vec<Row>, BTreeMap<PathBuf, Witness>) {
        let pin = manifest.find(tier, case);
        let mut witnesses = BTreeMap::new();
        let mut rows = Vec::new();
        for &theorem in &self.job.theorems {
            let expected = match pin {
                Some(pin) if pin.refuted.contains(&theorem) => Verdict::Refuted,
                Some(pin) if !pin.complete && case.world.name() == "loom" => Verdict::Truncated,
                Some(_) => Verdict::Holds,
                None if self.outcome.cut_short => Verdict::Truncated,
                None => Verdict::Holds,
            };
            let overshoot = theorem == Theorem::BoundedOvershoot;
            let finding = self.outcome.findings.get(&theorem);
            let shown = finding.or(self.outcome.reached.as_ref().filter(|_| overshoot));
            let witness = shown.map(|finding| {
                let model = if case.world.model().contains("newest") {
                    "-newest"
                } else {
                    ""
                };
                let file = format!(
                    "{}-{}{model}-{theorem}.json",
                    case.scenario.name,
                    case.world.name()
                );
                let path = folder.join(file);
                witnesses.insert(path.clone(), Witness::new(&self.job, theorem, finding));
                path
            });
            rows.push(Row {
                theorem,
                world: case.world.name(),
                model: case.world.model(),
                scenario: case.scenario.name.clone(),
                cpus: case.scenario.cpus.len(),
                nodes: case.scenario.nodes,
                packets: case.scenario.packets(),
                design: "prod-queue, kernel-order",
                executions: self.outcome.executions,
                expected_executions: pin.map(|pin| pin.executions),
                complete: self.outcome.complete,
                verdict: self.verdict(theorem),
                expected,
                largest: overshoot.then_some(self.outcome.largest),
                expected_largest: pin.filter(|_| overshoot).map(|pin| pin.largest),
                wall_ms: self.wall_ms,
                witness,
            });
        }
        (rows, witnesses)
    }
}
