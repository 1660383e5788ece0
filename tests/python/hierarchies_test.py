"""Hierarchies against flat zones by flood filling, and their own laws; tests/peers/drop_in.py compares with Higra."""
import numpy as np
import pytest
from conftest import random_image

import pollard_morphology as pollard


def flat_zones(image, limit):
    """Numbers of the zones whose neighbours differ by `limit` at most, in the order of their first pixels."""
    zones = np.zeros(image.shape, np.uint32)
    for start in np.ndindex(image.shape):
        if zones[start]:
            continue
        zones[start] = zones.max() + 1
        waiting = [start]
        while waiting:
            at = waiting.pop()
            for axis in range(image.ndim):
                for step in (-1, 1):
                    to = tuple(each + step * (i == axis) for i, each in enumerate(at))
                    inside = all(0 <= each < side for each, side in zip(to, image.shape))
                    if inside and not zones[to] and abs(int(image[to]) - int(image[at])) <= limit:
                        zones[to] = zones[start]
                        waiting.append(to)
    return zones


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (12, 17), (3, 5, 6)])
@pytest.mark.parametrize("dtype", ["u1", "i1", "u2", "i2", "i4"])
def test_regions_of_altitudes_are_flat_zones(rng, shape, dtype):
    image = rng.integers(-20 if dtype[0] == "i" else 0, 20, shape).astype(dtype)
    found = pollard.hierarchy(image, by="altitude")
    assert found.strengths.size == found.basins.max() and np.array_equal(found.labels(), found.basins + 1)
    for limit in (0, 1, 5, 39):
        np.testing.assert_array_equal(found.labels(above=limit), flat_zones(image, limit))


@pytest.mark.parametrize("by", ["altitude", "dynamics", "area", "volume"])
def test_regions_are_nested_and_boundaries_divide_them(rng, by):
    image = random_image(rng, np.uint8, (40, 50))
    found = pollard.hierarchy(image, by=by)
    boundaries = found.boundaries()
    finer = found.labels()
    for regions in (300, 40, 7, 1):
        labels = found.labels(regions=regions)
        assert labels.max() <= regions
        pairs = np.unique(np.stack([finer.ravel(), labels.ravel()]), axis=1)
        assert np.unique(pairs[0]).size == pairs.shape[1]  # each finer region lies in one region
        finer = labels
        strength = max([0, *found.strengths[:found.strengths.size + 1 - labels.max()]])
        differs = np.zeros(image.shape, bool)
        differs[:, 1:] |= labels[:, 1:] != labels[:, :-1]
        differs[:, :-1] |= labels[:, 1:] != labels[:, :-1]
        differs[1:] |= labels[1:] != labels[:-1]
        differs[:-1] |= labels[1:] != labels[:-1]
        np.testing.assert_array_equal(boundaries > strength, differs)


def test_maxima_weigh_reliefs_in_their_values():
    relief = np.array([[-3, 5, -2, 2, -4]], np.int16)
    found = pollard.hierarchy(relief, by="altitude", weight="maximum")
    assert found.strengths.tolist() == [2, 2, 5, 5] and found.strengths.dtype == np.int16
    assert found.labels(above=2).tolist() == [[1, 2, 3, 3, 3]]
    np.testing.assert_array_equal(pollard.hierarchy(relief / 8, by="altitude", weight="maximum").strengths, found.strengths / 8)
    ranks = pollard.hierarchy(relief.astype(float) ** 3, weight="maximum")
    np.testing.assert_array_equal(ranks.basins, pollard.hierarchy(relief, weight="maximum").basins)


def test_pixels_outside_the_mask_belong_to_no_region():
    image = np.array([[1, 1, 9, 1, 1]], np.uint8)
    masked = np.ma.masked_array(image, image == 9)
    for found in (pollard.hierarchy(image, mask=image < 9), pollard.hierarchy(masked)):
        assert found.labels().tolist() == [[1, 1, 0, 2, 2]]
        assert found.labels(regions=1).tolist() == [[1, 1, 0, 2, 2]]  # the two never meet


