#!/usr/bin/env bash
# Renders the hicolor PNG sizes from the two drawings; run it after changing one of them and commit the result.
set -euo pipefail
cd "$(dirname "$0")"
for size in 16 22 24 32 48 64 128 256 512; do
    source=pollard.svg
    [ "$size" -le 24 ] && source=pollard-small.svg
    rsvg-convert --width "$size" --height "$size" "$source" --output "pollard-$size.png"
done
./pollard_ico.py .
