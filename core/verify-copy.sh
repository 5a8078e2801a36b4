#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# Says whether this copy of the core is unmodified. `--write` makes the list anew (for maintainers).
set -eu
cd "$(dirname "$0")"
# Results of measurements are not part of what is copied.
files() {
    find Cargo.toml README.md LICENSE-MIT LICENSE-APACHE verify-copy.sh src benches tests \
        -path benches/results -prune -o -type f -print | LC_ALL=C sort
}
if [ "${1:-}" = "--write" ]; then
    files | xargs sha256sum > SHA256SUMS
    exit
fi
listed=$(mktemp)
trap 'rm -f "$listed"' EXIT
sed 's/^[0-9a-f]*  //' SHA256SUMS > "$listed"
if ! files | diff - "$listed" >&2; then
    echo "the files are not those of the list (< here, > listed)" >&2
    exit 1
fi
sha256sum --check --quiet SHA256SUMS
echo "unmodified: $(wc -l < SHA256SUMS) files"
