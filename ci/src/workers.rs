// SPDX-License-Identifier: MIT OR Apache-2.0

//! Several runs at once, in processes of their own: model checkers map and unmap a stack for every
//! simulated thread, and threads of one process would wait for each other there.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{bail, Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use prodq_models::catalog::{cases, Case, Tier};
use prodq_models::verify::{see, Report, Watch};
use prodq_models::world::World;
use serde::{Deserialize, Serialize};

use crate::verify::TierName;
use crate::{say, End};

/// Run cases by number, read from stdin, and answer with their reports
#[derive(clap::Args)]
pub struct Args {
    #[arg(long, value_enum)]
    tier: TierName,
    #[arg(long)]
    resume: Option<PathBuf>,
}

/// What a worker writes: now and then how far it is, and in the end the report.
#[derive(Serialize, Deserialize)]
enum Answer {
    Progress { executions: u64, share: f64 },
    Report(Box<Report>),
}

/// Where witnesses are left.
pub fn witness_folder() -> PathBuf {
    target_folder().join("prodq").join("witness")
}

/// Where cargo builds.
pub fn target_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    PathBuf::from(target)
}

/// The worker's side: a case's number on each line in, its report on each line out.
pub fn work(args: &Args) -> Result<End> {
    let tier = Tier::from(args.tier);
    let cases = cases(tier);
    for line in std::io::stdin().lock().lines() {
        let index: usize = line?.trim().parse().context("a case's number")?;
        let case = cases.get(index).context("there is no such case")?;
        let watch = Watch {
            checkpoints: args.resume.clone(),
            ..Watch::default()
        };
        let report = thread::scope(|scope| {
            let run = scope.spawn(|| see(case, tier, &witness_folder(), &watch));
            let mut looks = 0_u32;
            while !run.is_finished() {
                thread::sleep(Duration::from_millis(5));
                looks += 1;
                if looks.is_multiple_of(100) {
                    let executions = watch.ticks.load(Ordering::Relaxed);
                    let share = f64::from_bits(watch.share.load(Ordering::Relaxed));
                    say(serde_json::to_string(&Answer::Progress {
                        executions,
                        share,
                    })?);
                }
            }
            match run.join() {
                Ok(report) => Ok(report?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        let report: Result<Report> = report;
        say(serde_json::to_string(&Answer::Report(Box::new(report?)))?);
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
    fn start(tier: TierName, resume: Option<&Path>) -> Result<Worker> {
        let program = std::env::current_exe().context("the path of this program")?;
        let mut command = Command::new(program);
        command.args(["worker", "--tier", tier.name()]);
        if let Some(folder) = resume {
            command.arg("--resume").arg(folder);
        }
        let mut process = command
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

    fn see(&mut self, index: usize, progress: impl Fn(u64, f64)) -> Result<Report> {
        let requests = self.requests.as_mut().context("a worker's requests")?;
        writeln!(requests, "{index}")?;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line)?;
            if line.is_empty() {
                bail!("a worker process ended in the middle of its work");
            }
            match serde_json::from_str(&line)? {
                Answer::Progress { executions, share } => progress(executions, share),
                Answer::Report(report) => return Ok(*report),
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // With no more requests it ends by itself.
        self.requests.take();
        let _ = self.process.wait();
    }
}

/// A progress bar over `len` of something.
pub fn progress(len: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(len);
    let template = format!("{{bar:30}} {{pos}} of {{len}} {what}, {{elapsed}}: {{msg}}");
    let style = ProgressStyle::with_template(&template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Runs the cases of these numbers: those with simulated threads on all cores, those with real threads
/// one by one afterwards. The reports come in the order of the numbers.
pub fn see_all(
    tier: TierName,
    resume: Option<&Path>,
    cases: &[Case],
    indices: &[usize],
) -> Result<Vec<Report>> {
    let bar = progress(indices.len() as u64, "runs");
    let is_real = |index: &&usize| matches!(cases[**index].world, World::Threads { .. });
    let (real, simulated): (Vec<usize>, Vec<usize>) = indices.iter().partition(is_real);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let reports = Mutex::new(Vec::new());
    for (indices, workers) in [(simulated, cores), (real, 1)] {
        let next = AtomicUsize::new(0);
        let serve = || -> Result<()> {
            let mut worker = Worker::start(tier, resume)?;
            while let Some(&index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) {
                let case = &cases[index];
                let name = format!("{} in {}", case.scenario.name, case.world.name());
                bar.set_message(name.clone());
                let progress = |executions, share: f64| {
                    let share = match share {
                        share if share > 0.0 => format!(", at most {:.1} %", 100.0 * share),
                        _ => String::new(),
                    };
                    bar.set_message(format!("{name}, {executions} executions{share}"));
                };
                let report = worker.see(index, progress).with_context(|| {
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
