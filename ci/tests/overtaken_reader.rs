// SPDX-License-Identifier: MIT OR Apache-2.0

//! What the proof of `no-lost-wakeup` stumbled over is real: the core, with `BothQueues`, plays the
//! execution of `walks/a-length-lowered-at-once-hides-a-packet`.

use prodq_models::theorem::Theorem;
use prodq_models::witness::{Replay, Witness};
use prodq_proofs::smt::folder;

#[test]
fn the_core_lowers_the_length_too_early_and_a_reader_sleeps_beside_a_packet() {
    let path = folder()
        .with_file_name("witness")
        .join("overtaken-reader.json");
    let witness = Witness::read(&path).expect("it is committed");
    assert_eq!(witness.theorem, Theorem::NoLostWakeup);
    assert!(witness.scenario.design().contains("look-at-both-queues"));
    assert!(
        witness.what.ends_with("queued are the packets 2"),
        "{}",
        witness.what
    );
    // When the core is repaired this is another execution, and the witness and what the ledger says of it
    // have to go.
    let replayed = witness.replay().expect("it can be played");
    assert_eq!(replayed, Replay::Same, "{}", witness.render());
}
