// SPDX-License-Identifier: MIT OR Apache-2.0

//! What checks the core: worlds to run it in, scenarios to play, theorems to judge what happened.
//!
//! A [`Scenario`](scenario::Scenario) is data. A player plays it on the core in one
//! execution of a [`World`](world::World), while the core announces every step. The
//! [`Ledger`](ledger::Ledger) is told the steps in order and each [`Theorem`](theorem::Theorem) has a
//! monitor that looks at it. [`run`](world::run) repeats that for all or many interleavings, and what
//! breaks a theorem becomes a [`Witness`](witness::Witness).

mod broken;
pub mod catalog;
mod context;
pub mod coverage;
pub mod design;
pub mod fault;
pub mod findings;
pub mod ledger;
mod model;
pub mod orderings;
pub mod overshoot;
mod play;
mod quarantine;
pub mod scenario;
pub mod strategy;
pub mod theorem;
pub mod verify;
mod wait;
pub mod witness;
pub mod worker;
pub mod world;

pub use context::{Event, Kind, What};
