#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The README's verification command: the quick tier. About 25 s on two idle cores.
set -euo pipefail
cargo verify
