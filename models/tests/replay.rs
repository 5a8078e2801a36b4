// SPDX-License-Identifier: MIT OR Apache-2.0

//! A witness is readable, is kept in a file, and shows the same again.

mod common;

use std::path::{Path, PathBuf};

use common::{outcome, scenario, LOOM, LOOM_NEWEST, SHUTTLE, THREADS};
use prodq::Site;
use prodq_models::fault::Fault;
use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_models::world::{Job, World};

fn witness(name: &str, world: World, theorem: Theorem, fault: Fault) -> Witness {
    let job = Job::new(scenario(name), world, &[theorem]).with_fault(fault);
    let outcome = outcome(&job);
    Witness::new(&job, theorem, &outcome.findings[&theorem])
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_witness_shows_the_same_again() {
    for world in [LOOM, LOOM_NEWEST, SHUTTLE] {
        for (theorem, fault) in [
            (Theorem::Order, Fault::NoReversal),
            (Theorem::Accounting, Fault::ChargeAfterPush),
            (Theorem::NoStranding, Fault::BlindPush),
        ] {
            let found = witness("two-cpus", world, theorem, fault);
            let path = file(&format!("again-{}-{theorem}.json", world.model()));
            found.write(&path).unwrap();
            let read = Witness::read(&path).unwrap();
            assert_eq!(read, found);
            assert_eq!(read.replay().unwrap(), Replay::Same);
        }
    }
}

#[test]
fn a_witness_of_a_race_shows_the_same_again() {
    let found = witness("close", LOOM, Theorem::ReleaseOnDestruct, Fault::NoGrace);
    assert_eq!(found.replay().unwrap(), Replay::Same);
}

#[test]
fn a_witness_that_was_changed_is_different() {
    let found = witness("two-cpus", SHUTTLE, Theorem::Order, Fault::NoReversal);
    let mut innocent = found.clone();
    innocent.fault = Fault::None;
    assert!(matches!(innocent.replay().unwrap(), Replay::Different(_)));
    let mut touched = found;
    touched.timeline.pop();
    assert!(matches!(touched.replay().unwrap(), Replay::Different(_)));
}

#[test]
fn a_witness_of_real_threads_says_that_it_is_a_recording() {
    let fault = Fault::omit(Site::Uncharge);
    let found = witness("two-cpus", THREADS, Theorem::Accounting, fault);
    assert_eq!(found.replay().unwrap(), Replay::Recorded);
    assert!(found.timeline.len() > 10);
}

#[test]
fn the_largest_rmem_alloc_has_a_witness() {
    let job = Job::new(scenario("two-cpus"), LOOM_NEWEST, Theorem::ALL);
    let outcome = outcome(&job);
    let reached = outcome.reached.as_ref().unwrap();
    let witness = Witness::new(&job, Theorem::BoundedOvershoot, reached);
    assert_eq!(witness.what, "rmem_alloc reaches 200 bytes");
    assert_eq!(witness.replay().unwrap(), Replay::Same);
}

#[test]
fn a_timeline_has_a_column_for_each_cpu_and_a_line_for_each_step() {
    let found = witness("two-cpus", LOOM, Theorem::Order, Fault::NoReversal);
    let text = found.render();
    let mut lines = text.lines().skip(3);
    let heading = lines.next().unwrap();
    assert!(heading.contains("CPU 0 (node 0)") && heading.contains("CPU 1 (node 0)"));
    let columns = |line: &str| line.matches("| ").count();
    let mut pushes = 0;
    for line in lines {
        assert_eq!(columns(line), columns(heading), "{line}");
        pushes += usize::from(line.contains("push p"));
    }
    assert_eq!(pushes, 2, "{text}");
}

#[test]
fn a_file_that_is_no_witness_says_so() {
    for (name, text) in [
        ("empty.json", ""),
        ("other.json", "{\"a\": 1}"),
        ("prose.json", "Dear Sir or Madam"),
    ] {
        let path = file(name);
        std::fs::write(&path, text).unwrap();
        let error = Witness::read(&path).unwrap_err().to_string();
        assert!(error.contains("is not a witness file"), "{error}");
    }
    let error = Witness::read(&file("absent.json")).unwrap_err().to_string();
    assert!(error.contains("cannot be read"), "{error}");
    let mut found = witness("two-cpus", LOOM, Theorem::Order, Fault::NoReversal);
    found.scenario.nodes = 0;
    let error = found.replay().unwrap_err().to_string();
    assert!(error.contains("0 nodes; it needs from 1 to 64"), "{error}");
}
