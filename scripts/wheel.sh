#!/usr/bin/env bash
# Builds a wheel of the Python module for $PYTHON, by default the distribution's Python, in build/wheels.
# CMAKE_ARGS="-DPOLLARD_CUDA=OFF" leaves the CUDA engine out.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build/wheels
"${PYTHON:-/usr/bin/python3}" -m pip wheel ./python --no-deps --wheel-dir build/wheels
ls build/wheels/pollard_morphology-*.whl
