// SPDX-License-Identifier: MIT OR Apache-2.0

//! The core's folder, copied alone into an empty crate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// An empty folder.
fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).unwrap();
    folder
}

/// Runs cargo in a folder, offline: what is needed is in the workspace's lock file already.
fn cargo(folder: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(args)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {args:?}: {text}{errors}");
    text
}

#[test]
fn the_core_compiles_as_a_dependency_of_a_no_std_crate() {
    let folder = empty("as-a-crate");
    copy(&workspace().join("core"), &folder.join("prodq"));
    fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let manifest =
        "[workspace]\n[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
        [dependencies]\nprodq = { path = \"prodq\", default-features = false }\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let source = "#![no_std]\npub use prodq::{LlistHead, Platform, Sock};\n";
    fs::write(folder.join("src/lib.rs"), source).unwrap();
    cargo(&folder, &["check"]);
    let tree = cargo(&folder, &["tree", "-p", "prodq", "--prefix", "none"]);
    assert_eq!(tree.lines().count(), 1, "a dependency: {tree}");
}

#[test]
fn the_core_compiles_as_a_module() {
    let folder = empty("as-a-module");
    copy(&workspace().join("core/src"), &folder.join("src/prodq"));
    let manifest =
        "[workspace]\n[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let source = "#![no_std]\npub mod prodq;\n";
    fs::write(folder.join("src/lib.rs"), source).unwrap();
    cargo(&folder, &["check"]);
    // With the features that a user's own crate declares, the hardware platform is there as well.
    let features = "[features]\nalloc = []\nstd = [\"alloc\"]\n";
    fs::write(folder.join("Cargo.toml"), format!("{manifest}{features}")).unwrap();
    cargo(&folder, &["check", "--features", "std"]);
}

#[test]
fn the_checksums_are_those_of_the_files() {
    let folder = empty("checksums");
    copy(&workspace().join("core"), &folder.join("core"));
    let script = folder.join("core/verify-copy.sh");
    let verify = || Command::new(&script).output().unwrap();
    let output = verify();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "core/verify-copy.sh --write makes the list anew: {errors}"
    );
    let source = folder.join("core/src/llist.rs");
    let edited = fs::read_to_string(&source)
        .unwrap()
        .replacen("null", "nil", 1);
    fs::write(&source, edited).unwrap();
    assert!(!verify().status.success());
}
