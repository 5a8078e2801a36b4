// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq flood`: many producers against one socket, on this machine.

mod against;
mod machine;
mod plot;
pub mod record;
mod results;
mod run;
mod table;
mod threads;
mod world;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::value_parser;
use prodq_models::scenario::{Op, Scenario};

use self::machine::Machine;
use self::record::{Record, Run};
use self::run::{flood, Place, Plan};
use self::world::DesignName;
use crate::{say, tell, End};

/// Flood one socket from many threads, on the design of Linux 6.18 and on those before it
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    instead: Option<Instead>,
    /// The design, or all of them in turn, for a table of before and after
    #[arg(long, default_value = "prod-queue", value_parser = PossibleValuesParser::new(design_names()))]
    design: String,
    /// Threads that offer packets; one for each CPU by default. Several numbers make a flood of each
    #[arg(long, value_delimiter = ',', value_parser = value_parser!(u16).range(1..=1024))]
    producers: Vec<u16>,
    /// Threads that receive
    #[arg(long, default_value = "1", value_parser = value_parser!(u16).range(1..=64))]
    readers: u16,
    /// Nodes of the socket, to which the producers belong in turn; those of the machine by default
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024))]
    nodes: Option<u16>,
    /// What packets weigh, in bytes, in turn: 832 is a small datagram on x86-64, 2304 one of 1400 bytes
    #[arg(long, value_delimiter = ',', default_value = "832", value_parser = value_parser!(u32).range(1..=1 << 20))]
    truesize: Vec<u32>,
    /// The limit in force, in bytes
    #[arg(long, default_value = "212992", value_parser = value_parser!(u32).range(1..=1 << 29))]
    rcvbuf: u32,
    /// How long each flood lasts
    #[arg(long, default_value = "3", value_parser = seconds)]
    seconds: Duration,
    /// How long a reader takes for each packet, in nanoseconds, asleep in lumps of 100 microseconds
    #[arg(long, default_value = "0", value_parser = value_parser!(u64).range(0..=1_000_000_000))]
    reader_delay: u64,
    /// The limit of protocol memory, in pages; none by default
    #[arg(long)]
    udp_mem: Option<u32>,
    /// How often each flood is repeated; tables show medians
    #[arg(long, default_value = "1", value_parser = value_parser!(u16).range(1..=1000))]
    rounds: u16,
    /// Leave the threads where the system puts them
    #[arg(long)]
    no_pin: bool,
    /// Print a JSON object a line, and nothing else, on stdout
    #[arg(long)]
    json: bool,
    /// Draw histogram, throughput and overshoot as SVG into this folder
    #[arg(long, value_name = "FOLDER")]
    plot: Option<PathBuf>,
}

/// What to do instead of a flood.
#[derive(clap::Subcommand)]
enum Instead {
    Results(results::Args),
}

