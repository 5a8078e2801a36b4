#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Instructions of the core against the same steps by hand. Needs valgrind; about 30 s with the build.
set -euo pipefail
if ! command -v valgrind >/dev/null; then
    apt-get update --quiet=2
    apt-get install --yes --quiet=2 valgrind >/dev/null
fi
cargo bench --quiet --package prodq --bench generics
