// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq teeth mutation`: every change of the core that cargo-mutants knows. The theorems are asked first, in
//! small scenarios; then the core's own tests about what they let through, and the theorems once more, in
//! larger ones. What is left must be argued in models/mutants/survivors.md.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::{mpsc, Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, Context, Result};
use prodq_models::catalog::{cases, Tier};
use prodq_models::verify::Manifest;
use serde::{Deserialize, Serialize};

use super::hunt::{Quick, Sight, Sights};
use super::patch::{root, Patch};
use super::tree::{Program, Tree};
use prodq_ci::markdown::table;

use crate::{say, tell, workers, End};

/// Those in which seeded bugs were ever seen first.
const WORLDS: [&str; 2] = ["explore", "shuttle"];

/// The executions of the largest case that is played.
const LARGEST: u64 = 20_000;

/// A test program of an unbroken core takes a few seconds.
const LONGEST_TEST: Duration = Duration::from_secs(60);

/// Change the core in every way that cargo-mutants knows, and see what notices
#[derive(clap::Args)]
pub struct Args {
    /// Only changes whose name contains this: core/src/llist.rs, or a function
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Print a JSON object for each change, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// A change, as `cargo mutants --list --json` tells it.
#[derive(Deserialize)]
struct Listed {
    name: String,
    file: String,
    diff: String,
}

/// What noticed a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Notice {
    /// It is no program.
    Compiler,
    /// A theorem is refuted.
    Theorem,
    /// The core crashes or hangs in a scenario.
    Crash,
    /// A test of the core's own fails.
    Test,
    /// Nothing is refuted, but the executions are other ones than those that are pinned.
    Count,
    /// Nothing did.
    Nothing,
}

/// What became of a change.
#[derive(Clone, Serialize)]
struct Outcome {
    change: String,
    notice: Notice,
    /// The theorem, the scenario or the test.
    what: String,
    world: &'static str,
    wall_ms: u64,
}

impl Outcome {
    fn survives(&self) -> bool {
        matches!(self.notice, Notice::Nothing | Notice::Count)
    }
}

/// Makes the changes one by one.
pub fn mutation(args: &Args) -> Result<End> {
    let start = Instant::now();
    let patches = changes(&args.only)?;
    if patches.is_empty() {
        tell(format_args!(
            "error: no change's name contains {:?}: they are those of `cargo mutants --list`",
            args.only
        ));
        return Ok(End::BadCall);
    }
    let tree = Tree::copy()?;
    let all: Vec<_> = patches.iter().collect();
    let mut outcomes = by_theorems(&tree, &all, "teeth")?;
    for (outcome, patch) in outcomes.iter_mut().zip(&patches) {
        if outcome.survives() {
            tree.apply(patch)?;
            if let Some(test) = tree.failing_test(LONGEST_TEST)? {
                *outcome = self::outcome(patch, Notice::Test, &test, "", 0);
            }
        }
    }
    let again = (0..all.len()).filter(|&index| outcomes[index].survives());
    let again: Vec<_> = again.collect();
    let survivors: Vec<_> = again.iter().map(|&index| all[index]).collect();
    for (index, outcome) in again.iter().zip(by_theorems(&tree, &survivors, "dev")?) {
        outcomes[*index] = outcome;
    }
    if args.json {
        for outcome in &outcomes {
            say(serde_json::to_string(outcome)?);
        }
    }
    if !args.json {
        say(summary(&outcomes));
        say(format_args!(
            "{} changes, in {:.0} s",
            outcomes.len(),
            start.elapsed().as_secs_f64()
        ));
    }
    conclude(&outcomes)
}

