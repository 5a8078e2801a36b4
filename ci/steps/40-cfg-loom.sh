#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# What people type who know loom. Nothing here listens to it, and everything must pass all the same.
# About three minutes with its own build.
set -euo pipefail
RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/cfg-loom cargo test --quiet
