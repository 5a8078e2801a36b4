// SPDX-License-Identifier: MIT OR Apache-2.0

//! What a datagram weighs: learnt, not assumed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::op::{Family, Parts};

/// What a datagram of one length weighs in the kernel, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truesize {
    /// As it arrives.
    pub full: u32,
    /// After condensing, which happens when the socket is more than half full.
    pub condensed: u32,
}

/// The weights that were learnt, by family and length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Row>", into = "Vec<Row>")]
pub struct Truesizes(BTreeMap<(Family, Parts), Truesize>);

/// A run of lengths with the same weight: family, bytes of the second part, bytes of the first part from
/// and to, weight, condensed weight.
type Row = (Family, u32, u32, u32, u32, u32);

impl Truesizes {
    /// The weight of a datagram, if it was learnt.
    pub fn get(&self, family: Family, parts: Parts) -> Option<Truesize> {
        self.0.get(&(family, parts)).copied()
    }

    /// Remembers a weight.
    pub fn insert(&mut self, family: Family, parts: Parts, truesize: Truesize) {
        self.0.insert((family, parts), truesize);
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
        for (family, rest, from, to, full, condensed) in rows {
            for first in from..=to {
                let parts = Parts { rest, first };
                learnt.insert(family, parts, Truesize { full, condensed });
            }
        }
        learnt
    }
}

impl From<Truesizes> for Vec<Row> {
    fn from(learnt: Truesizes) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for ((family, parts), Truesize { full, condensed }) in learnt.0 {
            let Parts { rest, first } = parts;
            let next = (family, rest, first, full, condensed);
            match rows.last_mut() {
                Some(row) if (row.0, row.1, row.3 + 1, row.4, row.5) == next => row.3 = first,
                _ => rows.push((family, rest, first, first, full, condensed)),
            }
        }
        rows
    }
}
