#!/usr/bin/python3
"""Vector files of outlines, read by GDAL: they cover the pixels of their objects where QGIS draws the image. It draws an
image without a map with its rows at negative y.

Usage: outlines_in_gdal.py FOLDER_OF_THE_PROGRAMS
"""
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    from osgeo import gdal, ogr, osr
except ImportError as missing:
    print(f"outlines_in_gdal: {missing}")
    sys.exit(77)

gdal.UseExceptions()
PLAIN = (0, 1, 0, 0, 0, -1)
MAP = (4321000, 10, 0, 3210000, 0, -10)


def write(name, place):
    noise = np.random.default_rng(4).normal(size=(120, 160))
    for _ in range(5):
        noise = sum(np.roll(noise, shift, axis) for axis in (0, 1) for shift in (-1, 0, 1)) / 6
    mask = np.where(noise > noise.std() / 2, 255, 0).astype(np.uint8)
    file = gdal.GetDriverByName("GTiff").Create(name, 160, 120, 1, gdal.GDT_Byte)
    if place:
        system = osr.SpatialReference()
        system.ImportFromEPSG(3035)
        file.SetGeoTransform(place)
        file.SetProjection(system.ExportToWkt())
    file.GetRasterBand(1).WriteArray(mask)


def pixels(name):
    file = gdal.Open(name)
    return file.GetRasterBand(1).ReadAsArray()


def burned(name, place):
    """The pixels of an image inside the polygons of a file."""
    file = gdal.GetDriverByName("MEM").Create("", 160, 120, 1, gdal.GDT_Byte)
    file.SetGeoTransform(place)
    vector = ogr.Open(name)
    layer = vector.GetLayer(0)
    if layer.GetSpatialRef():
        file.SetProjection(layer.GetSpatialRef().ExportToWkt())
    gdal.RasterizeLayer(file, [1], layer, burn_values=[255])
    return file.GetRasterBand(1).ReadAsArray()


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "pollard-cli")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for source, place in (("plain.tif", None), ("map.tif", MAP)):
            write(source, place)
            expected = {"components": pixels(source)}
            for ending in ("gpkg", "fgb", "csv"):
                calls = {"components": ["components", source, "--vector", "o." + ending],
                         "snake": ["snake", source, "--init", "40,30,120,90", "--iterations", "5", "--mask", "m.tif",
                                   "--vector", "o." + ending]}
                for name, call in calls.items():
                    for left in ("o." + ending, "m.tif"):
                        if os.path.exists(left):
                            os.remove(left)
                    done = subprocess.run([program, *call, "-q"], capture_output=True, text=True)
                    different = -1
                    if done.returncode == 0:
                        wanted = pixels("m.tif") if name == "snake" else expected[name]
                        different = int((burned("o." + ending, place or PLAIN) != wanted).sum())
                    # Sides of contours are slanted: the centres of single pixels lie on them.
                    wrong += not 0 <= different <= (10 if name == "snake" else 0)
                    print(f"{source:10} {name:11} {ending:5} {different} pixels differ {done.stderr.strip()}")
                if place is None:
                    again = subprocess.run([program, "snake", source, "--init", "o." + ending, "--iterations", "1", "--mask",
                                            "again.tif", "-q"], capture_output=True, text=True)
                    wrong += again.returncode != 0
                    print(f"{source:10} read again  {ending:5} {again.stderr.strip() or 'ok'}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
