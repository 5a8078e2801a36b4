// SPDX-License-Identifier: MIT OR Apache-2.0

//! A seeded bug: a patch against the core, with a header that says what has to catch it.

use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};
use prodq_models::theorem::Theorem;

/// A seeded bug.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Its name: the file's, without the extension.
    pub name: String,
    /// What is wrong.
    pub what: String,
    /// The theorems that must catch it.
    pub theorems: Vec<Theorem>,
    /// The smallest scenario in which they do.
    pub scenario: String,
    /// The file.
    pub path: PathBuf,
}

/// All seeded bugs of this tree, by name. Those in `equivalent/`, which nothing can catch, are not among
/// them.
pub fn patches() -> Result<Vec<Patch>> {
    let folder = folder();
    let entries = std::fs::read_dir(&folder)
        .with_context(|| format!("the folder {} cannot be read", folder.display()))?;
    let mut patches = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "patch")
        {
            let text = std::fs::read_to_string(&path)?;
            let patch = parse(&path, &text);
            patches.push(patch.with_context(|| format!("the header of {}", path.display()))?);
        }
    }
    patches.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(patches)
}

/// Where they are.
fn folder() -> PathBuf {
    root().join("models").join("mutants")
}

/// The workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Reads the header: `What`, `Source`, `Theorem` and `Scenario`, each of them once, above the diff.
fn parse(path: &Path, text: &str) -> Result<Patch> {
    let header = text.split_once("\ndiff --git").map(|(header, _)| header);
    let header = header.context("there is no diff after it")?;
    let field = |name: &str| {
        let mut values = header.lines().filter_map(|line| {
            let (key, value) = line.split_once(": ")?;
            (key == name && !value.trim().is_empty()).then_some(value.trim())
        });
        match (values.next(), values.next()) {
            (Some(value), None) => Ok(value.to_owned()),
            _ => bail!("it needs one line `{name}: …`"),
        }
    };
    let theorem = |name: &str| name.trim().parse::<Theorem>();
    let theorems: Result<Vec<_>, _> = field("Theorem")?.split(',').map(theorem).collect();
    field("Source")?;
    let name = path.file_stem().unwrap_or_default();
    Ok(Patch {
        name: name.to_string_lossy().into_owned(),
        what: field("What")?,
        theorems: theorems.map_err(anyhow::Error::msg)?,
        scenario: field("Scenario")?,
        path: path.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patch_has_its_header() {
        let patches = patches().expect("all headers can be read");
        assert!(patches.len() >= 45, "{} patches", patches.len());
    }

    #[test]
    fn a_header_without_a_theorem_is_refused() {
        let text = "What: a\nSource: general\nScenario: sleep\n---\ndiff --git a b\n";
        let error = parse(Path::new("a.patch"), text).expect_err("no theorem");
        assert!(error.to_string().contains("Theorem"), "{error}");
    }
}
