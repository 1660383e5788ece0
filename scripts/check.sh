#!/usr/bin/env bash
# Static checks, all of them even if one fails: format, paths, rooms, translations, metadata, pages made by scripts, faults
# for the tests, clang-tidy, and headers alone. The two last read the files that differ from the common ancestor with main
# (base_commit in scripts/common.sh), which takes less than a minute for a small change; all files if there is none.
# check.sh --since COMMIT: the files that differ from COMMIT. check.sh --all: all files.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

case "${1:-}" in
"") base=$(base_commit) ;;
--since) base=${2:?--since needs a commit} ;;
--all) base= ;;
*) echo "usage: scripts/check.sh [--since COMMIT | --all]" >&2; exit 2 ;;
esac
since=(${base:+--since "$base"})
[ -z "$base" ] && echo "clang-tidy and headers of all files" || echo "clang-tidy and headers of files that differ from $base"
jobs=$(nproc)
failed=()

# check NAME REMEDY COMMAND...
check() {
    local name=$1 remedy=$2 start=$SECONDS
    shift 2
    if ("$@"); then
        printf '%4d s  %s\n' $((SECONDS - start)) "$name"
    else
        failed+=("$name: $remedy")
    fi
}

check_format() { git ls-files -z -- '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs -0 -r -P "$jobs" -n 100 clang-format --dry-run --Werror; }

# Nothing in the repository may point into the file system of one machine.
check_paths() { ! git grep -nIE '(^|[^A-Za-z0-9_.])[/](home|work|root|Users)/' -- . >&2; }

# These functions take the decimal separator of the user's locale, which a window sets: "0.499" is 0 in much of Europe.
check_locale() {
    ! git grep -nE '\b(strto(d|f|ld)|sto(d|f|ld)|atof|[sf]?scanf|as_(double|float))\(|printf\(.*%[0-9.*]*[aefgAEFG]' -- \
        app cli core gpu mpi python teach viewmodels >&2
}

check_metadata() {
    desktop-file-validate installer/org.pollard.Pollard.desktop &&
        appstreamcli validate --no-net installer/org.pollard.Pollard.metainfo.xml
}

check_headers() {
    configure release && python3 scripts/headers.py build/release "$jobs" "${since[@]}"
}

# clang 14 cannot parse the CUDA 13 headers, so gpu/ stays out. The release build compiles several sources as one; how a
# source is compiled alone is known from a configuration that nothing is built in.
check_tidy() {
    configure release -B build/tidy -DPOLLARD_COMPILE_TOGETHER=OFF -DPOLLARD_CUDA=OFF &&
        python3 scripts/tidy.py build/tidy "$jobs" "${since[@]}"
}

check "format" "clang-format -i FILE" check_format
check "paths of one machine" "name files relative to the repository" check_paths
check "numbers without a locale" "use core/base/text.hpp" check_locale
check "rooms and floors" "see docs/architecture.md, Floors" python3 scripts/rooms.py
check "translations" "scripts/translations.sh, then fill in resources/i18n" scripts/translations.sh --check
check "desktop file and AppStream metainfo" "edit installer/" check_metadata
check "page of the Python API" "python3 scripts/python_api.py" python3 scripts/python_api.py --check
check "faults for the tests" "edit tests/mutation/faults, whose texts must be in the code" python3 tests/mutation/mutation.py check
check "headers compile alone" "include the headers that a header uses" check_headers
check "clang-tidy" "edit the sources named above" check_tidy

echo "static checks: $SECONDS s"
[ ${#failed[@]} -eq 0 ] && exit 0
printf '\nFailed:\n' >&2
printf '  %s\n' "${failed[@]}" >&2
exit 1
