// SPDX-License-Identifier: MIT OR Apache-2.0

//! How the machine keeps packets: one by one in a replay, by their sizes in a search.

use std::collections::VecDeque;

use prodq::SkbId;
use serde::{Deserialize, Serialize};

/// A packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub struct Skb {
    /// Its identity; in a search packets of one size are one.
    pub id: SkbId,
    /// Its truesize, in bytes.
    pub size: u32,
    /// Its drop-count stamp.
    pub(super) stamp: u32,
}

impl Skb {
    pub(super) fn new(id: SkbId, size: u32) -> Skb {
        Skb { id, size, stamp: 0 }
    }

    /// The packet of a search that has this size.
    pub fn anonymous(size: u32) -> Skb {
        Skb::new(SkbId(size as usize), size)
    }
}

impl From<u32> for Skb {
    fn from(size: u32) -> Skb {
        Skb::anonymous(size)
    }
}

impl From<Skb> for u32 {
    fn from(skb: Skb) -> u32 {
        skb.size
    }
}

/// A first-in first-out queue of packets.
pub trait Packets: Clone + std::fmt::Debug + Default + Ord + std::hash::Hash {
    /// Whether old values and identities are asked for.
    const REPLAY: bool;
    /// Appends a packet.
    fn put(&mut self, skb: Skb);
    /// The packet that comes next.
    fn first(&self) -> Option<Skb>;
    /// Takes the packet that comes next.
    fn take(&mut self) -> Option<Skb>;
    /// Appends all of `other`'s packets and leaves it empty.
    fn append(&mut self, other: &mut Self);
    /// How many packets there are.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Each packet, in order: for replays.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InOrder(VecDeque<Skb>);

impl Packets for InOrder {
    const REPLAY: bool = true;

    fn put(&mut self, skb: Skb) {
        self.0.push_back(skb);
    }
    fn first(&self) -> Option<Skb> {
        self.0.front().copied()
    }
    fn take(&mut self) -> Option<Skb> {
        self.0.pop_front()
    }
    fn append(&mut self, other: &mut Self) {
        if self.0.is_empty() {
            std::mem::swap(self, other);
        }
        self.0.append(&mut other.0);
    }
    fn len(&self) -> usize {
        self.0.len()
    }
}

/// How many packets of at most two sizes: for searches. The smallest comes first, so that order is lost:
/// it matters to nothing that the search asks about while no reader holds back the release of packets of
/// different sizes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Anonymous([(u32, u16); 2]);

impl Anonymous {
    fn add(&mut self, size: u32, count: u16) {
        let kind = self.0.iter_mut().find(|kind| kind.0 == size || kind.1 == 0);
        // `Setup::check` allows two sizes.
        if let Some(kind) = kind {
            *kind = (size, kind.1 + count);
        }
        self.tidy();
    }

    fn tidy(&mut self) {
        for kind in &mut self.0 {
            if kind.1 == 0 {
                kind.0 = 0;
            }
        }
        self.0.sort_unstable_by_key(|kind| (kind.1 == 0, kind.0));
    }
}

impl Packets for Anonymous {
    const REPLAY: bool = false;

    fn put(&mut self, skb: Skb) {
        self.add(skb.size, 1);
    }
    fn first(&self) -> Option<Skb> {
        let (size, count) = self.0[0];
        (count != 0).then(|| Skb::anonymous(size))
    }
    fn take(&mut self) -> Option<Skb> {
        let skb = self.first()?;
        self.0[0].1 -= 1;
        self.tidy();
        Some(skb)
    }
    fn append(&mut self, other: &mut Self) {
        for (size, count) in std::mem::take(other).0 {
            if count != 0 {
                self.add(size, count);
            }
        }
    }
    fn len(&self) -> usize {
        usize::from(self.0[0].1) + usize::from(self.0[1].1)
    }
}
