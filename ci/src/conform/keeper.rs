// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sysctls that are as before after any end of the program.
//!
//! A process of its own changes them and remembers what they were. It lives in a session of its own,
//! so that Ctrl-C does not reach it, and restores everything when the pipe from this program ends,
//! which it does whatever this program dies of.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{bail, Context, Result};

use nix::sys::signal::SigSet;

use super::machine;
use crate::{say, End};

/// Change sysctls as stdin says, and restore them when it ends
#[derive(clap::Args)]
pub struct Args {}

/// The sysctls that it changes, below /proc/sys/net.
const ALLOWED: [&str; 1] = ["ipv4/udp_mem"];

fn path(name: &str) -> PathBuf {
    PathBuf::from("/proc/sys/net").join(name)
}

/// The keeper's side: `name=value` on each line in, `ok` or what was wrong on each line out.
pub fn keep(_: &Args) -> Result<End> {
    nix::unistd::setsid().context("a session of its own")?;
    // Whoever ends a whole group of processes ends this one by the end of its pipe.
    SigSet::all().thread_block().context("signals")?;
    let _restored = machine::restoring()?;
    let mut before = BTreeMap::new();
    // A line that cannot be read ends it like the end of the pipe: what was changed is restored.
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match change(&line, &mut before) {
            Ok(()) => say("ok"),
            Err(error) => say(format_args!("{error:#}")),
        }
    }
    for (name, value) in before {
        std::fs::write(path(&name), value).with_context(|| format!("{name} is not restored"))?;
    }
    Ok(End::AsExpected)
}

fn change(line: &str, before: &mut BTreeMap<String, String>) -> Result<()> {
    let (name, value) = line.split_once('=').context("name=value is expected")?;
    if !ALLOWED.contains(&name) {
        bail!("{name} is not among the sysctls that are changed: {ALLOWED:?}");
    }
    let now = std::fs::read_to_string(path(name)).context(name.to_owned())?;
    std::fs::write(path(name), value).with_context(|| format!("{name} cannot be changed"))?;
    before.entry(name.to_owned()).or_insert(now);
    Ok(())
}

/// This program's side.
pub struct Keeper {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Keeper {
    /// Starts it; `program` is `prodq`.
    pub fn start(program: &Path) -> Result<Keeper> {
        let mut process = Command::new(program)
            .arg("keeper")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the process that restores sysctls cannot be started")?;
        let requests = process.stdin.take();
        let answers = process.stdout.take().context("the keeper's answers")?;
        Ok(Keeper {
            process,
            requests,
            answers: BufReader::new(answers),
        })
    }

    /// Changes a sysctl below /proc/sys/net until this program ends.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let requests = self.requests.as_mut().context("the keeper has ended")?;
        writeln!(requests, "{name}={value}").context("the keeper has ended")?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        match answer.trim() {
            "ok" => Ok(()),
            "" => bail!("the keeper has ended"),
            error => bail!("{error}"),
        }
    }
}

impl Drop for Keeper {
    /// Waits until everything is restored.
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.process.wait();
    }
}
