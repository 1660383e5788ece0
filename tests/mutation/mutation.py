"""Counts how many faults the tests find: puts each fault of faults/*.toml into the code and runs the suites of its room.

mutation.py [STEP...] [--only ID,ID-ID,ROOM...] [--log FILE]
    check    find the text of each fault in the code (less than a second)
    sources  copy the sources into build/mutation/source and put all faults into the copy
    build    configure and build the copy; POLLARD_MUTATION_BUILD names a command that replaces `ninja -C`
    run      run the suites: without a fault they pass, with a fault one of them must fail
Without a step: all of them. The exit status is 1 if fewer than 95 % of the faults are found.

All faults are compiled together. Each is guarded by a switch, so that one build serves all of them; the environment variable
POLLARD_FAULT has the number of the fault that is switched on. A fault in the lists:

    id       a number that no other fault has; it stays when others come and go
    file     the source or header
    text     text that the file has once; the part between « and », or all of it, is replaced
    faulty   the replacement
    kind     "expression": the part is an expression, in C++ or Python; "statement": it consists of whole statements
             without declarations that later code uses; "text": it is replaced as it is, and FAULT in the replacement is
             the switch
    suites   suites that should find it, as ctest names them; a second step runs all suites of the room
    missed   optional: true for a fault that no test found when it was tried first
    says     the fault in one sentence
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = pathlib.Path(__file__).resolve().parent / "faults"
FOLDER = ROOT / "build" / "mutation"
SOURCE, BUILD, LOG = FOLDER / "source", FOLDER / "build", FOLDER / "log"
GOAL = 0.95
FIELDS = {"id", "file", "text", "faulty", "kind", "suites", "says"}
# Executables that test a room, and entries of ctest that are programs of their own.
ROOMS = {
    "core": ["core_tests", "fault_tests", "cli_tests"],
    "gpu": ["kernel_tests", "teach_tests"],
    "teach": ["teach_tests"],
    "viewmodels": ["viewmodels_tests", "app_tests"],
    "app": ["app_tests"],
    "cli": ["cli_tests", "tifffile", "part_drivers"],
    "mpi": ["mpi"],
    "python": ["python"],
}
TARGETS = {"mpi": ["pollard-mpi", "pollard-cli"], "python": ["pollard_python", "pollard-cli"], "tifffile": ["pollard-cli"],
           "part_drivers": ["pollard-cli"]}
SWITCH = """\
#pragma once

#include <cstdlib>
#include <type_traits>

