#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# General mutation of the core: changes it in every way that cargo-mutants knows and runs the quick tier
# (models/tests/quick.rs) and the core's own tests after each. What survives is argued in
# models/mutants/survivors.md. Arguments are passed on: --file core/src/llist.rs, --shard 0/4, --list.
# Needs `cargo install cargo-mutants --locked`. What is changed and how it is tested: .cargo/mutants.toml.
set -eu
cd "$(dirname "$0")/.."
CARGO_INCREMENTAL=1 exec cargo mutants --package prodq --output target "$@"
