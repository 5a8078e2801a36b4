// SPDX-License-Identifier: MIT OR Apache-2.0

//! The ledger.

use std::path::PathBuf;

/// Its file.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// Its text.
pub fn ledger() -> String {
    String::new()
}
