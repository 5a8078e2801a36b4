// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq verify`: the theorem table.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{anyhow, Context, Result};
use clap::builder::PossibleValuesParser;
use clap::ValueEnum;
use prodq_models::catalog::{cases, large_scenarios, scenarios, Case, Tier};
use prodq_models::fault::Fault;
use prodq_models::theorem::Theorem;
use prodq_models::verify::{Manifest, Row, Verdict};

use crate::coverage::Seen;
use crate::{findings, say, table, tell, workers, End};

/// Check the core in all worlds and print the theorem table
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    instead: Option<Instead>,
    /// The theorems to show; all by default
    #[arg(value_parser = PossibleValuesParser::new(Theorem::ALL.iter().map(|t| t.name())))]
    theorem: Vec<String>,
    /// Only this world
    #[arg(long, value_parser = PossibleValuesParser::new(["explore", "loom", "shuttle", "threads"]))]
    world: Option<String>,
    /// Only this scenario
    #[arg(long, value_parser = PossibleValuesParser::new(names()))]
    scenario: Option<String>,
    /// How long it may take: under 1 minute, under 15 minutes, or as long as it takes
    #[arg(long, value_enum, default_value = "quick")]
    tier: TierName,
    /// Print a JSON object for each theorem, world and scenario, and nothing else, on stdout
    #[arg(long)]
    json: bool,
    /// Print a row for each scenario instead of one for all that ended alike
    #[arg(long)]
    each: bool,
    /// Show which steps and situations were seen, in how many executions, instead of the theorems
    #[arg(long)]
    coverage: bool,
    /// Keep the explorer's checkpoints in this folder, and go on from those that are there
    #[arg(long, value_name = "FOLDER")]
    resume: Option<PathBuf>,
    /// Take what is seen as what is expected from now on: rewrites models/manifest.json
    #[arg(long)]
    accept: bool,
    /// Expect what this manifest says, instead of models/manifest.json
    #[arg(long, value_name = "FILE", hide = true)]
    manifest: Option<PathBuf>,
}

/// What to show instead of the theorem table.
#[derive(clap::Subcommand)]
enum Instead {
    Findings(findings::Args),
}

/// The names of all scenarios.
fn names() -> Vec<String> {
    let all = scenarios().into_iter().chain(large_scenarios());
    all.map(|scenario| scenario.name).collect()
}

/// [`Tier`], as an argument.
#[derive(Clone, Copy, ValueEnum)]
pub enum TierName {
    Quick,
    Full,
    Deep,
}

impl TierName {
    /// The name, as it is typed.
    pub fn name(self) -> &'static str {
        match self {
            TierName::Quick => "quick",
            TierName::Full => "full",
            TierName::Deep => "deep",
        }
    }
}

impl From<TierName> for Tier {
    fn from(name: TierName) -> Tier {
        match name {
            TierName::Quick => Tier::Quick,
            TierName::Full => Tier::Full,
            TierName::Deep => Tier::Deep,
        }
    }
}

/// Runs the cases that were asked for and prints what they show.
pub fn verify(args: &Args) -> Result<End> {
    if let Some(Instead::Findings(args)) = &args.instead {
        return findings::findings(args);
    }
    let tier = Tier::from(args.tier);
    let path = args.manifest.clone().unwrap_or_else(Manifest::path);
    let mut manifest = Manifest::load(&path).map_err(|error| anyhow!(error))?;
    let wanted = |case: &Case| {
        let world = args.world.as_deref();
        let scenario = args.scenario.as_deref();
        world.is_none_or(|world| world == case.world.name())
            && scenario.is_none_or(|scenario| scenario == case.scenario.name)
    };
    let cases = cases(tier);
    let mut indices: Vec<_> = (0..cases.len()).filter(|&i| wanted(&cases[i])).collect();
    // The longest first, so that all cores are busy to the end.
    indices.sort_by_key(|&i| std::cmp::Reverse(manifest.executions(tier, &cases[i])));
    if indices.is_empty() {
        tell("error: this scenario is not played in this world and tier: loom and the explorer get at most 4 CPUs, and the quick tier leaves out what takes long");
        return Ok(End::BadCall);
    }
    if let Some(folder) = &args.resume {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    }
    let start = Instant::now();
    let reports = workers::see_all(
        args.tier,
        args.resume.as_deref(),
        &cases,
        &indices,
        &Fault::None,
    )?;
    if args.accept {
        for pin in reports.iter().filter_map(|report| report.pin.clone()) {
            manifest.accept(pin);
        }
        manifest.store(&path).map_err(|error| anyhow!(error))?;
    }
    let asked = |row: &Row| {
        args.theorem.is_empty() || args.theorem.iter().any(|name| name == row.theorem.name())
    };
    let mut seen = Seen::default();
    reports.iter().for_each(|report| seen.add(report));
    let rows = reports.into_iter().flat_map(|report| report.rows);
    let mut rows: Vec<_> = rows.filter(asked).collect();
    if rows.is_empty() {
        tell("error: these theorems are not asked of these scenarios: a theorem is asked where there is what it is about");
        return Ok(End::BadCall);
    }
    for row in &mut rows {
        manifest.expect(tier, row);
    }
    rows.sort_by_key(|row| row.theorem);
    if args.coverage {
        seen.show(args.json)?;
    } else if args.json {
        for row in &rows {
            say(serde_json::to_string(row)?);
        }
    } else {
        say(table::table(&rows, args.each));
    }
    let everything = args.world.is_none() && args.scenario.is_none();
    let missing = if everything { seen.missing() } else { vec![] };
    for name in &missing {
        tell(format_args!(
            "unexpected: {name} was not seen in any scenario where it has to be; see --coverage"
        ));
    }
    match conclude(&rows, tier, args, start.elapsed()) {
        End::AsExpected if !missing.is_empty() => Ok(End::Unexpected),
        end => Ok(end),
    }
}

