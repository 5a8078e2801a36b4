// SPDX-License-Identifier: MIT OR Apache-2.0

//! The per-NUMA-node producer queue of the Linux UDP receive path (v6.18), written once over a
//! [`Platform`] so that the bytes which are model-checked are the bytes which run.
//!
//! # The algorithm on one page
//!
//! Many CPUs deliver packets to one socket. Nobody queues for the socket's lock:
//!
//! 1. **Admit.** The producer reads how many bytes the socket holds ([`Sock::mem_info`] calls it
//!    `rmem_alloc`) and how many its own node has in flight, both without a lock. If their sum and
//!    the packet exceed `rcvbuf` the packet is refused, unless both were zero ([`Admission`]).
//! 2. **Charge.** It adds the packet's truesize to its node's counter.
//! 3. **Push.** It adds the packet to its node's lock-less list ([`LlistHead`]). Whoever found the
//!    list empty is *elected*; everybody else returns at once, and the elected CPU takes care of
//!    what they pushed.
//! 4. **Drain.** The elected CPU takes the receive queue's lock, takes the whole list in one
//!    exchange, reverses it, charges each packet to the protocol's memory ([`ProtoMem`]), appends
//!    those that fit to the receive queue, adds their bytes to `rmem_alloc` in one addition, and
//!    unlocks. It frees the others after the unlock and subtracts the batch from the node's counter
//!    last. Where readers sleep it wakes one of them for each packet, after the unlock.
//! 5. **Receive.** A reader takes packets from the reader queue, which it refills from the receive
//!    queue by splicing. Memory is given back when a packet is dequeued, in lumps of a quarter of
//!    `rcvbuf` ([`Sock::recv`]). A reader that sleeps announces itself first and looks once more
//!    ([`Sock::recv_wait`]). A packet may be freed by the CPU that allocated it ([`Defer`]).
//! 6. **Destruct.** The last reference releases both queues and the node queues. It does not look
//!    into the node queues: that nothing is left there follows from the election and the grace
//!    period ([`Table`]).
//!
//! # Map
//!
//! | module | what |
//! |---|---|
//! | `platform` | [`Platform`], the traits of its atomics, cell and lock, [`Wait`] and [`Rcu`] |
//! | `ordering` | [`Site`]: the one table of every atomic access, its ordering and why |
//! | `step` | [`Step`]: the named steps of the algorithm, announced through [`Platform::trace`] |
//! | `llist` | [`LlistHead`]: add, telling whether the list was empty; take all; reverse |
//! | `skb` | [`SkbHead`], the packet's header, and [`Packet`], for those who bring their own |
//! | `prod_queue` | [`ProdQueue`]: one node's list and counter |
//! | `admission` | the rcvbuf test as a policy: [`KernelOrder`], [`NodeFirst`], [`AllNodes`] |
//! | `mem` | [`ProtoMem`] and the forward allocation |
//! | `drops` | [`DropCounters`] and [`DropReason`] |
//! | `queue` | the receive queue and the reader queue |
//! | `sock` | [`Sock`]: init, figures, destruct |
//! | `sockopt` | [`RcvbufRange`]: what `SO_RCVBUF` makes of the limit that is asked for |
//! | `enqueue` | [`Sock::enqueue`]: admit, charge, push, drain |
//! | `recv` | [`Sock::recv`], [`Sock::peek`]: dequeue, release, refill |
//! | `readers` | [`Sock::recv_wait`]: how readers wait, [`Polling`] or [`Sleeping`] |
//! | `defer` | [`Defer`]: lists of packets that go back to the CPU that allocated them |
//! | `table` | [`Table`]: publish, look up under RCU, close |
//! | `baseline` | what the patch replaced, on the same socket (feature `baseline`) |
//! | `hw` | [`Hw`]: real hardware (feature `std`; RCU with feature `epoch`) |

// As a module of a crate that has no such features the cfgs below are simply off.
#![allow(unexpected_cfgs)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod admission;
#[cfg(feature = "baseline")]
pub mod baseline;
mod defer;
mod drops;
mod enqueue;
#[cfg(feature = "std")]
mod hw;
mod llist;
mod mem;
mod ordering;
mod platform;
mod prod_queue;
mod queue;
mod readers;
mod recv;
mod skb;
mod sock;
mod sockopt;
mod step;
mod table;

pub use self::admission::{Admission, AllNodes, Counters, KernelOrder, NodeFirst};
pub use self::defer::{Defer, DeferError, DeferNode, Deferred, ResetOrder};
pub use self::drops::{DropCounters, DropReason};
pub use self::enqueue::{EnqueueError, Enqueued, Refused};
#[cfg(feature = "std")]
pub use self::hw::{Hw, HwLock, HwPacket, HwSleepSock, HwSock, HwWaitQueue, Udp};
pub use self::llist::{Chain, LlistHead};
pub use self::mem::{MemLimitError, ProtoMem};
pub use self::ordering::Site;
pub use self::platform::{AtomicInt, AtomicPtr, Lock, PlainCell, Platform, Rcu, Wait, WaitQueue};
#[cfg(feature = "alloc")]
pub use self::prod_queue::boxed_nodes;
pub use self::prod_queue::{OwnedSlice, ProdQueue};
pub use self::readers::{
    BothQueues, Polling, Readers, ReceiveQueueOnly, RecvError, SleepTest, Sleeping,
};
#[cfg(feature = "alloc")]
pub use self::skb::Skb;
pub use self::skb::{Packet, SizeError, SkbHead};
pub use self::sock::{InitError, MemInfo, Options, Proto, Sock};
pub use self::sockopt::RcvbufRange;
pub use self::step::{LockName, SkbId, Step};
pub use self::table::{CloseError, Handle, PublishError, Table};
