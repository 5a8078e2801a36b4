// SPDX-License-Identifier: MIT OR Apache-2.0

//! The explorer against the textbook: for each litmus test the exact set of outcomes, under sequential
//! consistency and under RC11.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

use prodq_models::world::explore::litmus::{explore, loom, How, Instr, Mode, Program};
use Instr::{CasLast, Fence, FetchAdd, Load, Lock, Store, Swap, Unlock, WeakCas};

const X: usize = 0;
const Y: usize = 1;

fn program(threads: Vec<Vec<Instr>>) -> Program {
    Program {
        words: 2,
        locks: 1,
        threads,
    }
}

/// What the threads read, one after the other.
type Reads = BTreeSet<Vec<u64>>;

/// Explores with reduction and without it, which must agree; returns the values read.
fn explored(program: &Program, mode: Mode) -> Reads {
    let reduced = explore(program, mode);
    let brute = explore(program, mode.how(How::BruteForce));
    assert_eq!(reduced.finals, brute.finals);
    if mode == Mode::SC {
        assert_eq!(reduced.blocked, 0, "given up in {program:?}");
    }
    assert!(!reduced.deadlock && !brute.deadlock);
    let reads = |state: &Vec<Vec<u64>>| state[..program.threads.len()].concat();
    reduced.finals.iter().map(reads).collect()
}

fn set<const N: usize>(outcomes: &[[u64; N]]) -> Reads {
    outcomes.iter().map(|outcome| outcome.to_vec()).collect()
}

/// All outcomes of so many reads of a bit.
fn all(reads: usize) -> Reads {
    let bit = |number: usize, read: usize| (number >> read & 1) as u64;
    (0..1 << reads)
        .map(|number| (0..reads).map(|read| bit(number, read)).collect())
        .collect()
}

fn without<const N: usize>(mut outcomes: Reads, forbidden: &[[u64; N]]) -> Reads {
    for outcome in forbidden {
        assert!(outcomes.remove(outcome.as_slice()));
    }
    outcomes
}

fn check(threads: Vec<Vec<Instr>>, sc: &Reads, rc11: &Reads) {
    let program = program(threads);
    assert_eq!(&explored(&program, Mode::SC), sc, "SC");
    assert_eq!(&explored(&program, Mode::RC11), rc11, "RC11");
}

#[test]
fn store_buffering() {
    let side = |mine, other, write, read| vec![Store(mine, 1, write), Load(other, read)];
    let both = |write, read| vec![side(X, Y, write, read), side(Y, X, write, read)];
    let sc = without(all(2), &[[0, 0]]);
    check(both(Relaxed, Relaxed), &sc, &all(2));
    check(both(Release, Acquire), &sc, &all(2));
}

#[test]
fn store_buffering_with_fences() {
    let side =
        |mine, other, fence| vec![Store(mine, 1, Relaxed), Fence(fence), Load(other, Relaxed)];
    let sc = without(all(2), &[[0, 0]]);
    check(vec![side(X, Y, SeqCst), side(Y, X, SeqCst)], &sc, &sc);
    // One fence is not enough, and neither is anything weaker.
    check(vec![side(X, Y, SeqCst), side(Y, X, AcqRel)], &sc, &all(2));
}

#[test]
fn message_passing() {
    let pass = |write: Ordering, read: Ordering| {
        vec![
            vec![Store(X, 1, Relaxed), Store(Y, 1, write)],
            vec![Load(Y, read), Load(X, Relaxed)],
        ]
    };
    let sc = without(all(2), &[[1, 0]]);
    check(pass(Relaxed, Relaxed), &sc, &all(2));
    check(pass(Release, Relaxed), &sc, &all(2));
    check(pass(Relaxed, Acquire), &sc, &all(2));
    check(pass(Release, Acquire), &sc, &sc);
}

#[test]
fn message_passing_with_fences() {
    let threads = vec![
        vec![Store(X, 1, Relaxed), Fence(Release), Store(Y, 1, Relaxed)],
        vec![Load(Y, Relaxed), Fence(Acquire), Load(X, Relaxed)],
    ];
    let sc = without(all(2), &[[1, 0]]);
    check(threads, &sc, &sc);
}

