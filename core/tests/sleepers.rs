// SPDX-License-Identifier: MIT OR Apache-2.0

//! Readers that sleep, on hardware.

#![cfg(feature = "std")]

use std::sync::Arc;
use std::thread;

use prodq::{
    BothQueues, Hw, HwSock, KernelOrder, Options, Polling, ProtoMem, Readers, ReceiveQueueOnly,
    RecvError, Skb, Sleeping, Sock, Udp,
};

/// The kernel's own sleep test would let a reader sleep beside a packet that the other one has spliced.
type SleepSock = Sock<Udp<u32, KernelOrder, Sleeping<Hw, BothQueues>>>;

const OPTIONS: Options = Options {
    rcvbuf: 1 << 20,
    rxq_ovfl: false,
};

fn sleeping() -> Arc<SleepSock> {
    let memory = Arc::new(ProtoMem::unlimited());
    Arc::new(SleepSock::open(2, OPTIONS, memory).expect("the options are allowed"))
}

fn skb(data: u32) -> Box<Skb<Hw, u32>> {
    Box::new(Skb::new(100, data).expect("the size is allowed"))
}

/// A busy reader that looked at the receive queue alone span beside packets (`sk_busy_loop_end` before commit
/// a54d51fb2dfb).
#[test]
fn a_busy_reader_sees_a_packet_in_either_queue() {
    fn look<R: Readers<Hw>>() {
        let readers = R::new();
        assert!(!readers.is_readable());
        readers.queued(1);
        assert!(readers.is_readable(), "in the receive queue");
        readers.spliced(1);
        assert!(readers.is_readable(), "in the reader queue");
        readers.dequeued();
        assert!(!readers.is_readable());
    }
    look::<Sleeping<Hw, BothQueues>>();
    look::<Sleeping<Hw, ReceiveQueueOnly>>();
    // Readers that keep no account look at the queues themselves.
    assert!(Readers::<Hw>::is_readable(&Polling));
}

#[test]
fn every_packet_reaches_a_sleeping_reader() {
    const PACKETS: u32 = 2_000;
    let sock = sleeping();
    let readers: Vec<_> = (0..2)
        .map(|_| {
            let sock = Arc::clone(&sock);
            thread::spawn(move || {
                let mut sum = 0_u64;
                while let Ok(skb) = sock.recv_wait() {
                    sum += u64::from(skb.data);
                    if skb.data == 0 {
                        break;
                    }
                }
                sum
            })
        })
        .collect();
    for packet in 1..=PACKETS {
        assert!(sock.enqueue(packet as usize % 2, skb(packet)).is_ok());
    }
    // One packet that says goodbye for each reader.
    for _ in 0..2 {
        assert!(sock.enqueue(0, skb(0)).is_ok());
    }
    let sum: u64 = readers
        .into_iter()
        .map(|r| r.join().expect("it ends"))
        .sum();
    let mut rest = 0_u64;
    while let Some(skb) = sock.recv() {
        rest += u64::from(skb.data);
    }
    let all = u64::from(PACKETS) * (u64::from(PACKETS) + 1) / 2;
    assert_eq!(sum + rest, all);
}

#[test]
fn a_dead_socket_wakes_its_readers() {
    let sock = sleeping();
    let reader = {
        let sock = Arc::clone(&sock);
        thread::spawn(move || sock.recv_wait().map(|skb| skb.data))
    };
    sock.orphan();
    let received = reader.join().expect("it ends");
    assert_eq!(received, Err(RecvError::Dead));
}

#[test]
fn a_dead_socket_still_delivers_what_it_has() {
    let sock = sleeping();
    assert!(sock.enqueue(0, skb(7)).is_ok());
    sock.orphan();
    assert_eq!(sock.recv_wait().map(|skb| skb.data), Ok(7));
    assert_eq!(sock.recv_wait().map(|skb| skb.data), Err(RecvError::Dead));
}

#[test]
fn a_busy_reader_finds_what_is_there_and_gives_up_when_nothing_is() {
    let sock = sleeping();
    assert!(sock.recv_busy(10).is_none());
    assert!(sock.enqueue(0, skb(7)).is_ok());
    assert!(sock.enqueue(0, skb(8)).is_ok());
    assert_eq!(sock.recv_busy(1).map(|skb| skb.data), Some(7));
    assert_eq!(sock.recv_busy(1).map(|skb| skb.data), Some(8));
    assert!(sock.recv_busy(1).is_none());
}

#[test]
fn a_socket_whose_readers_poll_does_not_wait() {
    let memory = Arc::new(ProtoMem::unlimited());
    let sock = HwSock::<u32>::open(1, OPTIONS, memory).expect("the options are allowed");
    assert_eq!(sock.recv_wait().map(|_| ()), Err(RecvError::WouldBlock));
    assert!(sock.recv_busy(3).is_none());
    assert!(RecvError::WouldBlock.to_string().contains("do not sleep"));
}
