// SPDX-License-Identifier: MIT OR Apache-2.0

//! One socket on one thread: calls, errors, edges.

#![cfg(feature = "std")]

use std::sync::Arc;

use prodq::{
    boxed_nodes, EnqueueError, Enqueued, Hw, HwPacket, HwSock, InitError, MemLimitError, Options,
    ProtoMem, SizeError, Skb, Sock, Udp,
};

const INT_MAX: u32 = i32::MAX as u32;

fn options(rcvbuf: u32) -> Options {
    Options {
        rcvbuf,
        rxq_ovfl: true,
    }
}

fn plenty() -> Arc<ProtoMem<Hw>> {
    Arc::new(ProtoMem::unlimited())
}

fn sock<T>(nodes: usize, rcvbuf: u32) -> HwSock<T> {
    HwSock::open(nodes, options(rcvbuf), plenty()).unwrap()
}

fn skb<T>(truesize: u32, data: T) -> HwPacket<T> {
    Box::new(Skb::new(truesize, data).unwrap())
}

#[test]
fn packets_come_out_in_the_order_they_went_in() {
    let sock = sock(2, 100_000);
    for number in 0..10 {
        assert!(sock.enqueue(number % 2, skb(100, number)).is_ok());
    }
    let received: Vec<_> = std::iter::from_fn(|| sock.recv())
        .map(|skb| skb.data)
        .collect();
    assert_eq!(received, (0..10).collect::<Vec<_>>());
}

#[test]
fn an_uncontended_enqueue_drains_its_own_packet() {
    let sock = sock(1, 1_000);
    let enqueued = sock.enqueue(0, skb(100, ())).unwrap();
    assert_eq!(
        enqueued,
        Enqueued::Drained {
            queued: 1,
            dropped: 0
        }
    );
}

#[test]
fn sizes_of_zero_and_above_int_max_are_refused_with_a_reason() {
    for bytes in [0, INT_MAX + 1, u32::MAX] {
        let error = Skb::<Hw, ()>::new(bytes, ()).err().unwrap();
        assert_eq!(
            error,
            SizeError {
                bytes: bytes.into()
            }
        );
        let text = error.to_string();
        assert!(text.contains(&bytes.to_string()), "{text}");
        assert!(text.contains("from 1 to 2147483647"), "{text}");
        assert!(Sock::<Udp<()>>::new(options(bytes), plenty()).is_err());
        let sock = sock::<()>(1, 500);
        assert!(sock.set_rcvbuf(bytes).is_err());
        assert_eq!(sock.mem_info().rcvbuf, 500);
    }
    for bytes in [1, INT_MAX] {
        assert!(Skb::<Hw, ()>::new(bytes, ()).is_ok());
    }
}

#[test]
fn a_node_out_of_range_is_an_error_that_gives_the_packet_back() {
    let sock = sock(2, 1_000);
    let refused = sock.enqueue(2, skb(100, "mine")).unwrap_err();
    assert_eq!(
        refused.error,
        EnqueueError::NoSuchNode { node: 2, nodes: 2 }
    );
    assert_eq!(
        refused.error.to_string(),
        "there is no node 2: the socket has nodes 0 to 1"
    );
    assert_eq!(refused.skb.data, "mine");
    assert_eq!(sock.mem_info().drops, 0);
}

#[test]
fn a_socket_whose_init_failed_refuses_packets_and_can_be_dropped() {
    let mut sock = Sock::<Udp<u8>>::new(options(1_000), plenty()).unwrap();
    assert_eq!(sock.init(|| None), Err(InitError::NoMemory));
    assert_eq!(sock.init(|| boxed_nodes(0)), Err(InitError::NoNodes));
    let refused = sock.enqueue(0, skb(100, 7)).unwrap_err();
    assert_eq!(refused.error, EnqueueError::NotInitialised);
    assert_eq!(refused.skb.data, 7);
    assert!(sock.recv().is_none());
    assert_eq!(sock.nodes(), 0);
    // It is not too late.
    assert_eq!(sock.init(|| boxed_nodes(1)), Ok(()));
    assert_eq!(sock.nodes(), 1);
    assert_eq!(
        sock.init(|| boxed_nodes(1)),
        Err(InitError::AlreadyInitialised)
    );
    assert!(sock.enqueue(0, skb(100, 8)).is_ok());
}

