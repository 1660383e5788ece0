"""The Python module beside scikit-image, Higra and GUDHI: filters, labels, trees and persistence are equal.

usage: libraries.py FOLDER_OF_PROGRAMS; exit status 77: a library or the Python module is missing
"""
import sys

from support.facts import Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import gudhi
    import higra
    import numpy
    import pollard_morphology as pollard
    from skimage import measure, morphology

    from support import images
except ImportError as problem:
    skip(problem)


def check_filters(table, name, image):
    """Functions that have scikit-image's names."""
    for connectivity in range(1, image.ndim + 1):
        found, expected = ([each.area_opening(image, 30, connectivity), each.area_closing(image, 30, connectivity)]
                           for each in (pollard, morphology))
        table.samples(f"{name}, {connectivity}: openings, closings", "scikit-image", found, expected)
    height = int(image.max()) // 8
    table.samples(f"{name}: h-maxima", "scikit-image", pollard.h_maxima(image, height),
                  morphology.h_maxima(image, height))
    seed = numpy.where(image > height, image - height, 0).astype(image.dtype)
    table.samples(f"{name}: reconstruction", "scikit-image", pollard.reconstruction(seed, image),
                  morphology.reconstruction(seed, image).astype(float))
    mask = image > image.mean()
    table.samples(f"{name}: labels", "scikit-image", pollard.label(mask, connectivity=1).astype("int64"),
                  measure.label(mask, connectivity=1).astype("int64"))


def check_tree(table, image):
    """Nodes of Higra's max-tree."""
    graph = higra.get_4_adjacency_graph(image.shape)
    tree, altitudes = higra.component_tree_max_tree(graph, image)
    nodes = slice(tree.num_leaves(), None)
    expected = sorted(zip(altitudes[nodes].astype(int).tolist(), higra.attribute_area(tree)[nodes].astype(int).tolist()))
    ours = pollard.max_tree(image)
    table.fact("max-tree", "Higra", "levels and areas", sorted(zip(ours["level"].tolist(), ours["area"].tolist())), expected)
    taken = pollard.from_higra(tree, altitudes, image.shape)
    table.samples("from_higra", "Higra", taken.filter("area >= 30"), ours.filter("area >= 30"))


def check_persistence(table, image):
    """Lifetimes of components of a cubical complex, whose squares also meet at corners."""
    complex_ = gudhi.CubicalComplex(top_dimensional_cells=-image.astype(float))
    complex_.compute_persistence()
    pairs = complex_.persistence_intervals_in_dimension(0)
    lifetimes = sorted((death - birth) for birth, death in pairs if numpy.isfinite(death) and death > birth)
    tree = pollard.max_tree(image, connectivity=2)
    maxima = numpy.setdiff1d(numpy.arange(tree.num_nodes), tree.parent)
    dynamics = sorted(tree["dynamics"][maxima].astype(float).tolist())
    table.fact("dynamics", "GUDHI", "lifetimes", dynamics[:-1], [float(each) for each in lifetimes])


def main(table):
    """Compares small images and volumes."""
    for kind in ("uint8", "uint16"):
        check_filters(table, f"image, {kind}", images.relief((90, 120), kind))
        check_filters(table, f"volume, {kind}", images.relief((8, 30, 40), kind))
        check_tree(table, images.relief((90, 120), kind))
        check_persistence(table, images.relief((90, 120), kind))


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    main(facts)
    sys.exit(facts.end())
