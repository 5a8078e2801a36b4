#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Format, lints, documentation. About 40 s, most of it compiling dependencies.
set -euo pipefail
cargo fmt --all --check
cargo clippy --workspace --all-targets --all-features --locked -- --deny warnings
cargo clippy --package prodq --no-default-features --locked -- --deny warnings
RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps --locked --quiet
