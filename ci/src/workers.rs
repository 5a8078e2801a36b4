// SPDX-License-Identifier: MIT OR Apache-2.0

//! Several runs at once, in processes of their own; see `models/src/worker.rs`.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{bail, Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use prodq_models::catalog::Case;
use prodq_models::fault::Fault;
use prodq_models::verify::Report;
use prodq_models::worker::{serve, Answer, Request};
use prodq_models::world::World;

use crate::verify::TierName;
use crate::End;

/// Run cases by number, read from stdin, and answer with their reports
#[derive(clap::Args)]
pub struct Args {
    #[arg(long, value_enum)]
    tier: TierName,
    #[arg(long)]
    resume: Option<PathBuf>,
}

/// Where the command leaves what it makes.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from)
}

/// Where witnesses are left.
pub fn witness_folder() -> PathBuf {
    target_folder().join("prodq").join("witness")
}

/// The worker's side.
pub fn work(args: &Args) -> Result<End> {
    serve(args.tier.into(), &witness_folder(), args.resume.as_deref())?;
    Ok(End::AsExpected)
}

/// A worker process.
pub struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    /// A worker of this program.
    fn of_this_program(tier: TierName, resume: Option<&Path>) -> Result<Worker> {
        let program = std::env::current_exe().context("the path of this program")?;
        let mut command = Command::new(program);
        command.args(["worker", "--tier", tier.name()]);
        if let Some(folder) = resume {
            command.arg("--resume").arg(folder);
        }
        Worker::start(command)
    }

    /// A worker that this command starts.
    pub fn start(mut command: Command) -> Result<Worker> {
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

    /// Has a case run; `progress` is told the executions so far and how much is behind, and whether to go
    /// on is its answer.
    pub fn see(
        &mut self,
        request: &Request,
        progress: impl Fn(u64, f64) -> bool,
    ) -> Result<Option<Report>> {
        let requests = self.requests.as_mut().context("a worker's requests")?;
        writeln!(requests, "{}", serde_json::to_string(request)?)?;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line)?;
            if line.is_empty() {
                bail!("a worker process ended in the middle of its work");
            }
            match serde_json::from_str(&line)? {
                Answer::Progress { executions, share } => {
                    if !progress(executions, share) {
                        self.process.kill()?;
                        return Ok(None);
                    }
                }
                Answer::Report(report) => return Ok(Some(*report)),
                Answer::Failed(error) => bail!(error),
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

/// How many threads are worth starting.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Waits for threads; the first error, or a panic of theirs.
pub fn join_all(threads: Vec<thread::ScopedJoinHandle<'_, Result<()>>>) -> Result<()> {
    threads
        .into_iter()
        .try_for_each(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
}

/// Runs the cases of these numbers: those with simulated threads on all cores, those with real threads
/// one by one afterwards. The reports come in the order of the numbers.
pub fn see_all(
    tier: TierName,
    resume: Option<&Path>,
    cases: &[Case],
    indices: &[usize],
    fault: &Fault,
) -> Result<Vec<Report>> {
    let bar = progress(indices.len() as u64, "runs");
    let is_real = |index: &&usize| matches!(cases[**index].world, World::Threads { .. });
    let (real, simulated): (Vec<usize>, Vec<usize>) = indices.iter().partition(is_real);
    let reports = Mutex::new(Vec::new());
    for (indices, workers) in [(simulated, cores()), (real, 1)] {
        let next = AtomicUsize::new(0);
        let serve = || -> Result<()> {
            let mut worker = Worker::of_this_program(tier, resume)?;
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
                    true
                };
                let request = Request {
                    case: index,
                    until: Vec::new(),
                    fault: fault.clone(),
                };
                let report = worker.see(&request, progress).with_context(|| {
                    format!("scenario {} in {}", case.scenario.name, case.world.name())
                })?;
                let report = report.context("a run that was not stopped has a report")?;
                bar.inc(1);
                let mut reports = reports.lock().unwrap_or_else(PoisonError::into_inner);
                reports.push((index, report));
            }
            Ok(())
        };
        let workers = workers.min(indices.len());
        thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(serve)).collect();
            join_all(threads)
        })?;
    }
    bar.finish_and_clear();
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    reports.sort_by_key(|(index, _)| *index);
    Ok(reports.into_iter().map(|(_, report)| report).collect())
}
