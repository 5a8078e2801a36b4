// SPDX-License-Identifier: MIT OR Apache-2.0

//! Small programs as data, to validate the explorer with.