#[test]
fn an_empty_socket_takes_an_oversize_packet_and_a_full_one_does_not() {
    let sock = sock(1, 100);
    assert!(sock.enqueue(0, skb(5_000, ())).is_ok());
    let refused = sock.enqueue(0, skb(1, ())).unwrap_err();
    let full = EnqueueError::RcvbufFull {
        size: 1,
        occupied: 5_000,
        rcvbuf: 100,
    };
    assert_eq!(refused.error, full);
    assert_eq!(sock.mem_info().drops, 1);
}

#[test]
fn the_exception_for_an_empty_socket_ends_above_half_of_int_max() {
    let half = INT_MAX >> 1;
    assert!(sock(1, half).enqueue(0, skb(half + 1, ())).is_ok());
    assert!(sock(1, half + 1).enqueue(0, skb(half + 1, ())).is_ok());
    assert!(sock(1, half + 1).enqueue(0, skb(half + 2, ())).is_err());
}

#[test]
fn occupancy_is_compared_unsigned() {
    // CVE-2025-22059: a signed comparison let a socket with a huge rcvbuf take memory for ever.
    let sock = sock(1, INT_MAX);
    assert!(sock.enqueue(0, skb(INT_MAX, ())).is_ok());
    assert!(sock.enqueue(0, skb(INT_MAX, ())).is_err());
    assert_eq!(sock.mem_info().rmem_alloc, i32::MAX);
}

#[test]
fn pages_come_back_when_more_than_int_max_bytes_are_released_at_once() {
    // df207de9d9e7: a signed size wrapped negative and left the protocol's pages charged.
    let memory = plenty();
    let sock = HwSock::open(1, options(INT_MAX), Arc::clone(&memory)).unwrap();
    let almost = INT_MAX - 832;
    assert!(sock.enqueue(0, skb(almost, ())).is_ok());
    assert!(sock.enqueue(0, skb(832, ())).is_ok());
    assert_eq!(memory.allocated(), 524_288);
    drop(sock);
    assert_eq!(memory.allocated(), 0);
}

#[test]
fn a_packet_above_half_of_rcvbuf_is_condensed_and_charged_as_such() {
    struct Slack(HwPacket<()>);
    // SAFETY: All is delegated to the boxed packet but `condense`.
    unsafe impl prodq::Packet for Slack {
        type Platform = Hw;
        fn head(&self) -> &prodq::SkbHead<Hw> {
            prodq::Packet::head(&self.0)
        }
        fn into_raw(self) -> std::ptr::NonNull<prodq::SkbHead<Hw>> {
            prodq::Packet::into_raw(self.0)
        }
        unsafe fn from_raw(head: std::ptr::NonNull<prodq::SkbHead<Hw>>) -> Self {
            // SAFETY: The pointer came from `into_raw` above.
            Slack(unsafe { prodq::Packet::from_raw(head) })
        }
        fn condense(&mut self) {
            // SAFETY: The packet is borrowed exclusively.
            unsafe { prodq::Packet::head(&self.0).set_truesize(100).unwrap() };
        }
    }
    struct Proto;
    impl prodq::Proto for Proto {
        type Platform = Hw;
        type Packet = Slack;
        type Admission = prodq::KernelOrder;
        type Readers = prodq::Polling;
        type Nodes = [prodq::ProdQueue<Hw>; 1];
        type Memory = Arc<ProtoMem<Hw>>;
    }
    let mut sock = Sock::<Proto>::new(options(1_000), plenty()).unwrap();
    sock.init(|| Some([prodq::ProdQueue::default()])).unwrap();
    let offer = |size| sock.enqueue(0, Slack(skb(size, ()))).is_ok();
    assert!(offer(600));
    assert_eq!(sock.mem_info().rmem_alloc, 600);
    assert!(offer(400));
    assert_eq!(sock.mem_info().rmem_alloc, 700);
    // The limit is not looked at again after condensing.
    assert!(!offer(400));
}

