// SPDX-License-Identifier: MIT OR Apache-2.0

//! The exact overshoot: the table, its witnesses on the real code, and a second opinion.

use prodq_models::overshoot::{one_byte_less, scenario, witness};
use prodq_models::theorem::Theorem;
use prodq_models::witness::Replay;
use prodq_proofs::overshoot::{Machine, Setup};
use prodq_proofs::spec::Policy;
use prodq_proofs::table::{Pin, Table};

/// Searches with more states than this are left to `cargo prove overshoot`.
const LARGE: usize = 200_000;

fn table() -> Vec<Pin> {
    Table::load().unwrap_or_else(|error| panic!("{error}")).pins
}

fn setup(nodes: usize, cpus: usize, rcvbuf: u32, policy: Policy) -> Setup {
    Setup {
        nodes,
        cpus,
        rcvbuf,
        sizes: vec![100],
        policy,
        reader: false,
    }
}

/// Each value of the table is found again, in as many states, and reached on the real code with every
/// theorem watched, the refinement among them; a bound of one byte less is refuted there. No value exceeds
/// the bound that is stated for any number of CPUs.
#[test]
fn the_table_is_found_again_and_shown_on_the_real_code() {
    let pins = table();
    let small = pins.iter().filter(|pin| pin.states <= LARGE);
    assert!(small.clone().count() > 90);
    for pin in small {
        let machine = Machine::new(&pin.setup).unwrap();
        let found = machine.search(LARGE).unwrap();
        assert_eq!(Pin::new(&pin.setup, &found), *pin);
        let bound = scenario(&pin.setup, &found).bound();
        assert!(u64::from(pin.largest) <= bound, "{:?}", pin.setup);
        let reached = witness(&pin.setup, &found).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(reached.replay().unwrap(), Replay::Same, "{:?}", pin.setup);
        let refuted = one_byte_less(&pin.setup, &found).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(refuted.theorem, Theorem::BoundedOvershoot);
        assert_eq!(refuted.replay().unwrap(), Replay::Same, "{:?}", pin.setup);
    }
}

/// Where the node's counter is read first one node attains its bound.
#[test]
fn one_node_attains_its_bound() {
    let one_node = |pin: &&Pin| pin.setup.nodes == 1 && pin.setup.policy != Policy::KernelOrder;
    for Pin { setup, largest, .. } in table().iter().filter(one_node) {
        let s = setup.sizes.iter().max().copied().unwrap_or(0);
        let bound = setup.rcvbuf.max(s) + (setup.cpus as u32 - 1) * s;
        assert_eq!(*largest, bound, "{setup:?}");
    }
}

/// The values that were known before, from another program.
#[test]
fn the_table_agrees_with_what_was_known() {
    use Policy::{KernelOrder, NodeFirst};
    let known = [
        (1, 1, 2, KernelOrder, 2),
        (1, 1, 2, NodeFirst, 2),
        (1, 2, 1, KernelOrder, 3),
        (1, 2, 2, KernelOrder, 4),
        (1, 2, 3, KernelOrder, 5),
        (1, 2, 2, NodeFirst, 3),
        (1, 3, 1, KernelOrder, 5),
        (1, 3, 2, KernelOrder, 6),
        (1, 3, 3, KernelOrder, 7),
        (1, 3, 3, NodeFirst, 5),
        (2, 1, 1, KernelOrder, 2),
        (2, 1, 2, KernelOrder, 3),
        (2, 1, 3, KernelOrder, 4),
        (2, 1, 2, NodeFirst, 3),
        (2, 2, 1, KernelOrder, 6),
        (2, 2, 2, KernelOrder, 7),
        (2, 2, 3, KernelOrder, 9),
        (2, 2, 2, NodeFirst, 5),
        (1, 4, 3, KernelOrder, 9),
        (1, 4, 4, KernelOrder, 11),
    ];
    let pins = table();
    for (nodes, cpus, rcvbuf, policy, largest) in known {
        let setup = setup(nodes, cpus, rcvbuf * 100, policy);
        let pin = pins.iter().find(|pin| pin.setup == setup);
        assert_eq!(pin.map(|pin| pin.largest), Some(largest * 100), "{setup:?}");
    }
}

/// A setup that cannot be searched says what is allowed.
#[test]
fn a_setup_that_makes_no_sense_is_refused() {
    let wrong = |setup: Setup| Machine::new(&setup).unwrap_err().to_string();
    let of = |nodes, cpus| setup(nodes, cpus, 200, Policy::AllNodes);
    assert!(wrong(of(0, 1)).contains("from 1 to 7 CPUs"));
    assert!(wrong(of(3, 1)).contains("at most 2 are allowed"));
    let sizes = vec![1, 2, 3];
    let three = Setup { sizes, ..of(1, 1) };
    assert!(wrong(three).contains("one, or two different ones"));
    assert!(wrong(setup(1, 1, 0, Policy::AllNodes)).contains("from 1 to 2^20"));
}

/// Stateright, which explores the same machine with an algorithm of its own, sees as many states, no
/// larger `rmem_alloc`, and a path of the same length to it.
#[cfg(feature = "stateright")]
#[test]
fn stateright_agrees_with_the_search() {
    use prodq_proofs::browse::{Bounded, WITHIN_BOUND};
    use stateright::{Checker, Model};

    let small = |pin: &&Pin| pin.states <= 5_000 && pin.largest > pin.setup.rcvbuf;
    for pin in table().iter().filter(small) {
        let bounded = |bound| Bounded {
            machine: Machine::new(&pin.setup).unwrap(),
            bound,
        };
        let all = bounded(pin.largest).checker().spawn_bfs().join();
        assert_eq!(all.unique_state_count(), pin.states, "{:?}", pin.setup);
        assert!(all.discovery(WITHIN_BOUND).is_none(), "{:?}", pin.setup);
        let less = bounded(pin.largest - 1).checker().spawn_bfs().join();
        let path = less.discovery(WITHIN_BOUND);
        let moves = path.map(|path| path.into_actions().len());
        assert_eq!(moves, Some(pin.moves), "{:?}", pin.setup);
    }
}