namespace pollard_fault {

inline int chosen() noexcept {
    const char* const number = std::getenv("POLLARD_FAULT");
    return number != nullptr ? std::atoi(number) : 0;
}
inline const int kChosen = chosen();

/// Whether a fault is switched on; no fault is in constant expressions.
constexpr bool is(int number) noexcept { return !std::is_constant_evaluated() && kChosen == number; }

} // namespace pollard_fault
"""
# Targets of which most groups of sources have a fault are optimised little. Others keep the options of a release, so that
# ccache has their groups without a fault.
PROJECT = """\
function(pollard_weaken)
  foreach(target pollard_core pollard_teach pollard_python pollard-mpi)
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE -O1 -w)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL pollard_weaken)
"""


def stop(message):
    sys.exit(f"mutation.py: {message}")


class Fault:
    def __init__(self, fields, origin):
        if wrong := fields.keys() - {"missed"} ^ FIELDS:
            stop(f"{origin}: fault {fields.get('id')}: missing or unknown: {', '.join(sorted(wrong))}")
        self.id, self.file, self.kind, self.suites = (fields[name] for name in ("id", "file", "kind", "suites"))
        self.missed, self.says = fields.get("missed", False), fields["says"]
        self.room = self.file.split("/")[0]
        before, *marked = fields["text"].split("«")
        right, *after = (marked[0] if marked else before).split("»")
        self.before, self.right, self.after = (before, right, "»".join(after)) if marked else ("", before, "")
        self.faulty = fields["faulty"]

    def place_in(self, text):
        """Begin of the text in the file, which must have it once."""
        whole = self.before + self.right + self.after
        times = text.count(whole)
        if times != 1:
            stop(f"fault {self.id}: {self.file} has its text {times} times instead of once; mend the list:\n{whole}")
        return text.index(whole) + len(self.before)

    def replacement(self):
        if self.file.endswith(".py"):
            switch = f"__import__('os').environ.get('POLLARD_FAULT') == '{self.id}'"
        else:
            switch = f"::pollard_fault::is({self.id})"
        if self.kind == "text":
            return self.faulty.replace("FAULT", switch)
        if self.kind == "statement":
            return f"if ({switch}) {{ {self.faulty} }} else {{ {self.right} }}"
        if self.file.endswith(".py"):
            return f"(({self.faulty}) if {switch} else ({self.right}))"
        return f"({switch} ? ({self.faulty}) : ({self.right}))"


def read_lists():
    faults, ids = [], set()
    for path in sorted(LISTS.glob("*.toml")):
        for fields in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
            fault = Fault(fields, path.name)
            if fault.id in ids:
                stop(f"{path.name}: two faults have the number {fault.id}")
            if fault.kind not in ("expression", "statement", "text") or fault.room not in ROOMS:
                stop(f"{path.name}: fault {fault.id}: wrong kind or room")
            ids.add(fault.id)
            faults.append(fault)
    return faults


def by_file(faults):
    files = {}
    for fault in faults:
        files.setdefault(fault.file, []).append(fault)
    return files


def with_faults(file, faults):
    """Text of a source with its faults."""
    path = ROOT / file
    if not path.is_file():
        stop(f"fault {faults[0].id}: there is no {file}; mend the list")
    text = path.read_text(encoding="utf-8")
    places = sorted(((fault.place_in(text), fault) for fault in faults), key=lambda each: -each[0])
    end = len(text)
    for begin, fault in places:
        if begin + len(fault.right) > end:
            stop(f"fault {fault.id}: {file}: its text overlaps another fault's")
        text = text[:begin] + fault.replacement() + text[begin + len(fault.right):]
        end = begin
    if file.endswith(".py"):
        return text
    # A fault may cause a warning. Sources are included, too, by those of their group.
    return f'#pragma GCC system_header\n#include "pollard_fault.hpp"\n#line 1\n{text}'


def check(faults):
    for file, own in by_file(faults).items():
        with_faults(file, own)
    print(f"{len(faults)} faults in {len(by_file(faults))} files: their texts are in the code")


def write(path, data):
    """Keeps the time of a file that stays as it is."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def copy_sources(faults):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\0")
    faulty = by_file(faults)
    kept = {SOURCE / "core" / "pollard_fault.hpp"}
    write(SOURCE / "core" / "pollard_fault.hpp", SWITCH.encode())
    for name in filter(None, listed):
        path = ROOT / name
        if not path.is_file():
            continue
        kept.add(SOURCE / name)
        write(SOURCE / name, with_faults(name, faulty[name]).encode() if name in faulty else path.read_bytes())
        shutil.copymode(path, SOURCE / name)
    for path in list(SOURCE.rglob("*")):
        if path.is_file() and path not in kept:
            path.unlink()
    write(FOLDER / "project.cmake", PROJECT.encode())


def programs_of(faults):
    """Executables of the suites, and entries of ctest that are none."""
    names = set()
    for fault in faults:
        names.update(ROOMS[fault.room], (suite.split(".")[0] for suite in fault.suites))
    return sorted(names)


