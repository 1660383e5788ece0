"""CMake leaves out every optional part that is half there, says why in one line, and stops with one line if a required part
is missing.

Libraries of formats are files without content in a folder of the test, so one of them can be hidden. Descriptions of
packages are copied there without the files that they name.

usage: configure_test.py CMAKE GENERATOR COMPILER
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, GENERATOR, COMPILER = sys.argv[1:4]
SOURCE = pathlib.Path(__file__).resolve().parents[2]

# Headers and libraries of each module of pkg-config.
MODULES = {
    "blosc": ("2.0", ["blosc.h"], ["blosc"]),
    "cfitsio": ("4.0", ["fitsio.h"], ["cfitsio"]),
    "gdal": ("3.9", ["gdal.h"], ["gdal"]),
    "liblz4": ("1.9", ["lz4.h"], ["lz4"]),
    "libopenjp2": ("2.5", ["openjpeg.h"], ["openjp2"]),
    "libwebp": ("1.3", ["webp/decode.h"], ["webp"]),
    "libwebpdemux": ("1.3", ["webp/demux.h"], ["webpdemux"]),
    "libwebpmux": ("1.3", ["webp/mux.h"], ["webpmux"]),
    "libzstd": ("1.5", ["zstd.h"], ["zstd"]),
    "openslide": ("4.0", ["openslide.h"], ["openslide"]),
    "proj": ("9.4", ["proj.h"], ["proj"]),
    "sqlite3": ("3.40", ["sqlite3.h"], ["sqlite3"]),
    "wcslib": ("7.12", ["wcs.h", "wcshdr.h"], ["wcs"]),
}
OTHER_HEADERS = ["tiff.h", "tiffio.h", "png.h", "zlib.h", "jpeglib.h", "dcmtk/dcmjpeg/djdecode.h", "tbb/parallel_for.h",
                 "nlohmann/json.hpp", "CLI/CLI.hpp", "pugixml.hpp"]
OTHER_LIBRARIES = ["tiff", "png", "z", "jpeg", "dcmjpeg", "dcmjpls", "dcmdata", "oflog", "ofstd", "dcmimage"]
# A header, a library and a module of each format, with the beginning of its line.
FORMATS = {
    "FITS": ("fitsio.h", "cfitsio", "cfitsio"),
    "Whole slides": ("openslide.h", "openslide", "openslide"),
    "Map coordinates": ("proj.h", "proj", "proj"),
    "Positions in the sky": ("wcs.h", "wcs", "wcslib"),
    "OME-Zarr": ("zstd.h", "lz4", "blosc"),
    "Rasters and vector files": ("gdal.h", "sqlite3", "gdal"),
}


def without(*packages):
    """Options that hide packages of CMake."""
    return [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in packages]


NO_QT = ["-DPOLLARD_BUILD_APP=OFF", *without("Qt6", "Qt6Core", "Qt6Charts", "Qt6Svg", "Qt6OpenGL")]
PARTS = ["BUILD_TESTS", "BUILD_BENCH", "CUDA", "MPI", "PYTHON", "FITS", "OPENSLIDE", "PROJ", "WCS", "ZARR", "GDAL", "DCMTK"]


def only(*wanted):
    """Options that leave out the window and all optional parts but these."""
    return NO_QT + [f"-DPOLLARD_{part}=OFF" for part in PARTS if part not in wanted]


def debian(name):
    """How a message begins the name of the package with a library, a header or a module."""
    return "Debian: wcslib-dev" if "wcs" in name.lower() else "Debian: lib"


class Prefix:
    """A folder with the libraries of the formats, without the hidden headers, libraries, modules and folders of modules."""

    def __init__(self, folder, hidden):
        self.folder = folder
        for header in [*OTHER_HEADERS, *(header for _, headers, _ in MODULES.values() for header in headers)]:
            self.write("include/" + header, "", header in hidden)
        for library in [*OTHER_LIBRARIES, *(library for _, _, libraries in MODULES.values() for library in libraries)]:
            self.write(f"lib/lib{library}.so", "", "lib" + library in hidden)
        for module, (version, _, libraries) in MODULES.items():
            names = " ".join("-l" + library for library in libraries)
            self.write(f"pc/{module}.pc", f"Name: {module}\nDescription: {module}\nVersion: {version}\n"
                       f"Libs: -L{folder}/lib {names}\nCflags: -I{folder}/include -I{folder}/{module}\n", module + ".pc" in hidden)
            if module + "/" not in hidden:
                (folder / module).mkdir(exist_ok=True)

    def write(self, name, text, hidden=False):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if hidden:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text, encoding="utf-8")

    def program(self, name, text):
        self.write("bin/" + name, "#!/bin/sh\n" + text)
        (self.folder / "bin" / name).chmod(0o755)
        return self.folder / "bin" / name

    def copy(self, description, ignored=()):
        """Copies the description of a package to the same place below the folder, so that it looks for its files there."""
        place = self.folder / pathlib.Path(description).relative_to("/usr")
        shutil.copytree(description, place, ignore=shutil.ignore_patterns(*ignored))
        return place


class Configured:
    """A run of CMake and what it printed."""

    def __init__(self, folder, options, hidden=(), formats=True, prepare=None):
        self.prefix = Prefix(folder / "prefix", hidden)
        self.build = folder / "build"
        options = list(options) + (prepare(self.prefix) if prepare else [])
        environment = {name: value for name, value in os.environ.items() if name not in ("CUDACXX", "CUDAHOSTCXX", "CMAKE_ARGS")}
        environment["PATH"] = f"{self.prefix.folder / 'bin'}:{environment['PATH']}"
        if formats:
            environment["PKG_CONFIG_LIBDIR"] = str(self.prefix.folder / "pc")
            options += [f"-DCMAKE_PREFIX_PATH={self.prefix.folder}", "-DCMAKE_IGNORE_PATH=" + ";".join(system_folders())]
        done = subprocess.run([CMAKE, "-S", SOURCE, "-B", self.build, "-G", GENERATOR, f"-DCMAKE_CXX_COMPILER={COMPILER}",
                               "--no-warn-unused-cli", "-DPOLLARD_COMPILE_TOGETHER=OFF", *options],
                              capture_output=True, text=True, check=False, env=environment)
        self.passed = done.returncode == 0
        self.output = done.stdout + done.stderr
        self.lines = dict(re.findall(r"^-- ([A-Z][\w -]+): ((?:for|none|not|read|with|built)\b.+)$", done.stdout, re.MULTILINE))
        self.errors = re.findall(r"CMake Error.*\n+((?: .*\n+)+)", done.stderr)

    def cached(self, name):
        found = re.search(rf"^{name}:\w+=(.*)$", (self.build / "CMakeCache.txt").read_text(encoding="utf-8"), re.MULTILINE)
        return found[1] if found else ""


def system_folders():
    """Folders that the compiler and the linker search by themselves."""
    asked = subprocess.run([COMPILER, "-print-multiarch"], capture_output=True, text=True, check=False).stdout.strip()
    roots = ["/usr/include", "/usr/local/include", "/usr/lib", "/usr/local/lib", "/lib", "/usr/lib64", "/lib64"]
    return roots + [f"{root}/{asked}" for root in roots if asked]


def mpi_without(missing):
    """A wrapper of MPI without headers or library, beside the program that starts processes."""
    def prepare(prefix):
        prefix.write("mpi/mpi.h", "inline int MPI_Init(int*, char***) { return 0; }\n")
        compiling, linking = f"-I{prefix.folder}/{'nowhere' if missing == 'headers' else 'mpi'}", "-lmpi_nowhere"
        prefix.program("mpiexec", "exit 1\n")
        for name in ("mpicxx", "mpic++", "mpiCC"):
            prefix.program(name, f"""case "$1" in
