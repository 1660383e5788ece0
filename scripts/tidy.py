"""Runs clang-tidy on the rooms that clang can parse: tidy.py BUILD_FOLDER [JOBS] [--since COMMIT], with the folder's
compile_commands.json. --since COMMIT limits it to the sources and headers that differ from COMMIT.

Most of its time goes into headers, so that several sources are read as one. Sources that cannot be read together, or
have findings, are then read one by one: only the findings of a source alone count. Prints them, and exits with 1 if
there are any.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import changed_files
import together

ROOMS = ("core", "cli", "python", "teach", "viewmodels", "app", "bench/window_times")  # Qt last: its macros conflict with oneTBB
BATCH = 24
TIDY = ["clang-tidy", "--quiet", "--warnings-as-errors=*", "--extra-arg=-Wno-unknown-warning-option"]

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("jobs", type=int, nargs="?", default=os.cpu_count())
parser.add_argument("--since", metavar="COMMIT")
options = parser.parse_args()
build, jobs = options.build, options.jobs
work = build / "tidy"
work.mkdir(exist_ok=True)


def without_precompiled(command):
    """clang cannot read g++'s precompiled headers."""
    return re.sub(r" -Winvalid-pch| -include \S*cmake_pch[.]hxx", "", command)


def room_of(path):
    return next((number for number, room in enumerate(ROOMS) if path.is_relative_to(root / room)), None)


def in_order(paths):
    return sorted(paths, key=lambda path: (room_of(path), path))


def sources():
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in commands:
        entry["command"] = without_precompiled(entry["command"])
    (work / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    command_of = {pathlib.Path(entry["file"]): shlex.split(entry["command"]) for entry in commands}
    listed = subprocess.run(["git", "ls-files", "-z", "--", *(f"{room}/*.cpp" for room in ROOMS)], cwd=root, check=True,
                            capture_output=True, text=True).stdout.split("\0")
    paths = [root / name for name in listed if name]
    missing = [str(path) for path in paths if path not in command_of]
    if missing:
        sys.exit("not built, so without compile commands: " + ", ".join(missing))
    return in_order(paths), command_of


def common_flags(commands):
    """The include paths of all sources."""
    flags = {}
    for command in commands:
        words = iter(command[1:])
        for word in words:
            if word == "-isystem":
                flags[word, next(words)] = None
            elif word.startswith(("-I", "-D", "-std=")):
                flags[word,] = None
    return [word for flag in flags for word in flag]


def tidy(arguments):
    run = subprocess.run([*TIDY, *arguments], cwd=root, capture_output=True, text=True)
    return run.returncode == 0, run.stdout + run.stderr


paths, command_of = sources()
flags = common_flags(command_of[path] for path in paths)
if options.since:
    changed = changed_files.since(options.since)
    headers = [path for path in changed if path.suffix == ".hpp" and room_of(path) is not None]
    paths = in_order([path for path in paths if path in changed] + headers)


def check_batch(number, members):
    batch = work / f"batch_{number}.cpp"
    batch.write_text("".join(f'#include "{path}"\n' for path in members), encoding="utf-8")
    clean, _ = tidy(["--checks=-bugprone-suspicious-include", str(batch), "--", "-x", "c++", *flags])
    if clean:
        return [], 0
    alone = [tidy([str(path), "--", "-x", "c++", *flags] if path.suffix == ".hpp" else ["-p", str(work), str(path)])
             for path in members]
    return [output for good, output in alone if not good], len(members)


with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    results = list(pool.map(check_batch, *zip(*enumerate(together.pack(paths, BATCH)))))
findings = [finding for found, _ in results for finding in found]
print("\n".join(findings), end="")
print(f"clang-tidy: {len(paths)} sources, {sum(alone for _, alone in results)} of them read alone, "
      f"{len(findings)} with findings")
sys.exit(1 if findings else 0)
