// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq prove`: what is proved for any number of CPUs, nodes and packets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;
use prodq_proofs::smt::solver::{self, Answer, Solver};
use prodq_proofs::smt::{conditions, folder, theorems, Condition, Part};
use serde::Serialize;

use prodq_ci::ledger;

use crate::{prove_spec, say, tell, workers, End};

/// Prove the theorems for any number of CPUs, nodes and packets, with z3 and cvc5
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    instead: Option<Instead>,
    /// The theorems to prove; all, their lemmas and the seeded bugs by default
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    theorem: Vec<String>,
    /// Print a JSON object for each condition, a summary last, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// What to do instead of proving.
#[derive(clap::Subcommand)]
enum Instead {
    /// Write the conditions to proofs/smt, one file each
    Files,
    /// Write proofs/README.md: what is known of each theorem, and by which means
    Ledger,
    Overshoot(prove_spec::Overshoot),
    Explore(prove_spec::Explore),
}

fn names() -> Vec<&'static str> {
    theorems(&conditions())
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// One condition and its answers, for `--json`.
#[derive(Serialize)]
struct Row<'a> {
    theorem: &'a str,
    condition: &'a str,
    says: &'a str,
    expected: &'a str,
    answers: BTreeMap<&'static str, String>,
    as_expected: bool,
}

/// The last line of `--json`.
#[derive(Serialize)]
struct Summary {
    /// What has to be unsat.
    conditions: usize,
    /// What every solver says is.
    proved: usize,
    /// Name and version.
    solvers: Vec<String>,
    /// Seeded bugs that break the clauses that they should and no others, of so many.
    broken_as_expected: usize,
    bugs: usize,
    /// Steps that can be taken, of so many.
    steps_possible: usize,
    steps: usize,
}

/// Where the solvers are put when they are not on the path.
pub fn solver_folder() -> PathBuf {
    workers::target_folder().join("prodq").join("solvers")
}

/// Proves what was asked for.
pub fn prove(args: &Args) -> Result<End> {
    match &args.instead {
        Some(Instead::Files) => return write_files(),
        Some(Instead::Ledger) => return write_ledger(),
        Some(Instead::Overshoot(args)) => return prove_spec::overshoot(args),
        Some(Instead::Explore(args)) => return prove_spec::explore(args),
        None => {}
    }
    let mut conditions = conditions();
    conditions.retain(|condition| {
        let asked = |name: &String| name == condition.theorem;
        args.theorem.is_empty()
            || condition.part == Part::Lemma
            || (condition.part == Part::Theorem && args.theorem.iter().any(asked))
    });
    let solvers = match solver::find(&solver_folder(), true) {
        Ok(solvers) => solvers,
        Err(missing) => {
            tell(format_args!("error: {missing}"));
            return Ok(End::Unexpected);
        }
    };
    let start = Instant::now();
    let total = conditions.len() * solvers.len();
    let bar = workers::progress(total as u64, "answers");
    let answers = solver::ask(&solvers, &conditions, |more| bar.inc(more as u64));
    bar.finish_and_clear();
    let answered: Vec<_> = conditions.iter().zip(&answers).collect();
    if args.json {
        print_json(&solvers, &answered)?;
    } else {
        print_tables(&solvers, &answered, start.elapsed());
    }
    let mut end = End::AsExpected;
    for (condition, answers) in &answered {
        if !as_expected(condition, answers) {
            let said: Vec<_> = answers.iter().map(ToString::to_string).collect();
            let expected = expected(condition);
            tell(format_args!(
                "unexpected: {} is {}, not {expected}: {}",
                condition.name,
                said.join(" and "),
                condition.path().display()
            ));
            end = End::Unexpected;
        }
    }
    Ok(end)
}

fn expected(condition: &Condition) -> &'static str {
    if condition.unsat {
        "unsat"
    } else {
        "sat"
    }
}

fn as_expected(condition: &Condition, answers: &[Answer]) -> bool {
    answers.iter().all(|answer| answer.is_expected(condition))
}

type Answered<'a> = (&'a Condition, &'a Vec<Answer>);

/// How many of these there are, and how many are as expected.
fn count<'a>(answered: impl Iterator<Item = &'a Answered<'a>>) -> (usize, usize) {
    answered.fold((0, 0), |(all, good), (condition, answers)| {
        (all + 1, good + usize::from(as_expected(condition, answers)))
    })
}