@pytest.mark.parametrize("by", ["altitude", "area", "dynamics", "volume"])
def test_devices_make_equal_hierarchies(by):
    image = random_image(np.random.default_rng(5), "u2", (40, 50))
    usable = [each["name"] for each in pollard.devices() if not each["unusable"]]
    one, *others = [pollard.hierarchy(image, by=by, mask=image != 1, device=name) for name in [*usable, "auto"]]
    for other in others:
        np.testing.assert_array_equal(one.basins, other.basins)
        np.testing.assert_array_equal(one.strengths, other.strengths)
        np.testing.assert_array_equal(one.boundaries(), other.boundaries())
        np.testing.assert_array_equal(one.labels(regions=9), other.labels(regions=9))


@pytest.mark.parametrize("arguments, words", [
    ({"by": "depth"}, "by: 'depth'"), ({"weight": 1}, "weight"), ({"connectivity": 3}, "connectivity"),
    ({"device": "tpu"}, "device"), ({"mask": [[True]]}, "mask: has another shape")])
def test_wrong_arguments_are_named(arguments, words):
    with pytest.raises((TypeError, ValueError), match=words):
        pollard.hierarchy(np.zeros((4, 5), np.uint8), **arguments)


def test_differences_of_real_numbers_are_refused():
    with pytest.raises(ValueError, match="scale and round them"):
        pollard.hierarchy(np.random.default_rng(0).random((4, 5)))
    found = pollard.hierarchy(np.zeros((4, 5), np.uint8))
    with pytest.raises(ValueError, match="give one of them"):
        found.labels(above=1, regions=2)
    with pytest.raises(ValueError, match="regions"):
        found.labels(regions=0)


def regions_of(tree, basins):
    """The pixels of each node as booleans."""
    masks = [basins == node for node in range(tree.num_nodes)]  # of other nodes empty
    for node, parent in enumerate(tree.parent):
        if parent != node:
            masks[parent] = masks[parent] | masks[node]
    return masks


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("dtype", ["u1", "i2", "f8"])
def test_attributes_of_regions_are_those_of_their_pixels(rng, dtype, binary):
    image = (rng.integers(-9 if dtype != "u1" else 0, 9, (9, 12)) / (8 if dtype == "f8" else 1)).astype(dtype)
    by, weight = ("area", "maximum") if dtype == "f8" else ("altitude", "difference")
    mask = rng.random(image.shape) < 0.9
    found = pollard.hierarchy(image, by=by, weight=weight, mask=mask)
    tree = found.tree(binary=binary)
    values = image.astype(float)
    for node, pixels in enumerate(regions_of(tree, found.basins)):
        inside = values[pixels & mask]
        assert tree["area"][node] == inside.size
        if inside.size == 0:
            assert np.isnan(tree["mean"][node]) and np.isnan(tree["minimum"][node])
            continue
        for name, value in (("mean", inside.mean()), ("sum", inside.sum()), ("minimum", inside.min()), ("maximum", inside.max()),
                            ("range", np.ptp(inside)), ("variance", inside.var()), ("centroid_y", np.nonzero(pixels)[0].mean())):
            np.testing.assert_allclose(tree[name][node], value, atol=1e-9, err_msg=name)
        labels = found.labels(above=tree["strength"][node])
        assert np.unique(labels[pixels]).size == 1
    assert np.all(tree.parent >= np.arange(tree.num_nodes)) and np.all(np.diff(tree["strength"]) >= 0)


def test_frontiers_are_means_of_edges_in_values():
    image = np.array([[-4, 3, 3], [-4, 8, 8]], np.int16)
    tree = pollard.hierarchy(image, by="altitude").tree()
    assert tree["frontier_strength"].tolist() == [0, 0, 0, 5, 9.5] and tree["frontier_length"].tolist() == [0, 0, 0, 2, 2]
    np.testing.assert_allclose(tree["contour_strength"], [9.5, 17 / 3, 22 / 3, 9.5, 0])
    relief = pollard.hierarchy(image, by="altitude", weight="maximum").tree()
    assert relief["frontier_strength"].max() == 8 and relief["contour_strength"][-1] == 0
    with pytest.raises(ValueError, match="order alone counts"):
        pollard.hierarchy(image / 8, by="altitude", weight="maximum").tree()["frontier_strength"]


