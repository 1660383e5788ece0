#!/usr/bin/env bash
# Makes large images for measurements: mosaics of one image, as tiled TIFFs of 8 and 16 bits. Needs ImageMagick.
# Usage: scripts/make_big_images.sh IMAGE FOLDER [SIDE...]   (sides in px; default 10000; ImageMagick's policy.xml may limit them)
set -euo pipefail

if (($# < 2)); then
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
fi
image=$1
folder=$2
shift 2
sides=("$@")
((${#sides[@]} > 0)) || sides=(10000)
mkdir -p "$folder"
export MAGICK_WIDTH_LIMIT=65535 MAGICK_HEIGHT_LIMIT=65535
for side in "${sides[@]}"; do
    for bits in 8 16; do
        target=$folder/mosaic_${side}_u$bits.tif
        # Every second copy is mirrored, so that borders between copies create no new structures.
        convert "${image}[0]" -colorspace Gray -set option:distort:viewport "${side}x${side}+0+0" \
            -virtual-pixel mirror -filter point -distort SRT 0 +repage -depth "$bits" -define quantum:polarity=min-is-black \
            -define tiff:tile-geometry=256x256 -compress LZW "$target"
        echo "$target"
    done
done
