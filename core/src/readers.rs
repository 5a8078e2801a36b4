// SPDX-License-Identifier: MIT OR Apache-2.0

//! How readers wait: not at all, or asleep until a drain wakes them.

use core::fmt;
use core::marker::PhantomData;

use super::{AtomicInt, LockName, Platform, Proto, Site, Sock, Step, Wait, WaitQueue};

/// Why a reader that may wait has no packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecvError {
    /// Both queues are empty, and readers of this socket do not sleep (`-EAGAIN`).
    WouldBlock,
    /// Both queues are empty and the sleep was interrupted (`-EINTR`).
    Interrupted,
    /// Both queues are empty and the socket is dead.
    Dead,
}

impl fmt::Display for RecvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecvError::WouldBlock => "there is no packet, and readers of this socket do not sleep",
            RecvError::Interrupted => "there is no packet, and the sleep was interrupted",
            RecvError::Dead => "there is no packet, and the socket is dead",
        })
    }
}

#[cfg(feature = "std")]
impl super::std::error::Error for RecvError {}

/// How the readers of a socket wait for packets, and what a drain does about it.
pub trait Readers<P: Platform>: Send + Sync {
    /// Nobody waits yet.
    fn new() -> Self;
    /// A drain has put `count` packets on the receive queue, whose lock it holds.
    fn queued(&self, count: usize);
    /// `count` packets went from the receive queue to the reader queue; both locks are held.
    fn spliced(&self, count: usize);
    /// A packet left the reader queue, whose lock is held.
    fn dequeued(&self);
    /// A drain has released the lock and calls this once for each packet that it queued.
    fn data_ready(&self);
    /// Whether one of the queues seems to have a packet; looks without a lock.
    fn is_readable(&self) -> bool;
    /// Waits until there may be a packet.
    ///
    /// # Errors
    /// [`RecvError`] when there is no use in waiting.
    fn wait(&self) -> Result<(), RecvError>;
    /// The socket is dead: nobody waits any more.
    fn orphan(&self);
}

/// Readers that never wait. It costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polling;

impl<P: Platform> Readers<P> for Polling {
    #[inline(always)]
    fn new() -> Self {
        Polling
    }
    #[inline(always)]
    fn queued(&self, _: usize) {}
    #[inline(always)]
    fn spliced(&self, _: usize) {}
    #[inline(always)]
    fn dequeued(&self) {}
    #[inline(always)]
    fn data_ready(&self) {}
    #[inline(always)]
    fn is_readable(&self) -> bool {
        true
    }
    #[inline(always)]
    fn wait(&self) -> Result<(), RecvError> {
        Err(RecvError::WouldBlock)
    }
    #[inline(always)]
    fn orphan(&self) {}
}

/// Where a reader looks for packets before it sleeps.
pub trait SleepTest: Send + Sync + 'static {
    /// Whether it looks at the reader queue, too.
    const READER_QUEUE: bool;
}

/// Linux 6.18: at the receive queue only. A packet that another reader has spliced into the reader
/// queue does not keep a reader from sleeping.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReceiveQueueOnly;

impl SleepTest for ReceiveQueueOnly {
    const READER_QUEUE: bool = false;
}

/// At both queues: a repair of [`ReceiveQueueOnly`]. It costs one load for a reader about to sleep.
#[derive(Clone, Copy, Debug, Default)]
pub struct BothQueues;

impl SleepTest for BothQueues {
    const READER_QUEUE: bool = true;
}

/// Readers that sleep, one of which is woken for each packet: waiters are exclusive.
///
/// # Invariants
/// `sleepers` is at least the number of readers in the wait queue that will sleep without another look
/// at the queues. Each length is that of its queue whenever nobody holds the queue's lock.
pub struct Sleeping<P: Wait, S = ReceiveQueueOnly> {
    receive_len: P::AtomicI32,
    reader_len: P::AtomicI32,
    sleepers: P::AtomicI32,
    dead: P::AtomicI32,
    waiters: P::WaitQueue,
    _test: PhantomData<fn() -> S>,
}

impl<P: Wait, S: SleepTest> Sleeping<P, S> {
    fn change(word: &P::AtomicI32, queue: LockName, by: i32, site: Site) {
        // ORDERING: That of the site, which the caller names with its partner in `ordering.rs`.
        let old = word.fetch_add(by, site);
        P::trace(Step::Len { queue, by, old });
    }

    fn receive_queue_has_packets(&self) -> bool {
        // ORDERING: Acquire; pairs with `SubReceiveLen`, so that packets which are not here any more are
        // seen in the reader queue.
        self.receive_len.load(Site::ReadReceiveLen) != 0
    }

    fn reader_queue_has_packets(&self) -> bool {
        // ORDERING: Relaxed; what it must not miss is ordered by `ReadReceiveLen`.
        self.reader_len.load(Site::ReadReaderLen) != 0
    }

    fn is_dead(&self) -> bool {
        // ORDERING: Relaxed; a reader is ordered against the closer by the wait queue's lock.
        self.dead.load(Site::ReadDead) != 0
    }
}

