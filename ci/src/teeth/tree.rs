// SPDX-License-Identifier: MIT OR Apache-2.0

//! A copy of the tree in which the core is broken and built, one bug at a time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};

use super::patch::{root, Patch};
use crate::workers::{target_folder, Worker};

/// What the copy needs.
const PARTS: &[&str] = &["Cargo.toml", "Cargo.lock", "core", "models", "proofs", "ci"];

/// The copy.
pub struct Tree {
    folder: PathBuf,
    target: PathBuf,
    witnesses: PathBuf,
}

impl Tree {
    /// Copies the tree aside. What was built for an earlier copy is used again.
    pub fn copy() -> Result<Tree> {
        let base = std::path::absolute(target_folder().join("prodq").join("teeth"))?;
        let folder = base.join("tree");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        for part in PARTS {
            copy(&root().join(part), &folder.join(part))
                .with_context(|| format!("{part} cannot be copied to {}", folder.display()))?;
        }
        Ok(Tree {
            folder,
            target: base.join("build"),
            witnesses: base.join("witness"),
        })
    }

    /// Breaks the core of the copy.
    pub fn apply(&self, patch: &Patch) -> Result<()> {
        self.put_back()?;
        let mut git = Command::new("git");
        // Told that there is no repository above, git patches the files of this folder.
        git.args(["apply", "--whitespace=nowarn"])
            .arg(fs::canonicalize(&patch.path)?)
            .current_dir(&self.folder)
            .env_remove("GIT_DIR");
        if let Some(above) = self.folder.parent() {
            git.env("GIT_CEILING_DIRECTORIES", above);
        }
        let output = git.output().context("git is needed to apply patches")?;
        succeeded(&output).with_context(|| format!("{} does not apply", patch.path.display()))
    }

    /// Takes the core back to what it is.
    fn put_back(&self) -> Result<()> {
        fs::remove_dir_all(self.folder.join("core"))?;
        copy(&root().join("core"), &self.folder.join("core"))
    }

    /// Runs the core's own tests, without its examples in documents; the first test program that fails or
    /// does not end in time.
    pub fn failing_test(&self, time: Duration) -> Result<Option<String>> {
        touch(&self.folder.join("core").join("src"))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["test", "--quiet", "--locked", "--profile", "teeth"])
            .args(["--package", "prodq", "--all-features", "--tests"])
            .args(["--no-run", "--message-format", "json"])
            .arg("--target-dir")
            .arg(&self.target)
            .current_dir(&self.folder)
            .output()
            .context("cargo cannot be run")?;
        if !output.status.success() {
            return Ok(Some("a test that does not compile".to_owned()));
        }
        let lines = String::from_utf8_lossy(&output.stdout);
        for program in lines.lines().filter_map(executable) {
            let mut test = Command::new(&program)
                .current_dir(self.folder.join("core"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .with_context(|| program.display().to_string())?;
            let start = Instant::now();
            let passed = loop {
                if let Some(status) = test.try_wait()? {
                    break status.success();
                }
                if start.elapsed() > time {
                    test.kill()?;
                    test.wait()?;
                    break false;
                }
                thread::sleep(Duration::from_millis(10));
            };
            if !passed {
                let name = program.file_stem().unwrap_or_default().to_string_lossy();
                let name = name.rsplit_once('-').map_or(&*name, |(name, _)| name);
                return Ok(Some(name.to_owned()));
            }
        }
        Ok(None)
    }

    /// Builds the worker around the core of the copy, and returns it as a program of its own. The profile
    /// `teeth` is built quickly, `dev` runs quickly.
    pub fn build(&self, name: &str, profile: &str) -> Result<Program> {
        // The files have their old dates: cargo must see that they are not what it built last.
        touch(&self.folder.join("core").join("src"))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["build", "--quiet", "--locked", "--profile", profile])
            .args(["--package", "prodq-models", "--example", "worker"])
            .arg("--target-dir")
            .arg(&self.target)
            .current_dir(&self.folder)
            .output()
            .context("cargo cannot be run")?;
        succeeded(&output).context("it does not compile")?;
        let folder = if profile == "dev" { "debug" } else { profile };
        let built = self.target.join(folder).join("examples").join("worker");
        let path = self.target.join(name);
        fs::copy(built, &path)?;
        Ok(Program {
            path,
            witnesses: self.witnesses.clone(),
        })
    }
}

/// Where `cargo build --message-format json` put a program.
fn executable(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    message["executable"].as_str().map(PathBuf::from)
}

/// A worker around a broken core, until it is dropped.
pub struct Program {
    path: PathBuf,
    witnesses: PathBuf,
}

impl Program {
    /// Starts it.
    pub fn worker(&self) -> Result<Worker> {
        let mut command = Command::new(&self.path);
        // What a broken core panics about is not news.
        command.arg(&self.witnesses).stderr(Stdio::null());
        Worker::start(command)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn succeeded(output: &Output) -> Result<()> {
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(from, to)?;
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        if name != "target" {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}

fn touch(folder: &Path) -> Result<()> {
    let now = std::time::SystemTime::now();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            let file = fs::File::options().append(true).open(&path)?;
            file.set_modified(now)?;
        }
    }
    Ok(())
}
