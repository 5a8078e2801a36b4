// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq flood results`: the page about a folder of results, from the data in it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, Context, Result};
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use serde_json::Value;

use prodq_models::world::numa::Costs;

use super::against::{against, grid};
use super::machine::Machine;
use super::plot;
use super::record::{Record, Run};
use super::table::{histogram, summary};
use crate::markdown::table;
use crate::numa::report::{page as numa, Played};
use crate::{tell, End};

/// Write README.md and the plots of a folder of results; core/benches/results/update.sh fills one
#[derive(clap::Args)]
pub struct Args {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Take the medians of criterion from this folder first
    #[arg(long, value_name = "FOLDER")]
    criterion: Option<PathBuf>,
}

/// A line of micro.jsonl: a median of criterion's.
#[derive(Serialize, Deserialize)]
struct Micro {
    group: String,
    name: String,
    /// Nanoseconds of one operation, with the limits of the confidence interval.
    median_ns: f64,
    low_ns: f64,
    high_ns: f64,
    samples: usize,
    /// How many packets one operation is about, on all threads together.
    packets: u64,
}

/// A line of bars.jsonl.
#[derive(Deserialize)]
struct Ratio {
    left: String,
    right: String,
    left_ns: f64,
    right_ns: f64,
    ratio: f64,
    low: f64,
    high: f64,
    turns: usize,
    bar: Option<f64>,
    verdict: String,
}

/// A line of steps.jsonl: when update.sh began a step, and how busy the machine was then.
#[derive(Deserialize)]
struct Step {
    step: String,
    /// Seconds since the first one.
    second: u64,
    /// The load average over one minute.
    load: String,
}

/// A line of instructions.jsonl.
#[derive(Deserialize)]
struct Instructions {
    operation: String,
    instructions: u64,
    packets: u64,
}

/// A file of JSON lines; nothing if it is not there.
fn lines<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>> {
    let path = folder.join(name);
    if !path.exists() {
        tell(format_args!(
            "{} is not there and is left out",
            path.display()
        ));
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let parse = |line: &str| {
        serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display()))
    };
    text.lines().map(parse).collect()
}

/// The floods of a file, and the machine that it begins with.
fn floods(folder: &Path, name: &str) -> Result<(Option<Machine>, Vec<Run>)> {
    let (mut machine, mut runs) = (None, Vec::new());
    for record in lines(folder, name)? {
        match record {
            Record::Machine(here) => machine = Some(here),
            Record::Run(run) => runs.push(run),
            Record::Second(_) => {}
        }
    }
    Ok((machine, runs))
}

/// Reads criterion's folder: `GROUP/NAME/new/{benchmark,estimates,sample}.json`.
fn criterion(folder: &Path) -> Result<Vec<Micro>> {
    let read = |path: &Path| -> Result<Value> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    };
    let mut all = Vec::new();
    for group in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let group = group?.path();
        for name in group.read_dir().into_iter().flatten() {
            let new = name?.path().join("new");
            if !new.join("benchmark.json").exists() {
                continue;
            }
            let benchmark = read(&new.join("benchmark.json"))?;
            let estimates = read(&new.join("estimates.json"))?;
            let sample = read(&new.join("sample.json"))?;
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
            let median = &estimates["median"];
            let interval = &median["confidence_interval"];
            all.push(Micro {
                group: text(&benchmark["group_id"]),
                name: text(&benchmark["function_id"]),
                median_ns: number(&median["point_estimate"]),
                low_ns: number(&interval["lower_bound"]),
                high_ns: number(&interval["upper_bound"]),
                samples: sample["times"].as_array().map_or(0, Vec::len),
                packets: benchmark["throughput"]["Elements"].as_u64().unwrap_or(1),
            });
        }
    }
    all.sort_by(|a, b| (&a.group, &a.name).cmp(&(&b.group, &b.name)));
    Ok(all)
}

/// What a reader should know who finds "not shown here".
const NOT_SHOWN: &str = "`holds`: the medians keep the bar; `within noise`: they do not, but the better \
    quartiles do. Where it says `not shown here`, this machine does not show it. Most packets are refused on \
    the way in, as the table tells, and there the two newest designs do the same. Instruction counts are \
    below; what many nodes do is for a model to say. Figures of a machine that had other work (see its load) \
    are not worth much: of two threads that do not run at the same time none waits.";

