#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The README's test command. About two minutes after the build.
set -euo pipefail
cargo test
