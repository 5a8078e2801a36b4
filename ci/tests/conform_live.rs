// SPDX-License-Identifier: MIT OR Apache-2.0

//! The kernel of this machine, where it has the algorithm: it agrees with the core, and it catches
//! broken ones.

#![cfg(target_os = "linux")]

mod conform_support;

use std::path::Path;

use conform_support::{Core, BROKEN};
use nix::sched::sched_getaffinity;
use nix::unistd::Pid;
use prodq_ci::conform::core_side::play;
use prodq_ci::conform::hunt::{Hunt, Plan};
use prodq_ci::conform::judge::Judge;
use prodq_ci::conform::{crowd, machine};
use prodq_ci::tell;

/// The bar for a broken core, in steps.
const STEPS: u64 = 20_000;

/// Whether this machine's kernel is one to compare with; says so when it is not.
fn is_judge() -> bool {
    match machine::too_old().expect("uname") {
        None => true,
        Some(why) => {
            tell(why);
            false
        }
    }
}

fn hunt(judge: &mut Judge, core: Core, seed: u64, pressure: bool) -> Hunt {
    let plan = Plan {
        core,
        steps: STEPS,
        seed,
        pressure,
        most: 1,
        record: false,
        progress: &|_| (),
    };
    judge.hunt(&plan).expect("the sequences can be played")
}

#[test]
fn the_kernel_agrees_with_the_core() {
    if !is_judge() {
        return;
    }
    let _alone = machine::alone().expect("the lock");
    machine::stay().expect("one CPU");
    let mut judge = Judge::new().expect("a judge");
    let hunt = hunt(&mut judge, play, 1, false);
    for found in &hunt.disagreements {
        println!("{found}");
    }
    assert_eq!(hunt.found(), 0);
    assert!(hunt.steps >= STEPS);
    for (name, count) in &hunt.seen {
        let can = match *name {
            "no-memory" => false,
            "shared-pages-moved" => judge.pages(),
            _ => true,
        };
        assert!(*count > 0 || !can, "{name} did not happen");
    }
}

/// Whether memory pressure can be had; says so when it cannot.
fn allow_pressure(judge: &mut Judge) -> bool {
    let allowed = judge.allow_pressure(Path::new(env!("CARGO_BIN_EXE_prodq")));
    if let Err(error) = &allowed {
        tell(format_args!("memory pressure is skipped: {error:#}"));
    }
    allowed.is_ok()
}

#[test]
fn the_kernel_agrees_with_the_core_under_memory_pressure() {
    if !is_judge() {
        return;
    }
    let _alone = machine::alone().expect("the lock");
    machine::stay().expect("one CPU");
    let mut judge = Judge::new().expect("a judge");
    if !allow_pressure(&mut judge) {
        return;
    }
    let hunt = hunt(&mut judge, play, 3, true);
    for found in &hunt.disagreements {
        println!("{found}");
    }
    assert_eq!(hunt.found(), 0);
    assert!(hunt.steps >= STEPS);
    for (name, count) in &hunt.seen {
        assert!(*count > 0, "{name} did not happen");
    }
}

#[test]
fn the_kernel_catches_every_broken_core() {
    if !is_judge() {
        return;
    }
    let _alone = machine::alone().expect("the lock");
    machine::stay().expect("one CPU");
    let mut judge = Judge::new().expect("a judge");
    let scarce = allow_pressure(&mut judge);
    for (name, broken) in BROKEN {
        let pressure = name == "udp_rmem_min missing";
        let pages = name.starts_with("a page");
        if (pressure && !scarce) || (pages && !judge.pages()) {
            tell(format_args!("{name}: left to the recordings"));
            continue;
        }
        let hunt = hunt(&mut judge, broken, 2, pressure);
        let found = hunt.disagreements.first();
        let found = found.unwrap_or_else(|| panic!("{name}: not caught in {} steps", hunt.steps));
        let ops = found.kernel.steps.len();
        println!(
            "{name}: caught within {} steps, {ops} remain:\n{found}",
            hunt.steps
        );
        assert!(ops <= 12, "{name}: {ops} operations are not minimal");
    }
}

#[test]
fn older_kernels_are_skipped_with_a_line() {
    for release in ["6.17.0", "6.1.0-13-amd64", "5.15.0", "4.19", "unknown"] {
        let why = machine::is_too_old(release).expect("too old");
        assert!(why.contains(release) && why.contains("skipped"), "{why}");
    }
    for release in ["6.18.0", "6.18.44-fc-v657", "6.19.0-rc1", "7.0.0", "10.1"] {
        assert_eq!(machine::is_too_old(release), None);
    }
}

#[test]
fn a_crowd_stays_within_the_bound() {
    if !is_judge() {
        return;
    }
    let _alone = machine::alone().expect("the lock");
    let anywhere = sched_getaffinity(Pid::from_raw(0)).expect("CPUs");
    let flood = crowd::flood(4608, true, &anywhere).expect("a flood");
    println!("{flood}");
    assert!(flood.samples > 0 && flood.dropped > 0 && flood.received > 0);
    assert!(flood.holds(), "{flood}");
    let mut lost = flood.clone();
    lost.received -= 1;
    assert!(!lost.holds(), "a datagram that is missing is noticed");
    let mut over = flood;
    over.largest = over.bound as i64 + 1;
    assert!(!over.holds(), "a byte above the bound is noticed");
}
