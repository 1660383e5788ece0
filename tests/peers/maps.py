"""GeoTIFF, GeoPackage, FlatGeobuf, CSV and GeoJSON: GDAL and QGIS read samples, places, systems and polygons.

usage: maps.py FOLDER_OF_PROGRAMS; exit status 77: an outside program is missing
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support.facts import IMAGES, Table, program_in, skip

try:
    import numpy
    from skimage import measure, morphology

    from support import images, maps
except ImportError as problem:
    skip(problem)

QGIS = ["/usr/bin/python3", "-B", str(pathlib.Path(__file__).parent / "support" / "in_qgis.py")]


def output_of(*command):
    """Standard output of a program."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def samples_by_gdal(path, kind):
    """The first band by gdal_translate."""
    output_of("gdal_translate", "-q", "-of", "ENVI", "-b", "1", path, "band.raw")
    width, height = json.loads(output_of("gdalinfo", "-json", path))["size"]
    return numpy.fromfile("band.raw", kind).reshape(height, width)


def check_raster(table, file, expected):
    """A GeoTIFF by GDAL."""
    facts = json.loads(output_of("gdalinfo", "-json", file))
    table.samples(file, "GDAL", samples_by_gdal(file, expected.dtype), expected)
    (left, top), side = maps.CORNER, maps.PIXEL
    table.fact(file, "GDAL", "place", facts["geoTransform"], [left, side, 0.0, top, 0.0, -side])
    table.fact(file, "GDAL", "system", 'ID["EPSG",32633]]' in facts["coordinateSystem"]["wkt"], True)
    return facts


def check_polygons(table, file, areas):
    """A vector file by GDAL: its coordinate system, its features, and their areas in square metres."""
    source = ["-oo", "GEOM_POSSIBLE_NAMES=WKT", "-oo", "KEEP_GEOM_COLUMNS=NO"] if file.endswith("csv") else []
    output_of("ogr2ogr", "-q", "plain.gpkg", file, *source, "-nln", "plain", "-lco", "GEOMETRY_NAME=geometry")
    output_of("ogr2ogr", "-q", "areas.csv", "plain.gpkg", "-dialect", "SQLite", "-sql",
              "SELECT CAST(label AS INTEGER) AS label, ST_Area(geometry) AS area FROM plain")
    with open("areas.csv", encoding="utf-8", newline="") as rows:
        found = sorted((int(row["label"]), float(row["area"])) for row in csv.DictReader(rows))
    for used in ("areas.csv", "plain.gpkg"):
        os.remove(used)
    table.fact(file, "GDAL", "features", len(found), len(areas))
    table.fact(file, "GDAL", "areas", [area for _, area in found], areas)
    if not file.endswith("csv"):
        table.fact(file, "GDAL", "system", 'ID["EPSG",32633]]' in output_of("ogrinfo", "-so", "-al", file), True)


def check_contour(table):
    """The contour of a bright rectangle lies on its mask."""
    square = images.square()
    maps.write("square.tif", square)
    table.run("snake", "square.tif", "--init", "20,20,60,50", "--vector", "contour.gpkg", "--mask", "contour.tif")
    inside = square == square.max()
    mask = numpy.where(inside, 255, 0).astype("uint8")
    check_raster(table, "contour.tif", mask)
    check_polygons(table, "contour.gpkg", [float(inside.sum()) * maps.PIXEL**2])
    shutil.copy("contour.tif", "drawn.tif")
    output_of("gdal_rasterize", "-q", "-burn", "0", "-i", "contour.gpkg", "drawn.tif")
    output_of("gdal_rasterize", "-q", "-burn", "255", "contour.gpkg", "drawn.tif")
    table.samples("contour.gpkg", "GDAL", samples_by_gdal("drawn.tif", "uint8"), mask)


def check_degrees(table, areas):
    """GeoJSON in degrees, which GDAL turns into metres."""
    output_of("ogr2ogr", "-q", "-s_srs", "EPSG:4326", "-t_srs", maps.EPSG, "metres.gpkg", "degrees.geojson", "-nln",
              "objects")
    whole = output_of("ogrinfo", "-q", "-dialect", "SQLite", "metres.gpkg", "-sql",
                      "SELECT COUNT(*) AS n, ROUND(SUM(ST_Area(geom)), -2) AS area FROM objects")
    table.fact("degrees.geojson", "GDAL", "features", f"n (Integer) = {len(areas)}" in whole, True)
    table.fact("degrees.geojson", "GDAL", "areas", f"= {round(sum(areas), -2):.0f}" in whole, True)


def check_in_qgis(table, rasters, vectors, areas):
    """Debian's Python has QGIS, so another process opens the files there."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    job = {"rasters": list(rasters), "vectors": list(vectors), "picture": str(IMAGES / "qgis.png")}
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": os.getcwd()}
    output = subprocess.run([*QGIS, json.dumps(job)], check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    found = json.loads(output.splitlines()[-1])
    (left, top), side = maps.CORNER, maps.PIXEL
    for file, expected in rasters.items():
        height, width = expected.shape
        table.fact(file, "QGIS", "system", found[file]["system"], maps.EPSG)
        table.fact(file, "QGIS", "extent", found[file]["extent"], [left, top - side * height, left + side * width, top])
        table.fact(file, "QGIS", "range", found[file]["range"], [float(expected.min()), float(expected.max())])
    for file, system in vectors.items():
        table.fact(file, "QGIS", "system", found[file]["system"], system)
        table.fact(file, "QGIS", "features", len(found[file]["areas"]), len(areas))
        if system == maps.EPSG:
            table.fact(file, "QGIS", "areas", sorted(found[file]["areas"]), sorted(areas))


def main(table):
    """Writes and reads the kinds of files with map coordinates."""
    image = images.relief((300, 400))
    maps.write("map.tif", image)
    opened = morphology.area_opening(image, 30, connectivity=1)
    table.run("filter", "map.tif", "--keep", "area>=30", "-o", "strips.tif")
    check_raster(table, "strips.tif", opened)
    table.run("filter", "map.tif", "--keep", "area>=30", "-o", "stream.tif", "--stream", "--memory", "1G")
    facts = check_raster(table, "stream.tif", opened)
    table.fact("stream.tif", "GDAL", "tiles", facts["bands"][0]["block"], [512, 512])
    middle = int(image.mean())
    labels = measure.label(image >= middle, connectivity=1).astype("uint32")
    areas = [float(region.area) * maps.PIXEL**2 for region in measure.regionprops(labels)]
    for file in ("objects.gpkg", "objects.fgb", "objects.csv"):
        table.run("components", "map.tif", "--threshold", middle, "--vector", file, "--labels", "labels.tif")
        check_polygons(table, file, areas)
    check_raster(table, "labels.tif", labels)
    check_contour(table)
    table.run("components", "map.tif", "--threshold", middle, "--geojson", "degrees.geojson")
    check_degrees(table, areas)
    check_in_qgis(table, {"strips.tif": opened, "stream.tif": opened, "labels.tif": labels},
                  {"objects.gpkg": maps.EPSG, "objects.fgb": maps.EPSG, "degrees.geojson": "EPSG:4326"}, areas)


if __name__ == "__main__":
    if shutil.which("gdalinfo") is None:
        skip("no gdalinfo; Debian has gdal-bin")
    if subprocess.run(["/usr/bin/python3", "-c", "import qgis.core"], check=False, capture_output=True).returncode != 0:
        skip("no QGIS; Debian has python3-qgis")
    facts_found = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(facts_found)
        os.chdir("/")
    sys.exit(facts_found.end())
