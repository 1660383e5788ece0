#!/usr/bin/env bash
# Draws the pictures of the Contour workspace in docs/analyses.md, on a sample of the program.
#   scripts/contour_pictures.sh [FOLDER]     writes into FOLDER, docs unless given; POLLARD and POLLARD_CLI name the
#                                            programs, else they are built
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

command -v convert >/dev/null || ensure_packages imagemagick
folder=$(realpath -m -- "${1:-docs}")
if [ -z "${POLLARD:-}" ] || [ -z "${POLLARD_CLI:-}" ]; then
    configure release
    cmake --build --preset release --target pollard pollard-cli
    POLLARD=build/release/bin/pollard
    POLLARD_CLI=build/release/bin/pollard-cli
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
image=nuts_and_screws_480x360_u8.tif
cp "resources/samples/$image" "$work"
mkdir -p "$folder"

# shoot NAME OPTION... FILE: the window with FILE, as docs/window-NAME.png.
shoot() {
    local name=$1
    shift
    with_display "$POLLARD" --screenshot "$work/shot.png" --size 1360x900 "${@:1:$#-1}" "$work/${!#}"
    convert "$work/shot.png" +dither -colors 256 -strip "png8:$folder/window-$name.png"
    echo "$folder/window-$name.png"
}

shoot contour --theme dark --contour 165,20,40,40 "$image"

# Three nuts and the shank of a screw whose head is forbidden: the command finds where they end, and a session shows it.
python3 scripts/contours_session.py inputs "$work"
"$POLLARD_CLI" snake "$work/$image" --quiet --init "$work/starts.geojson" --forbidden "$work/forbidden.pgm" \
    --geojson "$work/end.geojson" --trace "$work/trace.csv"
python3 scripts/contours_session.py session "$work" "$image"
shoot contours --theme light --panel contour work.pollard
