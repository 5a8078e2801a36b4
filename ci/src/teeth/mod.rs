// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq teeth`: whether the theorems bite. Every seeded bug has to be caught, and every weaker ordering.

mod hunt;
mod mutation;
mod orderings;
mod patch;
mod tree;

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::{anyhow, Context, Result};
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;
use prodq_models::catalog::{cases, scenarios, Tier};
use prodq_models::verify::Manifest;
use serde::Serialize;

use self::hunt::{Quick, Sight, WORLDS};
use self::patch::{patches, Patch};
use self::tree::{Program, Tree};
use crate::{say, tell, workers, End};

/// Break the core in every way that is kept in models/mutants, and see which theorem notices
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    instead: Option<Instead>,
    /// The bugs to seed, by the names of their patches; all by default
    mutant: Vec<String>,
    /// Print a JSON object for each bug and a last one for the score, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// What else there is to break.
#[derive(clap::Subcommand)]
enum Instead {
    Orderings(orderings::Args),
    Mutation(mutation::Args),
}

/// What became of a bug.
#[derive(Serialize)]
struct Verdict<'a> {
    mutant: &'a str,
    theorem: Option<&'static str>,
    world: Option<&'static str>,
    scenario: Option<&'a str>,
    killed: bool,
    executions: u64,
    wall_ms: u64,
}

/// The sum of it.
#[derive(Serialize)]
struct Score {
    killed: usize,
    total: usize,
    score: f64,
}

/// A bug and what the worlds have seen of it.
struct Hunted<'a> {
    patch: &'a Patch,
    sights: BTreeMap<&'static str, Sight>,
}

impl Hunted<'_> {
    fn verdict(&self) -> Verdict<'_> {
        let caught = WORLDS.iter().find_map(|world| {
            let sight = self.sights.get(world)?;
            let (theorem, scenario) = sight.caught.as_ref()?;
            Some((*world, sight, *theorem, scenario.as_str()))
        });
        let all = self.sights.values();
        Verdict {
            mutant: &self.patch.name,
            theorem: caught.map(|(_, _, theorem, _)| theorem.name()),
            world: caught.map(|(world, ..)| world),
            scenario: caught.map(|(.., scenario)| scenario),
            killed: caught.is_some(),
            executions: caught.map_or_else(
                || all.clone().map(|sight| sight.executions).sum(),
                |(_, sight, ..)| sight.executions,
            ),
            wall_ms: caught.map_or_else(
                || all.clone().map(|sight| sight.wall_ms).sum(),
                |(_, sight, ..)| sight.wall_ms,
            ),
        }
    }

    /// Whether a theorem of the header was refuted in the scenario of the header.
    fn is_as_the_header_says(&self) -> bool {
        let as_said = |sight: &Sight| {
            sight.caught.as_ref().is_some_and(|(theorem, scenario)| {
                self.patch.theorems.contains(theorem) && *scenario == self.patch.scenario
            })
        };
        self.sights.values().any(as_said)
    }
}

/// Seeds the bugs that were asked for, one by one.
pub fn teeth(args: &Args) -> Result<End> {
    match &args.instead {
        Some(Instead::Orderings(args)) => return orderings::orderings(args),
        Some(Instead::Mutation(args)) => return mutation::mutation(args),
        None => {}
    }
    let all = patches()?;
    let known = scenarios();
    for patch in &all {
        if !known.iter().any(|it| it.name == patch.scenario) {
            let (name, scenario) = (&patch.name, &patch.scenario);
            return Err(anyhow!(
                "{name}.patch names the scenario {scenario}; there is none"
            ));
        }
    }
    if let Some(name) = args
        .mutant
        .iter()
        .find(|name| all.iter().all(|it| it.name != **name))
    {
        let names: Vec<_> = all.iter().map(|patch| patch.name.as_str()).collect();
        tell(format_args!(
            "error: there is no bug {name}; there are {}",
            names.join(", ")
        ));
        return Ok(End::BadCall);
    }
    let asked = |patch: &&Patch| args.mutant.is_empty() || args.mutant.contains(&patch.name);
    let asked: Vec<_> = all.iter().filter(asked).collect();
    let manifest = Manifest::load(&Manifest::path()).map_err(|error| anyhow!(error))?;
    let cases = cases(Tier::Quick);
    let quick = Quick::new(&cases, &manifest);
    let start = Instant::now();
    let bar = workers::progress(asked.len() as u64, "bugs");
    let mut hunted = Vec::new();
    thread::scope(|scope| -> Result<()> {
        // The next bug is built while this one is hunted.
        let (built, broken) = mpsc::sync_channel(1);
        let build = scope.spawn(move || build_all(&asked, &built));
        for (patch, program) in broken {
            bar.set_message(patch.name.clone());
            let sights = quick.hunt(&program, patch)?;
            let one = Hunted { patch, sights };
            if args.json {
                say(serde_json::to_string(&one.verdict())?);
            }
            hunted.push(one);
            bar.inc(1);
        }
        match build.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    bar.finish_and_clear();
    let killed = hunted.iter().filter(|it| it.verdict().killed).count();
    let score = Score {
        killed,
        total: hunted.len(),
        score: killed as f64 / hunted.len() as f64,
    };
    if args.json {
        say(serde_json::to_string(&score)?);
    } else {
        say(matrix(&hunted));
        say(format_args!(
            "{} of {} seeded bugs are caught, in {:.0} s",
            score.killed,
            score.total,
            start.elapsed().as_secs_f64()
        ));
    }
    Ok(conclude(&hunted))
}

/// Builds a program around each bug and hands it over.
fn build_all<'a>(
    patches: &[&'a Patch],
    built: &mpsc::SyncSender<(&'a Patch, Program)>,
) -> Result<()> {
    let tree = Tree::copy()?;
    for patch in patches {
        tree.apply(patch)?;
        let program = tree.build(&patch.name, "teeth");
        let program = program.with_context(|| format!("{}.patch", patch.name))?;
        if built.send((patch, program)).is_err() {
            // Whoever hunts has given up, and says why.
            break;
        }
    }
    Ok(())
}

fn conclude(hunted: &[Hunted<'_>]) -> End {
    let mut end = End::AsExpected;
    for one in hunted {
        let patch = one.patch;
        if !one.verdict().killed {
            tell(format_args!(
                "unexpected: {} survives: {}",
                patch.name, patch.what
            ));
        } else if !one.is_as_the_header_says() {
            let names: Vec<_> = patch.theorems.iter().map(|it| it.name()).collect();
            tell(format_args!(
                "unexpected: {} is caught, but not by {} in scenario {}, as its header says",
                patch.name,
                names.join(" or "),
                patch.scenario
            ));
        } else {
            continue;
        }
        end = End::Unexpected;
    }
    end
}

/// Bugs by worlds. A cell is the theorem that caught it first, and after how many executions.
fn matrix(hunted: &[Hunted<'_>]) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let head = [
        "bug", "scenario", "explore", "shuttle", "loom", "threads", "s",
    ];
    table.set_header(head);
    for one in hunted {
        let verdict = one.verdict();
        let mut row = vec![
            one.patch.name.clone(),
            verdict.scenario.unwrap_or("-").to_owned(),
        ];
        for world in WORLDS {
            row.push(match one.sights.get(world) {
                Some(sight) => match &sight.caught {
                    Some((theorem, _)) => format!("{theorem}, {}", sight.executions),
                    None => format!("not in {}", sight.executions),
                },
                None => String::new(),
            });
        }
        row.push(format!("{:.1}", verdict.wall_ms as f64 / 1000.0));
        table.add_row(row);
    }
    table.to_string()
}
