#!/usr/bin/env python3
"""Times the Python module beside other libraries on the same images and processors, and checks that results are equal.

    scripts/compare_peers.py [--sizes 2048,24M,256v] [--repeat 7] [--peers Higra,GUDHI] [--write docs/benchmarks.md]

The libraries are installed from the Python package index into build/compare, in the versions that PEERS names; one that
cannot be installed is named with the reason. Prints a table in Markdown. --write puts it into a page between the lines
that MARKS names. Pollard and the other library run in turn, on the first --threads processors only. A time is the median of
--repeat runs after one that is not counted; a library whose first run takes longer than --patience seconds runs once. The
status is 1 if results differ.

Images are 10_sat_24mp_u16.tif (16 bits) and 07_relief_24mp_u8.tif (8 bits) in the folder --images, whole and a part of
2048 x 2048 px; without the files they are made: waves with noise. The volume is made: smooth and white noise, 16 bits.
Masks are the pixels above the median. Run it on a machine that does nothing else: the table states the load.
"""

import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / "build" / "compare"
PEERS = {  # name in the table: name and version in the package index
    "scikit-image": "scikit-image==0.26.0",
    "Higra": "higra==0.6.13",
    "mmcfilters": "mmcfilters==7.0.0",
    "cc3d": "connected-components-3d==4.1.1",
    "SciPy": "scipy==1.17.1",
    "GUDHI": "gudhi==3.13.0",
    "cripser": "cripser==0.0.37",
}
NEEDED = ("numpy==2.4.6", "tifffile==2026.3.3", "imagecodecs==2026.3.6")
MARKS = ("<!-- compare_peers.py begins -->", "<!-- compare_peers.py ends -->")
SIZES = ("2048", "24M", "256v")


def install():
    """Makes the environment, if it is not there, and lists what cannot be installed. Returns its Python."""
    python = ENVIRONMENT / "bin" / "python"
    log = ENVIRONMENT / "missing"
    wanted = "\n".join((*NEEDED, *PEERS.values()))
    made = ENVIRONMENT / "made"
    if not made.exists() or made.read_text() != wanted:
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        missing = []
        for names in (NEEDED, *([each] for each in PEERS.values())):
            done = subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *NEEDED,
                                   *names], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                lines = [line for line in done.stderr.splitlines() if line.strip()] or ["no message"]
                if names is NEEDED:
                    sys.exit(f"compare_peers.py: {' '.join(NEEDED)}: {lines[-1]}")
                missing.append(f"{names[0]}: {lines[-1]}")
        log.write_text("\n".join(missing))
        made.write_text(wanted)
    return python


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default=",".join(SIZES), help="of 2048 (2048 x 2048 px), 24M (24 megapixels), 256v "
                        "(256 x 256 x 256 voxels); other sides are possible: 512, 64v")
    parser.add_argument("--peers", default=",".join(PEERS), help="libraries, separated by commas")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--patience", type=float, default=4, help="seconds")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--images", type=pathlib.Path, default=ROOT.parent / "shared" / "images" / "bench")
    parser.add_argument("--module", type=pathlib.Path, default=ROOT / "build" / "release" / "python")
    parser.add_argument("--write", type=pathlib.Path, help="page that gets the table")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.peers, options.sizes = options.peers.split(","), options.sizes.split(",")
    if unknown := set(options.peers) - set(PEERS):
        parser.error(f"--peers: {', '.join(sorted(unknown))}: unknown (there are {', '.join(PEERS)})")
    for size in options.sizes:
        if not re.fullmatch(r"24M|\d+v?", size):
            parser.error(f"--sizes: {size}: is not a side of an image, 24M, or a side of a volume with a v")
    return options


class Images:
    """Images of a size: satellite (16 bits) and relief (8 bits), or a volume (16 bits)."""

    def __init__(self, folder):
        self.folder = folder

    def of(self, size):
        """Names and images."""
        if size.endswith("v"):
            return {"volume": made_volume(int(size[:-1]))}
        return {"satellite": self.image("10_sat_24mp_u16.tif", size, (4450, 5400), "u2"),
                "relief": self.image("07_relief_24mp_u8.tif", size, (4000, 6000), "u1")}

    def image(self, name, size, whole, kind):
        if (self.folder / name).exists():
            image = tifffile.imread(self.folder / name)
        else:
            image = waves(whole, kind)
        if size == "24M":
            return image
        top = 1000 if int(size) + 1000 <= min(image.shape) else 0
        return numpy.ascontiguousarray(image[top:, top:][:int(size), :int(size)])


