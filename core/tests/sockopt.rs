// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a user of a socket asks for besides packets: limits, Recv-Q, readiness.

#![cfg(feature = "std")]

use std::sync::Arc;

use prodq::{HwSock, Options, ProtoMem, RcvbufRange, Skb};

/// As measured on Linux 6.18, x86-64, with `net.core.rmem_max` at its default.
const RANGE: RcvbufRange = RcvbufRange {
    min: 2304,
    max: 212_992,
};

fn socket(rcvbuf: u32) -> HwSock<u32> {
    let options = Options {
        rcvbuf,
        rxq_ovfl: false,
    };
    HwSock::open(1, options, Arc::new(ProtoMem::unlimited())).expect("a socket")
}

fn send(sock: &HwSock<u32>, truesize: u32) {
    let skb = Skb::new(truesize, 0).expect("a packet");
    assert!(sock.enqueue(0, Box::new(skb)).is_ok());
}

#[test]
fn rcvbuf_is_doubled_and_clamped_as_the_kernel_does() {
    let measured = [
        (1, 2304),
        (4608, 9216),
        (10_000, 20_000),
        (212_992, 425_984),
    ];
    for (asked, in_force) in measured {
        assert_eq!(RANGE.in_force(asked), in_force);
    }
    assert_eq!(RANGE.in_force(0), 2304);
    assert_eq!(RANGE.in_force(1152), 2304);
    assert_eq!(RANGE.in_force(1153), 2306);
    for asked in [212_993, i32::MAX, -1, i32::MIN] {
        assert_eq!(RANGE.in_force(asked), 425_984, "{asked}");
    }
}

#[test]
fn a_forced_rcvbuf_reaches_int_max_less_one() {
    assert_eq!(RANGE.forced(1), 2304);
    assert_eq!(RANGE.forced(-1), 2304);
    assert_eq!(RANGE.forced(300_000), 600_000);
    assert_eq!(RANGE.forced(i32::MAX / 2), 2_147_483_646);
    assert_eq!(RANGE.forced(i32::MAX), 2_147_483_646);
    let sock = socket(RANGE.forced(i32::MAX));
    assert_eq!(sock.mem_info().rcvbuf, 2_147_483_646);
}

#[test]
fn recv_queue_leaves_out_what_is_held_back() {
    let sock = socket(9216);
    for _ in 0..3 {
        send(&sock, 832);
    }
    assert_eq!(sock.mem_info().recv_queue(), 3 * 832);
    assert!(sock.recv().is_some());
    let info = sock.mem_info();
    assert_eq!((info.rmem_alloc, info.recv_queue()), (3 * 832, 2 * 832));
}

#[test]
fn a_question_about_readiness_moves_nothing() {
    let sock = socket(9216);
    assert!(!sock.is_readable());
    send(&sock, 832);
    assert!(sock.is_readable());
    send(&sock, 832);
    // Both wait in the receive queue, so this refills with both and holds the first one's memory.
    assert!(sock.recv().is_some());
    assert_eq!(sock.mem_info().forward_deficit, 832);
    assert!(sock.is_readable());
    assert!(sock.recv().is_some());
    assert!(!sock.is_readable());
}

#[test]
fn a_peek_refills_and_so_decides_what_is_held_back() {
    let sock = socket(9216);
    send(&sock, 832);
    assert!(sock.peek(|_| ()).is_some());
    send(&sock, 832);
    assert!(sock.recv().is_some());
    assert_eq!(sock.mem_info().forward_deficit, 0);
    assert_eq!(sock.mem_info().rmem_alloc, 832);
}
