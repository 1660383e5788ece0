"""The wheel, which pip builds once, with progress; the archive of sources; the test of an installed package."""
import os
import pty
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("pip", reason="no pip; Debian has python3-pip")
ROOT = Path(__file__).parents[2]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
# Notes its arguments, and builds a module without code in four steps, beside that of another Python.
CMAKE = """#!/bin/sh
echo "$*" >>"$CALLS"
case $1 in
-S) mkdir -p "$4/python/pollard_morphology" ;;
--build)
    for step in 1 2 3 4; do echo "[$step/4] Building"; done
    touch "$2/python/pollard_morphology/__init__.py" "$2/python/pollard_morphology/_core$SUFFIX" \\
        "$2/python/pollard_morphology/_core.other.so" ;;
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
    monkeypatch.setenv("SUFFIX", SUFFIX)
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
    assert [path.name for path in (place / "pollard_morphology").glob("*.so")] == [f"_core{SUFFIX}"]
    assert not (place / "pollard").exists()
    assert len((tmp_path / "calls").read_text(encoding="utf-8").splitlines()) == len(calls)
    assert zipfile.ZipFile(path).testzip() is None


def test_the_archive_of_sources_has_the_folders_that_cmake_enters(tmp_path):
    code = "import sys, wheel_backend; print(wheel_backend.build_sdist(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-B", "-c", code, tmp_path], cwd=ROOT / "python", capture_output=True, text=True, check=True)
    with tarfile.open(tmp_path / done.stdout.strip()) as archive:
        archive.extractall(tmp_path)
    top = next(path for path in tmp_path.iterdir() if path.is_dir())
    assert top.name == done.stdout.strip()[:-len(".tar.gz")]
    cmake = (top / "CMakeLists.txt").read_text(encoding="utf-8").split("return()", maxsplit=1)[0]
    assert re.findall(r"add_subdirectory\((\w+)\)", cmake) == ["core", "gpu", "python"]
    for folder in ("core", "gpu", "python", "cmake"):
        files = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts}
        assert files == {path.relative_to(top) for path in (top / folder).rglob("*") if path.is_file()}
    # pip takes the project at the top for the one in python/.
    assert 'backend-path = ["python"]' in (top / "pyproject.toml").read_text(encoding="utf-8")
    assert "Name: pollard-morphology" in (top / "PKG-INFO").read_text(encoding="utf-8")


def test_all_versions_agree():
    version = re.search(r"project\(Pollard VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
    recipe = (ROOT / "installer" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    assert f'version: "{version}"' in recipe


def selftest(before=""):
    code = f"import sys, pollard_morphology as pollard\nfrom pollard_morphology import selftest\n{before}\nsys.exit(selftest.main())"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)


def test_the_test_of_an_installed_package_passes():
    done = selftest()
    assert done.returncode == 0 and "\nno failures, " in done.stdout, done.stdout + done.stderr
    assert len(re.findall("^ok  ", done.stdout, re.MULTILINE)) == 7


@pytest.mark.parametrize("fault, check", [
    ("area_opening = lambda image, *_: image", "images"),
    ("area_opening = lambda image, *_: selftest.opened_by_area(image, *_).astype(float)", "types"),
    ("objects = lambda mask, **_: real(~mask, **_)", "objects"),
    ("Recipe.run = lambda self, path: real_run(self, selftest.RAMP)", "recipes"),
    ("max_tree = lambda image, kind='max': real_tree(255 - image, kind=kind)", "trees"),
    ("max_tree = lambda image, kind='max': real_tree(image.ravel()[:8], kind=kind)", "errors")])
def test_the_test_of_an_installed_package_finds_faults(fault, check):
    done = selftest(f"real, real_run, real_tree = pollard.objects, pollard.Recipe.run, pollard.max_tree\npollard.{fault}")
    assert done.returncode == 1 and f"FAILED  {check}: " in done.stdout, done.stdout + done.stderr