def waves(shape, kind):
    """Waves of three lengths with noise of a fiftieth of the range."""
    y, x = numpy.ogrid[:shape[0], :shape[1]]
    values = 30000 + 12000 * numpy.sin(x / 97) * numpy.cos(y / 131) + 8000 * numpy.sin((x + y) / 37)
    values = values + numpy.random.default_rng(1).integers(0, 1024, shape)
    return (values / (1 if kind == "u2" else 257)).astype(kind)


def made_volume(side):
    """Smooth noise of a scale of 4 voxels with white noise of 0.3 times its deviation."""
    white = numpy.random.default_rng(0).standard_normal((side,) * 3, dtype=numpy.float32)
    full, half = numpy.fft.fftfreq(side) ** 2, numpy.fft.rfftfreq(side) ** 2
    squares = full[:, None, None] + full[None, :, None] + half
    smooth = numpy.fft.irfftn(numpy.fft.rfftn(white) * numpy.exp(-800 * squares), white.shape, (0, 1, 2))
    values = smooth / smooth.std() + 0.3 * white
    return (32768 + 8000 * values).clip(0, 65535).astype("u2")


class Comparison:
    """Rows of the table."""

    def __init__(self, options):
        self.options, self.rows, self.differing = options, [], 0

    def wants(self, peer):
        return peer in self.options.peers

    def compare(self, work, name, peer, ours, theirs, same):
        """Adds a row. @param same compares both results, and says what it compared."""
        mine = ours()
        start = time.perf_counter()
        other = theirs()
        first = time.perf_counter() - start
        equal, facts = same(mine, other)
        del mine, other
        is_slow = first > self.options.patience
        times = [], [first] if is_slow else []
        for _ in range(self.options.repeat):
            for each, call in zip(times, (ours,) if is_slow else (ours, theirs)):
                start = time.perf_counter()
                kept = call()
                each.append(time.perf_counter() - start)
                del kept  # outside of the time
        mine, other = (statistics.median(each) for each in times)
        self.differing += not equal
        once = " (1 run)" if is_slow else ""
        self.rows.append(f"| {work} | {name} | {milliseconds(mine)} | {peer} | {milliseconds(other)}{once} | "
                         f"{ratio(other / mine)} | {'equal' if equal else 'DIFFERENT'}: {facts} |")
        print(self.rows[-1], flush=True)


def milliseconds(seconds):
    value = seconds * 1e3
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def equal_arrays(found, expected):
    return numpy.array_equal(found, expected), "every sample"


def equal_labels(found, expected):
    """Whether two label images have the same objects, whatever their numbers are."""
    found, expected = found.ravel(), numpy.asarray(expected).ravel()
    count = int(found.max())
    if count != int(expected.max()):
        return False, "objects"
    number = numpy.zeros(count + 1, expected.dtype)
    number[found] = expected
    return bool((number[found] == expected).all() and numpy.unique(number).size == count + 1), "objects of all pixels"


def equal_nodes(levels, areas, other_levels, other_areas):
    """Whether two trees have the same pairs of level and area."""
    pairs = [numpy.sort(numpy.asarray(level, numpy.int64) << 32 | numpy.asarray(area, numpy.int64))
             for level, area in ((levels, areas), (other_levels, other_areas))]
    return numpy.array_equal(*pairs), "levels and areas of all nodes"


def compare_openings(table, name, image):
    """Area openings of images; of volumes with 6 neighbours."""
    if table.wants("scikit-image"):
        from skimage import morphology  # pylint: disable=import-outside-toplevel
        table.compare("area opening, 64", name, "scikit-image", lambda: pollard.area_opening(image, 64),
                      lambda: morphology.area_opening(image, 64), equal_arrays)
        for radius in (10, 50) if image.ndim == 2 else (3,):
            element = morphology.disk(radius) if image.ndim == 2 else morphology.ball(radius)
            table.compare(f"opening, {'disc' if image.ndim == 2 else 'ball'} of radius {radius}", name, "scikit-image",
                          lambda: pollard.apply_operator(image, "opening", radius=radius),
                          lambda: morphology.opening(image, element), equal_arrays)


