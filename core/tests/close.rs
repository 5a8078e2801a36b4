// SPDX-License-Identifier: MIT OR Apache-2.0

//! Close under fire on hardware, with crossbeam-epoch's grace period.

#![cfg(feature = "epoch")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

use prodq::{CloseError, Hw, HwSleepSock, Options, ProtoMem, Skb, Table};

/// Counts how many packets that carry it were freed.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

type Sock = HwSleepSock<Counted>;

const PRODUCERS: usize = 3;
const PACKETS: usize = 40;
const ROUNDS: usize = 50;

fn round() {
    let (offered, freed) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
    let memory = Arc::new(ProtoMem::unlimited());
    let options = Options {
        rcvbuf: 1 << 20,
        rxq_ovfl: false,
    };
    let sock = Sock::open(2, options, Arc::clone(&memory)).expect("the options are allowed");
    let table: Table<Hw, Box<Sock>, 1> = Table::default();
    assert!(table.publish(0, Box::new(sock)).is_ok());
    thread::scope(|scope| {
        for producer in 0..PRODUCERS {
            let (table, offered, freed) = (&table, &offered, &freed);
            scope.spawn(move || {
                for _ in 0..PACKETS {
                    let skb = Skb::new(100, Counted(Arc::clone(freed)));
                    let skb = Box::new(skb.expect("the size is allowed"));
                    offered.fetch_add(1, Ordering::Relaxed);
                    table.look_up(0, |sock| drop(sock.enqueue(producer % 2, skb)));
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| table.look_up(0, |sock| while sock.recv_wait().is_ok() {}));
        }
        scope.spawn(|| {
            table.look_up(0, Sock::orphan);
            assert_eq!(table.close(0), Ok(()));
            assert_eq!(table.close(0), Err(CloseError::Empty { slot: 0 }));
        });
    });
    // Nobody is in a section any more, so pins of this thread bring the grace period to its end.
    let offered = offered.into_inner();
    for _ in 0..1_000_000 {
        if freed.load(Ordering::Relaxed) == offered && memory.allocated() == 0 {
            break;
        }
        crossbeam_epoch::pin().flush();
        thread::yield_now();
    }
    assert_eq!(freed.load(Ordering::Relaxed), offered);
    assert_eq!(memory.allocated(), 0, "the socket gave its pages back");
}

#[test]
fn everything_is_released_after_a_grace_period() {
    for _ in 0..ROUNDS {
        round();
    }
}
