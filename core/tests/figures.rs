// SPDX-License-Identifier: MIT OR Apache-2.0

//! The core against figures measured on a live 6.18 kernel (one node, x86-64, loopback, `SO_MEMINFO`
//! after every step).

#![cfg(feature = "std")]

use std::sync::Arc;

use prodq::{EnqueueError, HwPacket, HwSock, Options, ProtoMem, Skb};

fn sock(rcvbuf: u32) -> HwSock<u32> {
    let options = Options {
        rcvbuf,
        rxq_ovfl: false,
    };
    HwSock::open(1, options, Arc::new(ProtoMem::unlimited())).unwrap()
}

fn skb(truesize: u32, data: u32) -> HwPacket<u32> {
    Box::new(Skb::new(truesize, data).unwrap())
}

/// Offers packets until one is refused; returns how many were accepted.
fn fill(sock: &HwSock<u32>, truesize: u32) -> u32 {
    let mut accepted = 0;
    loop {
        match sock.enqueue(0, skb(truesize, accepted)) {
            Ok(_) => accepted += 1,
            Err(refused) => {
                assert!(matches!(refused.error, EnqueueError::RcvbufFull { .. }));
                return accepted;
            }
        }
    }
}

#[test]
fn a_buffer_takes_as_many_packets_as_the_kernels() {
    // rcvbuf in force, truesize, accepted before the first drop, rmem_alloc and forward_alloc then.
    let measured = [
        (2_304, 832, 2, 1_664, 2_432),
        (2_304, 2_304, 1, 2_304, 1_792),
        (9_216, 832, 11, 9_152, 3_136),
        (20_000, 2_304, 8, 18_432, 2_048),
        (425_984, 832, 512, 425_984, 0),
    ];
    for (rcvbuf, truesize, accepted, rmem_alloc, forward_alloc) in measured {
        let sock = sock(rcvbuf);
        assert_eq!(fill(&sock, truesize), accepted, "rcvbuf {rcvbuf}");
        let info = sock.mem_info();
        assert_eq!(
            (info.rmem_alloc, info.forward_alloc, info.drops),
            (rmem_alloc, forward_alloc, 1),
            "rcvbuf {rcvbuf}"
        );
    }
}

#[test]
fn release_is_held_back_until_a_quarter_of_rcvbuf_was_read() {
    let sock = sock(9_216);
    assert_eq!(fill(&sock, 832), 11);
    // The first packet brings all to the reader queue and is held back: 832 < 2304.
    for deficit in [832, 1_664] {
        assert!(sock.recv().is_some());
        let info = sock.mem_info();
        assert_eq!((info.rmem_alloc, info.forward_deficit), (9_152, deficit));
    }
    assert!(sock.recv().is_some());
    let info = sock.mem_info();
    assert_eq!(
        (info.rmem_alloc, info.forward_deficit),
        (9_152 - 3 * 832, 0)
    );
    while sock.recv().is_some() {}
    let info = sock.mem_info();
    assert_eq!((info.rmem_alloc, info.forward_alloc), (0, 4_096));
}

#[test]
fn the_last_packet_is_never_held_back() {
    let sock = sock(425_984);
    assert!(sock.enqueue(0, skb(832, 0)).is_ok());
    assert!(sock.recv().is_some());
    assert_eq!(sock.mem_info().rmem_alloc, 0);
}
