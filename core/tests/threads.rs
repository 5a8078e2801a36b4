// SPDX-License-Identifier: MIT OR Apache-2.0

//! The hardware platform itself under real threads: RCU by crossbeam-epoch, sockets that die while
//! producers look them up. Counts decide, never time.

#![cfg(feature = "epoch")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

use prodq::{CloseError, Hw, HwSock, Options, ProtoMem, PublishError, Skb, Table};

/// Counts how many of it are alive.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(alive: &Arc<AtomicUsize>) -> Counted {
        alive.fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(alive))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

type Sockets = Table<Hw, Box<HwSock<Counted>>, 1>;

fn open(memory: &Arc<ProtoMem<Hw>>) -> Box<HwSock<Counted>> {
    let options = Options {
        rcvbuf: 20_000,
        rxq_ovfl: false,
    };
    Box::new(HwSock::open(2, options, Arc::clone(memory)).unwrap())
}

/// Lets crossbeam-epoch run what was deferred.
fn wait_for_grace(done: impl Fn() -> bool) {
    for _ in 0..1_000_000 {
        if done() {
            return;
        }
        crossbeam_epoch::pin().flush();
        thread::yield_now();
    }
}

#[test]
fn sockets_that_close_under_fire_leave_nothing_behind() {
    const SOCKETS: usize = 200;
    let memory = Arc::new(ProtoMem::unlimited());
    let alive = Arc::new(AtomicUsize::new(0));
    let sockets = Sockets::default();
    let stop = AtomicBool::new(false);
    let offered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for node in 0..2 {
            let (sockets, stop, offered, alive) = (&sockets, &stop, &offered, &alive);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    sockets.look_up(0, |sock| {
                        let skb = Skb::new(832, Counted::new(alive)).unwrap();
                        if sock.enqueue(node, Box::new(skb)).is_ok() {
                            offered.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
        }
        for _ in 0..SOCKETS {
            assert!(sockets.publish(0, open(&memory)).is_ok());
            let before = offered.load(Ordering::Relaxed);
            while offered.load(Ordering::Relaxed) == before {
                thread::yield_now();
            }
            sockets.look_up(0, |sock| sock.recv());
            assert_eq!(sockets.close(0), Ok(()));
            assert_eq!(sockets.close(0), Err(CloseError::Empty { slot: 0 }));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(offered.load(Ordering::Relaxed) >= SOCKETS);
    wait_for_grace(|| alive.load(Ordering::Relaxed) == 0 && memory.allocated() == 0);
    assert_eq!(alive.load(Ordering::Relaxed), 0, "packets that live on");
    assert_eq!(memory.allocated(), 0, "pages that stay charged");
}

#[test]
fn a_slot_holds_one_socket_and_a_table_only_its_slots() {
    let memory = Arc::new(ProtoMem::unlimited());
    let sockets = Sockets::default();
    assert!(sockets.look_up(0, |_| ()).is_none());
    assert!(sockets.publish(0, open(&memory)).is_ok());
    let (error, _) = sockets.publish(0, open(&memory)).err().unwrap();
    assert_eq!(error, PublishError::Taken { slot: 0 });
    let (error, _) = sockets.publish(1, open(&memory)).err().unwrap();
    assert_eq!(error.to_string(), "there is no slot 1: the table has 1");
    assert_eq!(
        sockets.close(1),
        Err(CloseError::NoSuchSlot { slot: 1, slots: 1 })
    );
    assert!(sockets.look_up(1, |_| ()).is_none());
}