/// The changes as patches, by name.
fn changes(only: &str) -> Result<Vec<Patch>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "mutants",
            "--package",
            "prodq",
            "--list",
            "--json",
            "--diff",
        ])
        .current_dir(root())
        .output()
        .context("cargo cannot be run")?;
    if !output.status.success() {
        bail!(
            "cargo mutants, which `cargo install cargo-mutants --locked` installs: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let folder = workers::target_folder().join("prodq").join("mutation");
    fs::create_dir_all(&folder)?;
    let listed: Vec<Listed> = serde_json::from_slice(&output.stdout)?;
    let mut patches = Vec::new();
    for (index, it) in listed.iter().enumerate() {
        if !it.name.contains(only) {
            continue;
        }
        let hunks = it.diff.find("\n@@").context("a change without a diff")?;
        let (file, hunks) = (&it.file, &it.diff[hunks + 1..]);
        let text = format!("diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n{hunks}");
        let path = folder.join(format!("{index}.patch"));
        fs::write(&path, text)?;
        patches.push(Patch {
            name: format!("mutation-{index}"),
            what: without_place(&it.name),
            theorems: Vec::new(),
            scenario: String::new(),
            path,
        });
    }
    Ok(patches)
}

/// A change's name without line and column, which move: `core/src/llist.rs: replace …`.
fn without_place(name: &str) -> String {
    match name.splitn(4, ':').collect::<Vec<_>>()[..] {
        [file, _, _, what] => format!("{file}:{what}"),
        _ => name.to_owned(),
    }
}

/// What the worlds see of each change, in the order of the changes: in the profile `teeth` at first glance,
/// in `dev` in all cases.
fn by_theorems(tree: &Tree, patches: &[&Patch], profile: &str) -> Result<Vec<Outcome>> {
    let manifest = Manifest::load(&Manifest::path()).map_err(|error| anyhow!(error))?;
    let cases = cases(Tier::Quick);
    let quick = Quick {
        worlds: &WORLDS,
        largest: LARGEST,
        crash_is_enough: true,
        ..Quick::new(&cases, &manifest)
    };
    let bar = workers::progress(patches.len() as u64, "changes");
    let outcomes = Mutex::new(vec![None; patches.len()]);
    let put = |index: usize, outcome: Outcome| {
        if let Ok(mut outcomes) = outcomes.lock() {
            outcomes[index] = Some(outcome);
        }
        bar.inc(1);
    };
    let hunter = |broken: Arc<Mutex<mpsc::Receiver<(usize, Program)>>>| -> Result<()> {
        loop {
            let next = broken
                .lock()
                .map_err(|_| anyhow!("a hunter panicked"))?
                .recv();
            let Ok((index, program)) = next else {
                return Ok(());
            };
            let patch = patches[index];
            let sights = match profile {
                "teeth" => quick.glance(&program, patch)?,
                _ => quick.look_on(&program, patch, 0, Sights::new())?,
            };
            put(index, seen(patch, &sights));
        }
    };
    thread::scope(|scope| -> Result<()> {
        let (built, broken) = mpsc::sync_channel::<(usize, Program)>(1);
        // It is gone with the last hunter, so that nothing is built for nobody.
        let broken = Arc::new(Mutex::new(broken));
        let hunter = &hunter;
        let start = |_| {
            let broken = Arc::clone(&broken);
            scope.spawn(move || hunter(broken))
        };
        let hunters: Vec<_> = (0..workers::cores()).map(start).collect();
        drop(broken);
        for (index, patch) in patches.iter().enumerate() {
            tree.apply(patch)?;
            match tree.build(&patch.name, profile) {
                Ok(program) => {
                    if built.send((index, program)).is_err() {
                        break;
                    }
                }
                Err(_) => put(index, outcome(patch, Notice::Compiler, "", "", 0)),
            }
        }
        drop(built);
        workers::join_all(hunters)
    })?;
    bar.finish_and_clear();
    let outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes
        .into_iter()
        .map(|outcome| outcome.context("a change was not hunted"))
        .collect()
}

fn outcome(
    patch: &Patch,
    notice: Notice,
    what: &str,
    world: &'static str,
    wall_ms: u64,
) -> Outcome {
    Outcome {
        change: patch.what.clone(),
        notice,
        what: what.to_owned(),
        world,
        wall_ms,
    }
}

/// The strongest thing that a world has noticed.
fn seen(patch: &Patch, sights: &Sights) -> Outcome {
    let told = |notice, of: fn(&Sight) -> Option<String>| {
        WORLDS.iter().find_map(|world| {
            let sight = sights.get(world)?;
            let what = of(sight)?;
            Some(outcome(patch, notice, &what, world, sight.wall_ms))
        })
    };
    told(Notice::Theorem, |sight| {
        let (theorem, scenario) = sight.caught.as_ref()?;
        Some(format!("{theorem} in {scenario}"))
    })
    .or_else(|| told(Notice::Crash, |sight| sight.crashed.clone()))
    .or_else(|| told(Notice::Count, |sight| sight.counted.clone()))
    .unwrap_or_else(|| {
        let all = sights.values().map(|sight| sight.wall_ms).sum();
        outcome(patch, Notice::Nothing, "", "", all)
    })
}

/// How many changes of each file were noticed by what.
fn summary(outcomes: &[Outcome]) -> String {
    let notices = [
        Notice::Compiler,
        Notice::Theorem,
        Notice::Crash,
        Notice::Test,
        Notice::Count,
        Notice::Nothing,
    ];
    let mut rows = table([
        "file",
        "changes",
        "do not compile",
        "theorem",
        "crash",
        "own tests",
        "other executions",
        "nothing",
    ]);
    let file = |outcome: &Outcome| outcome.change.split(':').next().map(str::to_owned);
    let files: BTreeSet<_> = outcomes.iter().filter_map(file).collect();
    let mut add = |name: &str, some: &[&Outcome]| {
        let count = |notice| some.iter().filter(|it| it.notice == notice).count();
        let mut row = vec![name.to_owned(), some.len().to_string()];
        row.extend(notices.map(|notice| count(notice).to_string()));
        rows.add_row(row);
    };
    for name in &files {
        let some = outcomes.iter().filter(|it| file(it).as_ref() == Some(name));
        add(name, &some.collect::<Vec<_>>());
    }
    add("all", &outcomes.iter().collect::<Vec<_>>());
    rows.to_string()
}

/// What nothing noticed has to be argued: its name stands in survivors.md, in backquotes.
fn conclude(outcomes: &[Outcome]) -> Result<End> {
    let path = root().join("models").join("mutants").join("survivors.md");
    let argued = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut end = End::AsExpected;
    for outcome in outcomes {
        if outcome.survives() && !argued.contains(&format!("`{}`", outcome.change)) {
            tell(format_args!(
                "unexpected: {} is noticed by {}, and not argued in models/mutants/survivors.md",
                outcome.change,
                match outcome.notice {
                    Notice::Count => format!("the number of executions of {} alone", outcome.what),
                    _ => "nothing".to_owned(),
                }
            ));
            end = End::Unexpected;
        }
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_its_place_and_keeps_its_colons() {
        let name = "core/src/a.rs:19:9: replace <impl A for B>::c -> usize with 0";
        let without = "core/src/a.rs: replace <impl A for B>::c -> usize with 0";
        assert_eq!(without_place(name), without);
        assert_eq!(without_place("other"), "other");
    }

    #[test]
    fn what_nothing_noticed_and_nobody_argued_is_unexpected() {
        let of = |change: &str, notice| Outcome {
            change: change.to_owned(),
            notice,
            what: String::new(),
            world: "",
            wall_ms: 0,
        };
        let ends_well = |outcome| matches!(conclude(&[outcome]), Ok(End::AsExpected));
        assert!(ends_well(of(
            "core/src/a.rs: no such change",
            Notice::Theorem
        )));
        assert!(!ends_well(of(
            "core/src/a.rs: no such change",
            Notice::Count
        )));
        assert!(!ends_well(of(
            "core/src/a.rs: no such change",
            Notice::Nothing
        )));
    }
}
