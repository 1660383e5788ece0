#!/usr/bin/env bash
# Builds Pollard and opens it on IMAGE, or on the bundled sample. Without a display it filters the image without a window.
set -euo pipefail

usage() {
    cat <<'END'
usage: ./run.sh [IMAGE] [--build-only] [--package]
  IMAGE          a TIFF, PNG, JPEG or PNM file; the bundled microscopy sample if left out
  --build-only   installs what is missing and builds, nothing more
  --package      builds, and makes the packages (DEB, TGZ) in build/packages
END
}

image=
build_only=no
package=no
for argument in "$@"; do
    case "$argument" in
    --build-only) build_only=yes ;;
    --package) package=yes ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *) [ -z "$image" ] || { usage >&2 && exit 2; }
       image=$(realpath -m -- "$argument") ;;
    esac
done

cd "$(dirname "$0")"
. scripts/common.sh
image=${image:-$PWD/resources/samples/tissue_ihc_512_u16.tif}
has_display=no
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && has_display=yes

packages=("${build_packages[@]}")
[ "$package" = no ] || packages+=(dpkg-dev file)
[ "$has_display" = yes ] || packages+=("${display_packages[@]}")
# With Qt's plugin the window of a Wayland session has the scale of its screen; X11 may be missing there, or is magnified.
[ -z "${WAYLAND_DISPLAY:-}" ] || packages+=(qt6-wayland)
ensure_packages "${packages[@]}"

architectures=AUTO
[ "$package" = no ] || architectures=ALL
configure release -DPOLLARD_CUDA_ARCHITECTURES="$architectures"
cmake --build --preset release --target pollard pollard-cli
if [ "$package" = yes ]; then
    make_packages
    exit 0
fi
[ "$build_only" = no ] || exit 0

bin=$PWD/build/release/bin
if [ "$has_display" = yes ]; then
    exec "$bin/pollard" "$image"
fi

# Without a screen: max-tree, keep components of at least 100 pixels, show before and after.
out=$PWD/build/headless
mkdir -p "$out"
echo "No display (DISPLAY and WAYLAND_DISPLAY are empty): filtering without a window."
"$bin/pollard-cli" filter "$image" --keep 'area>=100' -o "$out/after.tif"
with_display "$bin/pollard" --screenshot "$out/before.png" --size 1280x800 "$image"
with_display "$bin/pollard" --screenshot "$out/after.png" --size 1280x800 --keep 'area>=100' "$image"
echo "Before:         $out/before.png"
echo "After:          $out/after.png  (area >= 100 px kept)"
echo "Filtered image: $out/after.tif"
