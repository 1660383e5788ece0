"""Functions with other libraries' names beside these libraries: all types, shapes and kinds of images.

A row for each library and function: the number of calls, and those that differ, in values or type.

usage: drop_in.py FOLDER_OF_PROGRAMS; exit status 77: a library or the Python module is missing
"""
import itertools
import sys
import warnings

from support.facts import Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import higra
    import numpy
    import pollard_morphology as pollard
    from pollard_morphology import morphology as ours
    from scipy import ndimage
    from skimage import measure, morphology as theirs
except ImportError as problem:
    skip(problem)

TYPES = ("bool", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8")
SHAPES = ((1, 1), (1, 9), (9, 1), (13,), (3, 3), (12, 17), (4, 5, 6), (1, 6, 7), (5, 1, 4))
KINDS = ("constant", "ramp", "checkerboard", "plateaus", "noise")


def image_of(kind, shape, dtype, random):
    """An image of one kind: values of all the range that the type shares with 8 bits, negative ones too."""
    places = numpy.indices(shape)
    values = {"constant": lambda: numpy.full(shape, 7), "ramp": lambda: places.sum(axis=0),
              "checkerboard": lambda: places.sum(axis=0) % 2 * 90,
              "plateaus": lambda: random.integers(0, 3, shape) * 40,
              "noise": lambda: random.integers(0, 100, shape)}[kind]()
    if dtype == "bool":
        return values % 2 == 1
    if dtype[0] in "if":
        values = values - 50
    return (values / 8 if dtype[0] == "f" else values).astype(dtype)


def images():
    """All types, shapes and kinds, each with a name."""
    random = numpy.random.default_rng(11)
    for dtype, shape, kind in itertools.product(TYPES, SHAPES, KINDS):
        yield f"{kind} {dtype} {shape}", image_of(kind, shape, dtype, random)


class Calls:
    """Calls of functions, and the first that differs."""

    def __init__(self, table):
        self.table, self.counts = table, {}

    def compare(self, library, function, name, found, expected):
        """Counts a call, unless the other library refuses the arguments."""
        try:
            expected = numpy.asarray(expected())
        except (ValueError, TypeError):
            return
        count = self.counts.setdefault((function, library), [0, 0, ""])
        count[0] += 1
        found = numpy.asarray(found())
        if not (found.dtype == expected.dtype and found.shape == expected.shape and
                numpy.array_equal(found, expected, equal_nan=found.dtype.kind == "f")):
            count[1] += 1
            count[2] = count[2] or name

    def end(self):
        """Adds the rows to the table."""
        for (function, library), (calls, differing, first) in self.counts.items():
            text = f"{differing} of {calls} calls differ" + (f", first {first}" if first else "")
            self.table.add(function, library, text, differing == 0)


def compare_filters(calls, name, image):
    """scikit-image's functions on max-trees."""
    for connectivity in range(1, image.ndim + 1):
        for function, threshold in itertools.product(("area_opening", "area_closing"), (1, 4, image.size + 1)):
            calls.compare("scikit-image", function, name, *(
                lambda each=each: getattr(each, function)(image, threshold, connectivity) for each in (ours, theirs)))
        for function in ("diameter_opening", "diameter_closing"):
            calls.compare("scikit-image", function, name, *(
                lambda each=each: getattr(each, function)(image, 3, connectivity) for each in (ours, theirs)))
        for function in ("local_maxima", "local_minima"):
            calls.compare("scikit-image", function, name, *(
                lambda each=each: getattr(each, function)(image, connectivity=connectivity) for each in (ours, theirs)))
        calls.compare("scikit-image", "area_opening with a tree", name, *(
            lambda each=each: each.area_opening(image, 3, 1, *theirs.max_tree(image, connectivity))
            for each in (ours, theirs)))
        calls.compare("scikit-image", "max_tree_local_maxima", name, *(  # numbers have another order there
            lambda each=each: each.max_tree_local_maxima(image, connectivity) != 0 for each in (ours, theirs)))


def compare_reconstructions(calls, name, image):
    """Reconstructions and what follows from them."""
    for connectivity in range(1, image.ndim + 1):
        footprint = ndimage.generate_binary_structure(image.ndim, connectivity)
        if image.dtype != bool:
            seed = numpy.minimum(image, image.dtype.type(20))
            calls.compare("scikit-image", "reconstruction", name, *(
                lambda each=each: each.reconstruction(seed, image, footprint=footprint) for each in (ours, theirs)))
            upper = numpy.maximum(image, image.dtype.type(20))
            calls.compare("scikit-image", "reconstruction by erosion", name, *(
                lambda each=each: each.reconstruction(upper, image, "erosion", footprint) for each in (ours, theirs)))
            for function, h in itertools.product(("h_maxima", "h_minima"), (1, 11)):
                calls.compare("scikit-image", function, name, *(
                    lambda each=each: getattr(each, function)(image, h, footprint) for each in (ours, theirs)))


def compare_objects(calls, name, image):
    """Labels, small objects and holes, and measurements."""
    mask = image > image.min()
    for connectivity in range(1, image.ndim + 1):
        structure = ndimage.generate_binary_structure(image.ndim, connectivity)
        labels = pollard.label(mask, connectivity=connectivity)
        calls.compare("SciPy", "label", name, lambda: labels.astype("i4"), lambda: ndimage.label(mask, structure)[0])
        calls.compare("scikit-image", "label", name, lambda: labels.astype("i8"),
                      lambda: measure.label(mask, connectivity=connectivity).astype("i8"))
        for function in ("remove_small_objects", "remove_small_holes"):
            calls.compare("scikit-image", function, name, *(
                lambda each=each: getattr(each, function)(mask, max_size=3, connectivity=connectivity)
                for each in (ours, theirs)))
    if image.ndim == 1 or image.dtype == bool or not mask.any():
        return
    found = pollard.objects(mask, image)
    index = found.table["label"]
    for column, function in (("grey_min", ndimage.minimum), ("grey_max", ndimage.maximum)):
        calls.compare("SciPy", column, name, lambda: found.table[column].astype(float),
                      lambda: numpy.asarray(function(image, found.labels, index), float))
    calls.compare("SciPy", "sum", name, lambda: found.table["grey_sum"].astype(float),
                  lambda: ndimage.sum_labels(image.astype(float), found.labels, index))
    properties = ("label", "num_pixels", "area", "bbox", "area_bbox", "extent", "intensity_min", "intensity_max")
    expected = measure.regionprops_table(found.labels.astype("i8"), image, properties)
    columns = found.columns("skimage")
    for column, values in expected.items():
        calls.compare("scikit-image", "regionprops_table", f"{column} {name}", lambda: columns[column].astype(float),
                      lambda: values.astype(float))


def compare_trees(calls, name, image):
    """Nodes of Higra's max-tree: levels, areas, depths, contrasts at the border."""
    if image.ndim != 2 or image.dtype == bool:
        return
    graph = higra.get_8_adjacency_graph(image.shape)
    theirs_, altitudes = higra.component_tree_max_tree(graph, image.ravel().astype("f8"))
    inner = slice(theirs_.num_leaves(), None)
    tree = pollard.max_tree(image, connectivity=2)

    def table_of(level, *columns):
        return numpy.array(sorted(zip(*(numpy.asarray(each, float).tolist() for each in (level, *columns)))))

    calls.compare("Higra", "max_tree", name, lambda: table_of(tree["level"], tree["area"], tree["depth"]),
                  lambda: table_of(altitudes[inner], higra.attribute_area(theirs_)[inner],
                                   higra.attribute_depth(theirs_)[inner]))
    if image.size == 1 or image.dtype.kind == "f":  # Higra ends without edges; sums of floats are rounded there
        return
    sides = higra.get_4_adjacency_graph(image.shape)
    steps = higra.weight_graph(sides, image.ravel().astype("f8"), higra.WeightFunction.L1)
    degrees = numpy.array([sides.degree(pixel) for pixel in range(image.size)], "f8")
    calls.compare("Higra", "border_contrast", name,
                  lambda: table_of(tree["level"], tree["area"], numpy.nan_to_num(tree["border_contrast"])),
                  lambda: table_of(altitudes[inner], higra.attribute_area(theirs_)[inner],
                                   higra.attribute_contour_strength(theirs_, steps, degrees, numpy.ones_like(steps),
                                                                    sides)[inner]))


def compare_hierarchies(calls, name, image):
    """Saliency maps of Higra's hierarchies, as the strongest boundary of each pixel."""
    if image.ndim != 2 or image.size == 1 or image.dtype.kind not in "iu":  # Higra ends without edges
        return
    graph = higra.get_4_adjacency_graph(image.shape)
    first, second = graph.edge_list()
    values = image.ravel().astype("f8")

    def strongest(made):
        edges, pixels = higra.saliency(*made), numpy.zeros(image.size)
        numpy.maximum.at(pixels, first, edges)
        numpy.maximum.at(pixels, second, edges)
        return pixels.reshape(image.shape)

    for weight, weights in (("difference", abs(values[first] - values[second])),
                            ("maximum", numpy.maximum(values[first], values[second]) - values.min())):
        relief = image - image.min() if weight == "maximum" else image
        for by, function in (("altitude", higra.quasi_flat_zone_hierarchy), ("area", higra.watershed_hierarchy_by_area),
                             ("dynamics", higra.watershed_hierarchy_by_dynamics),
                             ("volume", higra.watershed_hierarchy_by_volume)):
            calls.compare("Higra", f"hierarchy by {by}", f"{weight} {name}",
                          lambda: pollard.hierarchy(relief, by, weight).boundaries().astype(float),
                          lambda: strongest(function(graph, weights)))


def compare_many_values(calls):
    """More values than a tree has levels, and masked pixels."""
    random = numpy.random.default_rng(5)
    for image, h in ((random.random((257, 257)).astype("f4"), 0.5),
                     (random.integers(0, 10**6, (257, 257)).astype("i4"), 500000)):
        name = f"many values, {image.dtype}"
        seed = image - image.dtype.type(h / 2)
        calls.compare("scikit-image", "reconstruction", name, *(
            lambda each=each: each.reconstruction(seed, image) for each in (ours, theirs)))
        for function, parameter in (("area_opening", 20), ("h_maxima", h), ("h_minima", h)):
            calls.compare("scikit-image", function, name, *(
                lambda each=each: getattr(each, function)(image, parameter) for each in (ours, theirs)))
    values = numpy.where(random.random((9, 9)) < 0.1, -9999, random.integers(0, 5, (9, 9)))
    image = numpy.ma.masked_values(values, -9999)
    calls.compare("scikit-image", "mask of area_closing", "masked", *(
        lambda each=each: numpy.ma.getmaskarray(each.area_closing(image, 4)) for each in (ours, theirs)))


def main(table):
    """Compares all functions on all images."""
    warnings.simplefilter("ignore")
    calls = Calls(table)
    for name, image in images():
        compare_filters(calls, name, image)
        compare_reconstructions(calls, name, image)
        compare_objects(calls, name, image)
        compare_trees(calls, name, image)
        compare_hierarchies(calls, name, image)
    compare_many_values(calls)
    calls.end()


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    main(facts)
    sys.exit(facts.end())
