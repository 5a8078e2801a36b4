// SPDX-License-Identifier: MIT OR Apache-2.0

//! Cases run in processes of their own: model checkers map and unmap a stack for every simulated thread,
//! and threads of one process would wait for each other there. A worker reads a request on each line and
//! answers with lines of its own. It may be built around another core than who asks.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::catalog::{cases, Tier};
use crate::fault::Fault;
use crate::theorem::Theorem;
use crate::verify::{see, Report, Watch};

/// What a worker is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The case, by its number in the tier.
    pub case: usize,
    /// The run ends as soon as one of these theorems is refuted.
    pub until: Vec<Theorem>,
    /// What is broken.
    pub fault: Fault,
}

/// What a worker says: now and then how far it is, and in the end what it has seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The run goes on.
    Progress {
        /// Executions so far.
        executions: u64,
        /// How much of an exploration is behind, at most, from 0 to 1.
        share: f64,
    },
    /// The run has ended.
    Report(Box<Report>),
    /// It could not be made.
    Failed(String),
}

/// Answers requests until there are no more. Witnesses are left in `folder`, and the explorer's checkpoints
/// in `resume`.
///
/// # Errors
/// A request that is none, or lines that cannot be read or written.
pub fn serve(tier: Tier, folder: &Path, resume: Option<&Path>) -> std::io::Result<()> {
    let cases = cases(tier);
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?)?;
        let Some(case) = cases.get(request.case) else {
            say(&Answer::Failed(format!(
                "there is no case {}; they are 0 to {}",
                request.case,
                cases.len() - 1
            )))?;
            continue;
        };
        let watch = Watch {
            checkpoints: resume.map(PathBuf::from),
            until: request.until,
            fault: request.fault,
            ..Watch::default()
        };
        let report = thread::scope(|scope| {
            let run = scope.spawn(|| see(case, tier, folder, &watch));
            let mut looks = 0_u32;
            while !run.is_finished() {
                thread::sleep(Duration::from_millis(5));
                looks += 1;
                if looks.is_multiple_of(100) {
                    say(&Answer::Progress {
                        executions: watch.ticks.load(Ordering::Relaxed),
                        share: f64::from_bits(watch.share.load(Ordering::Relaxed)),
                    })?;
                }
            }
            Ok::<_, std::io::Error>(run.join())
        })?;
        say(&match report {
            Ok(Ok(report)) => Answer::Report(Box::new(report)),
            Ok(Err(error)) => Answer::Failed(error.to_string()),
            Err(panic) => std::panic::resume_unwind(panic),
        })?;
    }
    Ok(())
}

fn say(answer: &Answer) -> std::io::Result<()> {
    writeln!(
        std::io::stdout().lock(),
        "{}",
        serde_json::to_string(answer)?
    )
}
