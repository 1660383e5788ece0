"""Scores of random label images: those of StarDist, Cellpose and scikit-image.

usage: scores.py FOLDER_OF_PROGRAMS; exit status 77: a library or the Python module is missing
"""
import pathlib
import sys
import types
import zipfile

from support.facts import IMAGES, Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import numpy
    import pollard_morphology as pollard
    from scipy import ndimage
    from skimage import draw, metrics
except ImportError as problem:
    skip(problem)

THRESHOLDS = [0.1, 0.3, 0.5, 0.55, 0.75, 0.875]


def definitions_of(name, file):
    """The functions of one file in the package of a library, without its networks and its compiler."""
    wheel = next(iter((IMAGES / "definitions").glob(f"{name}-*.whl")), None)
    if wheel is None:
        skip(f"the package of {name} is missing")

    def raise_(error):
        raise error

    sys.modules |= {"numba": types.SimpleNamespace(jit=lambda **_: lambda function: function),
                    "csbdeep": types.ModuleType("csbdeep"), "csbdeep.utils": types.SimpleNamespace(_raise=raise_),
                    name: types.SimpleNamespace(utils=None)}
    space = {"__name__": f"{name}.{pathlib.Path(file).stem}", "__package__": name}
    exec(compile(zipfile.ZipFile(wheel).read(f"{name}/{file}"), file, "exec"), space)  # pylint: disable=exec-used
    return types.SimpleNamespace(**space)


def random_labels(random, shape):
    """Discs that hide each other; some pixels of each image are moved."""
    labels = numpy.zeros(shape, "int32")
    for label in range(1, 26):
        centre = random.integers(0, shape)
        labels[draw.disk(centre, random.integers(2, 12), shape=shape)] = label
    return labels


def changed(random, truth):
    """The labels with objects that are moved, removed, joined and cut."""
    found = numpy.roll(truth, random.integers(-2, 3, 2), (0, 1))
    for label in random.choice(25, 8, replace=False) + 1:
        kind = random.integers(4)
        if kind == 0:
            found[found == label] = 0
        elif kind == 1:
            found[found == label] = label % 25 + 1
        elif kind == 2:
            found[(found == label) & (numpy.arange(found.shape[1]) % 9 < 5)] = 25 + label
        else:
            found[ndimage.binary_dilation(found == label, iterations=2)] = label
    return found


def boundary(labels):
    """Pixels of the foreground beside the background or the outside by a side."""
    return (labels > 0) & ~ndimage.binary_erosion(labels > 0)


def main(table):
    """Compares pairs of label images."""
    stardist = definitions_of("stardist", "matching.py")
    cellpose = definitions_of("cellpose", "metrics.py")
    random = numpy.random.default_rng(5)
    pairs = []
    for _ in range(40):
        truth = random_labels(random, (80, 100))
        pairs.append((changed(random, truth), truth))
    pairs += [(random_labels(random, (80, 100)), random_labels(random, (80, 100))) for _ in range(20)]
    shares, overlaps = (("matched", "precision", "recall", "f1", "accuracy"), ("mean_overlap", "panoptic_quality"))
    ours, theirs, differences = [], [], []
    for found, truth in pairs:
        # Labels in a row, as Cellpose expects them.
        found, truth = (numpy.unique(each, return_inverse=True)[1].reshape(each.shape) for each in (found, truth))
        score = pollard.score(found, truth, THRESHOLDS)
        for row, match in enumerate(stardist.matching(truth, found, THRESHOLDS)):
            # Up to one half, StarDist's choice of partners also counts overlaps below the threshold.
            names = shares + (overlaps if match.thresh > 0.5 else ())
            ours += [float(score.matches[name][row]) for name in names]
            other = match._asdict() | {"matched": match.tp, "mean_overlap": match.mean_matched_score}
            theirs += [float(other[name]) for name in names]
        differences += (score.matches["accuracy"] - cellpose.average_precision(truth, found, THRESHOLDS)[0]).tolist()
        table.fact("distances", "scikit-image", "Hausdorff", float(score.hausdorff),
                   float(metrics.hausdorff_distance(boundary(found), boundary(truth))))
    table.samples("matches", "StarDist", numpy.isclose(ours, theirs, rtol=1e-5), numpy.ones(len(ours), bool))
    table.samples("average precision", "Cellpose", numpy.abs(differences) < 1e-6, numpy.ones(len(differences), bool))


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    main(facts)
    sys.exit(facts.end())
