// SPDX-License-Identifier: MIT OR Apache-2.0

//! What is proved of prodq rather than run: the spec as an abstract machine, and proofs for any number
//! of CPUs.

pub mod smt;