/// Says whether the rows are as expected, and what to do about those that are not.
fn conclude(rows: &[Row], tier: Tier, args: &Args, elapsed: Duration) -> End {
    let unexpected: Vec<_> = rows.iter().filter(|row| !row.is_expected()).collect();
    if !args.json && !args.coverage {
        let refuted = |row: &&Row| row.verdict == Verdict::Refuted && row.is_expected();
        let (own, before): (Vec<_>, Vec<_>) = rows
            .iter()
            .filter(refuted)
            .partition(|row| row.design.starts_with("prod-queue"));
        let replay = |row: &Row| {
            let witness = row.witness.as_ref().map(|path| path.display().to_string());
            format!("cargo replay {}", witness.unwrap_or_default())
        };
        for row in own {
            say(format_args!(
                "the kernel's own design breaks {} in scenario {} ({}): {}",
                row.theorem,
                row.scenario,
                row.world,
                replay(row)
            ));
        }
        if let Some(row) = before.first() {
            say(format_args!(
                "the designs before the patch break {} in {} scenarios and worlds, for one: {}",
                row.theorem,
                before.len(),
                replay(row)
            ));
        }
    }
    if !args.json {
        for world in ["explore", "loom", "shuttle", "threads"] {
            let of_world = rows.iter().filter(|row| row.world == world);
            let steps: u64 = of_world.filter_map(|row| row.steps).sum();
            if steps != 0 {
                say(format_args!(
                    "{steps} steps in {world} were replayed against the spec"
                ));
            }
        }
        say(format_args!(
            "{} of {} results are as expected, in {:.0} s",
            rows.len() - unexpected.len(),
            rows.len(),
            elapsed.as_secs_f64()
        ));
    }
    let mut recount = false;
    for row in &unexpected {
        let place = format!(
            "{} in {} ({}), scenario {}",
            row.theorem, row.world, row.model, row.scenario
        );
        if row.expected_executions.is_none() && row.world != "threads" && tier == Tier::Quick {
            recount = true;
            tell(format_args!("unexpected: {place} is not pinned yet"));
        } else if row.verdict != row.expected {
            let witness = row.witness.as_ref().map(|path| path.display().to_string());
            let replay = witness.map(|path| format!(": cargo replay {path}"));
            tell(format_args!(
                "unexpected: {place} is {}, not {}{}",
                row.verdict,
                row.expected,
                replay.unwrap_or_default()
            ));
        } else if row.expected_executions != Some(row.executions) {
            recount = true;
            tell(format_args!(
                "unexpected: {place} took {} executions; {} are pinned",
                row.executions,
                row.expected_executions.unwrap_or_default()
            ));
        } else {
            recount = true;
            tell(format_args!(
                "unexpected: {place} reached {} bytes; {} are pinned",
                row.largest.unwrap_or_default(),
                row.expected_largest.unwrap_or_default()
            ));
        }
    }
    if recount {
        tell("if this is what the change was meant to do: cargo verify --accept");
    }
    if unexpected.is_empty() {
        End::AsExpected
    } else {
        End::Unexpected
    }
}
