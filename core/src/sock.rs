// SPDX-License-Identifier: MIT OR Apache-2.0

//! The socket: init, enqueue, receive, destruct.

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;
use core::ptr::NonNull;

use super::queue::{ReaderQueue, ReceiveQueue};
use super::{
    Admission, AtomicInt, DropCounters, DropReason, Lock, OwnedSlice, Packet, Platform, ProdQueue,
    ProtoMem, Readers, Site, SizeError, SkbHead, Step,
};

/// What the sockets of one protocol have in common (`struct proto`): types, policy, memory.
pub trait Proto {
    /// The world it runs in.
    type Platform: Platform;
    /// The packets it carries.
    type Packet: Packet<Platform = Self::Platform>;
    /// The rcvbuf test.
    type Admission: Admission;
    /// What owns a socket's node queues: an array, a box, or something of the user's.
    type Nodes: OwnedSlice<ProdQueue<Self::Platform>>;
    /// How readers wait: [`Polling`](super::Polling), or [`Sleeping`](super::Sleeping).
    type Readers: Readers<Self::Platform>;
    /// How a socket refers to the protocol's memory.
    type Memory: Deref<Target = ProtoMem<Self::Platform>>;

    /// Whether a batch's drop-count stamp is sampled with the receive queue's lock held. The kernel
    /// samples it before, so that the batches of two nodes can be queued in the opposite order of
    /// their samples and a user sees the count go back. It costs two loads under the lock.
    const STAMP_UNDER_LOCK: bool = false;
    /// Whether the bytes that a drain has queued already count when `udp_rmem_min` decides. The kernel
    /// adds a batch to `rmem_alloc` after its last packet, so that under memory pressure a whole batch
    /// is admitted where one packet would be. It costs an addition for each packet under pressure.
    const COUNT_BATCH: bool = false;
}

/// What a socket is told when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The limit in force, in bytes: what `SO_RCVBUF` leads to after doubling and clamping.
    pub rcvbuf: u32,
    /// Whether packets are stamped with the drop count (`SO_RXQ_OVFL`).
    pub rxq_ovfl: bool,
}

/// Why a socket has no node queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitError {
    /// The allocation was refused (`-ENOMEM`).
    NoMemory,
    /// There are no nodes in it.
    NoNodes,
    /// The socket has its node queues already.
    AlreadyInitialised,
}

impl fmt::Display for InitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InitError::NoMemory => "the memory for the node queues was refused",
            InitError::NoNodes => "a socket needs the queue of at least 1 node; 0 were given",
            InitError::AlreadyInitialised => "the socket is initialised already",
        })
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for InitError {}

/// A socket's figures, as `SO_MEMINFO` tells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemInfo {
    /// Bytes handed over and not released; the node queues' bytes are not among them.
    pub rmem_alloc: i32,
    /// The limit in force, in bytes.
    pub rcvbuf: u32,
    /// Bytes charged to the protocol in whole pages and not used by a packet.
    pub forward_alloc: i32,
    /// Bytes of dequeued packets whose release is held back; they still count in `rmem_alloc`.
    pub forward_deficit: u32,
    /// Packets dropped since the socket was made (modulo 2^32).
    pub drops: u32,
}

impl MemInfo {
    /// Bytes that wait for a reader, as `/proc/net/udp` and `ss` tell them (Recv-Q).
    ///
    /// Source: `udp_rqueue_get`.
    #[doc(alias = "udp_rqueue_get")]
    pub fn recv_queue(&self) -> i32 {
        self.rmem_alloc.wrapping_sub(self.forward_deficit as i32)
    }
}

#[repr(align(64))]
pub(super) struct Line<T>(pub(super) T);