def lowest_of_squares(image, side=16):
    """Markers: the lowest pixel of each square of the image."""
    rows, columns = (length // side for length in image.shape)
    squares = image[:rows * side, :columns * side].reshape(rows, side, columns, side).transpose(0, 2, 1, 3)
    y, x = numpy.divmod(squares.reshape(rows, columns, -1).argmin(2), side)
    markers = numpy.zeros(image.shape, numpy.int32)
    markers[y + numpy.arange(rows)[:, None] * side, x + numpy.arange(columns) * side] = \
        numpy.arange(1, rows * columns + 1).reshape(rows, columns)
    return markers


def nearly_equal_labels(found, expected):
    """Whether labels differ in few pixels: ties are decided in another way."""
    share = (found == expected).mean()
    return share > 0.8, f"labels of {100 * share:.1f} % of the pixels, others are ties"


def compare_watersheds(table, name, image):
    """Watersheds with 4 neighbours from a marker in each square of 16 px."""
    if table.wants("scikit-image"):
        from skimage import segmentation  # pylint: disable=import-outside-toplevel
        markers = lowest_of_squares(image)
        table.compare("watershed, 4 neighbours", name, "scikit-image",
                      lambda: pollard.watershed(image, markers, device="cpu"),
                      lambda: segmentation.watershed(image, markers), nearly_equal_labels)


def compare_trees(table, name, image):
    """Max-trees with 4 neighbours."""
    if table.wants("Higra"):
        import higra  # pylint: disable=import-outside-toplevel

        def same(tree, found):
            theirs, altitudes = found
            nodes = slice(theirs.num_leaves(), None)
            return equal_nodes(tree["level"], tree["area"], altitudes[nodes], higra.attribute_area(theirs)[nodes])

        def with_graph():
            return higra.component_tree_max_tree(higra.get_4_adjacency_graph(image.shape), image)

        table.compare("max-tree", name, "Higra, with its graph", lambda: pollard.max_tree(image), with_graph, same)
        graph = higra.get_4_adjacency_graph(image.shape)
        table.compare("max-tree", name, "Higra, without", lambda: pollard.max_tree(image),
                      lambda: higra.component_tree_max_tree(graph, image), same)
    if table.wants("mmcfilters") and image.dtype == "u1":
        import mmcfilters  # pylint: disable=import-outside-toplevel

        def same_nodes(tree, theirs):
            areas = mmcfilters.Attribute.compute(theirs, mmcfilters.Attribute.Type.AREA, dtype=numpy.float64)
            return equal_nodes(tree["level"], tree["area"], theirs.node_altitudes, areas)

        table.compare("max-tree", name, "mmcfilters", lambda: pollard.max_tree(image),
                      lambda: mmcfilters.MorphologicalTreeFactory.create_max_tree(image, 1.0), same_nodes)


def compare_labels(table, name, image):
    """Labels, and objects with areas, boxes and centroids."""
    mask = image > numpy.median(image)
    neighbours = {2: {8: 2}, 3: {6: 1, 26: 3}}[mask.ndim]
    for count, connectivity in neighbours.items():
        work = f"labels, {count} neighbours"

        def ours(connectivity=connectivity):
            return pollard.label(mask, connectivity=connectivity)

        def measured(connectivity=connectivity):
            return pollard.objects(mask, connectivity=connectivity)

        if table.wants("cc3d"):
            import cc3d  # pylint: disable=import-outside-toplevel

            def labels(count=count):
                return cc3d.connected_components(mask, connectivity=count)

            table.compare(work, name, "cc3d", ours, labels, equal_labels)
            table.compare(f"objects, {count} neighbours", name, "cc3d with statistics", measured,
                          lambda labels=labels: cc3d.statistics(labels()), equal_statistics)
        if table.wants("SciPy"):
            from scipy import ndimage  # pylint: disable=import-outside-toplevel
            structure = ndimage.generate_binary_structure(mask.ndim, connectivity)
            table.compare(work, name, "SciPy", ours, lambda structure=structure: ndimage.label(mask, structure)[0],
                          equal_arrays)


def equal_statistics(found, statistics_of):
    areas = numpy.sort(statistics_of["voxel_counts"][1:])
    axes = found.labels.ndim
    names = ("centroid_z", "centroid_y", "centroid_x")[-axes:]
    mine = numpy.sort(found.table["area"])
    same = numpy.array_equal(mine, areas)
    for axis, name in enumerate(names):
        centres = numpy.sort(statistics_of["centroids"][1:, axis])
        same = same and numpy.allclose(numpy.sort(found.table[name]), centres, rtol=1e-4, atol=1e-2)
    return bool(same), "areas, centroids (rounded)"


def lifetimes_of(image, components):
    """Finite lifetimes of components of sublevel sets and of their holes: of two trees.

    A hole does not touch the border: a frame as bright as the brightest pixel joins what does.
    """
    frame = numpy.pad(image, 1, constant_values=image.max())
    trees = pollard.max_tree(image, components, "min"), pollard.max_tree(frame, 3 - components, "max")
    return [numpy.sort(tree["dynamics"][tree.is_leaf])[:-1] for tree in trees]


def equal_lifetimes(found, expected):
    same = all(numpy.array_equal(mine, numpy.sort(theirs)) for mine, theirs in zip(found, expected))
    return same, "lifetimes of components and holes"


def compare_persistence(table, name, image):
    """Persistent homology of sublevel sets; GUDHI's squares meet at corners, cripser's pixels at sides."""
    if table.wants("GUDHI"):
        import gudhi  # pylint: disable=import-outside-toplevel

        def pairs():
            complex_ = gudhi.CubicalComplex(top_dimensional_cells=image.astype(float))
            complex_.compute_persistence()
            found = [complex_.persistence_intervals_in_dimension(dimension) for dimension in (0, 1)]
            return [(each[:, 1] - each[:, 0])[numpy.isfinite(each[:, 1])] for each in found]

        table.compare("persistence, pixels as squares", name, "GUDHI", lambda: lifetimes_of(image, 2), pairs,
                      equal_lifetimes)
    if table.wants("cripser"):
        import cripser  # pylint: disable=import-outside-toplevel

        def computed():
            found = cripser.computePH(image.astype(float), maxdim=1)
            found = found[found[:, 2] < 1e300]
            return [(found[:, 2] - found[:, 1])[found[:, 0] == dimension] for dimension in (0, 1)]

        table.compare("persistence, pixels as corners", name, "cripser", lambda: lifetimes_of(image, 1), computed,
                      equal_lifetimes)


def title_of(size):
    if size.endswith("v"):
        return f"{size[:-1]}^3"
    return "24 MPix" if size == "24M" else f"{size}^2"


def compare_all(options):
    table = Comparison(options)
    for size in options.sizes:
        for kind, image in Images(options.images).of(size).items():
            name = f"{kind}, {title_of(size)}, {8 * image.dtype.itemsize} bits"
            compare_openings(table, name, image)
            if image.ndim == 2:
                compare_watersheds(table, name, image)
                compare_trees(table, name, image)
            compare_labels(table, name, image)
            if image.ndim == 2 and size != "24M":
                compare_persistence(table, name, image)
    return table


def page_with(text, lines):
    """The page with other lines between its marks."""
    if any(text.count(mark) != 1 for mark in MARKS):
        sys.exit(f"compare_peers.py: the page needs the lines {MARKS[0]} and {MARKS[1]} once each")
    before, rest = text.split(MARKS[0])
    return before + MARKS[0] + "\n" + "\n".join(lines) + "\n" + MARKS[1] + rest.split(MARKS[1])[1]


def lines_of(table, options, missing, load):
    versions = ", ".join(PEERS[name].replace("==", " ") for name in options.peers)
    source = "images of the bench" if options.images.is_dir() else "made images"
    command = (f"scripts/compare_peers.py --sizes {','.join(options.sizes)} --repeat {options.repeat} "
               f"--patience {options.patience:g} --threads {options.threads} --peers {','.join(options.peers)}")
    used = min(options.threads, len(os.sched_getaffinity(0)))
    lines = [f"`{command}`: {used} processors, {source}, load of the machine before and after {load[0]:.1f} and "
             f"{load[1]:.1f}; NumPy {numpy.__version__}, {versions}.", ""]
    lines += ["| work | image | Pollard, ms | library | its ms | times | results |", "|---|---|---|---|---|---|---|", *table.rows]
    return lines + ["", *[f"Not installed: {each}." for each in missing]] if missing else lines


def start_in_environment(options):
    """Starts the script again, with the libraries and on the processors that it may use."""
    python = install()
    # A number of threads that is set otherwise would hold for one of the libraries alone.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.threads])
    os.execv(python, [str(python), __file__, *sys.argv[1:], "--installed"])


def main(options):
    missing = (ENVIRONMENT / "missing").read_text().splitlines()
    names = {each.split(":")[0] for each in missing}
    options.peers = [each for each in options.peers if PEERS[each] not in names]
    before = os.getloadavg()[0]
    table = compare_all(options)
    lines = lines_of(table, options, missing, (before, os.getloadavg()[0]))
    if options.write:
        options.write.write_text(page_with(options.write.read_text(), lines))
    print("\n".join(["", *lines]))
    return 1 if table.differing else 0


if __name__ == "__main__":
    chosen = parsed_arguments()
    if not chosen.installed:
        start_in_environment(chosen)
    sys.path.insert(0, str(chosen.module))
    import numpy
    import tifffile
    import pollard_morphology as pollard
    sys.exit(main(chosen))
