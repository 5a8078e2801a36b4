// SPDX-License-Identifier: MIT OR Apache-2.0

//! What an access costs, and where the figures come from.

use serde::{Deserialize, Serialize};

/// A figure and its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The figure, in the unit of its name.
    pub value: u64,
    /// Where it is from; "assumed" where it is from nowhere.
    pub source: String,
}

/// The cost model's parameters; `costs.json` has those in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// An access to a line that the CPU has.
    pub hit_ns: Cost,
    /// A line comes from another CPU of the node.
    pub same_node_ns: Cost,
    /// A line comes from another node.
    pub other_node_ns: Cost,
    /// How many transfers a contended lock's hand-over is.
    pub hand_over_transfers: Cost,
    /// How many lines what a lock guards has beside the lock's own.
    pub further_lines: Cost,
    /// A packet after the socket, in its reader.
    pub recv_ns: Cost,
    /// A refused packet.
    pub free_ns: Cost,
    /// A wake-up, for the CPU that wakes.
    pub wake_ns: Cost,
    /// A wake-up, for the reader.
    pub sleep_ns: Cost,
}

impl Costs {
    /// The parameters of `costs.json`.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn of_file() -> Result<Costs, String> {
        serde_json::from_str(include_str!("costs.json"))
            .map_err(|error| format!("models/src/world/numa/costs.json: {error}"))
    }

    /// The parameters by name, for tables.
    pub fn all(&self) -> [(&'static str, &Cost); 9] {
        [
            ("hit_ns", &self.hit_ns),
            ("same_node_ns", &self.same_node_ns),
            ("other_node_ns", &self.other_node_ns),
            ("hand_over_transfers", &self.hand_over_transfers),
            ("further_lines", &self.further_lines),
            ("recv_ns", &self.recv_ns),
            ("free_ns", &self.free_ns),
            ("wake_ns", &self.wake_ns),
            ("sleep_ns", &self.sleep_ns),
        ]
    }
}
