"""Checks the layout of the code against docs/architecture.md: rooms.py, in the root of the repository.

Reads every #include "..." of the tracked sources and fails on

- an include of a room that the including room may not use,
- an include against the floors of a room: a folder may use folders of lower floors only, so there are no circles,
- a folder that is on no floor,
- a folder with more than 40 sources and headers.
"""
import collections
import pathlib
import re
import subprocess
import sys

MOST_FILES = 40
# Rooms that a room may use, with its include root.
USES = {
    "core": [],
    "gpu": ["core"],
    "teach": ["core", "gpu"],
    "viewmodels": ["teach", "core"],
    "app": ["viewmodels", "teach", "core", "gpu"],
    "cli": ["core", "gpu"],
    "mpi": ["cli", "core", "gpu"],
    "python": ["core", "gpu"],
    "bench": ["app", "cli", "viewmodels", "teach", "core", "gpu"],
}
# Only the main functions use the CUDA engine, through its one header without CUDA types; teach runs its kernels.
ONLY_THE_ENGINE = dict.fromkeys(("app", "cli", "mpi", "python", "bench"), "gpu/cuda/cuda_engine.hpp")
SOURCE = re.compile(r"\.(cpp|hpp|cu|cuh)$")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
FLOORS = re.compile(r"^\| `(\w+)/` \| ([^|]+) \|$", re.MULTILINE)


def floors_of_rooms(text):
    """{room: {folder: floor}} from the table of floors, the lowest first."""
    rooms = {}
    for room, row in FLOORS.findall(text):
        rooms[room] = {folder: floor for floor, names in enumerate(row.split("<")) for folder in names.split()}
    return rooms


def folder_in(path, room):
    """The first folder of a file below the root of its room's includes; empty for a file that lies there itself."""
    parts = path.split("/")[1:]
    if room in ("gpu", "viewmodels"):  # one more folder, which names the room in includes: "vm/...", "cuda/..."
        parts = parts[1:]
    return parts[0] if len(parts) > 1 else ""


def main():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    files = {name for name in listed if SOURCE.search(name)}
    floors = floors_of_rooms(pathlib.Path("docs/architecture.md").read_text(encoding="utf-8"))
    problems = [f"docs/architecture.md: no floors of {room}/" for room in USES if room not in floors]
    for name in sorted(files):
        room = name.split("/")[0]
        if room not in USES:
            continue
        mine = folder_in(name, room)
        if room in floors and mine and mine not in floors[room]:
            problems.append(f"{name}: folder {mine} is on no floor of docs/architecture.md")
        for include in INCLUDE.findall(pathlib.Path(name).read_text(encoding="utf-8")):
            beside = str(pathlib.PurePosixPath(name).parent / include)
            found = [path for path in (beside, *(f"{root}/{include}" for root in (room, *USES[room]))) if path in files]
            if not found:
                any_room = [f"{root}/{include}" for root in USES if f"{root}/{include}" in files]
                problems += [f"{name}: {room}/ may not use {path}" for path in any_room]
                continue
            target = found[0]
            other = target.split("/")[0]
            if other == "gpu" and room in ONLY_THE_ENGINE and target != ONLY_THE_ENGINE[room]:
                problems.append(f"{name}: {room}/ may use {ONLY_THE_ENGINE[room]} alone, not {target}")
            theirs = folder_in(target, other)
            if other == room and room in floors and theirs != mine and mine and theirs:
                if floors[room].get(theirs, -1) >= floors[room].get(mine, 0):
                    problems.append(f"{name}: {mine} may not use {target}, which is on no lower floor")
    count = collections.Counter(name.rsplit("/", 1)[0] for name in files)
    problems += [f"{folder}: {number} files; {MOST_FILES} at most" for folder, number in sorted(count.items())
                 if number > MOST_FILES]
    print("\n".join(problems) if problems else f"rooms: {len(files)} files, no include against the floors")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
