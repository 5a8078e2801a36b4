// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command on this machine's kernel.

use std::time::Instant;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use serde_json::json;

use super::core_side::play;
use super::hunt::{Hunt, Plan};
use super::judge::Judge;
use super::trace::Trace;
use super::world::coverage;
use super::{crowd, machine, Args, Part, Total};
use crate::{say, tell, End};

/// The limits that are flooded, in bytes before doubling, and whether somebody receives meanwhile.
const FLOODS: [(i32, bool); 4] = [(1, false), (4608, true), (212_992, false), (212_992, true)];

/// So many disagreements are enough: a part ends there.
const MOST: usize = 10;

/// Compares, part by part.
pub(super) fn live(args: &Args) -> Result<End> {
    let mut total = Total {
        kernel: machine::release()?,
        ..Total::default()
    };
    if let Some(why) = machine::too_old()? {
        tell(why);
        return total.conclude(args);
    }
    let _alone = machine::alone()?;
    let anywhere = sched_getaffinity(Pid::from_raw(0)).context("sched_getaffinity")?;
    machine::stay()?;
    let seed = args.seed.unwrap_or_else(rand_seed);
    tell(format_args!("seed {seed}"));
    let mut judge = Judge::new()?;
    if !judge.v6() {
        tell("without IPv6 on loopback: IPv6 is skipped");
    }
    if !judge.force() {
        tell("without CAP_NET_ADMIN: SO_RCVBUFFORCE is skipped");
    }
    let mut recordings = Vec::new();
    for (part, steps) in shares(args, &mut judge) {
        let pressure = part == Part::Pressure;
        let bar = bar(part.name(), steps);
        let start = Instant::now();
        let mut hunt = judge.hunt(&Plan {
            core: play,
            steps,
            seed: seed.wrapping_add(u64::from(pressure)),
            pressure,
            most: MOST,
            record: args.record.is_some(),
            progress: &|steps| bar.set_position(steps),
        })?;
        bar.finish_and_clear();
        recordings.append(&mut hunt.recordings);
        told(
            args,
            part.name(),
            &judge,
            &hunt,
            start.elapsed().as_secs_f64(),
        );
        total.steps += hunt.steps;
        total.sequences += hunt.sequences;
        total.disagreements += hunt.found();
    }
    if let Some(path) = &args.record {
        let header = judge.header.clone();
        Trace { header, recordings }.write(path)?;
    }
    drop(judge);
    sched_setaffinity(Pid::from_raw(0), &anywhere).context("sched_setaffinity")?;
    if args.part.is_some_and(|part| part != Part::TwoCpus) {
        return total.conclude(args);
    }
    for (asked, reader) in FLOODS {
        let flood = crowd::flood(asked, reader, &anywhere)?;
        total.disagreements += usize::from(!flood.holds());
        if args.json {
            say(serde_json::to_string(&flood)?);
        } else {
            say(flood);
        }
    }
    total.conclude(args)
}

/// How many steps each part gets: a tenth is for memory pressure, where there is the right to it.
fn shares(args: &Args, judge: &mut Judge) -> Vec<(Part, u64)> {
    let mut scarce = match args.part {
        None => args.steps / 10,
        Some(Part::Pressure) => args.steps,
        Some(_) => 0,
    };
    if scarce != 0 {
        let program = std::env::current_exe().context("the path of this program");
        if let Err(error) = program.and_then(|program| judge.allow_pressure(&program)) {
            tell(format_args!("memory pressure is skipped: {error:#}"));
            scarce = 0;
        }
    }
    let plenty = match args.part {
        None | Some(Part::Sequences) => args.steps - scarce,
        Some(_) => 0,
    };
    let shares = [(Part::Sequences, plenty), (Part::Pressure, scarce)];
    shares
        .into_iter()
        .filter(|(_, steps)| *steps != 0)
        .collect()
}

fn told(args: &Args, part: &str, judge: &Judge, hunt: &Hunt, seconds: f64) {
    if let Some(steps) = hunt.first_at {
        tell(format_args!(
            "{part}: the first disagreement within {steps} steps"
        ));
    }
    for found in &hunt.disagreements {
        tell(found);
    }
    for kept in &hunt.kept {
        tell(format_args!(
            "{kept} pages did not come back after sockets were closed"
        ));
    }
    let truesizes = &judge.header.truesizes;
    if let Some(why) = judge.why_no_pages() {
        tell(format_args!(
            "{part}: the protocol's pages are not compared: {why}"
        ));
    }
    if args.json {
        say(json!({
            "part": part,
            "steps": hunt.steps,
            "sequences": hunt.sequences,
            "disagreements": hunt.found(),
            "pages": judge.pages(),
            "noise": hunt.noise,
            "lengths": truesizes.len(),
            "weights": truesizes.weights().len(),
            "seen": hunt.seen,
            "branches": coverage(),
        }));
    } else {
        say(format_args!(
            "{part}: {} steps, {} sequences, {} disagreements, {seconds:.0} s; {} payload lengths in {} \
             weights; pages {}; the kernel was seen {:?}; the core's branches so far {:?}",
            hunt.steps,
            hunt.sequences,
            hunt.found(),
            truesizes.len(),
            truesizes.weights().len(),
            if judge.pages() { "compared" } else { "not compared" },
            hunt.seen,
            coverage()
        ));
        if hunt.noise != 0 {
            say(format_args!(
                "{part}: in {} sequences the protocol's pages moved under other sockets of the machine",
                hunt.noise
            ));
        }
    }
}

fn rand_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

fn bar(part: &'static str, steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} steps, {elapsed}");
    let bar = ProgressBar::new(steps).with_message(part);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
