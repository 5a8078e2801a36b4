// SPDX-License-Identifier: MIT OR Apache-2.0

//! Several runs at once, in processes of their own: model checkers map and unmap a stack for every
//! simulated thread, and threads of one process would wait for each other there.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{bail, Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use prodq_models::catalog::{cases, Case, Tier};
use prodq_models::verify::{see, Report};
use prodq_models::world::World;

use crate::verify::TierName;
use crate::{say, End};

/// Run cases by number, read from stdin, and answer with their reports
#[derive(clap::Args)]
pub struct Args {
    #[arg(long, value_enum)]
    tier: TierName,
}

fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    PathBuf::from(target).join("prodq").join("witness")
}

/// The worker's side: a case's number on each line in, its report on each line out.
pub fn work(args: &Args) -> Result<End> {
    let tier = Tier::from(args.tier);
    let cases = cases(tier);
    for line in std::io::stdin().lock().lines() {
        let index: usize = line?.trim().parse().context("a case's number")?;
        let case = cases.get(index).context("there is no such case")?;
        let report = see(case, tier, &folder())?;
        say(serde_json::to_string(&report)?);
    }
    Ok(End::AsExpected)
}

/// A worker process.
struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    fn start(tier: TierName) -> Result<Worker> {
        let program = std::env::current_exe().context("the path of this program")?;
        let mut process = Command::new(program)
            .args(["worker", "--tier", tier.name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("a worker process cannot be started")?;
        let requests = process.stdin.take();
        let answers = process.stdout.take().context("a worker's answers")?;
        Ok(Worker {
            process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    fn see(&mut self, index: usize) -> Result<Report> {
        let requests = self.requests.as_mut().context("a worker's requests")?;
        writeln!(requests, "{index}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        if line.is_empty() {
            bail!("a worker process ended in the middle of its work");
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // With no more requests it ends by itself.
        self.requests.take();
        let _ = self.process.wait();
    }
}

/// Runs the cases of these numbers: those with simulated threads on all cores, those with real threads
/// one by one afterwards. The reports come in the order of the numbers.
pub fn see_all(tier: TierName, cases: &[Case], indices: &[usize]) -> Result<Vec<Report>> {
    let bar = ProgressBar::new(indices.len() as u64);
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} runs, {elapsed}: {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let is_real = |index: &&usize| matches!(cases[**index].world, World::Threads { .. });
    let (real, simulated): (Vec<usize>, Vec<usize>) = indices.iter().partition(is_real);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let reports = Mutex::new(Vec::new());
    for (indices, workers) in [(simulated, cores), (real, 1)] {
        let next = AtomicUsize::new(0);
        let serve = || -> Result<()> {
            let mut worker = Worker::start(tier)?;
            while let Some(&index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) {
                let case = &cases[index];
                bar.set_message(format!("{} in {}", case.scenario.name, case.world.name()));
                let report = worker.see(index).with_context(|| {
                    format!("scenario {} in {}", case.scenario.name, case.world.name())
                })?;
                bar.inc(1);
                let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
                reports.push((index, report));
            }
            Ok(())
        };
        let workers = workers.min(indices.len());
        thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(serve)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| match thread.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
        })?;
    }
    bar.finish_and_clear();
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    reports.sort_by_key(|(index, _)| *index);
    Ok(reports.into_iter().map(|(_, report)| report).collect())
}
