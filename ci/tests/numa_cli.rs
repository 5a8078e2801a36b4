// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command `prodq numa` as a user calls it.

use std::process::{Command, Output};

fn numa(args: &[&str]) -> Output {
    let prodq = env!("CARGO_BIN_EXE_prodq");
    let output = Command::new(prodq).arg("numa").args(args).output();
    output.unwrap()
}

const SMALL: [&str; 7] = [
    "--nodes",
    "2",
    "--cpus",
    "2",
    "--runs",
    "2",
    "--no-variants",
];

#[test]
fn json_is_one_object_a_run_and_the_same_every_time() {
    let play = || {
        let output = numa(&[&SMALL[..], &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stderr.is_empty());
        String::from_utf8(output.stdout).unwrap()
    };
    let text = play();
    let lines: Result<Vec<serde_json::Value>, _> = text.lines().map(serde_json::from_str).collect();
    let lines = lines.unwrap();
    let sides: Vec<_> = lines
        .iter()
        .map(|line| line["side"].as_str().unwrap())
        .collect();
    assert_eq!(sides, ["before", "before", "after", "after"]);
    assert!(lines
        .iter()
        .all(|line| line["conservation"][0] == line["conservation"][1]));
    assert_eq!(play(), text);
}

#[test]
fn the_table_says_what_was_assumed_and_what_is_missing() {
    let output = numa(&SMALL);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    for told in [
        "InDatagrams",
        "[128, 256)",
        "seeds 618 to 619",
        "Assumed:",
        "Not in the model:",
    ] {
        assert!(text.contains(told), "{told} is not in {text}");
    }
}

/// 64 CPUs on each of 9 nodes would be more than there may be: that line is left out.
#[test]
fn what_it_depends_on_is_told_for_any_number_of_nodes_and_any_seed() {
    let seed = u64::MAX.to_string();
    let small = ["--nodes", "9", "--cpus", "1", "--runs", "2"];
    let output = numa(&[&small[..], &["--seed", &seed]].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("half of the load"), "{text}");
    assert!(!text.contains("64 CPUs on each node"), "{text}");
    assert!(text.contains(&format!("seeds {seed} to 0.")), "{text}");
}

#[test]
fn a_flood_that_cannot_be_is_a_bad_call() {
    for (args, told) in [
        (&["--nodes", "0"][..], "1..=64"),
        (&["--runs", "0"], "1..=1000"),
        (&["--nodes", "64", "--cpus", "64"], "it needs from 1 to 512"),
    ] {
        let output = numa(args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(told), "{args:?}: {error}");
        assert!(output.stdout.is_empty());
    }
}
