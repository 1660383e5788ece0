#!/usr/bin/env bash
# Draws the images of the Contour workspace in docs/contours-window.md, on a sample of the program.
#   scripts/contour_images.sh [FOLDER]     writes into FOLDER, default docs; POLLARD and POLLARD_CLI are the programs,
#                                            built if unset
set -euo pipefail
. "$(dirname "$0")/images.sh"

build_unless_named POLLARD pollard
build_unless_named POLLARD_CLI pollard-cli
image=nuts_and_screws_480x360_u8.tif
cp "resources/samples/$image" "$work"

shoot window-contour 1360x900 --theme dark --contour 165,20,40,40 "$image"

# Three nuts and the shank of a screw with a forbidden head: contours from the command, shown by a session.
python3 scripts/contours_session.py inputs "$work"
"$POLLARD_CLI" snake "$work/$image" --quiet --init "$work/starts.geojson" --forbidden "$work/forbidden.pgm" \
    --geojson "$work/end.geojson" --trace "$work/trace.csv"
python3 scripts/contours_session.py session "$work" "$image"
shoot window-contours 1360x900 --theme light --panel contour work.pollard
