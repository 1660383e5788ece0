"""Tables of the Python module become data frames of pandas, polars and Arrow, with the names and values of scikit-image.

usage: data_frames.py FOLDER_OF_PROGRAMS; exit status 77: a library is missing
"""
import sys

from support.facts import Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import numpy
    import pandas
    import polars
    import pollard_morphology as pollard
    import pyarrow
    from skimage import measure

    from support import images
except ImportError as problem:
    skip(problem)

NAMES = ("label", "num_pixels", "area", "bbox", "area_bbox", "extent", "centroid", "equivalent_diameter_area",
         "axis_major_length", "axis_minor_length", "euler_number", "intensity_mean", "intensity_min", "intensity_max")
FRAMES = {
    "pandas": pandas.DataFrame, "polars": polars.DataFrame, "polars, protocol": polars.from_dataframe,
    "pyarrow": pyarrow.table, "pyarrow, protocol": lambda table: pyarrow.RecordBatchReader.from_stream(table).read_all()}


def check_objects(table, shape, spacing, connectivity):
    """Objects with the names of scikit-image."""
    image = images.relief(shape)
    mask = image >= numpy.median(image)
    found = pollard.objects(mask, image, connectivity, spacing)
    names = NAMES + (("eccentricity",) if len(shape) == 2 else ())
    expected = measure.regionprops_table(found.labels.astype(int), image, names, spacing=spacing)
    for program, frame_of in FRAMES.items():
        frame = frame_of(found.columns("skimage"))
        worst = max(float(numpy.abs(numpy.asarray(frame[name]) - column).max()) for name, column in expected.items())
        table.fact(f"objects {shape}", program, f"{len(expected)} columns", worst < 1e-6, True)


def main(table):
    """Objects of an image and of a volume, and nodes."""
    check_objects(table, (90, 120), None, 1)
    check_objects(table, (90, 120), (2, 3), 2)
    check_objects(table, (8, 40, 50), (3, 2, 2), 1)
    tree = pollard.max_tree(images.relief((60, 70)))
    nodes = tree.attributes(["area", "level", "elongation"])
    for program, frame_of in FRAMES.items():
        frame = frame_of(nodes)
        for name in nodes:
            table.samples("nodes", program, numpy.asarray(frame[name]), tree[name])


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    main(facts)
    sys.exit(facts.end())
