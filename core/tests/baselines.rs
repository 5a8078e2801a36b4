// SPDX-License-Identifier: MIT OR Apache-2.0

//! The designs that the patch replaced: what they accept, what they refuse, what they leave behind.

#![cfg(all(feature = "baseline", feature = "std"))]

use std::sync::Arc;
use std::thread;

use prodq::baseline::{busylocks, Design, HashedBusylock, PlainLock, SocketBusylock};
use prodq::{EnqueueError, Hw, HwLock, HwSock, Lock, MemInfo, Options, ProtoMem, Skb, Udp};

type Locks = Box<[HwLock<()>]>;

fn locks(count: usize) -> Locks {
    (0..count).map(|_| Lock::new(())).collect()
}

fn sock(nodes: usize, rcvbuf: u32, memory: &Arc<ProtoMem<Hw>>) -> HwSock<u32> {
    let options = Options {
        rcvbuf,
        rxq_ovfl: false,
    };
    HwSock::open(nodes, options, Arc::clone(memory)).unwrap()
}

fn skb(truesize: u32, data: u32) -> prodq::HwPacket<u32> {
    Box::new(Skb::new(truesize, data).unwrap())
}

/// Runs a generic check for each of the four designs.
macro_rules! for_each_design {
    ($check:ident($make:expr)) => {{
        let make = $make;
        $check(make(), &mut Vec::new());
        $check(PlainLock::new(make()), &mut Vec::new());
        $check(
            HashedBusylock::new(make(), locks(busylocks(2))),
            &mut Vec::new(),
        );
        $check(HashedBusylock::new(make(), locks(0)), &mut Vec::new());
        $check(SocketBusylock::new(make()), &mut Vec::new());
    }};
}

fn fill<D: Design<Udp<u32>>>(design: &D, truesize: u32) -> u32 {
    let mut accepted = 0;
    loop {
        match design.enqueue(0, skb(truesize, accepted)) {
            Ok(_) => accepted += 1,
            Err(refused) => {
                assert!(matches!(refused.error, EnqueueError::RcvbufFull { .. }));
                assert_eq!(refused.skb.data, accepted, "the packet comes back");
                return accepted;
            }
        }
    }
}

fn figures(info: MemInfo) -> (i32, i32, u32) {
    (info.rmem_alloc, info.forward_alloc, info.drops)
}

#[test]
fn a_buffer_takes_as_much_in_every_design() {
    fn check<D: Design<Udp<u32>>>(design: D, _: &mut Vec<u32>) {
        assert_eq!(fill(&design, 832), 11, "{}", D::NAME);
        let sock = design.sock();
        assert_eq!(figures(sock.mem_info()), (9_152, 3_136, 1), "{}", D::NAME);
        for number in 0..11 {
            assert_eq!(sock.recv().map(|skb| skb.data), Some(number), "{}", D::NAME);
        }
        assert!(sock.recv().is_none());
        assert_eq!(figures(sock.mem_info()), (0, 4_096, 1), "{}", D::NAME);
    }
    let memory = Arc::new(ProtoMem::unlimited());
    for_each_design!(check(|| sock(1, 9_216, &memory)));
    assert_eq!(memory.allocated(), 0);
}

#[test]
fn an_empty_socket_takes_a_packet_of_any_size() {
    fn check<D: Design<Udp<u32>>>(design: D, _: &mut Vec<u32>) {
        assert!(design.enqueue(0, skb(5_000, 0)).is_ok(), "{}", D::NAME);
        assert!(design.enqueue(0, skb(1, 1)).is_err(), "{}", D::NAME);
        assert_eq!(design.sock().mem_info().rmem_alloc, 5_000, "{}", D::NAME);
    }
    let memory = Arc::new(ProtoMem::unlimited());
    for_each_design!(check(|| sock(1, 2_304, &memory)));
}

/// Without memory the node queues drop the packet and succeed; the designs before give it back.
#[test]
fn without_memory_the_packet_comes_back_and_nothing_stays_charged() {
    fn check<D: Design<Udp<u32>>>(design: D, _: &mut Vec<u32>) {
        let offered = design.enqueue(0, skb(100, 7));
        if D::NAME == "prod-queue" {
            assert!(offered.is_ok());
        } else {
            let refused = offered.expect_err("there is no memory");
            assert_eq!(refused.error, EnqueueError::NoMemory { size: 100 });
            assert_eq!(refused.skb.data, 7);
            let told = refused.to_string();
            assert_eq!(told, "the protocol has no memory for a packet of 100 bytes");
        }
        assert_eq!(figures(design.sock().mem_info()), (0, 0, 1), "{}", D::NAME);
        assert!(design.sock().recv().is_none());
    }
    let memory = Arc::new(ProtoMem::new([0; 3], 0).unwrap());
    for_each_design!(check(|| sock(1, 9_216, &memory)));
    assert_eq!(memory.allocated(), 0);
}

#[test]
fn nothing_is_lost_among_threads() {
    const PRODUCERS: u32 = 4;
    const PACKETS: u32 = 5_000;
    fn check<D: Design<Udp<u32>> + Sync>(design: D, received: &mut Vec<u32>) {
        let refused: u32 = thread::scope(|scope| {
            let producers: Vec<_> = (0..PRODUCERS)
                .map(|producer| {
                    let design = &design;
                    scope.spawn(move || {
                        let offer = |number| {
                            let skb = skb(832, producer * PACKETS + number);
                            u32::from(design.enqueue(producer as usize % 2, skb).is_err())
                        };
                        (0..PACKETS).map(offer).sum::<u32>()
                    })
                })
                .collect();
            while producers.iter().any(|producer| !producer.is_finished()) {
                received.extend(design.sock().recv().map(|skb| skb.data));
            }
            producers.into_iter().map(|p| p.join().unwrap()).sum()
        });
        while let Some(skb) = design.sock().recv() {
            received.push(skb.data);
        }
        let name = D::NAME;
        assert_eq!(
            received.len() as u32 + refused,
            PRODUCERS * PACKETS,
            "{name}"
        );
        assert_eq!(design.sock().mem_info().drops, refused, "{name}");
        assert_eq!(design.sock().mem_info().rmem_alloc, 0, "{name}");
        for producer in 0..PRODUCERS {
            let of = |skb: &&u32| **skb / PACKETS == producer;
            let of: Vec<_> = received.iter().filter(of).collect();
            assert!(of.is_sorted(), "{name}");
        }
    }
    let memory = Arc::new(ProtoMem::unlimited());
    for_each_design!(check(|| sock(2, 20_000, &memory)));
    assert_eq!(memory.allocated(), 0);
}

#[test]
fn there_are_16_busylocks_for_each_cpu() {
    let numbers = [0, 1, 2, 3, 384].map(busylocks);
    assert_eq!(numbers, [16, 16, 32, 32, 4096]);
}
