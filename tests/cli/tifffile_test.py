"""Reads files of pollard-cli with tifffile: their pixel size, units, channel names and layout of channels must be those
of the source, and their description is OME-XML if their names ask for it, else ImageJ's. Writes files of many channels with tifffile: pollard-cli must find the names and values of every channel.

usage: tifffile_test.py POLLARD_CLI; exit status 77: tifffile is missing
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
    import tifffile
except ImportError as problem:
    print(f"skipped: {problem}; Debian has it as python3-tifffile")
    sys.exit(77)

NO_UNIT, CENTIMETRE = 1, 3  # of ResolutionUnit
failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED:", message)


def near(a, b):
    return abs(a - b) <= 1e-6 * abs(b)


def image(pages=1):
    random = numpy.random.default_rng(3)
    data = random.integers(0, 4000, (pages, 32, 48), dtype=numpy.uint16)
    return data[0] if pages == 1 else data


def write_ome(path):
    """An OME-TIFF as microscopes write it, with the resolution tag of a printer."""
    tifffile.imwrite(path, image(), photometric="minisblack", ome=True, resolution=(72, 72), resolutionunit="INCH",
                     metadata={"axes": "YX", "PhysicalSizeX": 4.05296, "PhysicalSizeXUnit": "µm",
                               "PhysicalSizeY": 2.5, "PhysicalSizeYUnit": "µm", "Channel": {"Name": ["DAPI"]}})
    return 4.05296, 2.5, "DAPI"


def write_imagej(path):
    tifffile.imwrite(path, image(), imagej=True, resolution=(1 / 0.325, 1 / 0.65), metadata={"unit": "um"})
    return 0.325, 0.65, None


def write_printers_size(path):
    """Pixels of 100 µm, which are 254 dots an inch."""
    tifffile.imwrite(path, image(), imagej=True, resolution=(0.01, 0.01), metadata={"unit": "um"})
    return 100, 100, None


def resolution(page):
    def number(name):
        above, below = page.tags[name].value
        return above / below

    return number("XResolution"), number("YResolution"), int(page.tags["ResolutionUnit"].value)


def check_resolution(page, x, y, name, of_ome):
    """In pixels per cm beside OME-XML, and per µm beside ImageJ's text, which states the unit."""
    found_x, found_y, unit = resolution(page)
    micrometres = 1e4 if of_ome else 1
    check(unit == (CENTIMETRE if of_ome else NO_UNIT), f"{name}: ResolutionUnit {unit}")
    check(near(micrometres / found_x, x) and near(micrometres / found_y, y), f"{name}: {found_x}, {found_y} per unit")


def check_imagej(path, name, dtype, x, y):
    with tifffile.TiffFile(path) as tif:
        check(tif.is_imagej and not tif.is_ome, f"{name}: not described for ImageJ")
        check((tif.imagej_metadata or {}).get("unit") == "um", f"{name}: {tif.imagej_metadata}")
        check_resolution(tif.pages[0], x, y, name, of_ome=False)
        series = tif.series[0]
        check(series.shape == (32, 48) and series.dtype == dtype, f"{name}: {series.shape} {series.dtype}")
        check(series.asarray().shape == (32, 48), f"{name}: pixels")


def check_ome(path, name, dtype, x, y, channel):
    with tifffile.TiffFile(path) as tif:
        check(tif.is_ome, f"{name}: no OME-TIFF")
        check_resolution(tif.pages[0], x, y, name, of_ome=True)
        if not tif.is_ome:
            return
        pixels = tifffile.xml2dict(tif.ome_metadata)["OME"]["Image"]["Pixels"]
        check(pixels["PhysicalSizeX"] == x or near(pixels["PhysicalSizeX"], x), f"{name}: {pixels['PhysicalSizeX']}")
        check(near(pixels["PhysicalSizeY"], y), f"{name}: {pixels['PhysicalSizeY']}")
        check(pixels["PhysicalSizeXUnit"] == "µm", f"{name}: {pixels['PhysicalSizeXUnit']}")
        check(pixels["Type"] == dtype, f"{name}: type {pixels['Type']}")
        check(pixels["Channel"].get("Name") == channel, f"{name}: channel {pixels['Channel'].get('Name')}")
        series = tif.series[0]
        check(series.shape == (32, 48) and series.dtype == dtype, f"{name}: {series.shape} {series.dtype}")
        check(series.asarray().shape == (32, 48), f"{name}: pixels")


