// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq`: the command behind `cargo verify` and its sisters.
//!
//! Exit status 0 when everything is as expected, 1 when not, 2 for a call it cannot understand.

mod coverage;
mod findings;
mod prove;
mod prove_spec;
mod replay;
mod table;
mod teeth;
mod verify;
mod workers;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prodq_ci::{conform, flood, numa, say, tell, End};

/// Verifies the per-NUMA-node producer queue of the Linux UDP receive path.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Args),
    Replay(replay::Args),
    Teeth(teeth::Args),
    Prove(prove::Args),
    Conform(conform::Args),
    Flood(flood::Args),
    Numa(numa::Args),
    #[cfg(target_os = "linux")]
    #[command(hide = true)]
    Keeper(conform::keeper::Args),
    #[command(hide = true)]
    Worker(workers::Args),
}

fn main() -> ExitCode {
    let end = match Cli::parse().command {
        Command::Verify(args) => verify::verify(&args),
        Command::Teeth(args) => teeth::teeth(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Prove(args) => prove::prove(&args),
        Command::Conform(args) => conform::conform(&args),
        Command::Flood(args) => flood::command(&args),
        Command::Numa(args) => numa::numa(&args),
        #[cfg(target_os = "linux")]
        Command::Keeper(args) => conform::keeper::keep(&args),
        Command::Worker(args) => workers::work(&args),
    };
    match end {
        Ok(end) => end.into(),
        Err(error) => {
            tell(format_args!("error: {error:#}"));
            End::Unexpected.into()
        }
    }
}
