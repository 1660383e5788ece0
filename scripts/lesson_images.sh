#!/usr/bin/env bash
# Draws the images of docs/lessons.md and docs/teach.md from runs of the algorithms.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

configure release
cmake --build --preset release --target lesson-images
QT_QPA_PLATFORM=offscreen build/release/bin/lesson-images docs
