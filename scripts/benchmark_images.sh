#!/usr/bin/env bash
# Draws the charts of docs/benchmarks.md from docs/benchmarks.csv, a table of bench --csv.
#   scripts/benchmark_images.sh [FOLDER]     writes into FOLDER, default docs; POLLARD_CLI is the program, built if unset
set -euo pipefail
. "$(dirname "$0")/images.sh"

build_unless_named POLLARD_CLI pollard-cli
"$POLLARD_CLI" bench --from docs/benchmarks.csv --report "$work/times.html"
for chart in speed steps stages attributes; do
    sed -n "/<svg .*id=\"$chart\"/,/<\/svg>/p" "$work/times.html" >"$folder/benchmarks-$chart.svg"
done