def test_candidates_are_the_largest_regions_within_the_range(rng):
    image = random_image(rng, np.uint8, (20, 30))
    found = pollard.hierarchy(image, by="area")
    tree = found.tree()
    masks = regions_of(tree, found.basins)
    for low, high in ((1, 1), (3, 40), (10, 600)):
        nodes = tree.candidates(low, high)
        sizes = np.array([mask.sum() for mask in masks])
        fits = (sizes >= low) & (sizes <= high)
        expected = [n for n in np.flatnonzero(fits) if not any(fits[m] and masks[m][masks[n]].all() and sizes[m] > sizes[n]
                                                              for m in range(tree.num_nodes))]
        assert nodes.tolist() == expected
        labels = tree.labels(nodes)
        assert labels.max() == nodes.size and np.array_equal(labels, tree.labels(f"{low} <= area <= {high}"))
        assert np.array_equal(labels > 0, np.any([masks[n] for n in nodes] + [np.zeros(image.shape, bool)], axis=0))


def test_filtered_pixels_have_the_mean_of_the_smallest_kept_region(rng):
    image = random_image(rng, np.int16, (12, 15))
    found = pollard.hierarchy(image, by="altitude")
    tree = found.tree()
    masks = regions_of(tree, found.basins)
    keep = tree.select("area >= 4 and range <= 60")
    filtered = tree.filter(keep)
    for at in np.ndindex(image.shape):
        around = [n for n in np.flatnonzero(keep) if masks[n][at]]
        node = min(around, key=lambda n: masks[n].sum(), default=None)
        assert filtered[at] == pytest.approx(image[at] if node is None else image[masks[node]].astype(float).mean())
    labels = found.labels(regions=5)
    np.testing.assert_allclose(found.means(regions=5)[labels == 1], image[labels == 1].astype(float).mean())


def test_views_tell_regions_apart_as_labels_do(rng):
    for shape, by in (((40, 50), "area"), ((4, 20, 30), "altitude")):
        image = random_image(rng, np.uint8, shape)
        found = pollard.hierarchy(image, by=by)
        labels = found.labels(regions=30)
        window = np.s_[3:18:3, 2:29:4]
        view = found.view(regions=30, window=window, plane=len(shape) - 2)
        there = (labels[1] if len(shape) == 3 else labels)[window]
        pairs = np.unique(np.stack([view.ravel(), there.ravel()]), axis=1)
        assert view.shape == there.shape and np.unique(pairs[0]).size == np.unique(pairs[1]).size == pairs.shape[1]
    assert found.view().shape == (20, 30) and found.view(window=np.s_[5:5, :]).size == 0
    with pytest.raises(ValueError, match="steps"):
        found.view(window=np.s_[::-1, :])
    with pytest.raises(ValueError, match="plane"):
        found.view(plane=4)


def test_no_region_is_small_after_simplifying(rng):
    found = pollard.hierarchy(random_image(rng, np.uint8, (30, 40)), by="volume")
    simple = found.simplify(20)
    assert np.bincount(simple.basins.ravel()).min() >= 20 and set(simple.strengths) <= set(found.strengths)
    assert np.array_equal(found.simplify(1).labels(), found.labels())


def test_trees_of_higra_have_pixels_as_leaves():
    parents, altitudes = pollard.hierarchy(np.full((2, 3), 7, np.uint8), by="altitude").tree().to_higra()
    assert parents.tolist() == [6] * 7 and altitudes.tolist() == [0] * 7
    with pytest.raises(ValueError, match="mask"):
        pollard.hierarchy(np.zeros((1, 3), np.uint8), mask=[[True, False, True]]).tree().to_higra()


@pytest.mark.parametrize("wrong, words", [("area", "is not a bound"), ("perimeter > 3", "perimeter"), ("1 > 2", "is not a bound"),
                                          ("area > 1 and mean < 2 or depth > 1", "both 'and' and 'or'")])
def test_wrong_criteria_of_regions_are_named(wrong, words):
    tree = pollard.hierarchy(np.uint8([[1, 2], [3, 4]])).tree()
    with pytest.raises(ValueError, match=words):
        tree.select(wrong)
    with pytest.raises(ValueError, match="keep"):
        tree.labels([True])
    with pytest.raises(ValueError, match="max_area"):
        tree.candidates(5, 4)