def build(faults):
    subprocess.run(["cmake", "--preset", "release", "-B", BUILD, "-DPOLLARD_CUDA=OFF", "-DPOLLARD_WERROR=ON",
                    "-DPOLLARD_BUILD_BENCH=OFF", f"-DCMAKE_PROJECT_Pollard_INCLUDE={FOLDER / 'project.cmake'}"],
                   cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    command = shlex.split(os.environ.get("POLLARD_MUTATION_BUILD", "ninja -C"))
    targets = sorted({target for name in programs_of(faults) for target in TARGETS.get(name, [name])})
    if subprocess.run([*command, BUILD, "-k", "0", *targets], check=False).returncode != 0:
        stop("the sources with faults do not compile")


class Outcome:
    def __init__(self, status, output, seconds):
        self.status, self.output, self.seconds = status, output, seconds

    def how(self):
        """The failed test, or how the program ended."""
        if self.status is None:
            return "hangs"
        if found := re.search(r"^\[  FAILED  \] ([^\s,]+)", self.output, re.MULTILINE):
            return found[1]
        if self.status < 0:
            return f"crashes ({signal.Signals(-self.status).name})"
        return "fails"


def call(command, number, limit):
    """Runs a program in folders of its own for temporary files and settings."""
    private = FOLDER / "private"
    shutil.rmtree(private, ignore_errors=True)
    environment = {**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    for name, folder in (("TMPDIR", "tmp"), ("HOME", "home"), ("XDG_RUNTIME_DIR", "run")):
        (private / folder).mkdir(parents=True, mode=0o700)
        environment[name] = str(private / folder)
    environment.pop("POLLARD_FAULT", None)
    if number:
        environment["POLLARD_FAULT"] = str(number)
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=BUILD, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, start_new_session=True, errors="replace")
    try:
        output, _ = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, status = process.communicate()[0], None
    return Outcome(status, output, time.monotonic() - start)


def command_of(program, suites):
    """Command that runs these suites of a program, all if there are none."""
    if not program.endswith("_tests"):
        pattern = "|".join(re.escape(suite) for suite in suites) if suites else re.escape(program) + r"(\..*)?"
        return ["ctest", "--output-on-failure", "--no-tests=error", "-R", f"^({pattern})$"]
    names = [suite.split(".", 1)[1] for suite in suites]
    patterns = [f"{name}.*:{name}/*:*/{name}.*:*/{name}/*" for name in names]
    return [f"bin/{program}", "--gtest_fail_fast", "--gtest_filter=" + (":".join(patterns) or "*")]


def runs_of(suites):
    """Pairs of a program and its suites."""
    programs = {}
    for suite in suites:
        programs.setdefault(suite.split(".")[0], []).append(suite)
    return programs.items()


class Runner:
    """Seconds of each run without a fault, which give the limits of the runs with one."""

    def __init__(self):
        self.usual = {}

    def require_passes(self, program, suites):
        key = (program, *suites)
        if key in self.usual:
            return
        outcome = call(command_of(program, suites), 0, 1800)
        if outcome.status != 0:
            stop(f"without a fault: {program}: {' '.join(suites) or 'all suites'}: {outcome.how()}\n{outcome.output[-4000:]}")
        if not program.endswith("_tests"):
            if "Skipped" in outcome.output:
                stop(f"without a fault: {program} is skipped: a package is missing")
        else:
            for suite in suites:
                name = re.escape(suite.split(".", 1)[1])
                if not re.search(rf"^\[       OK \] (\S+/)?{name}[./]", outcome.output, re.MULTILINE):
                    stop(f"without a fault: no test of {suite} runs")
        self.usual[key] = outcome.seconds

    def found_by(self, fault, program, suites):
        """The failing test, or None."""
        self.require_passes(program, suites)
        outcome = call(command_of(program, suites), fault.id, 30 + 5 * self.usual[(program, *suites)])
        return None if outcome.status == 0 else f"{program}: {outcome.how()}"

    def result(self, fault):
        for program, suites in runs_of(fault.suites):
            if found := self.found_by(fault, program, suites):
                return found
        for program in ROOMS[fault.room]:
            if found := self.found_by(fault, program, []):
                return found + ", which the list does not name"
        return None


def run(faults, log):
    runner = Runner()
    start = time.monotonic()
    for program, suites in runs_of(sorted({suite for fault in faults for suite in fault.suites})):
        runner.require_passes(program, suites)
        print(f"without a fault: {program}: {len(suites)} suites pass", flush=True)
    rooms = {}
    for fault in faults:
        begin = time.monotonic()
        found = runner.result(fault)
        line = (f"{'found    ' if found else 'NOT FOUND'} {fault.id:4} {time.monotonic() - begin:6.1f} s  {fault.file}: "
                f"{fault.says} [{found or ', '.join(fault.suites)}]")
        print(line, flush=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        rooms.setdefault(fault.room, []).append(found is not None)
    shutil.rmtree(FOLDER / "private", ignore_errors=True)
    print(f"\n{'room':12} {'faults':>6} {'found':>6}")
    for room, found in rooms.items():
        print(f"{room:12} {len(found):6} {sum(found):6}")
    count = len(faults)
    found = sum(map(sum, rooms.values()))
    print(f"{'all':12} {count:6} {found:6}  {100 * found / count:.1f} %, {time.monotonic() - start:.0f} s")
    return found >= GOAL * count


def chosen(faults, only):
    if not only:
        return faults
    wanted, rooms = set(), set()
    for word in only.split(","):
        if word in ROOMS:
            rooms.add(word)
        elif match := re.fullmatch(r"(\d+)(?:-(\d+))?", word):
            wanted.update(range(int(match[1]), int(match[2] or match[1]) + 1))
        else:
            stop(f"--only: {word} is neither a number nor a room")
    return [fault for fault in faults if fault.id in wanted or fault.room in rooms]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", choices=["check", "sources", "build", "run"], metavar="STEP")
    parser.add_argument("--only")
    parser.add_argument("--log", type=pathlib.Path, default=LOG)
    arguments = parser.parse_args()
    steps = arguments.steps or ["check", "sources", "build", "run"]
    faults = read_lists()
    if "check" in steps:
        check(faults)
    if "sources" in steps:
        copy_sources(faults)
    if "build" in steps:
        build(faults)
    if "run" in steps:
        if "DISPLAY" not in os.environ: # windows need one
            script = '. scripts/common.sh; with_display "$@"'
            sys.exit(subprocess.run(["bash", "-c", script, "bash", sys.executable, __file__, "run", "--log", arguments.log,
                                     *(["--only", arguments.only] if arguments.only else [])], cwd=ROOT, check=False).returncode)
        sys.exit(0 if run(chosen(faults, arguments.only), arguments.log) else 1)


if __name__ == "__main__":
    main()
