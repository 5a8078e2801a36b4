// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the command `prodq` shares with its tests.

use std::io::Write;
use std::process::ExitCode;

pub mod conform;
pub mod flood;
pub mod ledger;
pub mod markdown;
pub mod numa;

/// How a command ended.
pub enum End {
    /// Everything was as expected.
    AsExpected,
    /// Something was not.
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
pub fn say(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// Prints a line for a person beside `--json`.
pub fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}
