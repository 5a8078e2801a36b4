#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The proofs for any number of CPUs, with both solvers, which are fetched if they are not there; then the
# tests that need them. Under three minutes after the build.
set -euo pipefail
if ! command -v python3 >/dev/null || ! python3 -c 'import ensurepip' 2>/dev/null; then
    apt-get update --quiet=2
    apt-get install --yes --quiet=2 python3 python3-venv >/dev/null
fi
cargo prove
PRODQ_REQUIRE_SOLVERS=1 cargo test --quiet --package prodq-proofs