#[test]
fn load_buffering_is_absent() {
    let side = |from, to| vec![Load(from, Relaxed), Store(to, 1, Relaxed)];
    let absent = without(all(2), &[[1, 1]]);
    check(vec![side(X, Y), side(Y, X)], &absent, &absent);
}

#[test]
fn independent_reads_of_independent_writes() {
    let threads = || {
        let reader = |first, second| vec![Load(first, Acquire), Load(second, Acquire)];
        vec![
            vec![Store(X, 1, Release)],
            vec![Store(Y, 1, Release)],
            reader(X, Y),
            reader(Y, X),
        ]
    };
    let sc = without(all(4), &[[1, 0, 1, 0]]);
    check(threads(), &sc, &all(4));
}

#[test]
fn coherence_of_reads() {
    let threads = vec![
        vec![Store(X, 1, Relaxed)],
        vec![Load(X, Relaxed), Load(X, Relaxed)],
    ];
    let coherent = without(all(2), &[[1, 0]]);
    check(threads, &coherent, &coherent);
}

#[test]
fn coherence_of_a_write_and_a_read() {
    let threads = vec![
        vec![Store(X, 1, Relaxed), Load(X, Relaxed)],
        vec![Store(X, 2, Relaxed)],
    ];
    let coherent = set(&[[1], [2]]);
    check(threads, &coherent, &coherent);
}

#[test]
fn two_writes_in_two_orders() {
    let side = |first, second| vec![Store(first, 1, Relaxed), Store(second, 2, Relaxed)];
    let program = program(vec![side(X, Y), side(Y, X)]);
    let finals = |mode| -> Reads {
        let reduced = explore(&program, mode);
        let brute = explore(&program, mode.how(How::BruteForce));
        assert_eq!(reduced.finals, brute.finals);
        reduced
            .finals
            .iter()
            .map(|state| state[2].clone())
            .collect()
    };
    let sc = set(&[[1, 2], [2, 1], [2, 2]]);
    assert_eq!(finals(Mode::SC), sc);
    let mut weak = sc;
    weak.insert(vec![1, 1]);
    assert_eq!(finals(Mode::RC11), weak);
}

#[test]
fn read_modify_writes_are_atomic() {
    let threads = vec![vec![FetchAdd(X, 1, Relaxed)]; 3];
    let orders = set(&[
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ]);
    check(threads, &orders, &orders);
}

#[test]
fn a_release_sequence_goes_through_another_threads_read_modify_write() {
    let threads = |middle| {
        vec![
            vec![Store(X, 1, Relaxed), Store(Y, 1, Release)],
            vec![middle],
            vec![Load(Y, Acquire), Load(X, Relaxed)],
        ]
    };
    // A relaxed read-modify-write continues the sequence: who reads 2 has seen the store, too.
    let outcomes = |middle, mode| explored(&program(threads(middle)), mode);
    for mode in [Mode::SC, Mode::RC11] {
        let continued = outcomes(FetchAdd(Y, 1, Relaxed), mode);
        assert!(continued.contains(&vec![1, 2, 1]), "{continued:?}");
        assert!(!continued.contains(&vec![1, 2, 0]), "{continued:?}");
    }
    // A store ends it.
    let ended = outcomes(Store(Y, 2, Relaxed), Mode::RC11);
    assert!(ended.contains(&vec![2, 0]), "{ended:?}");
}

#[test]
fn two_pushers_have_four_outcomes() {
    let pusher = |me| vec![Load(X, Relaxed), CasLast(X, me, Release)];
    let program = program(vec![pusher(1), pusher(2)]);
    // What each loaded, and what each compare-exchange found and whether it changed it.
    let expected = set(&[
        [0, 1, 0, 2], // both loaded before; the first one pushed first
        [0, 2 << 1, 0, 1],
        [0, 1, 1, 2 | 1],
        [2, 2 << 1 | 1, 0, 1],
    ]);
    let sc = explored(&program, Mode::SC);
    assert_eq!(sc.len(), 4, "{sc:?}");
    assert_eq!(sc, expected);
    let rc11 = explored(&program, Mode::RC11);
    assert_eq!(rc11, expected);
    let (found, executions) = loom(&program, 10_000);
    assert!(
        found.len() < 4,
        "loom found all of them in {executions} executions"
    );
}

