# Sourced by the scripts that draw the images of the documentation: changes to the root of the repository, sources
# common.sh, and makes the paths of the caller absolute: FOLDER (default docs) as $folder, and the programs POLLARD and
# POLLARD_CLI. $work is a temporary folder, removed at exit.

folder=${1:+$(realpath -m -- "$1")}
for name in POLLARD POLLARD_CLI; do
    [ -z "${!name:-}" ] || printf -v "$name" '%s' "$(realpath -- "${!name}")"
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${folder:-$PWD/docs}
. scripts/common.sh

command -v convert >/dev/null || ensure_packages imagemagick
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"

# build_unless_named VARIABLE TARGET: if the variable is empty, builds the program and sets it to the release build.
build_unless_named() {
    if [ -z "${!1:-}" ]; then
        configure release
        cmake --build --preset release --target "$2"
        printf -v "$1" '%s' "$PWD/build/release/bin/$2"
    fi
}

# shoot NAME SIZE OPTION... FILE: saves an image of the window with FILE from $work as NAME.png.
shoot() {
    local name=$1 size=$2
    shift 2
    with_display "$POLLARD" --screenshot "$work/shot.png" --size "$size" "${@:1:$#-1}" "$work/${!#}"
    convert "$work/shot.png" +dither -colors 256 -strip "png8:$folder/$name.png"
    echo "$folder/$name.png"
}
