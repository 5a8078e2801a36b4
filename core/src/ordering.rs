// SPDX-License-Identifier: MIT OR Apache-2.0

//! The one table of every atomic access.
//!
//! For each site: the kernel's primitive and its ordering in the Linux-kernel memory model (LKMM),
//! ours, with whom it pairs, and the theorem that fails when it is weaker. No ordering is written
//! anywhere else in this crate.
//!
//! Two facts carry most of the table. Election needs only the order of changes of one word: among
//! all pushes and takes of one list, each sees the one before. And every counter is changed by
//! read-modify-writes only, so that additions and subtractions cannot be lost whatever their
//! ordering.

use core::sync::atomic::Ordering;

macro_rules! sites {
    ($($(#[$doc:meta])* $site:ident: $ordering:ident,)*) => {
        /// An atomic access of the algorithm.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Site { $($(#[$doc])* $site,)* }

        impl Site {
            /// Every site, in the order of the table.
            pub const ALL: &'static [Site] = &[$(Site::$site,)*];

            /// The site's name, as in the table.
            pub const fn name(self) -> &'static str {
                match self { $(Site::$site => stringify!($site),)* }
            }

            /// The ordering that the algorithm needs at this site.
            #[inline(always)]
            pub const fn ordering(self) -> Ordering {
                match self { $(Site::$site => Ordering::$ordering,)* }
            }
        }
    };
}

sites! {
    /// Admission reads rcvbuf. Kernel: `READ_ONCE(sk_rcvbuf)`, once. Pairs with nothing.
    ReadRcvbuf: Relaxed,
    /// `SO_RCVBUF` changes rcvbuf and the release threshold. Kernel: `WRITE_ONCE`, once. Pairs with
    /// nothing.
    SetRcvbuf: Relaxed,
    /// Admission reads `sk_rmem_alloc`. Kernel: `atomic_read`, once. Pairs with nothing: the estimate
    /// may be stale, and `bounded-overshoot` is stated for loads that are not.
    ReadRmem: Relaxed,
    /// Admission reads a node's counter. Kernel: `atomic_read`, once. As `ReadRmem`.
    ReadNode: Relaxed,
    /// A policy that reads a node's counter before the socket's. Not in the kernel. Pairs with
    /// `UnchargeLast`: a batch that has left the node's counter is in the socket's, which is read
    /// next.
    ReadNodeFirst: Acquire,
    /// The node's counter is raised before the push. Kernel: `atomic_add`, unordered. The push's
    /// release and the take's acquire put it before the subtraction that undoes it.
    Charge: Relaxed,
    /// The push's first guess of the list's head. Kernel: `READ_ONCE`, once. Pairs with nothing: the
    /// exchange checks it.
    ListFirst: Relaxed,
    /// The successful push. Kernel: `try_cmpxchg`, fully ordered. Its release half pairs with
    /// `ListTake`: link and packet are published (`conservation`, a race on the header without it).
    /// Its acquire half pairs with the release half of `ListTake`: the next elected CPU samples the
    /// drop counters after the one before (`drop-count`, stamps go back without it).
    ListPush: AcqRel,
    /// The failed push. Kernel: `try_cmpxchg`, unordered when it fails. Pairs with nothing: the
    /// pointer found is only written into a link.
    ListPushFail: Relaxed,
    /// The elected CPU takes the list. Kernel: `xchg`, fully ordered. Its acquire half pairs with
    /// every `ListPush` since the last take (`conservation`), its release half with the next
    /// `ListPush` (`drop-count`).
    ListTake: AcqRel,
    /// A batch's stamp, and whoever asks for the count. Kernel: `atomic_read`, once. Ordered among
    /// the elected CPUs of a node by `ListTake` and `ListPush`.
    ReadDrops: Relaxed,
    /// A drop is counted. Kernel: `atomic_add`, unordered. Pairs with nothing.
    AddDrops: Relaxed,
    /// Pages are charged to the protocol. Kernel: `atomic_long_add_return`, fully ordered. Nothing
    /// is published by it; the sum is exact because it is one word.
    ChargePages: Relaxed,
    /// Pages are given back. Kernel: `atomic_long_sub`, unordered. Pairs with nothing.
    UnchargePages: Relaxed,
    /// A report of the protocol's pages. Kernel: `atomic_long_read`, once. Pairs with nothing.
    ReadPages: Relaxed,
    /// `sk_rmem_alloc` is compared with `udp_rmem_min`. Kernel: `atomic_read`, once. The receive
    /// queue's lock orders it.
    ReadPressure: Relaxed,
    /// A batch is added to `sk_rmem_alloc`, under the lock. Kernel: `atomic_add`, unordered. The lock
    /// puts it before the release of the same bytes.
    AddRmem: Relaxed,
    /// Released bytes leave `sk_rmem_alloc`, under the lock. Kernel: `atomic_sub`, unordered. As
    /// `AddRmem`.
    SubRmem: Relaxed,
    /// A packet is added to `sk_rmem_alloc` before the lock, in the designs that the patch replaced.
    /// Kernel: `atomic_add_return`, fully ordered, or `atomic_add`, unordered. The lock that follows puts
    /// it before the release of the same bytes.
    ChargeSock: Relaxed,
    /// It leaves `sk_rmem_alloc` again because it is refused after all. Kernel: `atomic_sub`, unordered.
    /// It undoes an addition of the same CPU.
    UnchargeSock: Relaxed,
    /// The release threshold is read. Kernel: `READ_ONCE(forward_threshold)`, once. Pairs with
    /// nothing.
    ReadThreshold: Relaxed,
    /// The drained batch leaves the node's counter, last. Kernel: `atomic_sub`, unordered. The take
    /// put it after every charge that it undoes (`accounting`).
    Uncharge: Relaxed,
    /// The same where a policy reads the node's counter first. Not in the kernel. Pairs with
    /// `ReadNodeFirst`.
    UnchargeLast: Release,
    /// A batch counts in the receive queue's length, under the lock. Kernel: `WRITE_ONCE` of the queue's
    /// links and length, once. `WakerFence` orders it.
    AddReceiveLen: Relaxed,
    /// Spliced packets count in the reader queue's length. Kernel: as `AddReceiveLen`. Published by
    /// `SubReceiveLen`.
    AddReaderLen: Relaxed,
    /// Spliced packets leave the receive queue's length. Kernel: once. Pairs with `ReadReceiveLen`, for
    /// readers that look at both queues before they sleep (`no-lost-wakeup`).
    SubReceiveLen: Release,
    /// A dequeued packet leaves the reader queue's length. Kernel: once. Pairs with nothing.
    SubReaderLen: Relaxed,
    /// A reader looks at the receive queue without its lock. Kernel: `READ_ONCE(prev)`, once. Pairs with
    /// `SubReceiveLen`.
    ReadReceiveLen: Acquire,
    /// A reader looks at the reader queue without its lock. Kernel: once. `ReadReceiveLen` orders it.
    ReadReaderLen: Relaxed,
    /// A reader counts itself before it looks. Kernel: the wait queue's list, under its lock.
    /// `SleeperFence` orders it.
    AddSleeper: Relaxed,
    /// A reader does not sleep any more. Kernel: `finish_wait`. Pairs with nothing.
    SubSleeper: Relaxed,
    /// A drain looks for sleepers. Kernel: `waitqueue_active`, once. `WakerFence` orders it.
    ReadSleepers: Relaxed,
    /// Between the queueing and the look for sleepers. Kernel: `smp_mb` in `wq_has_sleeper`. Pairs with
    /// `SleeperFence` (`no-lost-wakeup`: without both each side can miss the other).
    WakerFence: SeqCst,
    /// Between a reader's announcement and its look at the queues. Kernel: `smp_mb` in
    /// `set_current_state`. Pairs with `WakerFence`.
    SleeperFence: SeqCst,
    /// The socket is dead. Kernel: `sock_set_flag`, under `sk_callback_lock`. The wait queue's lock orders
    /// it.
    SetDead: Relaxed,
    /// A drain or a reader asks whether the socket is dead. Kernel: `sock_flag`, a plain read. As
    /// `SetDead`.
    ReadDead: Relaxed,
    /// A packet is counted before it goes to a free list. Kernel: `atomic_long_inc_return`, fully ordered.
    /// Pairs with `DeferReset` where the list is taken first: what is counted after the reset is pushed
    /// after the take, so that a list which is full is not empty (`deferred-free`). Only a machine that
    /// buffers loads could show the difference, and the models here do not.
    DeferCount: Acquire,
    /// A flush resets the count. Kernel: `atomic_long_set`, once. Pairs with `DeferCount`.
    DeferReset: Release,
    /// A socket is published. Kernel: `rcu_assign_pointer`, release. Pairs with `LookUp` and
    /// `Unpublish`.
    Publish: Release,
    /// A publication that found the slot taken. Nothing is read through the pointer.
    PublishFail: Relaxed,
    /// A socket is looked up. Kernel: `rcu_dereference`, address dependency. C11 has none that
    /// compilers keep, hence acquire. Pairs with `Publish`.
    LookUp: Acquire,
    /// A socket is taken out of its slot. Kernel: `rcu_assign_pointer(NULL)` under the table's lock.
    /// Its acquire pairs with `Publish`, so that the destructor sees the socket whole.
    Unpublish: Acquire,
}
