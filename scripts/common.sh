# Sourced by run.sh, test.sh, other scripts and .ci/run: required Debian/Ubuntu packages, their installation, and common functions.

build_packages=(
    g++ cmake ninja-build pkg-config python3
    qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev libgl-dev
    qt6-tools-dev qt6-l10n-tools qt6-translations-l10n
    libtiff-dev libpng-dev zlib1g-dev libjpeg-dev libopenjp2-7-dev libwebp-dev libcfitsio-dev libopenslide-dev libpugixml-dev libproj-dev
    wcslib-dev
    libdcmtk-dev libgdal-dev libblosc-dev libzstd-dev liblz4-dev
    libtbb-dev libcli11-dev nlohmann-json3-dev
    pybind11-dev python3-dev
    libgtest-dev libgmock-dev libbenchmark-dev
    libgl1-mesa-dri fonts-dejavu-core
)
# A virtual display with a window manager, for tests of windows and run.sh's headless job.
display_packages=(xvfb xauth xdotool openbox)
# Only for the full check; pollard-mpi is built where MPI is.
check_packages=(openmpi-bin libopenmpi-dev ccache clang-format clang-tidy python3 python3-tifffile python3-zarr python3-numpy python3-xarray python3-dask python3-skimage python3-sklearn python3-yaml python3-pyqt5 python3-superqt python3-pytest python3-pip desktop-file-utils shared-mime-info appstream dpkg-dev file git nsis locales)
# Programs of others that scripts/peers.sh opens results in, and libraries of the Qt of its Python environment.
peer_packages=(imagej default-jdk-headless libvips-tools gdal-bin python3-gdal python3-qgis python3-nibabel python3-numpy python3-tifffile python3-venv libxcb-cursor0)
# The build with sanitizers and the fuzz targets: clang, its linker and its run-time library with libFuzzer.
fuzz_packages=(clang lld libclang-rt-dev)

# ensure_packages NAME...: installs missing packages as root or with sudo; else prints the command and exits.
ensure_packages() {
    local missing=() name
    for name in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    if ! command -v apt-get >/dev/null; then
        echo "Missing packages (Debian names): ${missing[*]}" >&2
        echo "This is no Debian or Ubuntu machine: install their counterparts, then build with: cmake --preset release && cmake --build --preset release" >&2
        exit 1
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        # Without a terminal, sudo must not need a password.
        if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=(sudo)
        else
            echo "Packages are missing, and this needs root. Run this, then start again:" >&2
            echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
            exit 1
        fi
    fi
    echo "Installing ${#missing[@]} missing packages: ${missing[*]}" >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# configure PRESET [CMAKE-ARGUMENT...]: prints a summary on success, the whole output on failure.
configure() {
    local preset=$1 log
    mkdir -p build
    log=build/configure-$preset.log
    if ! cmake --preset "$@" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    grep -E '^-- (CUDA engine|FITS|Whole slides|Map coordinates|Rasters and vector files|OME-Zarr|DICOM with JPEG or JPEG-LS|MPI|Python module|Translations):' "$log" || true
}

# make_packages: DEB and TGZ of the release build, in build/packages.
make_packages() {
    rm -rf build/packages
    (cd build/release && cpack -G 'DEB;TGZ' -B ../packages)
}

# Starts openbox, if it is installed, and waits for it; then runs the command. Windows have states and get the focus.
managed='
if command -v openbox >/dev/null && command -v xdotool >/dev/null; then
    openbox >/dev/null 2>&1 &
    for attempt in $(seq 100); do xdotool get_num_desktops >/dev/null 2>&1 && break; sleep 0.05; done
fi
exec "$@"'
display=(xvfb-run -a -s "-screen 0 1920x1200x24 +extension GLX" sh -c "$managed" sh)

# with_display COMMAND...: runs a command on a virtual display with software rendering, for reproducible pixels.
with_display() {
    LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb "${display[@]}" "$@"
}

# on_displays COMMAND...: runs a command with two virtual displays, for tests of windows, one at a time on each
# (cmake/DiscoverTestSuites.cmake).
on_displays() {
    local second='POLLARD_SECOND_DISPLAY=$DISPLAY POLLARD_SECOND_XAUTHORITY=$XAUTHORITY exec "$@"'
    with_display sh -c "$second" sh "${display[@]}" "$@"
}

# run_tests PRESET [ARGUMENT...]: runs the tests of a build, and writes build/PRESET-tests.xml. Tests of windows wait for
# part of their time, so there is one more job than processors. Suites that need a display and fail run once more, because
# a display of a busy machine may answer late; they are counted and named.
run_tests() {
    local preset=$1 report=$PWD/build/$1-tests.xml failed again
    shift
    rm -f "$report"
    on_displays ctest --preset "$preset" -j $(($(nproc) + 1)) --output-junit "$report" "$@" && return
    [ -f "$report" ] || return 1
    mapfile -t failed < <(python3 scripts/suites.py failed "$report")
    mapfile -t again < <(printf '%s\n' "${failed[@]}" | grep '^app_tests[.]')
    if [ ${#again[@]} -gt 0 ]; then
        on_displays ctest --preset "$preset" -R "^($(IFS='|'; echo "${again[*]}"))\$" --output-junit "$report.again" || return 1
        printf 'FLAKY: %d suites passed the second time: %s\n' ${#again[@]} "${again[*]}"
    fi
    [ ${#failed[@]} -gt 0 ] && [ ${#again[@]} -eq ${#failed[@]} ]
}

# base_commit: prints the commit that changes are measured from: POLLARD_BASE, or the common ancestor with origin/main, or
# the commit of .ci/checked, whose whole check has passed. Prints nothing if there is none: then everything is checked.
base_commit() {
    local name commit
    for name in "${POLLARD_BASE:-}" origin/main "$(cat .ci/checked 2>/dev/null)"; do
        commit=$(git merge-base "${name:-none}" HEAD 2>/dev/null) || continue
        if [ "$commit" != "$(git rev-parse HEAD)" ] || ! git diff --quiet HEAD; then
            echo "$commit"
            return
        fi
    done
}