/// A socket.
///
/// It moves packets between threads, so it is `Send` and `Sync` only if they are `Send`:
///
/// ```
/// # #[cfg(feature = "std")] {
/// fn can_be_shared<T: Send + Sync>() {}
/// can_be_shared::<prodq::HwSock<std::sync::Arc<u8>>>();
/// # }
/// ```
///
/// ```compile_fail
/// # #[cfg(feature = "std")] {
/// fn can_be_sent<T: Send>() {}
/// can_be_sent::<prodq::HwSock<std::rc::Rc<u8>>>();
/// # }
/// # #[cfg(not(feature = "std"))] compile_error!();
/// ```
///
/// ```compile_fail
/// # #[cfg(feature = "std")] {
/// fn can_be_shared<T: Sync>() {}
/// can_be_shared::<prodq::HwSock<std::rc::Rc<u8>>>();
/// # }
/// # #[cfg(not(feature = "std"))] compile_error!();
/// ```
///
/// Its counters are 32 bits wide, as the kernel's. What is stated of them holds as long as all that may
/// be in flight at once stays below 2 GiB; beyond that they wrap, and admission with them.
///
/// # Invariants
/// With the receive queue's lock held and no drain half done, the pages charged for this socket
/// times the page size are `forward_alloc + rmem_alloc`. While a node's list is not empty, exactly
/// one CPU of that node is elected and has not taken the list.
#[doc(alias = "udp_sock")]
pub struct Sock<F: Proto> {
    pub(super) rcvbuf: <F::Platform as Platform>::AtomicI32,
    pub(super) forward_threshold: <F::Platform as Platform>::AtomicI32,
    pub(super) rxq_ovfl: bool,
    pub(super) nodes: Option<F::Nodes>,
    pub(super) memory: F::Memory,
    pub(super) rmem_alloc: Line<<F::Platform as Platform>::AtomicI32>,
    pub(super) receive: Line<<F::Platform as Platform>::Lock<ReceiveQueue<F::Platform>>>,
    pub(super) reader: Line<<F::Platform as Platform>::Lock<ReaderQueue<F::Platform>>>,
    pub(super) drops: DropCounters<F::Platform>,
    pub(super) readers: F::Readers,
    _packets: PhantomData<*mut F::Packet>,
}

// SAFETY: A socket moves packets between threads, which their type must allow; everything else in it
// is shared through atomics and locks of the platform.
unsafe impl<F: Proto> Send for Sock<F>
where
    F::Packet: Send,
    F::Nodes: Send,
    F::Memory: Send,
{
}
// SAFETY: As for `Send`; a packet is only ever lent out to the holder of the reader queue's lock, so
// packets need not be `Sync`.
unsafe impl<F: Proto> Sync for Sock<F>
where
    F::Packet: Send,
    F::Nodes: Sync,
    F::Memory: Sync,
{
}

impl<F: Proto> Sock<F> {
    /// A socket without node queues; [`init`](Self::init) gives it some.
    ///
    /// # Errors
    /// [`SizeError`] unless rcvbuf is from 1 to `INT_MAX`.
    pub fn new(options: Options, memory: F::Memory) -> Result<Self, SizeError> {
        let rcvbuf = SizeError::check(options.rcvbuf)? as i32;
        Ok(Sock {
            rcvbuf: AtomicInt::new(rcvbuf),
            forward_threshold: AtomicInt::new(rcvbuf >> 2),
            rxq_ovfl: options.rxq_ovfl,
            nodes: None,
            memory,
            rmem_alloc: Line(AtomicInt::new(0)),
            receive: Line(Lock::new(ReceiveQueue::default())),
            reader: Line(Lock::new(ReaderQueue::default())),
            drops: DropCounters::default(),
            readers: F::Readers::new(),
            _packets: PhantomData,
        })
    }

    /// Gives the socket its node queues.
    ///
    /// # Errors
    /// [`InitError`]. The socket is as it was: it refuses every packet, and it is safe to drop.
    #[doc(alias = "udp_lib_init_sock")]
    pub fn init(&mut self, alloc: impl FnOnce() -> Option<F::Nodes>) -> Result<(), InitError> {
        if self.nodes.is_some() {
            return Err(InitError::AlreadyInitialised);
        }
        let made = alloc();
        let nodes = made.as_ref().map_or(0, |nodes| nodes.slice().len());
        F::Platform::trace(Step::Init { nodes });
        match made {
            None => Err(InitError::NoMemory),
            Some(_) if nodes == 0 => Err(InitError::NoNodes),
            Some(_) => {
                self.nodes = made;
                Ok(())
            }
        }
    }