/// The seeded bugs: what each was asked, and whether all was as expected.
fn bugs<'a>(answered: &'a [Answered<'a>]) -> BTreeMap<&'a str, Vec<&'a Answered<'a>>> {
    let mut bugs: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for one in answered.iter().filter(|(c, _)| c.part == Part::Bug) {
        let name = one.0.name.split('/').nth(1).unwrap_or_default();
        bugs.entry(name).or_default().push(one);
    }
    bugs
}

fn print_json(solvers: &[Solver], answered: &[Answered<'_>]) -> Result<()> {
    for (condition, answers) in answered {
        let answers_of = solvers.iter().zip(answers.iter());
        let row = Row {
            theorem: condition.theorem,
            condition: &condition.name,
            says: &condition.says,
            expected: expected(condition),
            answers: answers_of.map(|(s, a)| (s.name, a.to_string())).collect(),
            as_expected: as_expected(condition, answers),
        };
        say(serde_json::to_string(&row)?);
    }
    let (conditions, proved) = count(answered.iter().filter(|(c, _)| c.unsat));
    let (steps, steps_possible) = count(answered.iter().filter(|(c, _)| c.part == Part::Step));
    let bugs = bugs(answered);
    let broken = bugs.values().filter(|of_bug| {
        let (all, good) = count(of_bug.iter().copied());
        all == good
    });
    let summary = Summary {
        conditions,
        proved,
        solvers: versions(solvers),
        broken_as_expected: broken.count(),
        bugs: bugs.len(),
        steps_possible,
        steps,
    };
    say(serde_json::to_string(&summary)?);
    Ok(())
}

fn versions(solvers: &[Solver]) -> Vec<String> {
    let of = |solver: &Solver| format!("{} {}", solver.name, solver.version);
    solvers.iter().map(of).collect()
}

fn print_tables(solvers: &[Solver], answered: &[Answered<'_>], elapsed: Duration) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    let mut header = vec!["theorem".to_owned(), "conditions".to_owned()];
    header.extend(versions(solvers));
    header.push("verdict".to_owned());
    table.set_header(header);
    let mut row = |name: &str, wanted: &dyn Fn(&Condition) -> bool, good: &str| {
        let of: Vec<_> = answered.iter().filter(|(c, _)| wanted(c)).collect();
        if of.is_empty() {
            return;
        }
        let mut cells = vec![name.to_owned(), of.len().to_string()];
        for at in 0..solvers.len() {
            let as_expected = of.iter().filter(|(c, answers)| answers[at].is_expected(c));
            cells.push(as_expected.count().to_string());
        }
        let (all, so) = count(of.into_iter());
        cells.push(if all == so { good } else { "not proved" }.to_owned());
        table.add_row(cells);
    };
    let all: Vec<_> = answered.iter().map(|(c, _)| (*c).clone()).collect();
    for (name, _) in theorems(&all) {
        let of = |c: &Condition| c.part == Part::Theorem && c.theorem == name;
        row(name, &of, "proved");
    }
    row("(lemmas)", &|c| c.part == Part::Lemma, "proved");
    row("(steps)", &|c| c.part == Part::Step, "can all be taken");
    row(
        "(seeded bugs)",
        &|c| c.part == Part::Bug,
        "break what they should",
    );
    row("(walks)", &|c| c.part == Part::Walk, "end as they should");
    say(table);
    let bugs = bugs(answered);
    if !bugs.is_empty() {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        table.set_header(["seeded bug", "breaks", "as expected"]);
        for (name, of) in &bugs {
            let broken = of.iter().filter(|(c, _)| !c.unsat);
            let clause = |(c, _): &&Answered<'_>| {
                let pair = c.name.rsplit('/').next().unwrap_or_default();
                pair.split("--").next().unwrap_or_default().to_owned()
            };
            let mut clauses: Vec<_> = broken.map(clause).collect();
            clauses.dedup();
            let (all, good) = count(of.iter().copied());
            let so = if all == good { "yes" } else { "no" };
            table.add_row([(*name).to_owned(), clauses.join(", "), so.to_owned()]);
        }
        say(table);
    }
    let (all, good) = count(answered.iter());
    say(format_args!(
        "{good} of {all} conditions are as expected in both solvers, in {:.0} s",
        elapsed.as_secs_f64()
    ));
}

/// Writes the files of all conditions, and removes those that are none any more.
fn write_files() -> Result<End> {
    let folder = folder();
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("{} cannot be emptied", folder.display()))?;
    }
    let conditions = conditions();
    for condition in &conditions {
        write(&condition.path(), &condition.script)?;
    }
    say(format_args!(
        "{} files in {}",
        conditions.len(),
        folder.display()
    ));
    Ok(End::AsExpected)
}

fn write_ledger() -> Result<End> {
    let path = ledger::path();
    let text = ledger::ledger().map_err(anyhow::Error::msg)?;
    write(&path, &text)?;
    say(format_args!("wrote {}", path.display()));
    Ok(End::AsExpected)
}

fn write(path: &Path, text: &str) -> Result<()> {
    let write = || {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}
