// SPDX-License-Identifier: MIT OR Apache-2.0

//! The table of what was searched and what was found: `overshoot.json`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::overshoot::{Found, Setup};

/// A search, and what it found when it was last accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// What is searched.
    #[serde(flatten)]
    pub setup: Setup,
    /// The largest `rmem_alloc`, in bytes.
    pub largest: u32,
    /// How many states there are.
    pub states: usize,
    /// How many moves a shortest path to the largest has.
    pub moves: usize,
}

impl Pin {
    /// The pin of what a search found.
    pub fn new(setup: &Setup, found: &Found) -> Pin {
        Pin {
            setup: setup.clone(),
            largest: found.largest,
            states: found.states,
            moves: found.path.moves,
        }
    }
}

/// The table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// Its rows.
    pub pins: Vec<Pin>,
}

impl Table {
    fn path() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("overshoot.json")
    }

    /// Reads the table of this tree.
    ///
    /// # Errors
    /// It says that it cannot be read, or that it is no such table.
    pub fn load() -> Result<Table, String> {
        let path = Table::path();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{} is not a table: {error}", path.display()))
    }

    /// Writes it, one row a line.
    ///
    /// # Errors
    /// It says that it cannot be written.
    pub fn store(&self) -> Result<(), String> {
        let path = Table::path();
        let lines: Result<Vec<_>, _> = self.pins.iter().map(serde_json::to_string).collect();
        let lines = lines.map_err(|error| error.to_string())?;
        let text = format!("{{\"pins\": [\n{}\n]}}\n", lines.join(",\n"));
        std::fs::write(&path, text)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }
}
