#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The grace period of crossbeam-epoch itself under loom, in the smallest scope. About a minute and a half
# with its own build.
set -euo pipefail
RUSTFLAGS="--cfg crossbeam_loom" CARGO_TARGET_DIR=target/crossbeam-loom \
    cargo test --quiet --package prodq-models --test epoch