def channels_of(program, path):
    told = subprocess.run([program, "info", path, "--json"], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return json.loads(told.stdout)["channels"]


def check_values(program, path, expected):
    """Each channel, by its name, has the values of an array of numpy."""
    found = [channel["name"] for channel in channels_of(program, path)]
    check(found == list(expected), f"{path}: channels {found} instead of {list(expected)}")
    for name in set(found) & set(expected):
        # Every component has a pixel: the filter changes none.
        subprocess.run([program, "filter", path, "--channel", name, "--keep", "area>=1", "-o", "channel.tif"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        check(numpy.array_equal(tifffile.imread("channel.tif"), expected[name]), f"{path}: values of {name}")


def check_ome_channels(program):
    names = ["DAPI", "GFP", "Cy5"]
    sizes = {"T": 2, "Z": 3, "C": 3}
    metadata = {"Channel": {"Name": names, "Color": [65535, 16711935, -16776961],
                            "EmissionWavelength": [461, 0.509, 6700],
                            "EmissionWavelengthUnit": ["nm", "µm", "Å"]}}
    for order in itertools.permutations("TZC"):
        path = f"ome_{''.join(order)}.ome.tif"
        shape = [sizes[axis] for axis in order]
        data = image(18).reshape(*shape, 32, 48)
        tifffile.imwrite(path, data, ome=True, photometric="minisblack",
                         metadata={"axes": "".join(order) + "YX", **metadata})
        found = channels_of(program, path)
        check([channel["colour"] for channel in found] == ["#0000ff", "#00ff00", "#ff0000"], f"{path}: {found}")
        check(numpy.allclose([channel["wavelength_nm"] or 0 for channel in found], [461, 509, 670]), f"{path}: {found}")
        for place in ({"T": 0, "Z": 0}, {"T": 1, "Z": 2}):
            index = [slice(None) if axis == "C" else place[axis] for axis in order]
            planes = data[tuple(index)]
            page = numpy.ravel_multi_index([place.get(axis, 1) for axis in order], shape)
            check_values(program, f"{path}[{page}]", dict(zip(names, planes)))


def check_imagej_channels(program):
    data = image(12).reshape(2, 2, 3, 32, 48)
    ramp = numpy.arange(256, dtype=numpy.uint8)
    zero = numpy.zeros_like(ramp)
    for order in "<>":
        path = f"imagej_{'little' if order == '<' else 'big'}.tif"
        tifffile.imwrite(path, data, imagej=True, byteorder=order, metadata={
            "axes": "TZCYX", "mode": "composite", "Ranges": (0, 3000, 10.5, 4000, 0, 65535),
            "LUTs": [numpy.stack(table) for table in ((zero, zero, ramp), (zero, ramp, zero), (ramp, ramp, ramp))],
            "Labels": ["nuclei", "spots", "spots"] * 4})
        found = channels_of(program, path)
        check([channel["colour"] for channel in found] == ["#0000ff", "#00ff00", "#ffffff"], f"{path}: {found}")
        check([channel["window"] for channel in found] == [[0, 3000], [10.5, 4000], [0, 65535]], f"{path}: {found}")
        check_values(program, f"{path}[4]", dict(zip(["nuclei", "spots", "spots 2"], data[0, 1])))


def check_samples(program):
    def numbered(count):
        return [f"channel {i}" for i in range(count)]

    for count, photometric, dtype, names in ((3, "rgb", "uint8", ["red", "green", "blue"]),
                                             (3, "rgb", "uint16", ["red", "green", "blue"]),
                                             (4, "separated", "uint8", ["cyan", "magenta", "yellow", "black"]),
                                             (13, "minisblack", "uint16", numbered(13))):
        planes = image(count).astype(dtype)
        for planar in (False, True):
            path = f"{photometric}_{count}_{dtype}_{'planar' if planar else 'interleaved'}.tif"
            tifffile.imwrite(path, planes if planar else numpy.moveaxis(planes, 0, -1), photometric=photometric,
                             planarconfig="separate" if planar else "contig", metadata=None)
            check_values(program, path, dict(zip(names, planes)))

    xml = ('<GDALMetadata><Item name="DESCRIPTION" sample="3" role="description">B08</Item>'
           '<Item name="COLORINTERP" sample="0" role="colorinterp">Blue</Item>'
           '<Item name="CENTRAL_WAVELENGTH_UM" sample="3" domain="IMAGERY">0.842</Item></GDALMetadata>')
    planes = image(4)
    tifffile.imwrite("bands.tif", planes, photometric="minisblack", planarconfig="separate", metadata=None,
                     extratags=[(42112, "s", 0, xml, True)])
    found = channels_of(program, "bands.tif")
    check(found[0]["colour"] == "#0000ff" and found[3]["wavelength_nm"] == 842, f"bands: {found}")
    check_values(program, "bands.tif", dict(zip(["Blue", "channel 1", "channel 2", "B08"], planes)))


def main(program):
    check_ome_channels(program)
    check_imagej_channels(program)
    check_samples(program)

    def run(*arguments):
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL)

    for write in (write_ome, write_imagej, write_printers_size):
        source = "source.tif"
        x, y, channel = write(source)
        name = write.__name__[6:]

        def checked(variant, dtype, *arguments, result="out.tif"):
            run(*arguments)
            check_imagej(result, f"{name}, {variant}", dtype, x, y)
            run(*(argument.replace("out.tif", "out.ome.tif") for argument in arguments))
            check_ome("out.ome.tif", f"{name}, {variant}", dtype, x, y, channel)

        keep = ["--keep", "area>=4", "-o", "out.tif"]
        checked("filtered", "uint16", "filter", source, *keep)
        checked("residue", "uint16", "filter", source, *keep, "--output", "residue")
        checked("mask", "uint16", "filter", source, *keep, "--output", "mask")
        checked("labels of a filter", "uint32", "filter", source, *keep, "--output", "labels")
        checked("parent image", "uint32", "tree", source, "--parent", "out.tif")
        checked("labels", "uint32", "components", source, "--threshold", "otsu", "--labels", "out.tif")
        checked("stable regions", "uint32", "mser", source, "--labels", "out.tif")
        checked("h-maxima", "uint16", "h-maxima", source, "--h", "30", "-o", "out.tif")
        checked("contour", "uint8", "snake", source, "--init", "10,8,30,20", "--mask", "out.tif")

        # The pages of a profile are thresholds: no axis is made up for them.
        run("profile", source, "--attribute", "area", "--thresholds", "10,100,1000", "-o", "out.tif")
        with tifffile.TiffFile("out.tif") as tif:
            check(len(tif.pages) >= 3, f"{name}, profile: {len(tif.pages)} pages")
            for page in tif.pages:
                check_resolution(page, x, y, f"{name}, profile", of_ome=False)
            metadata = tif.imagej_metadata or {}
            check(metadata.get("unit") == "um", f"{name}, profile: {metadata}")
            check(not {"slices", "frames", "channels"} & set(metadata), f"{name}, profile: {metadata}")
            pixels = [page.asarray().shape for page in tif.pages]
            check(set(pixels) == {(32, 48)}, f"{name}, profile: {pixels}")

    check_channels(run)
    check_imagej_hyperstack(run)

    if failures:
        sys.exit(f"{len(failures)} facts are wrong")
    print("tifffile", tifffile.__version__, "finds all sizes and channels")


def check_channels(run):
    """Files of all channels, as --channel all and --guide write them from files that tifffile wrote."""
    random = numpy.random.default_rng(5)
    names = ["DAPI", "GFP", "far red", "bright field"]
    sources = {
        "interleaved": ((32, 48, 3), "YXS", {"photometric": "rgb"}),
        "planar": ((3, 32, 48), "SYX", {"photometric": "rgb", "planarconfig": "separate"}),
        "interleaved with transparency": ((32, 48, 4), "YXS", {"photometric": "rgb", "extrasamples": ["unassalpha"]}),
        "bands": ((32, 48, 5), "YXS", {"photometric": "minisblack", "planarconfig": "contig"}),
        "planar bands": ((5, 32, 48), "SYX", {"photometric": "minisblack", "planarconfig": "separate"}),
        "OME": ((4, 32, 48), "CYX", {"photometric": "minisblack", "ome": True, "metadata": {
            "axes": "CYX", "PhysicalSizeX": 0.5, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.25,
            "PhysicalSizeYUnit": "µm", "Channel": {"Name": names}}}),
    }
    for name, (shape, axes, how) in sources.items():
        for dtype in (numpy.uint8, numpy.uint16):
            data = random.integers(3, 200, shape, dtype=dtype)
            tifffile.imwrite("channels.tif", data, **({"metadata": None} | how))
            with tifffile.TiffFile("channels.tif") as source:
                before = source.pages[0]
                for keep, output in (("area>=1", "filtered"), ("area>=1", "residue"), ("area>=6", "filtered")):
                    title = f"{name}, {data.dtype}, {output} of {keep}"
                    target = "out.ome.tif" if name == "OME" else "out.tif"
                    run("filter", "channels.tif", "-o", target, "--channel", "all", "--keep", keep, "--output", output)
                    with tifffile.TiffFile(target) as tif:
                        page, series = tif.pages[0], tif.series[0]
                        check(series.shape == shape and series.axes == axes, f"{title}: {series.shape} {series.axes}")
                        check(series.dtype == dtype, f"{title}: {series.dtype}")
                        for fact in ("photometric", "planarconfig", "extrasamples", "samplesperpixel"):
                            check(getattr(page, fact) == getattr(before, fact), f"{title}: {getattr(page, fact)}")
                        pixels = series.asarray()
                        expected = data.copy()
                        if output == "residue":
                            expected[..., :3 if "transparency" in name else None] = 0
                        check(keep != "area>=1" or (pixels == expected).all(), f"{title}: values")
                        check(keep == "area>=1" or ((pixels <= data).all() and (pixels < data).any()), f"{title}: values")
                        if name == "OME":
                            found = tifffile.xml2dict(tif.ome_metadata)["OME"]["Image"]["Pixels"]
                            channels = [channel["Name"] for channel in found["Channel"]]
                            check(channels == names, f"{title}: channels {channels}")
                            check(near(found["PhysicalSizeX"], 0.5) and near(found["PhysicalSizeY"], 0.25),
                                  f"{title}: size of a pixel")
            guide = "GFP" if name == "OME" else "1"
            run("filter", "channels.tif", "-o", "out.tif", "--guide", guide, "--keep", "2<=area<=200")
            run("filter", "channels.tif", "-o", "mask.tif", "--channel", guide, "--keep", "2<=area<=200", "--output",
                "mask")
            mask = tifffile.imread("mask.tif") > 0
            colours = slice(3 if "transparency" in name else None)
            marked = numpy.broadcast_to(mask if axes.endswith("YX") else mask[..., None], shape)
            expected = data.copy()
            expected[..., colours][~marked[..., colours]] = 0
            check((tifffile.imread("out.tif") == expected).all(), f"{name}, {data.dtype}: cut out by channel {guide}")


def check_imagej_hyperstack(run):
    """All channels of one slice and time of an ImageJ file, as --channel all writes them."""
    data = image(12).reshape(2, 2, 3, 32, 48)
    ramp = numpy.arange(256, dtype=numpy.uint8)
    zero = numpy.zeros_like(ramp)
    tables = [numpy.stack(table) for table in ((zero, zero, ramp), (zero, ramp, zero), (ramp, ramp, ramp))]
    for dtype in (numpy.uint8, numpy.uint16):
        source = (data % 251).astype(dtype)
        tifffile.imwrite("hyperstack.tif", source, imagej=True, resolution=(1 / 0.325, 1 / 0.65), metadata={
            "axes": "TZCYX", "mode": "composite", "unit": "um", "spacing": 2.0, "LUTs": tables,
            "Ranges": (0, 3000, 10.5, 4000, 0, 65535), "Labels": ["nuclei", "spots", "far red"] * 4})
        title = f"ImageJ, {source.dtype}"
        run("filter", "hyperstack.tif[9]", "-o", "out.tif", "--channel", "all", "--keep", "area>=1")
        with tifffile.TiffFile("out.tif") as tif:
            metadata = tif.imagej_metadata
            check(metadata["Labels"] == ["nuclei", "spots", "far red"], f"{title}: names {metadata['Labels']}")
            check((numpy.array(metadata["LUTs"]) == numpy.array(tables)).all(), f"{title}: colours")
            check(tuple(metadata["Ranges"]) == (0, 3000, 10.5, 4000, 0, 65535), f"{title}: {metadata['Ranges']}")
            check(metadata["mode"] == "composite", f"{title}: mode {metadata['mode']}")
            resolution = [tif.pages[0].tags[name].value for name in ("XResolution", "YResolution")]
            micrometres = {"cm": 1e4, "um": 1}[metadata["unit"]]
            sizes = [micrometres * size for size in (*(value[1] / value[0] for value in resolution),
                                                     metadata["spacing"])]
            check(all(map(near, sizes, (0.325, 0.65, 2))), f"{title}: sizes {sizes}")
            series = tif.series[0]
            check(series.axes == "CYX" and (series.asarray() == source[1, 1]).all(), f"{title}: values")


if __name__ == "__main__":
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(command)
