#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The README's test command. About 20 s after the build.
set -euo pipefail
cargo test
