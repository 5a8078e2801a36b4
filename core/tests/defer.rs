// SPDX-License-Identifier: MIT OR Apache-2.0

//! Deferred free on hardware: the limit, the kick, who flushes.

#![cfg(feature = "std")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

use prodq::{Defer, DeferNode, Hw, HwPacket, ResetOrder, Skb};

/// Counts how many packets that carry it were freed.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

type Lists = Defer<HwPacket<Counted>, Box<[DeferNode<Hw>]>>;

fn lists(cpus: usize, nodes: usize, max: u32) -> Lists {
    let lists = (0..cpus * nodes).map(|_| DeferNode::default()).collect();
    Defer::new(lists, nodes, max, ResetOrder::AfterTake).expect("they are a multiple")
}

fn skb(freed: &Arc<AtomicUsize>) -> HwPacket<Counted> {
    Box::new(Skb::new(100, Counted(Arc::clone(freed))).expect("the size is allowed"))
}

#[test]
fn a_list_is_kicked_at_half_and_full_at_the_limit() {
    let freed = Arc::default();
    let lists = lists(2, 2, 4);
    let kicks: Vec<_> = (0..6)
        .map(|_| {
            lists
                .defer(1, 0, skb(&freed))
                .map(|deferred| deferred.kick)
                .ok()
        })
        .collect();
    // The third makes the count exceed half; the fourth finds the list full, as the kernel counts.
    let expected = [Some(false), Some(false), Some(true), None, None, None];
    assert_eq!(kicks, expected);
    assert_eq!(
        freed.load(Ordering::Relaxed),
        3,
        "the refused ones came back"
    );
    assert_eq!(
        lists.flush(0, drop),
        0,
        "another CPU's lists are not touched"
    );
    assert_eq!(lists.flush(1, drop), 3);
    assert_eq!(freed.load(Ordering::Relaxed), 6);
    assert!(lists.defer(1, 0, skb(&freed)).is_ok(), "it accepts again");
    drop(lists);
    assert_eq!(freed.load(Ordering::Relaxed), 7, "what is left is freed");
}

#[test]
fn a_list_that_is_not_there_refuses() {
    let freed = Arc::default();
    let lists = lists(2, 2, 4);
    assert!(lists.defer(2, 0, skb(&freed)).is_err());
    assert!(lists.defer(0, 2, skb(&freed)).is_err());
    assert_eq!(lists.flush(2, drop), 0);
}

#[test]
fn limits_of_one_and_none_turn_it_off() {
    let freed = Arc::default();
    for max in [0, 1] {
        assert!(lists(1, 1, max).defer(0, 0, skb(&freed)).is_err());
    }
}

#[test]
fn lists_that_make_no_sense_are_refused() {
    for (count, nodes) in [(0, 1), (3, 2), (2, 0)] {
        let none: Box<[DeferNode<Hw>]> = (0..count).map(|_| DeferNode::default()).collect();
        let made = Defer::<HwPacket<Counted>, _>::new(none, nodes, 4, ResetOrder::AfterTake);
        let error = made.err().expect("it is refused");
        assert!(error.to_string().contains("not allowed"), "{error}");
    }
}

#[test]
fn everything_is_freed_once_while_the_owner_flushes() {
    const PACKETS: usize = 20_000;
    let freed = Arc::default();
    let lists = Arc::new(lists(1, 2, 64));
    thread::scope(|scope| {
        for node in 0..2 {
            let (lists, freed) = (&lists, &freed);
            scope.spawn(move || {
                for _ in 0..PACKETS {
                    drop(lists.defer(0, node, skb(freed)));
                }
            });
        }
        for _ in 0..PACKETS {
            lists.flush(0, drop);
        }
    });
    lists.flush(0, drop);
    assert_eq!(freed.load(Ordering::Relaxed), 2 * PACKETS);
}
