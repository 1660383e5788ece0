"""Scores of label images against the definitions of StarDist, Cellpose and MONAI, written with SciPy."""
import numpy as np
import pytest

import pollard_morphology as pollard

ndimage = pytest.importorskip("scipy.ndimage")
optimize = pytest.importorskip("scipy.optimize")


def random_labels(rng, shape, count):
    """Boxes that hide each other, with gaps in their numbers."""
    labels = np.zeros(shape, np.uint16)
    for label in 3 * rng.permutation(count) + 1:
        low = [rng.integers(side) for side in shape]
        labels[tuple(slice(at, at + rng.integers(1, 9)) for at in low)] = label
    return labels


def overlaps_of(result, truth):
    """Intersection over union of every object of the result (rows) and the truth."""
    rows, columns = np.unique(result[result != 0]), np.unique(truth[truth != 0])
    both = np.array([[np.sum((result == a) & (truth == b)) for b in columns] for a in rows]).reshape(rows.size, columns.size)
    joined = np.array([[np.sum((result == a) | (truth == b)) for b in columns] for a in rows]).reshape(both.shape)
    return both / np.maximum(joined, 1)


def matched(overlaps, threshold):
    """As stardist.matching: the assignment with the most pairs of at least the threshold."""
    if not overlaps.size:
        return 0
    costs = -(overlaps >= threshold).astype(float) - overlaps / (2 * min(overlaps.shape))
    rows, columns = optimize.linear_sum_assignment(costs)
    return int((overlaps[rows, columns] >= threshold).sum())


def test_matches_are_those_of_stardist(rng):
    thresholds = (.1, .3, .5, .7, .9)
    for _ in range(150):
        shape = tuple(rng.integers(1, 24, 2)) if rng.random() < .7 else tuple(rng.integers(1, 10, 3))
        result, truth = random_labels(rng, shape, rng.integers(12)), random_labels(rng, shape, rng.integers(12))
        overlaps = overlaps_of(result, truth)
        found = pollard.score(result.astype(rng.choice(["u2", "i4", "u4", "i8"])), truth, thresholds)
        count, real = overlaps.shape
        for row, threshold in enumerate(thresholds):
            hits = matched(overlaps, threshold)
            assert found.matches["matched"][row] == hits
            assert found.matches["f1"][row] == (2 * hits / (count + real) if count + real else 1)
            assert found.matches["accuracy"][row] == (hits / (count + real - hits) if count + real else 1)
            assert found.matches["precision"][row] == (hits / count if count else 1)
            assert found.matches["recall"][row] == (hits / real if real else 1)
        a, b = result != 0, truth != 0
        assert found.iou == (np.sum(a & b) / np.sum(a | b) if (a | b).any() else 1)
        assert found.dice == (2 * np.sum(a & b) / (a.sum() + b.sum()) if (a | b).any() else 1)


def test_distances_of_boundaries_are_those_of_monai(rng):
    for _ in range(60):
        axes = int(rng.integers(2, 4))
        shape, sides = tuple(rng.integers(3, 12, axes)), rng.uniform(.5, 3, axes)
        result, truth = random_labels(rng, shape, 3), random_labels(rng, shape, 3)
        result.flat[0] = truth.flat[-1] = 1
        edges = [np.argwhere((each != 0) ^ ndimage.binary_erosion(each != 0)) * sides for each in (result, truth)]
        between = np.linalg.norm(edges[0][:, None] - edges[1][None], axis=2)
        there, back = between.min(axis=1), between.min(axis=0)
        found = pollard.score(result, truth, spacing=sides)
        assert found.hausdorff == pytest.approx(max(there.max(), back.max()), rel=1e-12)
        assert found.hausdorff_95 == pytest.approx(max(np.percentile(there, 95), np.percentile(back, 95)), rel=1e-12)
        assert found.boundary_mean == pytest.approx(np.r_[there, back].mean(), rel=1e-12)


def test_results_of_nothing():
    found = pollard.score(np.zeros((4, 5), int), np.zeros((4, 5), int))
    assert found.f1 == found.mean_accuracy == found.dice == 1
    assert np.isnan(found.hausdorff)
    assert len(found.found["label"]) == len(found.truth["label"]) == 0


def test_wrong_arguments_are_refused():
    labels = np.ones((3, 4), int)
    for arguments in ((labels, np.ones((4, 3), int)), (labels, -labels), (labels, labels, 0), (labels, labels, [.5, 2]),
                      (labels, labels, []), (labels[0], labels[0]), (labels, labels, None, (1, 2, 3))):
        with pytest.raises(ValueError):
            pollard.score(*arguments)
    with pytest.raises(TypeError):
        pollard.score(labels.astype(float), labels)
