// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq`: the command behind `cargo verify` and `cargo replay`.
//!
//! Exit status 0 when everything is as expected, 1 when not, 2 for a call it cannot understand.

mod findings;
mod replay;
mod table;
mod verify;
mod workers;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    #[command(hide = true)]
    Worker(workers::Args),
}

/// How a command ended.
enum End {
    AsExpected,
    Unexpected,
    /// The call names something that is not there, or not what it should be.
    BadCall,
}

impl From<End> for ExitCode {
    fn from(end: End) -> ExitCode {
        ExitCode::from(match end {
            End::AsExpected => 0,
            End::Unexpected => 1,
            End::BadCall => 2,
        })
    }
}

/// Prints a line. A reader that went away is no error of ours.
fn say(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// Prints a line for a person beside `--json`.
fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn main() -> ExitCode {
    let end = match Cli::parse().command {
        Command::Verify(args) => verify::verify(&args),
        Command::Replay(args) => replay::replay(&args),
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
