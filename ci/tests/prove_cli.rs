// SPDX-License-Identifier: MIT OR Apache-2.0

//! `cargo prove` as a user calls it.

use std::process::{Command, Output};

/// Runs `prodq prove` with a path on which no solver and no Python is.
fn prove(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prodq"))
        .arg("prove")
        .args(args)
        .env("CARGO_TARGET_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env("PATH", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the command is built")
}

#[test]
fn an_unknown_theorem_lists_the_known_ones_and_exits_2() {
    for args in [&["no-such-theorem"][..], &["--jason"], &["ledger", "x"]] {
        let output = prove(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    let output = prove(&["no-such-theorem"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("no-lost-wakeup"), "{error}");
}

#[test]
fn without_solvers_it_says_what_to_install_and_exits_1() {
    for args in [&[][..], &["--json"], &["order"]] {
        let output = prove(args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
        assert!(error.contains("apt-get install python3-venv"), "{error}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
