// SPDX-License-Identifier: MIT OR Apache-2.0

//! What kernels were recorded to do is what the core does, on any machine; and the comparison can
//! fail.

mod conform_support;

use conform_support::{traces, BROKEN, STRAIGHT};
use prodq_ci::conform::compare::compare;
use prodq_ci::conform::core_side::play;
use prodq_ci::conform::seen::Outcome;

/// The bar for a broken core, in steps.
const CAUGHT_WITHIN: usize = 20_000;

#[test]
fn recordings_agree_with_the_core() {
    let traces = traces();
    assert!(!traces.is_empty(), "there are no recordings in ci/traces");
    for (path, trace) in &traces {
        let path = path.display();
        assert!(!trace.recordings.is_empty(), "{path} has no sequence");
        for (index, kernel) in trace.recordings.iter().enumerate() {
            assert!(
                !kernel.steps.is_empty(),
                "{path}: sequence {index} is empty"
            );
            for core in [play, STRAIGHT] {
                let core = core(&trace.header, kernel).expect("the core plays it");
                if let Some(found) = compare(kernel, &core) {
                    panic!("{path}, sequence {index}:\n{found}");
                }
            }
        }
    }
}

#[test]
fn recordings_show_every_outcome() {
    let traces = traces();
    let steps = || {
        let recordings = traces.iter().flat_map(|(_, trace)| &trace.recordings);
        recordings.flat_map(|recording| &recording.steps)
    };
    type Is = fn(&Outcome) -> bool;
    let wanted: [(&str, Is); 9] = [
        ("queued", |o| *o == Outcome::Queued),
        ("rcvbuf full", |o| *o == Outcome::RcvbufFull),
        ("no memory", |o| *o == Outcome::NoMemory),
        ("nothing", |o| *o == Outcome::Nothing),
        ("ended", |o| *o == Outcome::Ended),
        ("ready", |o| matches!(o, Outcome::Ready(true, _))),
        (
            "several",
            |o| matches!(o, Outcome::Got(all) if all.len() > 1),
        ),
        (
            "cut",
            |o| matches!(o, Outcome::Got(all) if all.iter().any(|got| got.cut)),
        ),
        (
            "stamp",
            |o| matches!(o, Outcome::Got(all) if all.iter().any(|got| got.stamp != 0)),
        ),
    ];
    for (name, is) in wanted {
        assert!(
            steps().any(|step| is(&step.seen.outcome)),
            "{name} was not recorded"
        );
    }
    let over = |step: &&prodq_ci::conform::seen::Step| {
        step.seen.outcome == Outcome::Queued && step.seen.rmem_alloc as u32 > step.seen.rcvbuf
    };
    assert!(
        steps().any(|step| over(&step)),
        "accept-if-empty was not recorded"
    );
}

#[test]
fn a_figure_that_was_changed_is_noticed() {
    let (_, trace) = traces().remove(0);
    let kernel = &trace.recordings[0];
    let core = play(&trace.header, kernel).expect("the core plays it");
    assert!(compare(kernel, &core).is_none());
    for at in 0..kernel.steps.len() {
        let mut altered = kernel.clone();
        altered.steps[at].seen.fwd_alloc += 1;
        let found = compare(&altered, &core).expect("one byte more is a disagreement");
        assert_eq!(found.at, at);
        assert!(found.to_string().contains("differs"));
    }
}

#[test]
fn recordings_catch_every_broken_core() {
    for (name, broken) in BROKEN {
        let mut steps = 0;
        let mut caught = None;
        'traces: for (_, trace) in &traces() {
            for kernel in &trace.recordings {
                steps += kernel.steps.len();
                let core = broken(&trace.header, kernel).expect("the core plays it");
                if compare(kernel, &core).is_some() {
                    caught = Some(steps);
                    break 'traces;
                }
            }
        }
        let caught = caught.unwrap_or_else(|| panic!("{name}: not caught in {steps} steps"));
        println!("{name}: caught within {caught} recorded steps");
        assert!(
            caught <= CAUGHT_WITHIN,
            "{name}: caught only after {caught} steps"
        );
    }
}
