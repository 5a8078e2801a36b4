// SPDX-License-Identifier: MIT OR Apache-2.0

//! What is proved of prodq rather than run: the spec as an abstract machine, and proofs for any number
//! of CPUs.

#[cfg(feature = "stateright")]
pub mod browse;
pub mod overshoot;
pub mod smt;
pub mod spec;
pub mod table;
