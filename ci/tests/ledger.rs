// SPDX-License-Identifier: MIT OR Apache-2.0

//! The ledger is what the catalog, the manifest and the conditions make of it.

use prodq_ci::ledger;
use prodq_models::theorem::Theorem;

#[test]
fn the_ledger_is_not_stale_and_tells_of_every_theorem() {
    let made = ledger::ledger().expect("the manifest can be read");
    let path = ledger::path();
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == made,
        "{} is stale: cargo prove ledger",
        path.display()
    );
    for theorem in Theorem::ALL {
        assert!(made.contains(&format!("## `{theorem}`\n\n{}\n", theorem.statement())));
    }
}
