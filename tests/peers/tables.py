"""CSV, GeoJSON in pixels, arrays of NumPy and SVG: NumPy, pandas and Qt read what scikit-image computes.

usage: tables.py FOLDER_OF_PROGRAMS; exit status 77: a library is missing
"""
import json
import os
import sys
import tempfile

from support.facts import Table, program_in, skip

try:
    import numpy
    import pandas
    import tifffile
    from PyQt6.QtGui import QImage, QPainter
    from PyQt6.QtSvg import QSvgRenderer
    from skimage import measure, morphology

    from support import images
except ImportError as problem:
    skip(problem)


def check_objects(table, image, middle):
    """Objects as CSV and GeoJSON in pixels."""
    labels = measure.label(image >= middle, connectivity=1)
    regions = pandas.DataFrame(measure.regionprops_table(labels, image, ["area", "mean_intensity", "max_intensity"]))
    table.run("components", "picture.ome.tif", "--threshold", middle, "--csv", "objects.csv", "--features",
              "area,grey_mean,grey_max")
    rows = pandas.read_csv("objects.csv")
    for column, name in (("area", "area"), ("grey_mean", "mean_intensity"), ("grey_max", "max_intensity")):
        table.fact("objects.csv", "pandas", column, rows[column].astype(float).tolist(),
                   regions[name].astype(float).tolist())
    table.run("components", "picture.ome.tif", "--threshold", middle, "--geojson", "objects.geojson")
    with open("objects.geojson", encoding="utf-8") as file:
        features = json.load(file)["features"]
    rings = [feature["geometry"]["coordinates"] for feature in features]
    areas = [sum(map(shoelace, polygon)) for polygon in rings]
    table.fact("objects.geojson", "NumPy", "areas", areas, regions["area"].astype(float).tolist())


def shoelace(ring):
    """Area within a ring, positive for outer rings, which RFC 7946 wants counterclockwise."""
    x, y = numpy.array(ring)[:, :2].T
    return float(numpy.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2


def check_tree(table, image):
    """Nodes and parents beside scikit-image's max-tree."""
    parent, order = morphology.max_tree(image, connectivity=1)
    parent, levels = parent.ravel(), image.ravel()
    areas = numpy.ones(parent.size, int)
    for pixel in order[:0:-1]:
        areas[parent[pixel]] += areas[pixel]
    canonical = canonical_pixels(parent, levels)
    expected = sorted(zip(levels[canonical].tolist(), areas[canonical].tolist()))
    table.run("tree", "picture.ome.tif", "--attributes", "area,level", "--nodes", "nodes.csv")
    table.run("tree", "picture.ome.tif", "--attributes", "area,level", "--nodes", "nodes.npy", "--parent", "parent.npy")
    for file, program, nodes in (("nodes.csv", "pandas", pandas.read_csv("nodes.csv")),
                                 ("nodes.npy", "NumPy", numpy.load("nodes.npy"))):
        found = sorted(zip(nodes["level"].astype(int).tolist(), nodes["area"].astype(int).tolist()))
        table.fact(file, program, "levels and areas", found, expected)
    found = numpy.load("parent.npy").ravel()
    steps = [sorted(zip(levels[pixels].tolist(), levels[each[pixels]].tolist()))
             for each, pixels in ((found, canonical_pixels(found, levels)), (parent, canonical))]
    table.fact("parent.npy", "NumPy", "levels of parents", *steps)


def canonical_pixels(parent, levels):
    """A pixel of each node: the one whose parent belongs to another node, or to none."""
    return numpy.flatnonzero((levels[parent] != levels) | (parent == numpy.arange(parent.size)))


def check_drawing(table, square):
    """The contour of a bright square as SVG, drawn by Qt."""
    table.run("snake", "square.ome.tif", "--init", "20,20,60,50", "--svg", "contour.svg", "--trace", "trace.csv",
              "--mask", "mask.tif")
    table.samples("mask.tif", "tifffile", tifffile.imread("mask.tif"), numpy.where(square > 100, 255, 0).astype("uint8"))
    drawing = QSvgRenderer("contour.svg")
    table.fact("contour.svg", "Qt", "size", [drawing.defaultSize().width(), drawing.defaultSize().height()],
               list(square.shape[::-1]))
    image = QImage(drawing.defaultSize(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    drawn = [image.pixelColor(x, y).alpha() > 0 for x, y in ((30, 45), (79, 45), (55, 30), (5, 5), (55, 45))]
    table.fact("contour.svg", "Qt", "outline", drawn[:4], [True, True, True, False])
    energies = pandas.read_csv("trace.csv")["energy"]
    table.fact("trace.csv", "pandas", "energies descend", bool((energies.diff()[1:] <= 0).all()), True)


def main(table):
    """Writes and reads tables, arrays and drawings."""
    image = images.relief((90, 120))
    images.write_ome("picture.ome.tif", image, "YX")
    check_objects(table, image, int(image.mean()))
    check_tree(table, image)
    volume = images.relief((5, 60, 70))
    images.write_ome("volume.ome.tif", volume, "ZYX")
    table.run("components", "volume.ome.tif", "--volume", "--threshold", 30000, "--labels", "labels.npy")
    table.samples("labels.npy", "NumPy", numpy.load("labels.npy"),
                  measure.label(volume >= 30000, connectivity=1).astype("uint32"))
    table.run("profile", "picture.ome.tif", "--attribute", "area", "--thresholds", "10,100", "-o", "profile.npy")
    pages = [morphology.area_opening(image, threshold, connectivity=1) for threshold in (10, 100)]
    table.samples("profile.npy", "NumPy", numpy.load("profile.npy")[-2:], pages)
    table.run("profile", "picture.ome.tif", "--attribute", "area", "--thresholds", "10,100", "-o", "profile.tif")
    with tifffile.TiffFile("profile.tif") as tiff:
        table.samples("profile.tif", "tifffile", [page.asarray() for page in tiff.pages], pages)
    table.run("spectrum", "picture.ome.tif", "--attribute", "area", "--bins", "8", "--csv", "spectrum.csv")
    mass = pandas.read_csv("spectrum.csv").filter(like="mass").sum().iloc[0]
    table.fact("spectrum.csv", "pandas", "mass", int(mass), int((image - image.min()).sum()))
    square = images.square()
    images.write_ome("square.ome.tif", square, "YX")
    check_drawing(table, square)
    table.run("mser", "picture.ome.tif", "--csv", "regions.csv", "--labels", "regions.tif")
    regions = pandas.read_csv("regions.csv")
    found = numpy.unique(tifffile.imread("regions.tif"))
    table.fact("regions.csv", "pandas", "labels", sorted(regions["label"]), found[found > 0].tolist())


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(facts)
        os.chdir("/")
    sys.exit(facts.end())
