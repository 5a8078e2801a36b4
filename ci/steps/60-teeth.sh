#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Whether the theorems bite: three seeded bugs, and every ordering one step weaker. All seeded bugs take
# `cargo teeth`, about 20 minutes. Here about three minutes, most of them a build of its own.
set -euo pipefail
cargo teeth take-before-lock charge-after-push wake-once-per-batch
cargo teeth orderings
