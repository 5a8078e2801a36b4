#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Takes all measurements anew and writes this folder: about 13 minutes after the build, on a machine that
# should have nothing else to do. Needs valgrind for the instruction counts.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../../.."
if ! command -v valgrind >/dev/null; then
    echo "valgrind is needed for the instruction counts" >&2
    exit 2
fi
# Build first, so that nothing is measured while the compiler runs.
cargo bench --quiet --package prodq-benches --no-run
cargo build --quiet --release --package prodq-ci --bin prodq
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
start=$SECONDS
# What else the machine had to do is told with the results: the load at the start of each step.
: > "$here/steps.jsonl"
step() {
    echo "$((SECONDS - start)) s: $1" >&2
    read -r load _ < /proc/loadavg || load=unknown
    printf '{"step":"%s","second":%d,"load":"%s"}\n' "$1" "$((SECONDS - start))" "$load" >> "$here/steps.jsonl"
}

step "ratios against the bars"
cargo bench --quiet --package prodq-benches --bench bars -- --json > "$here/bars.jsonl"
step "times of the operations"
rm -rf "$target/criterion"
cargo bench --quiet --package prodq-benches --bench micro >&2
step "instruction counts, which must be those that are pinned (--accept pins others)"
cargo bench --quiet --package prodq-benches --bench instructions -- --json > "$here/instructions.jsonl"

# Two producers against a nearly full socket and a slow reader, all designs in turn, 9 rounds.
step "floods in rounds"
cargo flood --json --design all --producers 2 --reader-delay 2000 --seconds 2 --rounds 9 > "$here/flood.jsonl"
# The same with more room and with faster readers: where the node queues are ahead, and where not.
step "floods of other sockets"
: > "$here/grid.jsonl"
for rcvbuf in 212992 4194304 67108864; do
    for delay in 0 200 2000; do
        cargo flood --json --design all --producers 2 --rcvbuf "$rcvbuf" --reader-delay "$delay" \
            --seconds 0.5 --rounds 7 >> "$here/grid.jsonl"
    done
done
step "floods of more producers"
cargo flood --json --design all --producers 1,2,3,4,8 --reader-delay 2000 --seconds 1 --rounds 3 > "$here/sweep.jsonl"
step "a minute on every design"
cargo flood --json --design all --producers 2 --reader-delay 2000 --seconds 60 > "$here/long.jsonl"

step "many nodes, in virtual time"
numa() { cargo run --quiet --release --package prodq-ci --bin prodq -- numa --json "$@"; }
numa > "$here/numa.jsonl"
numa --cpus 64 --no-variants >> "$here/numa.jsonl"

step "the page"
cargo flood results "$here" --criterion "$target/criterion"
step "done"
