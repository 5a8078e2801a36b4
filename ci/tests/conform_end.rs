// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sysctls and sockets are as before after any end of the program.

#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;
use prodq_ci::conform::machine;
use prodq_ci::tell;

/// How long anything here may take; far longer than it does.
const PATIENCE: Duration = Duration::from_secs(120);

fn udp_mem() -> [u32; 3] {
    machine::udp_mem().expect("udp_mem")
}

/// One test at a time: each looks at what its own run changes on the machine.
static ONE: Mutex<()> = Mutex::new(());

fn one() -> MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// UDP sockets of this network namespace, by inode.
fn sockets() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for path in ["/proc/net/udp", "/proc/net/udp6"] {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let inode = |line: &str| line.split_ascii_whitespace().nth(9).map(str::to_owned);
        all.extend(text.lines().skip(1).filter_map(inode));
    }
    all
}

fn wait_until(what: &str, mut is: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(start.elapsed() < PATIENCE, "{what} in {PATIENCE:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Whether sysctls can be changed here; says so when they cannot.
fn can_change() -> bool {
    if let Some(why) = machine::too_old().expect("uname") {
        tell(why);
        return false;
    }
    let Ok(old) = machine::udp_mem() else {
        tell("udp_mem is not told in this network namespace; skipped");
        return false;
    };
    let old = old.map(|limit| limit.to_string()).join(" ");
    let written = std::fs::write("/proc/sys/net/ipv4/udp_mem", old);
    if let Err(error) = &written {
        tell(format_args!("udp_mem cannot be changed: {error}; skipped"));
    }
    written.is_ok()
}

fn ends_by(signal: Signal) {
    let _one = one();
    // Nobody else has changed anything while the lock is held.
    let alone = machine::alone().expect("the lock");
    if !can_change() {
        return;
    }
    let (limits, others) = (udp_mem(), sockets());
    let mut run = Command::new(env!("CARGO_BIN_EXE_prodq"))
        .args(["conform", "--part", "pressure", "--steps", "1000000000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("prodq");
    drop(alone);
    wait_until("udp_mem is lowered", || udp_mem() != limits);
    assert!(!sockets().is_subset(&others), "the run has sockets");
    let pid = Pid::from_raw(run.id().try_into().expect("a process id"));
    kill(pid, signal).expect("a signal to our own child");
    let status = run.wait().expect("the end of the run");
    assert!(!status.success(), "{signal} is no success");
    // Whoever gets the lock finds everything restored.
    let _alone = machine::alone().expect("the lock");
    assert_eq!(udp_mem(), limits, "udp_mem after {signal}");
    assert!(sockets().is_subset(&others), "sockets after {signal}");
}

#[test]
fn ctrl_c_leaves_everything_as_it_was() {
    ends_by(Signal::SIGINT);
}

#[test]
fn being_killed_leaves_everything_as_it_was() {
    ends_by(Signal::SIGKILL);
}

#[test]
fn the_end_of_a_run_leaves_everything_as_it_was() {
    let _one = one();
    let alone = machine::alone().expect("the lock");
    if !can_change() {
        return;
    }
    let (limits, others) = (udp_mem(), sockets());
    drop(alone);
    let run = Command::new(env!("CARGO_BIN_EXE_prodq"))
        .args(["conform", "--steps", "2000", "--seed", "5", "--json"])
        .output()
        .expect("prodq");
    let _alone = machine::alone().expect("the lock");
    assert_eq!(udp_mem(), limits);
    assert!(sockets().is_subset(&others));
    let out = String::from_utf8(run.stdout).expect("UTF-8");
    let last = out.lines().last().expect("a last line");
    let last: serde_json::Value = serde_json::from_str(last).expect("JSON");
    assert_eq!(last["disagreements"], 0);
    assert!(last["steps"].as_u64().is_some_and(|steps| steps >= 2000));
    assert!(run.status.success());
}
