// SPDX-License-Identifier: MIT OR Apache-2.0

//! The designs that a scenario can ask for: the kernel's, its admission policies and its repairs, as
//! the types and constants of the core's `Proto`.

use std::marker::PhantomData;

use prodq::baseline::{self, HashedBusylock, PlainLock, SocketBusylock};
use prodq::{
    Admission, KernelOrder, Lock, Platform, Polling, Proto, Readers, SleepTest, Sleeping, Sock,
};
use serde::{Deserialize, Serialize};

use crate::context::Kind;
use crate::model::Model;
use crate::quarantine::Quarantined;
use crate::world::backend::Backend;

pub use prodq_proofs::spec::Policy;

/// A repair of something that the kernel's design does, other than by an admission policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// The drop count is sampled under the receive queue's lock.
    StampUnderLock,
    /// A reader looks at both queues before it sleeps.
    LookAtBothQueues,
    /// A flush of a free list resets the counter after it took the list.
    ResetAfterTake,
    /// `udp_rmem_min` is compared with what the batch has queued already, too.
    CountBatch,
}

impl Repair {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Repair::StampUnderLock => "stamp-under-lock",
            Repair::LookAtBothQueues => "look-at-both-queues",
            Repair::ResetAfterTake => "reset-after-take",
            Repair::CountBatch => "count-batch",
        }
    }
}

/// A design that the patch replaced: those of [`prodq::baseline`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// [`prodq::baseline::PlainLock`].
    PlainLock,
    /// [`prodq::baseline::HashedBusylock`].
    HashedBusylock,
    /// [`prodq::baseline::SocketBusylock`].
    SocketBusylock,
}

impl Baseline {
    /// All of them.
    pub const ALL: [Baseline; 3] = [
        Baseline::PlainLock,
        Baseline::HashedBusylock,
        Baseline::SocketBusylock,
    ];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Baseline::PlainLock => "plain-lock",
            Baseline::HashedBusylock => "hashed-busylock",
            Baseline::SocketBusylock => "socket-busylock",
        }
    }
}

/// A protocol whose sockets threads share.
pub(crate) trait Shared:
    Proto<Packet: Send, Nodes: Send + Sync, Memory: Send + Sync>
{
}

impl<F: Proto<Packet: Send, Nodes: Send + Sync, Memory: Send + Sync>> Shared for F {}

/// How packets get into a socket.
pub(crate) trait Entry: 'static {
    type Sock<F: Shared>: baseline::Design<F> + Send + Sync;
    fn wrap<F: Shared>(sock: Sock<F>) -> Self::Sock<F>;
}

/// Through the node queues.
pub(crate) struct NodeQueues;

impl Entry for NodeQueues {
    type Sock<F: Shared> = Sock<F>;
    fn wrap<F: Shared>(sock: Sock<F>) -> Sock<F> {
        sock
    }
}

pub(crate) struct Plain;

impl Entry for Plain {
    type Sock<F: Shared> = PlainLock<F>;
    fn wrap<F: Shared>(sock: Sock<F>) -> PlainLock<F> {
        PlainLock::new(sock)
    }
}

pub(crate) struct Hashed;

type Busylocks<P> = Quarantined<[<P as Platform>::Lock<()>]>;

impl Entry for Hashed {
    type Sock<F: Shared> = HashedBusylock<F, Busylocks<F::Platform>>;
    /// One lock will do: a single socket never uses another.
    fn wrap<F: Shared>(sock: Sock<F>) -> Self::Sock<F> {
        let locks: Box<[<F::Platform as Platform>::Lock<()>]> = Box::new([Lock::new(())]);
        HashedBusylock::new(sock, Quarantined::new(locks, Kind::Busylocks))
    }
}

pub(crate) struct PerSocket;

impl Entry for PerSocket {
    type Sock<F: Shared> = SocketBusylock<F>;
    fn wrap<F: Shared>(sock: Sock<F>) -> SocketBusylock<F> {
        SocketBusylock::new(sock)
    }
}

/// A design, as the player needs it.
pub(crate) trait Design: 'static {
    type Admission: Admission;
    type Readers<B: Backend>: Readers<Model<B>>;
    type Entry: Entry;
    const STAMP_UNDER_LOCK: bool = false;
    const COUNT_BATCH: bool = false;
}

/// A design that the patch replaced, with the readers of `D`.
pub(crate) struct Before<E, D>(PhantomData<(E, D)>);

impl<E: Entry, D: Design> Design for Before<E, D> {
    type Admission = KernelOrder;
    type Readers<B: Backend> = D::Readers<B>;
    type Entry = E;
}

/// The kernel's design with this admission policy.
pub(crate) struct With<A>(PhantomData<A>);

impl<A: Admission + 'static> Design for With<A> {
    type Admission = A;
    type Readers<B: Backend> = Polling;
    type Entry = NodeQueues;
}

/// The kernel's design with readers that sleep.
pub(crate) struct Sleepers<S>(PhantomData<S>);

impl<S: SleepTest> Design for Sleepers<S> {
    type Admission = KernelOrder;
    type Readers<B: Backend> = Sleeping<Model<B>, S>;
    type Entry = NodeQueues;
}

pub(crate) struct StampUnderLock;

impl Design for StampUnderLock {
    type Admission = KernelOrder;
    type Readers<B: Backend> = Polling;
    type Entry = NodeQueues;
    const STAMP_UNDER_LOCK: bool = true;
}

pub(crate) struct CountBatch;

impl Design for CountBatch {
    type Admission = KernelOrder;
    type Readers<B: Backend> = Polling;
    type Entry = NodeQueues;
    const COUNT_BATCH: bool = true;
}
