// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command `prodq conform` with recordings: what it prints and how it ends.

mod conform_support;

use std::path::Path;
use std::process::{Command, Output};

use conform_support::traces;

fn replay(path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prodq"))
        .args(["conform", "--json", "--replay"])
        .arg(path)
        .output()
        .expect("prodq")
}

#[test]
fn a_recording_that_agrees_ends_with_0_and_one_line() {
    for (path, trace) in traces() {
        let run = replay(&path);
        assert_eq!(run.status.code(), Some(0));
        let out = String::from_utf8(run.stdout).expect("UTF-8");
        let kernel = &trace.header.kernel;
        let steps: usize = trace.recordings.iter().map(|r| r.steps.len()).sum();
        let sequences = trace.recordings.len();
        let expected = format!(
            "{{\"steps\":{steps},\"sequences\":{sequences},\"disagreements\":0,\"kernel\":\"{kernel}\"}}\n"
        );
        assert_eq!(out, expected);
    }
}

#[test]
fn a_recording_that_disagrees_ends_with_1_and_a_table() {
    let (_, mut trace) = traces().remove(0);
    trace.recordings.truncate(1);
    let last = trace.recordings[0].steps.last_mut().expect("a step");
    last.seen.rmem_alloc += 1;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("altered.jsonl");
    trace.write(&path).expect("a file");
    let run = replay(&path);
    assert_eq!(run.status.code(), Some(1));
    let (out, err) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    assert!(out.contains("\"disagreements\":1"), "{out}");
    assert!(err.contains("differs"), "{err}");
}

#[test]
fn a_file_that_is_no_recording_ends_with_2_and_names_the_line() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing.jsonl");
    std::fs::write(&path, "{\"kernel\":1}\n").expect("a file");
    let run = replay(&path);
    assert_eq!(run.status.code(), Some(2));
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(err.contains("nothing.jsonl, line 1"), "{err}");
    let run = replay(Path::new("/nowhere.jsonl"));
    assert_eq!(run.status.code(), Some(2));
}