fn design_names() -> Vec<&'static str> {
    let names = DesignName::ALL.into_iter().map(DesignName::name);
    names.chain(["all"]).collect()
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "a number of seconds from 0.01 to 86400 is allowed".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    if !(0.01..=86_400.0).contains(&seconds) {
        return Err(wrong());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Floods, and prints what happened.
pub fn command(args: &Args) -> Result<End> {
    if let Some(Instead::Results(args)) = &args.instead {
        return results::results(args);
    }
    let machine = Machine::here();
    let plans = plans(args, &machine);
    let bounds: Vec<_> = plans.iter().map(bound).collect();
    if let Some(bound) = bounds.iter().find(|bound| **bound > i32::MAX as u64) {
        tell(format_args!(
            "error: rmem_alloc could be {bound} bytes, which its 32 bits do not hold: a smaller \
             --rcvbuf, --truesize or --nodes is allowed"
        ));
        return Ok(End::BadCall);
    }
    if let Some(folder) = &args.plot {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    }
    announce(args, &machine, &plans)?;
    let mut runs = Vec::new();
    // Round by round, so that a trend of the machine favours no design.
    for round in 1..=usize::from(args.rounds) {
        for (plan, &bound) in plans.iter().zip(&bounds) {
            runs.push(play(args, plan, round, bound)?);
        }
    }
    if !args.json {
        say(table::tables(&runs));
    }
    if let Some(folder) = &args.plot {
        for file in plot::all(&runs, folder)? {
            tell(format_args!("drawn: {}", file.display()));
        }
    }
    Ok(conclude(&runs))
}

/// Each design with each number of producers.
fn plans(args: &Args, machine: &Machine) -> Vec<Plan> {
    let wanted = |design: &DesignName| args.design == "all" || args.design == design.name();
    let counts = if args.producers.is_empty() {
        vec![machine.cpus.len().clamp(1, 1024)]
    } else {
        args.producers.iter().copied().map(usize::from).collect()
    };
    let mut plans = Vec::new();
    for producers in counts {
        for design in DesignName::ALL.into_iter().filter(wanted) {
            plans.push(plan(args, machine, design, producers));
        }
    }
    plans
}

fn plan(args: &Args, machine: &Machine, design: DesignName, producers: usize) -> Plan {
    let cpus = if args.no_pin { &[][..] } else { &machine.cpus };
    let nodes = args.nodes.map_or(machine.nodes.len(), usize::from);
    // A thread is bound to a CPU if producers have one each, and a reader if one is left for it.
    let producer = |index: usize| {
        let cpu = (!cpus.is_empty()).then(|| cpus[index % cpus.len()]);
        let node = match (args.nodes, cpu) {
            (None, Some(cpu)) => machine.node_of(cpu),
            _ => index % nodes,
        };
        Place { cpu, node }
    };
    Plan {
        design,
        producers: (0..producers).map(producer).collect(),
        readers: (0..usize::from(args.readers))
            .map(|index| cpus.get(producers + index).copied())
            .collect(),
        nodes,
        truesizes: args.truesize.clone(),
        rcvbuf: args.rcvbuf,
        time: args.seconds,
        reader_delay: Duration::from_nanos(args.reader_delay),
        udp_mem: args.udp_mem,
    }
}

/// What `bounded-overshoot` allows, in bytes.
fn bound(plan: &Plan) -> u64 {
    let mut scenario = Scenario::new("flood", plan.nodes, plan.rcvbuf);
    scenario.baseline = plan.design.0;
    let largest = plan.truesizes.iter().copied().max().unwrap_or(0);
    let each = |scenario: Scenario, place: &Place| scenario.cpu(place.node, [Op::Offer(largest)]);
    plan.producers.iter().fold(scenario, each).bound()
}

/// Tells the machine, where threads go, and what to beware of.
fn announce(args: &Args, machine: &Machine, plans: &[Plan]) -> Result<()> {
    if args.json {
        say(serde_json::to_string(&Record::Machine(machine.clone()))?);
    } else {
        machine.lines().iter().for_each(say);
    }
    let cpu = |cpu: Option<usize>| cpu.map_or("free".to_owned(), |cpu| format!("CPU {cpu}"));
    let mut told = 0;
    for plan in plans {
        let producers = plan.producers.len();
        if producers == std::mem::replace(&mut told, producers) {
            continue;
        }
        if !args.json {
            let places = plan.producers.iter();
            let places: Vec<_> = places
                .map(|place| format!("{} (node {})", cpu(place.cpu), place.node))
                .collect();
            let readers: Vec<_> = plan.readers.iter().map(|&reader| cpu(reader)).collect();
            let (places, readers) = (places.join(", "), readers.join(", "));
            say(format_args!("producers on {places}; readers on {readers}"));
        }
        let (threads, cpus) = (producers + plan.readers.len(), machine.cpus.len());
        if producers > cpus {
            tell(format_args!(
                "warning: {producers} producers on {cpus} CPUs take turns; this shows what the \
                 scheduler does as much as what the design does"
            ));
        } else if threads > cpus {
            tell(format_args!(
                "warning: {threads} threads on {cpus} CPUs: readers take time from producers"
            ));
        }
    }
    Ok(())
}

/// Plays one flood and tells its seconds.
fn play(args: &Args, plan: &Plan, round: usize, bound: u64) -> Result<Run> {
    let mut first = true;
    let outcome = flood(plan, &mut |second| {
        if args.json {
            if let Ok(line) = serde_json::to_string(&Record::Second(second.clone())) {
                say(line);
            }
        } else {
            say(table::second(second, std::mem::take(&mut first)));
        }
    })?;
    if !outcome.pinned {
        tell("warning: this machine does not let threads be bound to CPUs");
    }
    let run = Run::new(plan, round, bound, outcome);
    if args.json {
        say(serde_json::to_string(&Record::Run(run.clone()))?);
    }
    Ok(run)
}

/// Says whether everything is accounted for.
fn conclude(runs: &[Run]) -> End {
    let mut end = End::AsExpected;
    for run in runs {
        for wrong in &run.wrong {
            tell(format_args!(
                "wrong: {}, round {}: {wrong}",
                run.design, run.round
            ));
            end = End::Unexpected;
        }
    }
    end
}
