"""The wheel: pip builds the module once, and shows progress."""
import os
import pty
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("pip", reason="no pip; Debian has python3-pip")
ROOT = Path(__file__).parents[2]
# Notes its arguments, and builds a module without code in four steps.
CMAKE = """#!/bin/sh
echo "$*" >>"$CALLS"
case $1 in
-S) mkdir -p "$4/python/pollard_morphology" ;;
--build)
    for step in 1 2 3 4; do echo "[$step/4] Building"; done
    touch "$2/python/pollard_morphology/__init__.py" "$2/python/pollard_morphology/_core.so" ;;
esac
"""


@pytest.fixture(name="wheel")
def pip_wheel(tmp_path, monkeypatch):
    """What pip printed on its terminal, the calls of CMake and the wheel that it made."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "cmake").write_text(CMAKE, encoding="utf-8")
    (programs / "cmake").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("CALLS", str(tmp_path / "calls"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT / "python"), "--no-deps", "--no-index", "--wheel-dir", str(tmp_path),
               "--config-settings", f"build-dir={tmp_path / 'build'}"]
    child, terminal = pty.fork()
    if child == 0:
        os.execv(command[0], command)
    shown = b""
    try:
        while data := os.read(terminal, 4096):
            shown += data
    except OSError:  # the end, as Linux reports it
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, shown.decode()
    return shown.decode(), (tmp_path / "calls").read_text(encoding="utf-8").splitlines(), next(tmp_path.glob("*.whl"))


def test_pip_builds_the_module_once(wheel):
    _, calls, _ = wheel
    assert len(calls) == 2
    left_out = ["BUILD_APP", "BUILD_BENCH", "BUILD_TESTS", "MPI"]
    assert all(f"-DPOLLARD_{part}=OFF" in calls[0] for part in left_out)
    assert re.fullmatch(r"--build \S+ --target pollard_python", calls[1])


def test_pip_shows_each_step_on_the_terminal(wheel):
    shown, _, _ = wheel
    assert re.findall(r"pollard: step (\d) of 4", shown) == ["1", "2", "3", "4"]


def test_the_wheel_installs_without_a_compiler(wheel, tmp_path):
    _, calls, path = wheel
    place = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", place, path], check=True)
    assert (place / "pollard_morphology" / "_core.so").exists() and not (place / "pollard").exists()
    assert len((tmp_path / "calls").read_text(encoding="utf-8").splitlines()) == len(calls)
    assert zipfile.ZipFile(path).testzip() is None