-showme:compile) echo "{compiling}" ;;
-showme:link) echo "{linking}" ;;
-show*) exit 1 ;;
*) exec "{COMPILER}" {compiling} "$@" {linking} ;;
esac
""")
        return []
    return prepare


def broken_nvcc(prefix):
    return [f"-DCMAKE_CUDA_COMPILER={prefix.program('nvcc', 'echo nvcc fatal : no cicc >&2; exit 1')}"]


class HalfThere(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        cls.number = 0
        cls.runs = {}
        formats = only("FITS", "OPENSLIDE", "PROJ", "WCS", "ZARR", "GDAL", "DCMTK")
        cls.start("all formats", formats)
        for title, (header, _, _) in FORMATS.items():
            cls.start(title, formats, hidden=[header])
        for header in ("blosc.h", "sqlite3.h", "dcmtk/dcmjpeg/djdecode.h"):
            cls.start(header, formats, hidden=[header])
        cls.start("folders", formats, hidden=[module + "/" for _, _, module in FORMATS.values()])
        cls.start("libraries", formats, hidden=["lib" + library for _, library, _ in FORMATS.values()] + ["libdcmjpls"])
        cls.start("modules", formats, hidden=[module + ".pc" for _, _, module in FORMATS.values()])
        cls.start("wanted format", only("FITS") + ["-DPOLLARD_FITS=ON"], hidden=["fitsio.h"])
        cls.start("required", only() + without("TBB", "nlohmann_json", "CLI11", "pugixml"),
                  hidden=["tiffio.h", "png.h", "libz", "jpeglib.h", "openjpeg.h", "libwebpmux.pc"])
        cls.start("mpi headers", only("MPI"), prepare=mpi_without("headers"))
        cls.start("mpi library", only("MPI"), prepare=mpi_without("library"))
        cls.start("nvcc", only("CUDA"), prepare=broken_nvcc)
        cls.start("wanted nvcc", only("CUDA") + ["-DPOLLARD_CUDA=ON"], prepare=broken_nvcc)
        cls.start("benchmark", only("BUILD_BENCH") + without("benchmark"))
        cls.whole = Configured(cls.folder(), only("PYTHON", "BUILD_TESTS", "BUILD_BENCH"), formats=False)

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown(cancel_futures=True)
        cls.temporary.cleanup()

    @classmethod
    def folder(cls):
        cls.number += 1
        return pathlib.Path(cls.temporary.name) / str(cls.number)

    @classmethod
    def start(cls, name, *arguments, **options):
        cls.runs[name] = cls.pool.submit(Configured, cls.folder(), *arguments, **options)

    def run_of(self, name, passes=True):
        run = self.runs[name].result()
        self.assertEqual(run.passed, passes, run.output)
        return run

    def assert_left_out(self, run, title, word, package):
        """One line has the title, what is missing and the package that brings it."""
        self.assertRegex(run.lines[title], rf"^not (built|read).*{re.escape(word)}.*")
        self.assertIn(package, run.lines[title])

    def assert_stops(self, run, *words):
        self.assertFalse(run.passed, run.output)
        self.assertEqual(len(run.errors), 1, run.output)
        first = run.errors[0].strip().splitlines()[0]
        for word in words:
            self.assertIn(word, first)

    def test_formats_are_read_if_their_libraries_are_there(self):
        lines = self.run_of("all formats").lines
        for title in [*FORMATS, "DICOM with JPEG or JPEG-LS"]:
            self.assertRegex(lines[title], "^read with")

    def test_a_format_without_its_header_is_left_out_alone(self):
        whole = self.run_of("all formats").lines
        titles = dict.fromkeys(FORMATS) | {"blosc.h": "OME-Zarr", "sqlite3.h": "Rasters and vector files",
                                           "dcmtk/dcmjpeg/djdecode.h": "DICOM with JPEG or JPEG-LS"}
        for name, title in titles.items():
            with self.subTest(name):
                run = self.run_of(name)
                header = FORMATS[name][0] if name in FORMATS else name
                title = title or name
                self.assert_left_out(run, title, f"{header} is missing ({debian(header)}", "-dev")
                self.assertEqual({key for key in whole if whole[key] != run.lines[key]}, {title})

    def test_formats_without_their_library_are_left_out(self):
        run = self.run_of("libraries")
        for title, (_, library, _) in FORMATS.items():
            self.assert_left_out(run, title, f"the library {library} is missing", debian(library))
        self.assert_left_out(run, "DICOM with JPEG or JPEG-LS", "dcmjpls", "libdcmtk-dev")

    def test_formats_without_a_folder_of_headers_are_left_out(self):
        run = self.run_of("folders")
        for title, (_, _, module) in FORMATS.items():
            self.assert_left_out(run, title, f"{run.prefix.folder}/{module} is missing", debian(module))

    def test_formats_without_their_module_are_left_out(self):
        run = self.run_of("modules")
        for title, (_, _, module) in FORMATS.items():
            self.assert_left_out(run, title, f"pkg-config does not find {module}", debian(module))

    def test_a_format_comes_back_when_its_header_is_there(self):
        run = self.run_of("FITS")
        run.prefix.write("include/fitsio.h", "")
        again = subprocess.run([CMAKE, run.build], capture_output=True, text=True, check=True,
                               env=os.environ | {"PKG_CONFIG_LIBDIR": str(run.prefix.folder / "pc")})
        self.assertIn("-- FITS: read with cfitsio", again.stdout)

    def test_a_format_that_is_wanted_stops_without_its_header(self):
        self.assert_stops(self.run_of("wanted format", passes=False), "POLLARD_FITS=ON", "fitsio.h", "libcfitsio-dev")

    def test_required_parts_are_named_together(self):
        self.assert_stops(self.run_of("required", passes=False), "libtiff-dev", "libpng-dev", "zlib1g-dev", "libjpeg-dev",
                          "openjpeg.h", "libopenjp2-7-dev", "libwebp-dev", "libtbb-dev", "nlohmann-json3-dev", "libcli11-dev",
                          "libpugixml-dev")

    def test_mpi_without_headers_or_library_is_left_out(self):
        self.assert_left_out(self.run_of("mpi headers"), "MPI", "mpi.h", "libopenmpi-dev")
        self.assert_left_out(self.run_of("mpi library"), "MPI", "mpi_nowhere", "libopenmpi-dev")

    def test_nvcc_that_fails_is_left_out(self):
        self.assert_left_out(self.run_of("nvcc"), "CUDA engine", "no cicc", "nvcc")
        self.assert_stops(self.run_of("wanted nvcc", passes=False), "POLLARD_CUDA=ON", "no cicc")

    def test_benchmarks_are_left_out(self):
        self.assert_left_out(self.run_of("benchmark"), "Benchmarks", "benchmark is missing", "libbenchmark-dev")

    def test_the_python_module_is_left_out(self):
        if not self.whole.lines["Python module"].startswith("for Python"):
            self.skipTest("no pybind11 here")
        include = self.whole.cached("_Python_INCLUDE_DIR") or self.whole.cached("Python_INCLUDE_DIR")
        run = Configured(self.folder(), only("PYTHON") + [f"-DCMAKE_IGNORE_PATH={include}"], formats=False)
        self.assert_left_out(run, "Python module", "Python.h is missing", "python3-dev")
        run = Configured(self.folder(), only("PYTHON"),
                         prepare=lambda prefix: [f"-Dpybind11_DIR={prefix.copy(self.whole.cached('pybind11_DIR'))}"])
        self.assert_left_out(run, "Python module", "is missing", "pybind11-dev")

    def test_tests_without_gmock_are_left_out(self):
        def no_gmock(prefix):
            place = prefix.copy(self.whole.cached("GTest_DIR"), ["GMock*"])
            for library in re.findall(r"_IMPORT_PREFIX}/(\S+lib\w+\.\w+)\"", "".join(
                    file.read_text(encoding="utf-8") for file in place.glob("GTestTargets-*.cmake"))):
                prefix.write(library, "")
            return [f"-DGTest_DIR={place}"]
        if not list(pathlib.Path(self.whole.cached("GTest_DIR")).glob("GMock*")):
            self.skipTest("GoogleTest is one package here")
        run = Configured(self.folder(), only("BUILD_TESTS"), formats=False, prepare=no_gmock)
        self.assert_left_out(run, "Tests", "gmock", "libgmock-dev")


class Window(unittest.TestCase):
    """The window needs Qt, the command line does not: the other tests hide Qt."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.options = [option for option in only("BUILD_TESTS") if option not in NO_QT]

    def configured(self, name, *arguments, **options):
        return Configured(pathlib.Path(self.temporary.name) / name, *arguments, formats=False, **options)

    def test_parts_of_qt_that_are_missing_are_named_together(self):
        run = self.configured("missing", self.options + without("Qt6Charts", "Qt6Svg", "Qt6OpenGL"))
        HalfThere.assert_stops(self, run, "qt6-charts-dev", "qt6-svg-dev", "libqt6opengl6-dev", "POLLARD_BUILD_APP=OFF")

    def test_translations_are_left_out_without_lrelease(self):
        whole = self.configured("whole", self.options)
        self.assertTrue(whole.passed, whole.output)
        if "Translations" in whole.lines:
            self.skipTest("no Qt Linguist here")
        programs = os.path.dirname(whole.cached("POLLARD_LRELEASE"))
        tools = whole.cached("Qt6LinguistTools_DIR")
        run = self.configured("half", self.options + [f"-DCMAKE_IGNORE_PATH={programs};{os.path.dirname(programs)}/libexec"],
                              prepare=lambda prefix: [f"-DQt6LinguistTools_DIR={prefix.copy(tools)}"])
        self.assertTrue(run.passed, run.output)
        self.assertRegex(run.lines["Translations"], "^none: lrelease is missing .*qt6-l10n-tools")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
