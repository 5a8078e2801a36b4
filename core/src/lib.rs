// SPDX-License-Identifier: MIT OR Apache-2.0

//! The crate's attributes; the algorithm and its module map are in `mod.rs`, so that this folder also
//! works as a module of somebody's crate (`mod prodq;`, with this file left unused).

#![no_std]
#![forbid(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

#[path = "mod.rs"]
mod prodq;

pub use self::prodq::*;

#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
