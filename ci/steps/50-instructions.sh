#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Instructions of the core against the same steps by hand, and of every operation of one thread against
# its pin. Needs valgrind; about a minute with the build.
set -euo pipefail
if ! command -v valgrind >/dev/null; then
    apt-get update --quiet=2
    apt-get install --yes --quiet=2 valgrind >/dev/null
fi
cargo bench --quiet --package prodq --bench generics
cargo bench --quiet --package prodq-benches --bench instructions
