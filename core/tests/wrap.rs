// SPDX-License-Identifier: MIT OR Apache-2.0

//! Counters as wide as the kernel's, beyond their width.

#![cfg(feature = "std")]

use std::sync::{Arc, Barrier, OnceLock};
use std::thread;

use prodq::{Admission, Counters, Hw, KernelOrder, Options, Platform, ProtoMem, Skb, Sock, Udp};

const NODES: usize = 3;

/// The kernel's test, made by all nodes before any of them goes on.
struct Together;

impl Admission for Together {
    const NAME: &'static str = "together";

    fn occupied<P: Platform>(counters: &Counters<'_, P>) -> u32 {
        static ALL: OnceLock<Barrier> = OnceLock::new();
        let occupied = KernelOrder::occupied(counters);
        ALL.get_or_init(|| Barrier::new(NODES)).wait();
        occupied
    }
}

#[test]
fn pages_come_back_when_the_sum_of_all_nodes_does_not_fit_32_bits() {
    let memory = Arc::new(ProtoMem::<Hw>::unlimited());
    let options = Options {
        rcvbuf: 1_000,
        rxq_ovfl: false,
    };
    let sock = Sock::<Udp<(), Together>>::open(NODES, options, Arc::clone(&memory)).unwrap();
    thread::scope(|scope| {
        for node in 0..NODES {
            let sock = &sock;
            scope.spawn(move || {
                let skb = Skb::new(i32::MAX as u32, ()).unwrap();
                assert!(sock.enqueue(node, Box::new(skb)).is_ok());
            });
        }
    });
    assert!(memory.allocated() > 1 << 20);
    drop(sock);
    assert_eq!(memory.allocated(), 0);
}
