// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq numa`: a flood in virtual time, before and after the patch.

pub mod report;

use anyhow::{anyhow, Result};
use prodq_models::world::numa::{report as play, variants, Costs, Options};

use self::report::Played;
use crate::{say, tell, End};

/// Play a flood of one socket in virtual time, with a cost for every access, before and after the patch
#[derive(clap::Args)]
pub struct Args {
    /// Nodes
    #[arg(long, default_value_t = Options::default().nodes as u64, value_parser = clap::value_parser!(u64).range(1..=64))]
    nodes: u64,
    /// CPUs on each node; there are at most 511 in all. 4 are as many as flooded in the threads, 64 all of
    /// such a machine
    #[arg(long, default_value_t = Options::default().cpus_per_node as u64, value_parser = clap::value_parser!(u64).range(1..=511))]
    cpus: u64,
    /// rcvbuf, in bytes: 212992 by default, or more if that is little for so many CPUs
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=2_147_483_647))]
    rcvbuf: Option<u32>,
    /// How often it is played
    #[arg(long, default_value_t = Options::default().runs as u64, value_parser = clap::value_parser!(u64).range(1..=1000))]
    runs: u64,
    /// The first seed
    #[arg(long, default_value_t = Options::default().seed)]
    seed: u64,
    /// Leave out what the outcome depends on
    #[arg(long)]
    no_variants: bool,
    /// Print a JSON object for each run, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// Plays it and tells what came out, whether a bar holds or not.
pub fn numa(args: &Args) -> Result<End> {
    let options = Options::new(args.nodes as usize, args.cpus as usize);
    let options = Options {
        rcvbuf: args.rcvbuf.unwrap_or(options.rcvbuf),
        runs: args.runs as usize,
        seed: args.seed,
        ..options
    };
    if let Err(error) = options.scenario(None).check() {
        tell(format_args!("error: {error}"));
        return Ok(End::BadCall);
    }
    let costs = Costs::of_file().map_err(|error| anyhow!(error))?;
    let mut plans = vec![("", options, costs.clone())];
    if !args.no_variants {
        plans.extend(variants(&options, &costs));
    }
    let mut all = Vec::new();
    for (with, options, costs) in plans {
        let played = Played {
            with: with.to_owned(),
            options,
            comparison: play(&options, &costs).map_err(|error| anyhow!(error))?,
        };
        if args.json {
            for line in played.lines() {
                say(serde_json::to_string(&line)?);
            }
        }
        all.push(played);
    }
    if !args.json {
        say(report::page(&all, &costs).trim_end());
    }
    Ok(End::AsExpected)
}
