// SPDX-License-Identifier: MIT OR Apache-2.0

//! A word that some CPU reads without a lock.

use serde::{Deserialize, Serialize};

use super::Packets;

/// A word: its value and, in a replay, those that it had before.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "i32", into = "i32")]
pub struct Word {
    /// The newest value.
    pub value: i32,
    past: Vec<i32>,
}

impl Word {
    pub(super) fn new(value: i32) -> Word {
        Word {
            value,
            past: Vec::new(),
        }
    }

    /// Changes the value. Only a replay asks for old ones.
    pub(super) fn set<Q: Packets>(&mut self, value: i32) {
        if Q::REPLAY {
            self.past.push(self.value);
        }
        self.value = value;
    }

    /// The number of the newest value.
    pub(super) fn version(&self) -> usize {
        self.past.len()
    }

    /// The values from number `version` on.
    pub(super) fn since(&self, version: usize) -> impl Iterator<Item = i32> + '_ {
        let past = self.past.get(version..).unwrap_or_default();
        past.iter().copied().chain([self.value])
    }

    /// The number of the first `value` from number `version` on.
    pub(super) fn find(&self, value: i32, version: usize) -> Option<usize> {
        let found = self.since(version).position(|other| other == value);
        found.map(|index| version.min(self.version()) + index)
    }
}

impl From<i32> for Word {
    fn from(value: i32) -> Word {
        Word::new(value)
    }
}

impl From<Word> for i32 {
    fn from(word: Word) -> i32 {
        word.value
    }
}
