#!/usr/bin/env bash
# Draws the images of docs/napari.md in napari, on the sample of the plugin.
#   scripts/napari_images.sh [FOLDER]     writes into FOLDER, default docs; NAPARI_PYTHON is the Python of an environment
#                                           with napari and the plugin, by default the one that scripts/peers.sh makes
set -euo pipefail
. "$(dirname "$0")/images.sh"

python=${NAPARI_PYTHON:-build/peers/environment/bin/python}
[ -x "$python" ] || scripts/peers.sh
"$python" -B scripts/napari_images.py build/release/bin "$work"
for name in residue labels recipe; do
    convert "$work/napari-$name.png" +dither -colors 64 -strip "png8:$folder/napari-$name.png"
    echo "$folder/napari-$name.png"
done