impl<P: Wait, S: SleepTest> Readers<P> for Sleeping<P, S> {
    fn new() -> Self {
        Sleeping {
            receive_len: AtomicInt::new(0),
            reader_len: AtomicInt::new(0),
            sleepers: AtomicInt::new(0),
            dead: AtomicInt::new(0),
            waiters: WaitQueue::new(),
            _test: PhantomData,
        }
    }

    #[inline]
    fn queued(&self, count: usize) {
        // ORDERING: Relaxed; `WakerFence` orders it before the look for sleepers.
        let by = count as i32;
        Self::change(
            &self.receive_len,
            LockName::Receive,
            by,
            Site::AddReceiveLen,
        );
    }

    #[inline]
    fn spliced(&self, count: usize) {
        let by = count as i32;
        // ORDERING: Relaxed, published by the next one, whose release pairs with `ReadReceiveLen`.
        Self::change(&self.reader_len, LockName::Reader, by, Site::AddReaderLen);
        let by = by.wrapping_neg();
        Self::change(
            &self.receive_len,
            LockName::Receive,
            by,
            Site::SubReceiveLen,
        );
    }

    #[inline]
    fn dequeued(&self) {
        // ORDERING: Relaxed; whoever sees a packet that is gone only looks once more.
        Self::change(&self.reader_len, LockName::Reader, -1, Site::SubReaderLen);
    }

    /// Source: `sock_def_readable`, `wq_has_sleeper`.
    #[inline]
    fn data_ready(&self) {
        if self.is_dead() {
            return;
        }
        // ORDERING: SeqCst; pairs with `SleeperFence`. If this fence is first, the reader's look after
        // its own fence finds the packet; if the reader's is first, the load below finds the reader.
        P::fence(Site::WakerFence);
        // ORDERING: Relaxed, after the fence.
        if self.sleepers.load(Site::ReadSleepers) == 0 {
            return;
        }
        let woken = self.waiters.wake();
        P::trace(Step::Wake { woken });
    }

    #[inline]
    fn is_readable(&self) -> bool {
        self.receive_queue_has_packets() || self.reader_queue_has_packets()
    }

    /// Source: `__skb_wait_for_more_packets`.
    fn wait(&self) -> Result<(), RecvError> {
        let waiter = self.waiters.prepare();
        // ORDERING: Relaxed; the fence orders it before the look at the queues.
        let old = self.sleepers.fetch_add(1, Site::AddSleeper);
        P::trace(Step::Sleepers { by: 1, old });
        // ORDERING: SeqCst; pairs with `WakerFence`, see there.
        P::fence(Site::SleeperFence);
        let ready = self.receive_queue_has_packets()
            || (S::READER_QUEUE && self.reader_queue_has_packets());
        let result = if ready {
            Ok(())
        } else if self.is_dead() {
            Err(RecvError::Dead)
        } else {
            P::trace(Step::Sleep);
            let woken = self.waiters.sleep(&waiter);
            P::trace(Step::Awake { woken });
            if woken {
                Ok(())
            } else {
                Err(RecvError::Interrupted)
            }
        };
        self.waiters.finish(waiter);
        // ORDERING: Relaxed; a drain that still counts this reader finds it gone from the wait queue.
        let old = self.sleepers.fetch_add(-1, Site::SubSleeper);
        P::trace(Step::Sleepers { by: -1, old });
        result
    }

    /// Source: `sock_orphan`; the kernel leaves the readers asleep, who hold a reference of their own.
    fn orphan(&self) {
        // ORDERING: Relaxed; the wait queue's lock orders it against every reader: one that is not woken
        // below was not in the queue, and enters it after.
        self.dead.swap(1, Site::SetDead);
        P::trace(Step::Orphan);
        while self.waiters.wake() {
            P::trace(Step::Wake { woken: true });
        }
    }
}

impl<F: Proto> Sock<F> {
    /// Takes the oldest packet, and waits for one while both queues are empty.
    ///
    /// Source: `__skb_recv_udp` of a blocking socket.
    ///
    /// # Errors
    /// [`RecvError`] when both queues are empty and there is no use in waiting.
    pub fn recv_wait(&self) -> Result<F::Packet, RecvError> {
        loop {
            if let Some(skb) = self.recv() {
                return Ok(skb);
            }
            self.readers.wait()?;
        }
    }

    /// Takes the oldest packet, and looks up to `spins` times for one without a lock: a busy reader.
    ///
    /// Source: `sk_busy_loop_end`, which has looked at both queues since commit a54d51fb2dfb.
    #[doc(alias = "sk_busy_loop_end")]
    pub fn recv_busy(&self, spins: usize) -> Option<F::Packet> {
        for _ in 0..spins {
            if self.readers.is_readable() {
                if let Some(skb) = self.recv() {
                    return Some(skb);
                }
            }
            core::hint::spin_loop();
        }
        self.recv()
    }

    /// Marks the socket dead (`SOCK_DEAD`): drains wake nobody any more, and readers do not sleep. Called
    /// before a socket with sleeping readers is closed.
    #[doc(alias = "sock_orphan")]
    pub fn orphan(&self) {
        self.readers.orphan();
    }
}
