#!/usr/bin/env bash
# Builds build/appimage/Pollard-VERSION-ARCH.AppImage, which runs on any Linux not older than the build machine.
#   scripts/appimage.sh                 needs linuxdeploy, linuxdeploy-plugin-qt and appimagetool in PATH
#   scripts/appimage.sh --appdir-only   builds and tests only the AppDir; needs none of these tools
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

appdir_only=no
case "${1:-}" in
"") ;;
--appdir-only) appdir_only=yes ;;
*) sed -n '2,4s/^# *//p' "$0" >&2 && exit 2 ;;
esac

missing=()
for tool in linuxdeploy linuxdeploy-plugin-qt appimagetool; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done

configure release
cmake --build --preset release --target pollard pollard-cli
folder=$PWD/build/appimage
appdir=$folder/AppDir
rm -rf "$folder"
cmake --install build/release --prefix "$appdir/usr" --strip >/dev/null
cp installer/AppRun "$appdir/AppRun"
# The database of coordinate systems of PROJ: linuxdeploy copies only the library.
proj=$(pkg-config --variable=datadir proj 2>/dev/null || true)
if [ -f "$proj/proj.db" ]; then
    mkdir -p "$appdir/usr/share/proj"
    cp "$proj/proj.db" "$appdir/usr/share/proj/"
fi
# The tables of GDAL, likewise.
gdal=$(pkg-config --variable=datadir gdal 2>/dev/null || true)
if [ -f "$gdal/gdalvrt.xsd" ]; then
    cp -r "$gdal" "$appdir/usr/share/gdal"
fi
ln -s usr/share/applications/org.pollard.Pollard.desktop "$appdir/org.pollard.Pollard.desktop"
ln -s usr/share/icons/hicolor/256x256/apps/org.pollard.Pollard.png "$appdir/org.pollard.Pollard.png"
ln -s org.pollard.Pollard.png "$appdir/.DirIcon"

# try_appdir: runs both programs through AppRun.
try_appdir() {
    local samples=$appdir/usr/share/pollard/samples
    "$appdir/AppRun" --version
    "$appdir/AppRun" cli filter "$samples/coins_384x303_u8.tif" --keep 'area>=4000' -o "$folder/coins.tif"
    ARGV0=pollard-cli "$appdir/AppRun" --version
    if [ -n "${DISPLAY:-}" ]; then
        "$appdir/AppRun" --screenshot "$folder/coins.png" "$samples/coins_384x303_u8.tif"
    fi
}

if [ "$appdir_only" = yes ]; then
    try_appdir
    echo "AppDir: $appdir (without the libraries that linuxdeploy adds)"
    exit 0
fi
if [ ${#missing[@]} -gt 0 ]; then
    echo "The AppDir is made, but not the AppImage: not in PATH: ${missing[*]}." >&2
    echo "They are single files, from the releases of the projects linuxdeploy, linuxdeploy-plugin-qt and AppImageKit." >&2
    exit 1
fi
linuxdeploy --appdir "$appdir" --plugin qt --desktop-file "$appdir/usr/share/applications/org.pollard.Pollard.desktop" \
    --executable "$appdir/usr/bin/pollard" --executable "$appdir/usr/bin/pollard-cli" --custom-apprun installer/AppRun
try_appdir
version=$("$appdir/usr/bin/pollard-cli" --version | sed 's/.* //')
ARCH=$(uname -m) appimagetool "$appdir" "$folder/Pollard-$version-$(uname -m).AppImage"