#[test]
fn protocol_memory_bites_at_its_limits() {
    let offer = |sock: &HwSock<()>| sock.enqueue(0, skb(4_096, ()));
    let drained = |queued, dropped| Enqueued::Drained { queued, dropped };
    let open = |limits, rmem_min| {
        let memory = Arc::new(ProtoMem::new(limits, rmem_min).unwrap());
        let sock = HwSock::open(1, options(1 << 20), Arc::clone(&memory)).unwrap();
        (sock, memory)
    };
    // Up to the first limit all is well; beyond it only sockets under the minimum are admitted.
    let (sock, memory) = open([2, 5, 9], 0);
    let got: Vec<_> = (0..4).map(|_| offer(&sock).unwrap()).collect();
    assert_eq!(
        got,
        [drained(1, 0), drained(1, 0), drained(0, 1), drained(0, 1)]
    );
    assert_eq!((memory.allocated(), sock.mem_info().drops), (2, 2));
    // The minimum helps up to the third limit and not beyond.
    let (sock, memory) = open([0, 1, 2], INT_MAX);
    let got: Vec<_> = (0..3).map(|_| offer(&sock).unwrap()).collect();
    assert_eq!(got, [drained(1, 0), drained(1, 0), drained(0, 1)]);
    assert_eq!(memory.allocated(), 2);
    let error = ProtoMem::<Hw>::new([3, 2, 4], 0).err().unwrap();
    assert_eq!(
        error,
        MemLimitError {
            limits: [3, 2, 4],
            rmem_min: 0
        }
    );
    assert!(error.to_string().contains("ascending"), "{error}");
}

#[test]
fn stamps_tell_the_drops_so_far() {
    let sock = sock(1, 300);
    assert!(sock.enqueue(0, skb(100, ())).is_ok());
    assert!(sock.enqueue(0, skb(300, ())).is_err());
    assert!(sock.enqueue(0, skb(100, ())).is_ok());
    let stamps: Vec<_> = std::iter::from_fn(|| sock.recv())
        .map(|skb| skb.dropcount())
        .collect();
    assert_eq!(stamps, [0, 1]);
}

#[test]
fn peek_leaves_the_packet_and_its_memory() {
    let sock = sock(1, 1_000);
    assert_eq!(sock.peek(|_| ()), None);
    assert!(sock.enqueue(0, skb(100, 'a')).is_ok());
    assert!(sock.enqueue(0, skb(100, 'b')).is_ok());
    assert_eq!(
        sock.peek(|skb| (skb.data, skb.truesize())),
        Some(('a', 100))
    );
    assert_eq!(sock.mem_info().rmem_alloc, 200);
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        sock.peek(|_| std::panic::panic_any("the user's own"));
    }));
    assert!(unwound.is_err());
    assert_eq!(sock.recv().map(|skb| skb.data), Some('a'));
    assert_eq!(sock.recv().map(|skb| skb.data), Some('b'));
}

#[test]
fn a_smaller_rcvbuf_is_in_force_at_once() {
    let sock = sock(1, 1_000);
    for _ in 0..5 {
        assert!(sock.enqueue(0, skb(100, ())).is_ok());
    }
    assert_eq!(sock.set_rcvbuf(300), Ok(1_000));
    assert!(sock.enqueue(0, skb(100, ())).is_err());
    // The release threshold follows: a quarter of 300 is reached with the first packet.
    assert!(sock.recv().is_some());
    assert_eq!(sock.mem_info().rmem_alloc, 400);
}

#[test]
fn dropping_a_socket_frees_what_is_queued() {
    let token = Arc::new(());
    let memory = plenty();
    let sock = HwSock::open(2, options(10_000), Arc::clone(&memory)).unwrap();
    for node in 0..2 {
        for _ in 0..3 {
            assert!(sock.enqueue(node, skb(500, Arc::clone(&token))).is_ok());
        }
    }
    // One is with the user, some are in the reader queue, some in the receive queue.
    let kept = sock.recv();
    assert!(sock.enqueue(0, skb(500, Arc::clone(&token))).is_ok());
    assert_eq!(Arc::strong_count(&token), 8);
    drop(sock);
    assert_eq!(Arc::strong_count(&token), 2);
    assert_eq!(memory.allocated(), 0);
    drop(kept);
    assert_eq!(Arc::strong_count(&token), 1);
}
