#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test; windows are tested on a virtual display.
# POLLARD_WERROR=ON makes warnings errors. Arguments go to ctest, e.g. ./test.sh -R core_tests
set -euo pipefail
cd "$(dirname "$0")"
. scripts/common.sh

ensure_packages "${build_packages[@]}" "${display_packages[@]}"
configure release -DPOLLARD_BUILD_TESTS=ON -DPOLLARD_WERROR="${POLLARD_WERROR:-OFF}"
cmake --build --preset release
run_tests release "$@"