    /// How many nodes the socket has queues for; 0 before [`init`](Self::init).
    pub fn nodes(&self) -> usize {
        self.nodes.as_ref().map_or(0, |nodes| nodes.slice().len())
    }

    /// Changes the limit, while packets are in flight if need be; returns the one before, in bytes.
    ///
    /// # Errors
    /// [`SizeError`] unless the new limit is from 1 to `INT_MAX`.
    #[doc(alias = "SO_RCVBUF")]
    pub fn set_rcvbuf(&self, bytes: u32) -> Result<u32, SizeError> {
        let to = SizeError::check(bytes)?;
        // ORDERING: Relaxed; whoever reads the old limit a little longer decides by the old limit.
        let from = self.rcvbuf.swap(to as i32, Site::SetRcvbuf) as u32;
        F::Platform::trace(Step::SetRcvbuf { from, to });
        let to = (to as i32) >> 2;
        // ORDERING: Relaxed, likewise.
        self.forward_threshold.swap(to, Site::SetRcvbuf);
        F::Platform::trace(Step::SetThreshold { to });
        Ok(from)
    }

    /// The socket's figures. Takes both locks, so that `rmem_alloc` and `forward_alloc` belong
    /// together.
    #[doc(alias = "SO_MEMINFO")]
    pub fn mem_info(&self) -> MemInfo {
        let (forward_deficit, (forward_alloc, rmem_alloc)) = self.reader.0.with(|reader| {
            let inner = |receive: &mut ReceiveQueue<F::Platform>| {
                // ORDERING: Relaxed; it changes under the lock that is held.
                (
                    receive.forward_alloc,
                    self.rmem_alloc.0.load(Site::ReadRmem),
                )
            };
            (reader.forward_deficit, self.receive.0.with(inner))
        });
        MemInfo {
            rmem_alloc,
            // ORDERING: Relaxed; the limit is a number, not a message.
            rcvbuf: self.rcvbuf.load(Site::ReadRcvbuf) as u32,
            forward_alloc,
            forward_deficit,
            drops: self.drops.read(),
        }
    }

    pub(super) fn free(&self, skb: NonNull<SkbHead<F::Platform>>, reason: DropReason) {
        // SAFETY: The packet was taken from a chain or queue of this socket, which got it from
        // `into_raw` in `enqueue`.
        let (id, packet) = unsafe { (skb.as_ref().id(), F::Packet::from_raw(skb)) };
        F::Platform::trace(Step::Free { skb: id, reason });
        packet.free(reason);
    }

    /// Releases everything; called once, by `drop`.
    ///
    /// It does not look at the node lists. They are empty: whoever shares the socket holds it until
    /// its last enqueue has returned, and when no CPU is in enqueue every list is empty.
    ///
    /// Source: `udp_destruct_common`.
    #[doc(alias = "udp_destruct_common")]
    fn destruct(&mut self) {
        F::Platform::trace(Step::Destruct);
        let mut receive = core::mem::take(self.receive.0.get_mut());
        let mut reader = core::mem::take(self.reader.0.get_mut());
        self.splice(&mut reader, &mut receive);
        let mut total = reader.forward_deficit;
        while let Some(skb) = reader.queue.pop() {
            // SAFETY: The packet was just taken from a queue of this socket.
            let size = unsafe { skb.as_ref().scratch() };
            if total.saturating_add(size) > i32::MAX as u32 {
                // Sizes are summed in 32 bits, as the kernel's are, and must not wrap.
                self.give_back(&mut receive, total, false);
                total = 0;
            }
            total = total.wrapping_add(size);
            self.free(skb, DropReason::Closed);
        }
        self.give_back(&mut receive, total, false);
        if self.nodes.take().is_some() {
            F::Platform::trace(Step::FreeNodes);
        }
        let forward_alloc = receive.forward_alloc;
        F::Platform::trace(Step::Destructed { forward_alloc });
    }
}

impl<F: Proto> Drop for Sock<F> {
    fn drop(&mut self) {
        self.destruct();
    }
}
