"""Checks the layout of the code against docs/architecture.md: rooms.py, in the root of the repository.

Reads every #include "..." of the tracked sources and fails on

- an include of a room that the including room may not use,
- an include against the floors of a room: a folder may use folders of lower floors only, so there are no circles,
- a folder that is on no floor,
- a folder of a room with more than 5,000 lines, or with fewer than three units (a header with its source is one), unless
  it is the root of the room's includes,
- a file of a room with more than 900 lines,
- a class, structure or enumeration of the rooms that two headers define under one name.

Prints the figures of all rooms but tests and benchmarks: files, lines of the median file, lines, statements (lines that
are not blank, a comment, a lone brace, an include or a namespace), and headers that one file alone and no test includes,
besides their own source.
"""
import collections
import pathlib
import re
import statistics
import subprocess
import sys

MOST_LINES = 5000
MOST_LINES_OF_A_FILE = 900
LEAST_UNITS = 3
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
NO_STATEMENT = re.compile(r"^([{}()\[\];,]+$|//|/\*|\*|#\s*include|#pragma once|(}\s*)?//|(inline )?namespace |using namespace )")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
# At the start of a line, hence of a namespace, and no template.
TYPE = re.compile(r"^(?:class|struct|enum class) (?:\[\[\w+\]\] )?([A-Z]\w+)(?: final)?(?: *:[^;{]*)? *\{", re.MULTILINE)
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


def is_root(folder, room):
    """Whether a folder is the root of the room's includes."""
    return folder == room or (room in ("gpu", "viewmodels") and folder.count("/") == 1)


def crowding(texts):
    """Folders of rooms with too many lines or too few units, and files with too many lines."""
    lines = collections.Counter()
    units = collections.defaultdict(set)
    for name, text in texts.items():
        folder, _, file = name.rpartition("/")
        if folder.split("/")[0] in USES:
            lines[folder] += text.count("\n")
            units[folder].add(file.rsplit(".", 1)[0])
            if text.count("\n") > MOST_LINES_OF_A_FILE:
                yield f"{name}: {text.count(chr(10))} lines; {MOST_LINES_OF_A_FILE} at most"
    for folder in sorted(units):
        if lines[folder] > MOST_LINES:
            yield f"{folder}: {lines[folder]} lines; {MOST_LINES} at most"
        if len(units[folder]) < LEAST_UNITS and not is_root(folder, folder.split("/")[0]):
            yield f"{folder}: {len(units[folder])} units; {LEAST_UNITS} at least"


def repeated_types(texts):
    """Type names that several headers of rooms define."""
    headers = collections.defaultdict(list)
    for name, text in texts.items():
        if name.endswith("hpp") and name.split("/")[0] in USES:
            for type_name in TYPE.findall(text):
                headers[type_name].append(name)
    for type_name, names in sorted(headers.items()):
        if len(names) > 1:
            yield f"{type_name} is defined in {' and in '.join(names)}; give the types different names"


def figures(texts, users):
    """The sum of files, lines, statements and headers with one user. @param users {header: files that include it}"""
    code = {name: text for name, text in texts.items() if name.split("/")[0] in USES and not name.startswith("bench/")}
    lines = [line.strip() for text in code.values() for line in text.splitlines()]
    statements = sum(1 for line in lines if line and not NO_STATEMENT.match(line))
    private = 0
    for name in code:
        others = {user for user in users[name] if user.rsplit(".", 1)[0] != name.rsplit(".", 1)[0]}
        private += name.endswith(("hpp", "cuh")) and len(others) == 1 and others <= code.keys()
    median = statistics.median(text.count("\n") for text in code.values())
    return (f"{len(code)} files of {median:.0f} lines (median), {len(lines)} lines, {statements} statements, "
            f"{private} headers with one user and no test")


def targets(name, include, rooms, files):
    """Tracked files that an include may mean: beside the including file, or below the root of one of the rooms."""
    beside = str(pathlib.PurePosixPath(name).parent / include)
    return [path for path in (beside, *(f"{room}/{include}" for room in rooms)) if path in files]


def main():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    files = {name for name in listed if SOURCE.search(name)}
    texts = {name: pathlib.Path(name).read_text(encoding="utf-8") for name in sorted(files)}
    floors = floors_of_rooms(pathlib.Path("docs/architecture.md").read_text(encoding="utf-8"))
    problems = [f"docs/architecture.md: no floors of {room}/" for room in USES if room not in floors]
    users = collections.defaultdict(set)
    for name, text in texts.items():
        room = name.split("/")[0]
        mine = folder_in(name, room)
        if room in floors and mine and mine not in floors[room]:
            problems.append(f"{name}: folder {mine} is on no floor of docs/architecture.md")
        for include in INCLUDE.findall(text):
            found = targets(name, include, (room, *USES[room]) if room in USES else USES, files)
            if found:
                users[found[0]].add(name)
            if room not in USES:
                continue
            if not found:
                problems += [f"{name}: {room}/ may not use {path}" for path in targets(name, include, USES, files)]
                continue
            target = found[0]
            other = target.split("/")[0]
            if other == "gpu" and room in ONLY_THE_ENGINE and target != ONLY_THE_ENGINE[room]:
                problems.append(f"{name}: {room}/ may use {ONLY_THE_ENGINE[room]} alone, not {target}")
            theirs = folder_in(target, other)
            if other == room and room in floors and theirs != mine and mine and theirs:
                if floors[room].get(theirs, -1) >= floors[room].get(mine, 0):
                    problems.append(f"{name}: {mine} may not use {target}, which is on no lower floor")
    problems += [*crowding(texts), *repeated_types(texts)]
    print("\n".join(problems) if problems else "rooms: no include against the floors")
    print(figures(texts, users))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
