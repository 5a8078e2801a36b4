#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs the models of this workspace against a vendored copy of the core, edited or not.
# Usage: ci/check-copy.sh DIR [arguments of `cargo verify`]
set -eu
if [ ! -f "${1:-}/Cargo.toml" ] || [ ! -f "${1:-}/src/mod.rs" ]; then
    echo "usage: ci/check-copy.sh DIR, where DIR is a copy of core/ (with Cargo.toml and src/mod.rs)" >&2
    exit 2
fi
copy=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")/.." && pwd)
if "$copy/verify-copy.sh"; then :; else echo "the copy is modified; checking it as it is"; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$here" && git ls-files -z | grep -zv '^core/' | xargs -0 cp --parents -t "$work")
cp -r "$copy" "$work/core"
rm -rf "$work/core/target"
cd "$work"
CARGO_TARGET_DIR="$here/target/check-copy" cargo verify "$@"
