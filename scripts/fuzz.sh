#!/usr/bin/env bash
# scripts/fuzz.sh [SECONDS [TARGET...]]: fuzzes all parsers of untrusted files, SECONDS (default 60) per target (default
# all), and stops at the first input that crashes, hangs, leaks or exceeds the memory limit, which is kept in
# build/fuzz/found. The corpus in build/fuzz/corpus is reused by the next run.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

seconds=${1:-60}
[ $# -le 1 ] || targets=("${@:2}")
ensure_packages "${build_packages[@]}" "${fuzz_packages[@]}"
configure asan
cmake --build --preset asan --target fuzz_targets
if [ -z "${targets:-}" ]; then
    targets=()
    for program in build/asan/bin/fuzz_*; do
        targets+=("${program##*/fuzz_}")
    done
fi

export LSAN_OPTIONS=suppressions=$PWD/tests/support/lsan.supp:print_suppressions=0

seeds=build/fuzz/seeds
rm -rf "$seeds"
mkdir -p "$seeds/recipe" "$seeds/session" "$seeds/contour" build/fuzz/found
build/asan/bin/write_seeds "$seeds"
cp resources/presets/*.json tests/fuzz/recipes/*.json "$seeds/recipe"
cp tests/fuzz/contours/*.geojson "$seeds/contour"
cp tests/fuzz/contours/*.geojson "$seeds/outlines"
cp tests/fuzz/sessions/*.pollard "$seeds/session"
# The conformance corpus, if it is next to the repository; the appended byte selects default read options.
for file in ../shared/images/tiff-corpus/{good,bad}/*; do
    if [ -f "$file" ] && [ "$(stat -c %s "$file")" -le 65536 ]; then
        { cat "$file" && printf '\0'; } >"$seeds/image/${file##*/}"
    fi
done

for target in "${targets[@]}"; do
    corpus=build/fuzz/corpus/$target
    log=build/fuzz/$target.log
    mkdir -p "$corpus" "$seeds/$target"
    echo "=== fuzz_$target, $seconds s"
    if ! ASAN_OPTIONS=allocator_may_return_null=1 build/asan/bin/fuzz_"$target" -max_total_time="$seconds" \
        -max_len=65536 -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/found/$target-" "$corpus" "$seeds/$target" >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        echo "fuzz_$target failed; the input is in build/fuzz/found" >&2
        exit 1
    fi
    grep -E '^stat::number_of_executed_units|^stat::peak_rss_mb' "$log"
    echo "last: $(grep -E '^#[0-9]+' "$log" | tail -n 1)"
done
