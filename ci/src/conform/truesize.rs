// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a datagram weighs: learnt, not assumed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::op::Family;

/// What a datagram of one length weighs in the kernel, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truesize {
    /// As it arrives.
    pub full: u32,
    /// After condensing, which happens when the socket is more than half full.
    pub condensed: u32,
}

/// The weights that were learnt, by family and payload length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Row>", into = "Vec<Row>")]
pub struct Truesizes(BTreeMap<(Family, u32), Truesize>);

/// A run of lengths with the same weight: family, first length, last length, weight, condensed weight.
type Row = (Family, u32, u32, u32, u32);

impl Truesizes {
    /// The weight of a datagram of `bytes` bytes, if it was learnt.
    pub fn get(&self, family: Family, bytes: u32) -> Option<Truesize> {
        self.0.get(&(family, bytes)).copied()
    }

    /// Remembers a weight.
    pub fn insert(&mut self, family: Family, bytes: u32, truesize: Truesize) {
        self.0.insert((family, bytes), truesize);
    }

    /// How many lengths are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no length is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The different weights.
    pub fn weights(&self) -> Vec<u32> {
        let mut all: Vec<_> = self.0.values().map(|truesize| truesize.full).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl From<Vec<Row>> for Truesizes {
    fn from(rows: Vec<Row>) -> Truesizes {
        let mut learnt = Truesizes::default();
        for (family, first, last, full, condensed) in rows {
            for bytes in first..=last {
                learnt.insert(family, bytes, Truesize { full, condensed });
            }
        }
        learnt
    }
}

impl From<Truesizes> for Vec<Row> {
    fn from(learnt: Truesizes) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for ((family, bytes), Truesize { full, condensed }) in learnt.0 {
            match rows.last_mut() {
                Some(row)
                    if (row.0, row.2 + 1, row.3, row.4) == (family, bytes, full, condensed) =>
                {
                    row.2 = bytes;
                }
                _ => rows.push((family, bytes, bytes, full, condensed)),
            }
        }
        rows
    }
}