#[test]
fn loom_misses_a_load_before_a_compare_exchange() {
    // loom #166 and #392: one execution, one of the two outcomes.
    let program = program(vec![
        vec![Load(X, Relaxed)],
        vec![Load(X, Relaxed), CasLast(X, 1, Release)],
    ]);
    let both = set(&[[0, 0, 1], [1, 0, 1]]);
    assert_eq!(explored(&program, Mode::SC), both);
    assert_eq!(explored(&program, Mode::RC11), both);
    let (found, executions) = loom(&program, 10_000);
    assert_eq!((found.len(), executions), (1, 1));
}

#[test]
fn a_message_passes_through_a_lock() {
    let threads = vec![
        vec![
            Lock(0),
            Store(X, 1, Relaxed),
            Store(Y, 1, Relaxed),
            Unlock(0),
        ],
        vec![Lock(0), Load(Y, Relaxed), Load(X, Relaxed), Unlock(0)],
    ];
    let together = set(&[[0, 0], [1, 1]]);
    check(threads, &together, &together);
}

#[test]
fn a_lost_wake_up_needs_a_fence_on_both_sides() {
    // X: a packet is queued; Y: the reader sleeps. Lost: the producer sees nobody asleep, and the
    // reader sees nothing queued.
    let threads = |fence: Option<Ordering>| {
        let fence = fence.map(Fence);
        let side = |mine, other| {
            let with = [Swap(mine, 1, Relaxed)].into_iter().chain(fence);
            with.chain([Load(other, Relaxed)]).collect::<Vec<_>>()
        };
        vec![side(X, Y), side(Y, X)]
    };
    let lost = vec![0, 0, 0, 0];
    assert!(!explored(&program(threads(None)), Mode::SC).contains(&lost));
    assert!(explored(&program(threads(None)), Mode::RC11).contains(&lost));
    assert!(explored(&program(threads(Some(AcqRel))), Mode::RC11).contains(&lost));
    assert!(!explored(&program(threads(Some(SeqCst))), Mode::RC11).contains(&lost));
}

#[test]
fn a_compare_exchange_may_fail_on_a_stale_value_and_a_weak_one_for_no_reason() {
    let strong = program(vec![
        vec![Swap(X, 1, Relaxed)],
        vec![Instr::Cas(X, 1, 2, Relaxed)],
    ]);
    let expected = set(&[[0, 0], [0, 1 << 1 | 1]]);
    assert_eq!(explored(&strong, Mode::RC11), expected);
    let weak = program(vec![
        vec![Swap(X, 1, Relaxed)],
        vec![WeakCas(X, 1, 2, Relaxed)],
    ]);
    let mut expected = expected;
    expected.insert(vec![0, 1 << 1]);
    assert_eq!(explored(&weak, Mode::RC11), expected);
}

#[test]
fn everybody_waiting_is_a_deadlock() {
    let side = |first, second| vec![Lock(first), Lock(second), Unlock(second), Unlock(first)];
    let program = Program {
        words: 1,
        locks: 2,
        threads: vec![side(0, 1), side(1, 0)],
    };
    for mode in [Mode::SC, Mode::RC11] {
        assert!(explore(&program, mode).deadlock);
    }
    // What comes before and beside a deadlock is not lost either.
    let add = |first, second| {
        let inside = [Lock(second), FetchAdd(0, 1, Relaxed), Unlock(second)];
        let outside = [Lock(first)].into_iter().chain(inside);
        outside.chain([Unlock(first)]).collect::<Vec<_>>()
    };
    let crossing = Program {
        threads: vec![add(0, 1), add(1, 0)],
        ..program.clone()
    };
    for mode in [Mode::SC, Mode::RC11] {
        let reduced = explore(&crossing, mode);
        let brute = explore(&crossing, mode.how(How::BruteForce));
        assert_eq!(reduced.finals, brute.finals);
        let classes = explore(&crossing, mode.how(How::SleepSets));
        assert_eq!(reduced.executions, classes.executions);
    }
    let program = Program {
        threads: vec![side(0, 1), side(0, 1)],
        ..program
    };
    assert!(!explore(&program, Mode::SC).deadlock);
}
