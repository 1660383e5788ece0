#!/usr/bin/python3
"""Results of images with pixels without data, read by GDAL: the share of valid pixels equals that of the source, and
so does the smallest value of a result that keeps everything.

Usage: no_data_in_gdal.py FOLDER_OF_THE_PROGRAMS
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from osgeo import gdal, osr
except ImportError as missing:
    print(f"no_data_in_gdal: {missing}")
    sys.exit(77)

gdal.UseExceptions()
KEEP = ["--keep", "area>=1"]


def write(name, bands, kind, no_data):
    system = osr.SpatialReference()
    system.ImportFromEPSG(3035)
    height, width = bands[0].shape
    file = gdal.GetDriverByName("GTiff").Create(name, width, height, len(bands), kind)
    file.SetGeoTransform((4321000, 10, 0, 3210000, 0, -10))
    file.SetProjection(system.ExportToWkt())
    for number, band in enumerate(bands, 1):
        file.GetRasterBand(number).WriteArray(band)
        if no_data is not None:
            file.GetRasterBand(number).SetNoDataValue(no_data)


def statistics(file, number=1):
    """Share of valid pixels, smallest value, whether a value marks the others."""
    band = file.GetRasterBand(number)
    smallest = band.ComputeStatistics(False)[0]
    share = float(band.GetMetadataItem("STATISTICS_VALID_PERCENT"))
    return share, smallest * (band.GetScale() or 1) + (band.GetOffset() or 0)


def make_sources():
    random = np.random.default_rng(5)
    hills = np.cumsum(np.cumsum(random.normal(size=(150, 190)), 0), 1)
    heights = (hills - hills.min()) / (hills.max() - hills.min()) * 600 - 120
    hole = np.s_[:20, :30]

    def holed(values, value):
        values = values.copy()
        values[hole] = value
        return values

    real = heights.astype(np.float32)
    # Every level of 16 bits has a pixel.
    full = np.arange(300 * 256, dtype=np.float32).reshape(300, 256) % 65536
    write("i16.tif", [holed(heights.astype(np.int16), -9999)], gdal.GDT_Int16, -9999)
    write("i16 inside.tif", [holed(heights.astype(np.int16) | 1, 0)], gdal.GDT_Int16, 0)
    write("i32.tif", [holed(heights.astype(np.int32), -2147483648)], gdal.GDT_Int32, -2147483648)
    write("f32 nan.tif", [holed(real, np.nan)], gdal.GDT_Float32, None)
    write("f32.tif", [holed(real, -9999)], gdal.GDT_Float32, -9999)
    write("f64.tif", [holed(heights, -3.4e38)], gdal.GDT_Float64, -3.4e38)
    write("full.tif", [holed(full, np.nan)], gdal.GDT_Float32, None)
    write("u16.tif", [holed((heights + 121).astype(np.uint16), 0)], gdal.GDT_UInt16, 0)
    write("u8.tif", [holed((heights / 4 + 60).astype(np.uint8), 255)], gdal.GDT_Byte, 255)
    other = np.roll(heights, 40, 1)
    write("bands f32.tif", [holed(real, np.nan), holed(other.astype(np.float32), np.nan)], gdal.GDT_Float32, None)
    write("bands i16.tif", [holed(x.astype(np.int16), -9999) for x in (heights, other)], gdal.GDT_Int16, -9999)
    write("bands u16.tif", [holed((x + 200).astype(np.uint16), 0) for x in (heights, other)], gdal.GDT_UInt16, 0)


def jobs(source):
    """Name, arguments of the program before and after the target, whether smallest values are equal."""
    yield "filter", ["filter", source], KEEP, True
    yield "area>=30", ["filter", source], ["--keep", "area>=30"], True
    yield "subtractive", ["filter", source], ["--keep", "area>=30", "--rule", "subtractive"], True
    yield "residue", ["filter", source], ["--keep", "area>=30", "--output", "residue"], False
    yield "stream", ["filter", source], [*KEEP, "--stream", "--chunk", "512"], True
    yield "stream residue", ["filter", source], ["--keep", "area>=30", "--output", "residue", "--stream"], False
    yield "h-maxima", ["h-maxima", source], ["--h", "3"], True
    yield "profile", ["profile", source], ["--thresholds", "1,30"], True
    yield "profile, stream", ["profile", source], ["--thresholds", "1,30", "--stream"], True
    yield "differential", ["profile", source], ["--thresholds", "10,30", "--differential"], False
    yield "bands", ["profile", source], ["--thresholds", "1,30", "--bands"], True
    if source.startswith("bands"):
        yield "all", ["filter", source], [*KEEP, "--channel", "all"], True
        yield "all, residue", ["filter", source], [*KEEP, "--channel", "all", "--output", "residue"], False
        yield "all, stream", ["filter", source], [*KEEP, "--channel", "all", "--stream"], True
        yield "guide", ["filter", source], [*KEEP, "--guide", "1"], True


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "pollard-cli")
    wrong = 0

    def run(*arguments):
        done = subprocess.run([program, *arguments, "-q"], capture_output=True, text=True)
        return done.stderr.strip() if done.returncode else ""

    def check(source, name, target, expected, has_minimum, problem):
        nonlocal wrong
        found, smallest = (0, 0), True
        if not problem:
            file = gdal.Open(target)
            found = statistics(file)
            band = file.GetRasterBand(1)
            step = 1.01 * (band.GetScale() or 1)
            smallest = not has_minimum or abs(found[1] - expected[1]) <= step / 2
            kind = gdal.GetDataTypeName(band.DataType)
            mark = band.GetNoDataValue()
            again = run("filter", target, "-o", "again.tif", *KEEP)
            share = statistics(gdal.Open("again.tif"))[0] if not again else -1
            problem = again or ("" if abs(share - expected[0]) < 0.01 else f"read again: {share} % valid")
        good = not problem and abs(found[0] - expected[0]) < 0.01 and smallest
        wrong += not good
        print(f"{source:16} {name:16} {found[0]:9.3f} {expected[0]:9.3f} {found[1]:10.3f} {expected[1]:10.3f} "
              f"{kind if found[0] else '':8} {str(mark) if found[0] else '':14} {'' if good else 'WRONG ' + problem}")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_sources()
        print(f"{'source':16} {'result':16} {'valid':>9} {'expected':>9} {'minimum':>10} {'expected':>10} type     no data")
        for source in sorted(file for file in os.listdir(".") if file.endswith(".tif")):
            expected = statistics(gdal.Open(source))
            for name, before, after, has_minimum in jobs(source):
                if not has_minimum and source.split()[-1].startswith("u"):
                    continue  # every difference of stored levels is data
                target = "result.tif"
                for left in (target, target + ".aux.xml", "again.tif.aux.xml"):
                    if os.path.exists(left):
                        os.remove(left)
                problem = run(*before, "-o", target, *after)
                check(source, name, target, expected, has_minimum, problem)
        values = list(gdal.Open("bands u16.tif").ReadAsArray().astype(float))
        valid = values[0] > 0
        index = (values[0] - values[1]) / np.where(valid, values[0] + values[1], 1)
        expected = (100 * valid.mean(), index[valid].min())
        for name, more in (("nd()", []), ("nd(), stream", ["--stream"])):
            problem = run("filter", "bands u16.tif", "--channel", "nd(0,1)", *KEEP, "-o", "index.tif", *more)
            check("bands u16.tif", name, "index.tif", expected, True, problem)
    print("no data in GDAL: " + ("equal" if wrong == 0 else f"{wrong} differ"))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