/// Writes the page and the plots.
pub fn results(args: &Args) -> Result<End> {
    let folder = &args.folder;
    if !folder.is_dir() {
        tell(format_args!(
            "error: {} is no folder: one with the files that update.sh writes is allowed",
            folder.display()
        ));
        return Ok(End::BadCall);
    }
    if let Some(from) = &args.criterion {
        let mut text = String::new();
        for row in criterion(from)? {
            writeln!(text, "{}", serde_json::to_string(&row)?)?;
        }
        fs::write(folder.join("micro.jsonl"), text)?;
    }
    let (machine, rounds) = floods(folder, "flood.jsonl")?;
    let (_, sweep) = floods(folder, "sweep.jsonl")?;
    let (_, depends) = floods(folder, "grid.jsonl")?;
    let (_, long) = floods(folder, "long.jsonl")?;
    let many_nodes = Played::of_lines(lines(folder, "numa.jsonl")?);
    let ratios: Vec<Ratio> = lines(folder, "bars.jsonl")?;
    let micro: Vec<Micro> = lines(folder, "micro.jsonl")?;
    let counts: Vec<Instructions> = lines(folder, "instructions.jsonl")?;
    let steps: Vec<Step> = lines(folder, "steps.jsonl")?;

    let mut page = String::from(
        "# Results\n\nWritten by `core/benches/results/update.sh` from the data beside it, and not by \
         hand.\n",
    );
    if let Some(machine) = machine {
        page += "\n## Machine\n\n";
        for line in machine.lines() {
            writeln!(page, "- {line}")?;
        }
    }
    if !steps.is_empty() {
        let told = steps
            .iter()
            .map(|step| format!("{} ({} s: {})", step.step, step.second, step.load));
        writeln!(
            page,
            "- taken in one run; load averages over one minute when each step began, its own threads and \
             those of the step before included: {}",
            told.collect::<Vec<_>>().join("; ")
        )?;
    }
    if !ratios.is_empty() {
        write!(
            page,
            "\n## Bars: ratios measured in turns\n\n{}\n",
            bars(&ratios)
        )?;
    }
    if !rounds.is_empty() {
        write!(
            page,
            "\n## Flood\n\n{}\n\n{}\n\n{}\n\n{NOT_SHOWN}\n\n{}\n\n![histogram](histogram.svg)\n",
            setting(&rounds[0]),
            summary(&rounds),
            against(&rounds),
            histogram(&rounds)
        )?;
        plot::histogram_in(&rounds, folder)?;
    }
    if !depends.is_empty() {
        write!(
            page,
            "\n## Floods of other sockets\n\nThe same with more room and with faster readers, {} s each. Ratios of \
             the node queues to each other design, medians of the rounds, in brackets the quartiles.\n\n{}\n",
            (depends[0].seconds * 10.0).round() / 10.0,
            grid(&depends)
        )?;
    }
    if !sweep.is_empty() {
        write!(
            page,
            "\n## Throughput against producers\n\n{}\n\n{}\n\n![throughput](throughput.svg)\n",
            setting(&sweep[0]),
            summary(&sweep)
        )?;
        plot::throughput_in(&sweep, folder)?;
    }
    if !long.is_empty() {
        write!(
            page,
            "\n## Long floods\n\nOne of each: for accounts and bounds, and no comparison of rates. {}\n\n{}\n\n![overshoot](overshoot.svg)\n",
            setting(&long[0]),
            summary(&long)
        )?;
        plot::overshoot_in(&long, folder)?;
    }
    if !micro.is_empty() || !counts.is_empty() {
        write!(page, "\n## Operations\n\n{}\n", operations(&micro, &counts))?;
    }
    if !many_nodes.is_empty() {
        let costs = Costs::of_file().map_err(|error| anyhow!(error))?;
        let told = numa(&many_nodes, &costs);
        write!(
            page,
            "\n## Many nodes, a model (`cargo numa`)\n\n{}\n",
            told.trim_end()
        )?;
    }
    fs::write(folder.join("README.md"), page)?;
    let wrong = [&rounds, &depends, &sweep, &long].into_iter().flatten();
    let wrong = wrong.map(|run| run.wrong.len()).sum::<usize>();
    if wrong != 0 {
        tell(format_args!("wrong: {wrong} complaints of floods"));
        return Ok(End::Unexpected);
    }
    Ok(End::AsExpected)
}

/// What was played.
fn setting(run: &Run) -> String {
    format!(
        "{} s each, {} reader(s) that take {} ns for each packet, {} node(s), packets of {:?} bytes, rcvbuf \
         {} bytes, producers bound to CPUs: {}. Medians over the rounds; `largest rmem_alloc` is the largest \
         of all rounds, in bytes, and exact.",
        run.seconds.round().max(0.1),
        run.readers,
        run.reader_delay,
        run.nodes,
        run.truesizes,
        run.rcvbuf,
        if run.pinned { "yes" } else { "no" },
    )
}

fn bars(ratios: &[Ratio]) -> String {
    let mut rows = table([
        "left",
        "ns",
        "right",
        "ns",
        "ratio",
        "quartiles",
        "turns",
        "at most",
        "",
    ]);
    for row in ratios {
        rows.add_row([
            row.left.clone(),
            format!("{:.1}", row.left_ns),
            row.right.clone(),
            format!("{:.1}", row.right_ns),
            format!("{:.2}", row.ratio),
            format!("{:.2} to {:.2}", row.low, row.high),
            row.turns.to_string(),
            row.bar.map_or(String::new(), |bar| bar.to_string()),
            row.verdict.clone(),
        ]);
    }
    rows.to_string()
}

fn operations(micro: &[Micro], counts: &[Instructions]) -> String {
    let mut rows = table([
        "operation",
        "median ns (criterion)",
        "95 % interval",
        "samples",
        "ns a packet",
        "instructions a packet (callgrind)",
    ]);
    let mut names: Vec<String> = micro
        .iter()
        .map(|row| format!("{}/{}", row.group, row.name))
        .collect();
    names.extend(counts.iter().map(|row| row.operation.clone()));
    names.sort();
    names.dedup();
    for name in names {
        let time = micro
            .iter()
            .find(|row| format!("{}/{}", row.group, row.name) == name);
        let count = counts.iter().find(|row| row.operation == name);
        let cell = |f: fn(&Micro) -> String| time.map_or(String::new(), f);
        rows.add_row([
            name.clone(),
            cell(|row| format!("{:.1}", row.median_ns)),
            cell(|row| format!("{:.1} to {:.1}", row.low_ns, row.high_ns)),
            cell(|row| row.samples.to_string()),
            cell(|row| format!("{:.1}", row.median_ns / row.packets as f64)),
            count.map_or(String::new(), |row| {
                format!("{:.1}", row.instructions as f64 / row.packets as f64)
            }),
        ]);
    }
    rows.to_string()
}
