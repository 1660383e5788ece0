"""Compiles each public header alone: headers.py BUILD_FOLDER [JOBS] [--since COMMIT], with the commands that CMake
generates for it. --since COMMIT limits it to the headers that differ from COMMIT.

Headers of the standard library and Qt that many use are precompiled, because parsing them takes most of the time. So
that a header still includes those that it needs, each name in NAMES must come from a system header that it includes,
itself or through headers of the project. Prints the findings, and exits with 1 if there are any.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import changed_files

NAMES = {
    "algorithm": "all_of any_of clamp copy copy_n count count_if fill fill_n find find_if lower_bound sort transform",
    "array": "array", "atomic": "atomic atomic_ref", "bit": "bit_cast bit_width countl_zero countr_zero popcount",
    "chrono": "chrono", "cmath": "abs floor fma log sqrt", "condition_variable": "condition_variable condition_variable_any",
    "cstdint": "int32_t int64_t uint8_t uint16_t uint32_t uint64_t", "deque": "deque", "filesystem": "filesystem",
    "functional": "function identity", "limits": "numeric_limits", "list": "list", "map": "map",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr", "mutex": "mutex scoped_lock",
    "numeric": "exclusive_scan iota", "optional": "nullopt optional", "set": "set", "span": "span",
    "stop_token": "stop_source stop_token", "string": "string to_string", "string_view": "string_view",
    "thread": "jthread this_thread", "tuple": "tuple", "unordered_map": "unordered_map", "variant": "variant visit",
    "vector": "vector",
}
ROOMS = ("core", "gpu", "teach", "viewmodels")
HEADER_OF = {name: header for header, names in NAMES.items() for name in names.split()}
WORD = re.compile(r"\bstd::(\w+)")
SYSTEM = re.compile(r"^\s*#\s*include <([^>]+)>", re.MULTILINE)
OWN = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
NO_CODE = re.compile(r'//.*|"(?:\\.|[^"\\\n])*"')
VERIFIED = re.compile(r"_verify_interface_header_sets/(\S+)[.]cxx$")

root = pathlib.Path(__file__).resolve().parent.parent
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("build", type=lambda name: pathlib.Path(name).resolve())
parser.add_argument("jobs", type=int, nargs="?", default=os.cpu_count())
parser.add_argument("--since", metavar="COMMIT")
options = parser.parse_args()
build, jobs = options.build, options.jobs
changed = changed_files.since(options.since) if options.since else None


def headers_by_command():
    """The headers that a compiler command with flags applies to."""
    groups = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        found = VERIFIED.search(entry["file"])
        if found and (changed is None or path_of(found[1]) in changed):
            words = shlex.split(entry["command"])
            compiler = next(i for i, word in enumerate(words) if word.endswith("++"))  # behind ccache
            flags = [word for word in words[compiler : words.index("-o")] if word not in ("-x", "c++")]
            groups.setdefault(tuple(flags), []).append(found[1])
    return groups


@functools.cache
def system_headers(path):
    """Those that a file of the project includes, itself or through others."""
    text = path.read_text(encoding="utf-8")
    found = set(SYSTEM.findall(text))
    for name in OWN.findall(text):
        if own := path_of(name):
            found |= system_headers(own)
    return found


@functools.cache
def path_of(header):
    return next((root / room / header for room in ROOMS if (root / room / header).exists()), None)


def missing_names(header):
    path = path_of(header)
    names = set(WORD.findall(NO_CODE.sub("", path.read_text(encoding="utf-8"))))
    missing = sorted(name for name in names & HEADER_OF.keys() if HEADER_OF[name] not in system_headers(path))
    return "".join(f"{path.relative_to(root)}: std::{name} without <{HEADER_OF[name]}>\n" for name in missing)


def compiles(command, precompiled, header):
    run = subprocess.run([*command, "-include", precompiled, "-fsyntax-only", "-x", "c++", "-"],
                         input=f"#include <{header}>\n", capture_output=True, text=True)
    return "" if run.returncode == 0 else run.stderr


findings = []
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for number, (command, headers) in enumerate(headers_by_command().items()):
        precompiled = build / f"headers_{number}.hpp"
        uses = collections.Counter(name for header in headers for name in system_headers(path_of(header)))
        often = sorted(name for name, count in uses.items() if count >= len(headers) / 4 and name.isalnum())
        precompiled.write_text("".join(f"#include <{name}>\n" for name in often), encoding="utf-8")
        subprocess.run([*command, "-x", "c++-header", precompiled, "-o", f"{precompiled}.gch"], check=True)
        findings += pool.map(functools.partial(compiles, command, precompiled), headers)
        findings += map(missing_names, headers)
findings = [finding for finding in findings if finding]
print("".join(findings), end="")
print(f"headers: {sum(map(len, headers_by_command().values()))}, {len(findings)} with findings")
sys.exit(1 if findings else 0)
