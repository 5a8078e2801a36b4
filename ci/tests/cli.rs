// SPDX-License-Identifier: MIT OR Apache-2.0

//! The command as a user calls it, with bad input too.

use std::path::PathBuf;
use std::process::{Command, Output};

fn prodq(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prodq"))
        .args(args)
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_unknown_name_lists_the_known_ones_and_exits_2() {
    for (args, known) in [
        (&["verify", "no-such-theorem"][..], "release-on-destruct"),
        (&["verify", "--world", "mars"], "shuttle"),
        (&["verify", "--scenario", "nope"], "close-two-producers"),
        (&["verify", "--tier", "nope"], "deep"),
        (&["frobnicate"], "frobnicate"),
    ] {
        let output = prodq(args);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(known), "{args:?}: {error}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_scenario_too_big_for_loom_is_a_bad_call() {
    let output = prodq(&["verify", "--scenario", "flood", "--world", "loom"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("at most 4 CPUs"));
}

#[test]
fn a_file_that_is_no_witness_exits_2_and_says_so() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-witness.json");
    std::fs::write(&path, "[]").unwrap();
    for path in [path.as_path(), std::path::Path::new("/nonexistent.json")] {
        let output = prodq(&["replay", path.to_str().unwrap()]);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.starts_with("error: ") && !error.contains("panicked"),
            "{error}"
        );
    }
}

#[test]
fn json_is_one_object_a_line_and_nothing_else() {
    let output = prodq(&["verify", "--scenario", "two-nodes-stamps", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let fields = [
        "theorem",
        "world",
        "model",
        "scenario",
        "cpus",
        "nodes",
        "packets",
        "design",
        "executions",
        "complete",
        "verdict",
        "expected",
        "wall_ms",
        "witness",
    ];
    let mut replayed = 0;
    let stdout = text(&output.stdout);
    for line in stdout.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in fields {
            assert!(row.get(field).is_some(), "{field} is missing in {line}");
        }
        assert_eq!(row["verdict"], row["expected"], "{line}");
        let proved = row["verdict"] == "proved";
        let explored = row["world"] == "explore" && row["complete"] == true;
        assert_eq!(proved, explored && row["verdict"] != "refuted", "{line}");
        if row["verdict"] == "refuted" {
            let output = prodq(&["replay", row["witness"].as_str().unwrap()]);
            assert_eq!(output.status.code(), Some(0));
            assert!(text(&output.stdout).contains("played again: the same steps"));
            replayed += 1;
        }
    }
    // Nine theorems concern it; those of stale loads are not asked for the bound.
    assert_eq!(stdout.lines().count(), 4 * 9 + 2 * 8);
    assert_eq!(
        replayed, 5,
        "the explorer and loom in both forms, and shuttle"
    );
}

#[test]
fn one_theorem_in_one_world_is_one_row() {
    let args = [
        "verify",
        "order",
        "--world",
        "loom",
        "--scenario",
        "close",
        "--json",
    ];
    let output = prodq(&args);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        text(&output.stdout).lines().count(),
        2,
        "stale and newest loads"
    );
}

#[test]
fn a_pinned_count_that_is_off_by_one_fails_with_both_values() {
    let manifest = prodq_models::verify::Manifest::path();
    let manifest = std::fs::read_to_string(manifest).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let pins = manifest["pins"].as_array_mut().unwrap();
    let pinned = pins
        .iter_mut()
        .find(|pin| pin["scenario"] == "two-cpus" && pin["model"] == "RC11")
        .unwrap();
    let seen = pinned["executions"].as_u64().unwrap();
    pinned["executions"] = (seen + 1).into();
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("off-by-one.json");
    std::fs::write(&path, manifest.to_string()).unwrap();
    let output = prodq(&[
        "verify",
        "--world",
        "explore",
        "--scenario",
        "two-cpus",
        "--manifest",
        path.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    let says = format!(
        "order in explore (RC11), scenario two-cpus took {seen} executions; {} are pinned",
        seen + 1
    );
    assert!(stderr.contains(&says), "{stderr}");
    assert!(stderr.contains("cargo verify --accept"), "{stderr}");
}

#[test]
fn a_search_of_the_spec_is_a_line_and_leaves_a_witness() {
    let setup = ["--nodes", "1", "--cpus", "2", "--rcvbuf", "200"];
    let output = prodq(&[&["prove", "overshoot", "--json"][..], &setup].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut largest = Vec::new();
    for line in text(&output.stdout).lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["replayed"], true, "{line}");
        assert_eq!(row["largest"], row["expected"], "{line}");
        let output = prodq(&["replay", row["witness"].as_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("played again: the same steps"));
        largest.push(row["largest"].as_u64().unwrap());
    }
    assert_eq!(largest, [400, 300, 300], "one line for each policy");
}

#[test]
fn a_setup_that_cannot_be_searched_exits_2() {
    let output = prodq(&["prove", "overshoot", "--nodes", "9"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("from 1 to 7 CPUs in all"));
    let output = prodq(&["prove", "explore", "--size", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("from 1 to 2^20"));
}
