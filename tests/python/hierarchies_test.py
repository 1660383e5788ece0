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
