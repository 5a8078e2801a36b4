// SPDX-License-Identifier: MIT OR Apache-2.0

//! The designs that a scenario can ask for: the kernel's, its admission policies and its repairs, as
//! the types and constants of the core's `Proto`.

use std::marker::PhantomData;

use prodq::{Admission, KernelOrder, Polling, Readers, SleepTest, Sleeping};
use serde::{Deserialize, Serialize};

use crate::model::Model;
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

/// A design, as the player needs it.
pub(crate) trait Design: 'static {
    type Admission: Admission;
    type Readers<B: Backend>: Readers<Model<B>>;
    const STAMP_UNDER_LOCK: bool = false;
    const COUNT_BATCH: bool = false;
}

/// The kernel's design with this admission policy.
pub(crate) struct With<A>(PhantomData<A>);

impl<A: Admission + 'static> Design for With<A> {
    type Admission = A;
    type Readers<B: Backend> = Polling;
}

/// The kernel's design with readers that sleep.
pub(crate) struct Sleepers<S>(PhantomData<S>);

impl<S: SleepTest> Design for Sleepers<S> {
    type Admission = KernelOrder;
    type Readers<B: Backend> = Sleeping<Model<B>, S>;
}

pub(crate) struct StampUnderLock;

impl Design for StampUnderLock {
    type Admission = KernelOrder;
    type Readers<B: Backend> = Polling;
    const STAMP_UNDER_LOCK: bool = true;
}

pub(crate) struct CountBatch;

impl Design for CountBatch {
    type Admission = KernelOrder;
    type Readers<B: Backend> = Polling;
    const COUNT_BATCH: bool = true;
}
