// SPDX-License-Identifier: MIT OR Apache-2.0

//! `prodq replay`: shows a witness again.

use std::path::PathBuf;

use anyhow::Result;
use prodq_models::witness::{Replay, Witness};

use crate::{say, tell, End};

/// Play the execution of a witness file again and show it: a column for each CPU, a line for each step
#[derive(clap::Args)]
pub struct Args {
    /// A witness file, as `verify` and failing tests write them
    file: PathBuf,
}

/// Replays a witness. Exit status 1 when it does not show the same again.
pub fn replay(args: &Args) -> Result<End> {
    let witness = match Witness::read(&args.file) {
        Ok(witness) => witness,
        Err(error) => {
            tell(format_args!("error: {error}"));
            return Ok(End::BadCall);
        }
    };
    let replayed = match witness.replay() {
        Ok(replayed) => replayed,
        Err(error) => {
            let file = args.file.display();
            tell(format_args!("error: {file} cannot be replayed: {error}"));
            return Ok(End::BadCall);
        }
    };
    say(witness.render().trim_end());
    Ok(match replayed {
        Replay::Same => {
            say("played again: the same steps, the same end");
            End::AsExpected
        }
        Replay::Recorded => {
            say("recorded from real threads, whose schedule cannot be repeated: not played again");
            End::AsExpected
        }
        Replay::Different(what) => {
            say(format_args!("played again, and it was different: {what}"));
            End::Unexpected
        }
    })
}
