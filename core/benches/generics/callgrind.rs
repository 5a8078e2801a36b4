// SPDX-License-Identifier: MIT OR Apache-2.0

//! Counting instructions by callgrind.

use std::process::Command;

/// The instructions that this program executes when it is called with these arguments; only those of
/// functions whose name matches `within`, and of what they call, if it is given.
pub fn count(args: &[&str], within: Option<&str>) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let file = std::env::temp_dir().join(format!("prodq-{}.callgrind", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .args(within.map(|name| format!("--toggle-collect={name}")))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .args(args)
        .output()
        .map_err(|error| format!("valgrind is needed and cannot be run: {error}"))?;
    let profile = std::fs::read_to_string(&file);
    let _ = std::fs::remove_file(&file);
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let profile = profile.map_err(|error| format!("{}: {error}", file.display()))?;
    let summary = profile
        .lines()
        .find_map(|line| line.strip_prefix("summary: "));
    let summary = summary.ok_or("callgrind wrote no summary")?;
    summary
        .trim()
        .parse()
        .map_err(|_| format!("{summary:?} is no count"))
}
