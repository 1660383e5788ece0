#!/usr/bin/env bash
# The commands of the README on a bare Debian: builds, runs the headless job and every test in a root that debootstrap
# makes from the package source of this machine, and prints times, tests and versions with a column for each suite.
# The committed tree is tested. Needs root. Logs are in build/debian.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/on_debian.sh [--roots FOLDER] [--ccache FOLDER] [--keep] SUITE...
  SUITE            a release that debootstrap knows: bookworm, trixie
  --roots FOLDER   has a root for each suite, made if it is missing; build/debian if left out
  --ccache FOLDER  compiles through ccache, with its cache in this folder
  --keep           leaves the roots for the next call; else they are removed at the end
END
}

tree=$(realpath "$(dirname "$0")/..")
logs=$tree/build/debian
roots=$logs
cache=
keep=no
suites=()
while [ $# -gt 0 ]; do
    case "$1" in
    --roots) roots=$(realpath -m -- "${2:?no folder}") && shift ;;
    --ccache) cache=$(realpath -m -- "${2:?no folder}") && shift ;;
    --keep) keep=yes ;;
    -h | --help) usage && exit 0 ;;
    -*) usage >&2 && exit 2 ;;
    *) suites+=("$1") ;;
    esac
    shift
done
[ ${#suites[@]} -gt 0 ] || { usage >&2 && exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "Only root makes and enters a root of Debian" >&2 && exit 1; }

cd "$tree"
. scripts/common.sh
ensure_packages debootstrap git
mkdir -p "$logs" "$roots"

# The URI that apt has for the release of this machine; its archive has the other releases, too.
archive() {
    local release
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' "Release: $release" | head -n 1
}

# make_root SUITE: a root with nothing but the base of the release, and the settings of apt that the archive may need.
make_root() {
    local root=$roots/$1 uri
    [ ! -e "$root" ] || return 0
    uri=$(archive)
    [ -n "$uri" ] || { echo "apt has no package source for the release of this machine" >&2 && return 1; }
    rm -rf --one-file-system "$root.part"
    debootstrap --variant=minbase --include=ca-certificates "$1" "$root.part" "$uri"
    cp /etc/resolv.conf "$root.part/etc/"
    apt-config dump --no-empty | grep -E '^Acquire::(https?|Check-Valid-Until|Check-Date)\b' \
        >"$root.part/etc/apt/apt.conf.d/90archive" || true
    mv "$root.part" "$root"
}

# in_suite SUITE COMMAND...: replaces this shell by a command in the tree inside the root. Its mounts and processes end
# with it.
in_suite() {
    local root=$roots/$1
    shift
    exec unshare --mount --pid --fork --kill-child --propagation private bash -c '
        set -e
        root=$1 cache=$2
        shift 2
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        if [ -n "$cache" ]; then
            mkdir -p "$cache" "$root/var/cache/ccache"
            mount --bind "$cache" "$root/var/cache/ccache"
        fi
        exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin CCACHE_DIR=/var/cache/ccache \
            chroot "$root" sh -c "cd /pollard && exec \"\$@\"" sh "$@"
    ' bash "$root" "$cache" "$@"
}

trap 'kill -KILL $(jobs -p) 2>/dev/null || true' EXIT

declare -A cells # by "SUITE ROW"

# timed SUITE ROW LOG COMMAND...: runs a command; the cell has its seconds and whether it failed.
timed() {
    local suite=$1 row=$2 log=$logs/$1-$3.log start=$SECONDS failed=
    shift 3
    echo "$suite: $row, log in ${log#"$tree/"}"
    in_suite "$suite" "$@" >"$log" 2>&1 </dev/null &
    wait $! || failed=" (failed)"
    cells[$suite $row]="$((SECONDS - start)) s$failed"
    [ -z "$failed" ] || { tail -n 40 "$log" >&2 && return 1; }
}

# count_results SUITE: what ctest counted, and warnings of the compilers, which are failures.
count_results() {
    local suite=$1 skipped warnings
    touch "$logs/$suite-test.log"
    skipped=$(grep -c '\*\*\*Skipped' "$logs/$suite-test.log" || true)
    cells[$suite tests]=$(sed -nE \
        "s/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\2 suites, \1 failed, $skipped skipped/p" \
        "$logs/$suite-test.log")
    warnings=$(cat "$logs/$suite"-{build,test}.log | grep -c 'warning:' || true)
    cells[$suite warnings]=$warnings
    [ "$warnings" -eq 0 ]
}

# "NAME=PACKAGE" of each library and tool whose version is printed.
versions=(
    GCC=g++ CMake=cmake Qt=qt6-base-dev CLI11=libcli11-dev nlohmann-json=nlohmann-json3-dev oneTBB=libtbb-dev
    libtiff=libtiff-dev libpng=libpng-dev zlib=zlib1g-dev libjpeg-turbo=libjpeg62-turbo-dev OpenJPEG=libopenjp2-7-dev
    libwebp=libwebp-dev cfitsio=libcfitsio-dev OpenSlide=libopenslide-dev pugixml=libpugixml-dev PROJ=libproj-dev
    wcslib=wcslib-dev DCMTK=libdcmtk-dev GDAL=libgdal-dev c-blosc=libblosc-dev Zstandard=libzstd-dev LZ4=liblz4-dev pybind11=pybind11-dev
    Python=python3-dev GoogleTest=libgtest-dev
)

# Versions without epoch, repackaging and revision.
read_versions() {
    local suite=$1 each
    for each in "${versions[@]}"; do
        cells[$suite ${each%%=*}]=$(dpkg-query --admindir="$roots/$suite/var/lib/dpkg" -W -f='${Version}' "${each#*=}" \
            2>/dev/null | sed -E 's/^[0-9]+://; s/[-+~].*|\.dfsg.*//')
    done
}

run_suite() {
    local suite=$1 clone=$roots/$1/pollard passed=yes
    make_root "$suite" >"$logs/$suite-root.log" 2>&1 || { tail "$logs/$suite-root.log" >&2 && return 1; }
    git init -q "$clone"
    git -C "$clone" fetch -q "$tree" HEAD
    git -C "$clone" checkout -q --force --detach FETCH_HEAD
    rm -f "$logs/$suite"-{ccache,build,headless,test}.log
    [ -z "$cache" ] || timed "$suite" ccache ccache bash -c '. scripts/common.sh && ensure_packages ccache' || return 1
    if timed "$suite" "./run.sh --build-only" build ./run.sh --build-only; then
        timed "$suite" "./run.sh" headless ./run.sh || passed=no
        timed "$suite" "./test.sh" test ./test.sh || passed=no
    else
        passed=no
    fi
    count_results "$suite" || passed=no
    read_versions "$suite"
    [ "$passed" = yes ]
}

# print_row CELL...
print_row() {
    printf '| %s ' "$@"
    printf '|\n'
}

print_table() {
    local row suite line
    print_row "" "${suites[@]}"
    print_row --- "${suites[@]/*/---}"
    for row in "./run.sh --build-only" "./run.sh" "./test.sh" tests warnings "${versions[@]%%=*}"; do
        line=("$row")
        for suite in "${suites[@]}"; do
            line+=("${cells[$suite $row]:--}")
        done
        print_row "${line[@]}"
    done
}

all=yes
for suite in "${suites[@]}"; do
    run_suite "$suite" || all=no
    [ "$keep" = yes ] || rm -rf --one-file-system "${roots:?}/$suite"
done
print_table
[ "$all" = yes ]
