#!/usr/bin/env bash
# Draws the images of docs/tutorials.md and docs/objects-tutorials.md: the window after the steps of each tutorial, on the samples of the program.
#   scripts/tutorial_images.sh [FOLDER]     writes into FOLDER, default docs; POLLARD is the program, built if unset
set -euo pipefail
. "$(dirname "$0")/images.sh"

build_unless_named POLLARD pollard
cp resources/samples/*.tif "$work"

# criterion ATTRIBUTE FROM TO: prints a criterion of a session; null for no bound.
criterion() { printf '{"attribute": "%s", "bounds": {"%s": [%s, %s]}, "enabled": true}' "$1" "$1" "$2" "$3"; }

# session IMAGE [KEY=JSON]...: writes a session of the image, see docs/session.schema.json.
session() {
    local image=$1
    shift
    local region='{}' tree='{}' output='"filtered"' picture='"original"' threshold='"otsu"' dark=false
    local find='' levels='[0, 0]' runs='' compare='"off"' view='"fitting": true, "zoom": 1, "centre": [0, 0]'
    local criteria='{"attribute": "area", "bounds": {}, "enabled": true}'
    local "$@" current=0
    [ -z "$runs" ] || current=1
    cat >"$work/work.pollard" <<END
{
  "pollard_session": 1,
  "image": {"relative": "$image", "absolute": "$work/$image", "bytes": $(stat -c %s "$work/$image"), "hash": "", "read": {}},
  "region": $region,
  "tree": $tree,
  "filter": {
    "enabled": true, "criteria": [$criteria], "current": 0, "match": "all",
    "prominent": {"only": false, "measure": "dynamics", "count": 20},
    "rule": "direct", "output": $output, "picks": []
  },
  "selected": [], "selections": [],
  "objects": {
    "picture": $picture, "threshold": $threshold, "dark": $dark, "connectivity": 8, "levels": $levels,
    "count": 0, "removed": []$find
  },
  "contours": {
    "spec": $snake, "whole": false, "algorithm": "", "forbidden": null, "masks": [], "runs": [$runs],
    "current": $current
  },
  "view": {
    "window": "opening", "range": [0, 1], "in_values": false, "max_level": 0, "curve": "linear", "gamma": 1,
    "map": "grey", "inverted": false, "original": false, "compare": $compare, "split": 0.5, $view
  },
  "docks": ""
}
END
}

snake='{"law": "gaussian", "moves": "local-best", "max_step": 0, "min_length": 8, "min_pixels": 16, "max_nodes": 4096,
  "max_rounds": 0}'

# step NAME [OPTION]... FILE: saves an image of the window with FILE as docs/tutorial-NAME.png.
step() { shoot "tutorial-$1" 1280x800 "${@:2}"; }

step background-open coins_384x303_u8.tif
coins=(criteria="$(criterion area 4000 null)" output='"residue"' picture='"filtered"')
session coins_384x303_u8.tif "${coins[@]}" compare='"split"'
step background-residue work.pollard
session coins_384x303_u8.tif "${coins[@]}" threshold='"li"'
step background-coins --where 'area >= 500' work.pollard

vessels=(tree='{"kind": "min", "connectivity": 8}')
session retina_vessels_480x360_u8.tif "${vessels[@]}" criteria="$(criterion area 150 null)" compare='"split"'
step vessels-area work.pollard
vessels+=(criteria="$(criterion elongation 3 null), $(criterion area 150 null)")
session retina_vessels_480x360_u8.tif "${vessels[@]}" compare='"split"'
step vessels-elongation work.pollard
session retina_vessels_480x360_u8.tif "${vessels[@]}" output='"mask"' picture='"filtered"'
step vessels-pieces --panel objects work.pollard

lights=(tree='{"kind": "max", "connectivity": 8}' criteria="$(criterion area 2 60), $(criterion height 20000 null)")
session city_lights_400x300_u16.tif
step lights-threshold --panel objects work.pollard
session city_lights_400x300_u16.tif "${lights[@]}" compare='"split"'
step lights-filter work.pollard
session city_lights_400x300_u16.tif "${lights[@]}" output='"mask"' picture='"filtered"'
step lights-count --panel objects work.pollard

cells=(region='{"shapes": [{"kind": "rectangle", "points": [160, 320, 245, 510]}]}' tree='{"kind": "min"}')
session tissue_ihc_512_u16.tif "${cells[@]}" view='"fitting": false, "zoom": 2, "centre": [230, 384]'
step cells-region work.pollard
session tissue_ihc_512_u16.tif "${cells[@]}" criteria="$(criterion area 20 null)" picture='"filtered"' \
    threshold='"hand"' levels='[0, 46000]' view='"fitting": false, "zoom": 2.4, "centre": [202, 415]'
step cells-objects --panel objects work.pollard

session cell_phase_300_u8.tif runs="{
  \"page\": 0, \"id\": 1, \"parent\": 0, \"parent_state\": 0, \"origin\": \"rectangle\", \"spec\": $snake, \"whole\": false,
  \"algorithm\": \"\", \"forbidden\": null, \"starts\": [[150, 120, 200, 120, 200, 170, 150, 170]], \"states\": 1,
  \"finished\": false, \"last\": [[150, 120, 200, 120, 200, 170, 150, 170]], \"compared\": false, \"shown\": 0, \"contour\": 0}"
step snake-start --panel contour work.pollard
step snake-end --contour 150,120,50,50 cell_phase_300_u8.tif

step volume-labels --keep 'height>=300' --keep '20<=area<=4000' --output labels head_mri_128x96x24_u16.tif

# docs/objects-tutorials.md
session coins_384x303_u8.tif find=', "best": {}'
shoot objects-best 1280x800 --panel objects work.pollard
session coins_384x303_u8.tif find=', "best": {"marks": [{"x": 100, "y": 56, "object": false}]}'
shoot objects-best-mark 1280x800 --panel objects work.pollard
session coins_384x303_u8.tif find=', "hierarchy": {"by": "volume", "regions": 60}'
shoot objects-hierarchy 1280x800 --panel objects work.pollard
session nuclei_touching_256_u8.tif find=', "best": {}'
shoot objects-nuclei 1280x800 --panel objects work.pollard
