// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq conform`: the live kernel as judge.
//!
//! | module | what |
//! |---|---|
//! | `op` | what is done to a socket, and how it is drawn at random |
//! | `seen` | what one side tells after a step; a recording of a sequence |
//! | `truesize`, `trace` | what the core has to know about a kernel; recordings as files |
//! | `world` | hardware, with the page counter of a kernel: the core's platform here |
//! | `core_side` | plays a recording's operations on the core |
//! | `compare` | where a recording and the core part, as a table |
//! | `udp`, `proc` | a UDP socket of the kernel, and what /proc tells of it (Linux) |
//! | `kernel` | does to a socket of the kernel what a sequence says (Linux) |
//! | `meter` | measures the protocol's pages, hidden ones included (Linux) |
//! | `machine` | limits, truesizes and rights of this machine (Linux) |
//! | `keeper` | sysctls that are as before after any end of the program (Linux) |
//! | `judge` | records what the kernel does with a sequence (Linux) |
//! | `hunt` | hunts for disagreements and makes them minimal (Linux) |
//! | `crowd` | a flood from several CPUs (Linux) |
//! | `live` | the command on this machine's kernel (Linux) |

pub mod compare;
pub mod core_side;
#[cfg(target_os = "linux")]
pub mod crowd;
#[cfg(target_os = "linux")]
pub mod hunt;
#[cfg(target_os = "linux")]
pub mod judge;
#[cfg(target_os = "linux")]
pub mod keeper;
#[cfg(target_os = "linux")]
pub mod kernel;
#[cfg(target_os = "linux")]
mod live;
#[cfg(target_os = "linux")]
pub mod machine;
#[cfg(target_os = "linux")]
pub mod meter;
pub mod op;
#[cfg(target_os = "linux")]
pub mod proc;
pub mod seen;
pub mod trace;
pub mod truesize;
#[cfg(target_os = "linux")]
pub mod udp;
pub mod world;

use std::path::PathBuf;

use anyhow::Result;

use self::compare::compare;
use self::trace::Trace;
use crate::{say, tell, End};

/// Compare the core with the UDP sockets of this machine's kernel, step by step
#[derive(clap::Args)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub struct Args {
    /// How many operations to compare, at least
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// Only this part; all by default
    #[arg(long, value_enum)]
    part: Option<Part>,
    /// Where the random numbers start; another place every time by default
    #[arg(long)]
    seed: Option<u64>,
    /// Keep what the kernel did in this file, for comparison on other machines
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    record: Option<PathBuf>,
    /// Compare the core with this recording instead of the kernel
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Print a JSON object for each part, and nothing else, on stdout
    #[arg(long)]
    json: bool,
}

/// The parts of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Random sequences, with all the memory that the machine has.
    Sequences,
    /// Random sequences while udp_mem is lowered.
    Pressure,
    /// A flood from several CPUs.
    TwoCpus,
}

impl Part {
    #[cfg(target_os = "linux")]
    fn name(self) -> &'static str {
        match self {
            Part::Sequences => "sequences",
            Part::Pressure => "pressure",
            Part::TwoCpus => "two-cpus",
        }
    }
}

/// What all parts came to.
#[derive(Default, serde::Serialize)]
struct Total {
    steps: u64,
    sequences: u64,
    disagreements: usize,
    kernel: String,
}

impl Total {
    fn conclude(&self, args: &Args) -> Result<End> {
        if args.json {
            say(serde_json::to_string(self)?);
        } else {
            say(format_args!(
                "{} steps in {} sequences against kernel {}: {} disagreements",
                self.steps, self.sequences, self.kernel, self.disagreements
            ));
        }
        Ok(if self.disagreements == 0 {
            End::AsExpected
        } else {
            End::Unexpected
        })
    }
}

/// Runs the comparison. Exit status 1 when kernel and core disagree.
pub fn conform(args: &Args) -> Result<End> {
    if let Some(path) = &args.replay {
        let trace = match Trace::read(path) {
            Ok(trace) => trace,
            Err(error) => {
                tell(format_args!("error: {error:#}"));
                return Ok(End::BadCall);
            }
        };
        return replay(args, &trace);
    }
    #[cfg(target_os = "linux")]
    return live::live(args);
    #[cfg(not(target_os = "linux"))]
    {
        tell("this is not Linux: the live comparison is skipped");
        Total::default().conclude(args)
    }
}

fn replay(args: &Args, trace: &Trace) -> Result<End> {
    let mut total = Total {
        kernel: trace.header.kernel.clone(),
        ..Total::default()
    };
    for kernel in &trace.recordings {
        total.steps += kernel.steps.len() as u64;
        total.sequences += 1;
        if let Some(found) = compare(kernel, &core_side::play(&trace.header, kernel)?) {
            total.disagreements += 1;
            tell(found);
        }
    }
    total.conclude(args)
}
