"""Build backend (PEP 517) of `pip install ./python`: CMake builds the module, without the window and the tests.

Nothing else than CMake, a compiler and the libraries of the core is needed; pybind11 comes from the system where CMake
finds it, else from the package index. The variable CMAKE_ARGS has more arguments of CMake, such as -DPOLLARD_CUDA=OFF.
The setting build-dir is the folder of the build, by default one for each Python in build/: what it has is not built again.
The setting licenses is a folder with the terms of libraries that are linked into the module.
The archive of sources has what the module is made of, in the folders of the repository.
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "core", "docs/python.md", "gpu", "python", "resources/presets", "scripts/together.py")
METADATA = """\
Metadata-Version: 2.1
Name: pollard-morphology
Version: {version}
Summary: Interactive mathematical morphology on component trees
License: GPL-3.0-or-later
Requires-Python: >=3.10
Requires-Dist: numpy>=1.24
Description-Content-Type: text/markdown

{readme}"""


def version():
    """Version of the project, from CMake's line."""
    return re.search(r"project\(Pollard VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def tag():
    """Tag of wheels for this Python on this platform."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def suffix():
    """End of the name of a module for this Python."""
    return sysconfig.get_config_var("EXT_SUFFIX")


def dist_info():
    """Files of the folder of metadata."""
    readme = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    return {"METADATA": METADATA.format(version=version(), readme=readme),
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: pollard\nRoot-Is-Purelib: false\nTag: {tag()}\n"}


def get_requires_for_build_wheel(config_settings=None):
    """pybind11 where CMake does not find the system's."""
    found = shutil.which("pybind11-config") or pathlib.Path("/usr/lib/cmake/pybind11").is_dir()
    return [] if found else ["pybind11>=2.10"]


class Progress:
    """A line on the terminal with the steps that are done: pip keeps the output of a build for itself, unless with -v.

    The line ends where pip's moving sign is, which goes on behind it."""

    def __init__(self):
        self.start = time.monotonic()
        self.newline = "\n"
        try:
            self.terminal = None if sys.stdout.isatty() else open("/dev/tty", "w", encoding="utf-8")
        except OSError:
            self.terminal = None

    def show(self, line):
        """Shows the step that the line of ninja or make names."""
        step = re.match(r"\[ *(?:(\d+)/(\d+)|(\d+%))\]", line)
        if self.terminal and step:
            done = f"step {step[1]} of {step[2]}" if step[1] else step[3]
            minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
            self.terminal.write(f"{self.newline}\r\033[2K  pollard: {done}, {minutes} min {seconds} s  ")
            self.terminal.flush()
            self.newline = ""


def run(command, environment=None):
    """Runs a command with progress on the terminal; its output goes to this process's."""
    progress = Progress()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", env=environment) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            progress.show(line)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)


def build_module(build):
    """Builds the package in a folder and returns the folder of the package."""
    # The folder may belong to another Python, whose objects of the core serve this one, too.
    arguments = ["-UPython_*", "-U_Python_*", "-UPYTHON_*", "-UPYBIND11_*", f"-DPython_EXECUTABLE={sys.executable}",
                 "-DCMAKE_BUILD_TYPE=Release", "-DPOLLARD_PYTHON=ON", "-DPOLLARD_PYTHON_ALONE=ON", "-DPOLLARD_BUILD_APP=OFF",
                 "-DPOLLARD_BUILD_BENCH=OFF", "-DPOLLARD_BUILD_TESTS=OFF", "-DPOLLARD_MPI=OFF", "-DPOLLARD_COMPILE_TOGETHER=ON"]
    try:
        import pybind11  # pylint: disable=import-outside-toplevel
        arguments.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    except ImportError:
        pass
    if shutil.which("ninja") and not (build / "CMakeCache.txt").exists():
        arguments += ["-G", "Ninja"]
    run(["cmake", "-S", ROOT, "-B", build, *arguments, *shlex.split(os.environ.get("CMAKE_ARGS", ""))])
    run(["cmake", "--build", build, "--target", "pollard_python"],
        {"CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count()), **os.environ})
    package = build / "python" / "pollard_morphology"
    subprocess.run(["strip", "--strip-unneeded", *package.glob(f"_core{suffix()}")], check=False)
    return package


def record_line(name, data):
    """Line of a file in RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    settings = config_settings or {}
    folder = settings.get("build-dir") or ROOT / "build" / f"wheel-{tag()}"
    package = build_module(pathlib.Path(folder).resolve())
    info = f"pollard_morphology-{version()}.dist-info"
    name = f"pollard_morphology-{version()}-{tag()}.whl"
    # The folder may also have modules for other versions of Python.
    names = [path for path in sorted(package.iterdir()) if path.suffix != ".so" or path.name == f"_core{suffix()}"]
    files = {f"pollard_morphology/{path.name}": path.read_bytes() for path in names if path.is_file()}
    files.update({f"{info}/{file}": text.encode() for file, text in dist_info().items()})
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    if "licenses" in settings:
        files.update({f"{info}/licenses/{path.name}": path.read_bytes() for path in sorted(pathlib.Path(settings["licenses"]).iterdir())})
    record = "".join(record_line(file, data) for file, data in files.items()) + f"{info}/RECORD,,\n"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, data in files.items():
            wheel.writestr(file, data)
        wheel.writestr(f"{info}/RECORD", record)
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes the metadata without a build."""
    folder = pathlib.Path(metadata_directory) / f"pollard_morphology-{version()}.dist-info"
    folder.mkdir()
    for file, text in dist_info().items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder.name


def build_sdist(sdist_directory, config_settings=None):
    """Writes the archive of sources and returns its name."""
    top = f"pollard_morphology-{version()}"
    project = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8")
    generated = {"PKG-INFO": dist_info()["METADATA"],
                 "pyproject.toml": project.replace('backend-path = ["."]', 'backend-path = ["python"]')}
    name = f"{top}.tar.gz"
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for source in SOURCES:
            archive.add(ROOT / source, f"{top}/{source}", filter=lambda entry: None if "__pycache__" in entry.name else entry)
        for file, text in generated.items():
            entry = tarfile.TarInfo(f"{top}/{file}")
            entry.size, entry.mtime = len(text.encode()), time.time()
            archive.addfile(entry, io.BytesIO(text.encode()))
    return name
