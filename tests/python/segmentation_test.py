"""Distances, watersheds and parts of objects against SciPy and scikit-image, on random arrays."""
import json

import numpy as np
import pytest
from conftest import components, random_image, reordered

import pollard_morphology as pollard
from pollard_morphology import segmentation as ours

ndimage = pytest.importorskip("scipy.ndimage")
theirs = pytest.importorskip("skimage.segmentation")


def random_mask(rng, axes=None):
    axes = int(rng.integers(1, 4)) if axes is None else axes
    shape = tuple(int(side) for side in rng.integers(1, (0, 400, 60, 16)[axes], axes))
    mask = rng.random(shape) < rng.choice([.5, .9, .99])
    mask.flat[rng.integers(mask.size)] = False
    return mask


def test_squared_distances_equal_those_of_scipy_exactly(rng):
    for _ in range(200):
        mask = random_mask(rng)
        nearest = ndimage.distance_transform_edt(mask, return_distances=False, return_indices=True)
        expected = ((nearest - np.indices(mask.shape)).astype(np.int64) ** 2).sum(axis=0)
        found = ours.distance_transform(reordered(rng, mask), squared=True)
        assert found.dtype == np.uint32
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(ours.distance_transform(mask), ndimage.distance_transform_edt(mask))


def test_distances_are_in_the_unit_of_the_sides(rng):
    for _ in range(100):
        mask = random_mask(rng, int(rng.integers(2, 4)))
        sides = tuple(rng.uniform(.1, 4, mask.ndim))
        np.testing.assert_allclose(ours.distance_transform(mask, sides), ndimage.distance_transform_edt(mask, sides),
                                   rtol=1e-12)


def test_masks_of_all_pixels_have_no_distance():
    assert np.isinf(ours.distance_transform(np.ones((3, 4), bool))).all()
    assert (ours.distance_transform(np.ones((3, 4), bool), squared=True) == 2**32 - 1).all()


def test_distances_refuse_what_they_cannot_measure():
    for wrong in ({"spacing": (1, 2), "squared": True}, {"spacing": (0, 1)}, {"spacing": (1, 2, 3)}):
        with pytest.raises(ValueError):
            ours.distance_transform(np.ones((3, 4), bool), **wrong)
    with pytest.raises(ValueError, match="mask"):
        ours.distance_transform(np.ones((0, 4), bool))
    with pytest.raises(ValueError, match="diagonal"):
        ours.distance_transform(np.ones((1, 65536), bool))


def minima_of(image, connectivity):
    """Labels of the regional minima, in the order of their first pixels."""
    labels = np.zeros(image.shape, np.uint32)
    for value in np.unique(image):
        below = components(image <= value, connectivity)
        for each in range(1, below.max() + 1):
            if not labels[below == each].any():
                labels[below == each] = 1
    return components(labels > 0, connectivity)


def test_watersheds_equal_those_of_skimage_where_ties_cannot_matter(rng):
    """With two labels the sets of pixels under both orders of the labels enclose those under any order of ties."""
    decided = 0
    for _ in range(400):
        image = random_image(rng, least=3)
        image = image.astype(image.dtype.newbyteorder("="))
        connectivity = int(rng.integers(1, image.ndim + 1))
        minima = minima_of(image, connectivity)
        markers = np.where(minima > 0, rng.integers(1, 3, minima.max() + 1)[minima], 0).astype(np.int32)
        mask = None if rng.random() < .5 else (minima > 0) | (rng.random(image.shape) > .1)
        low = ours.watershed(image, markers, connectivity, mask=mask)
        high = ours.watershed(image, np.where(markers > 0, 3 - markers, 0), connectivity, mask=mask)
        high = np.where(high > 0, 3 - high, 0)
        expected = theirs.watershed(image.astype(float), markers, connectivity, mask=mask)
        assert low.dtype == np.int32 and (low <= high).all()
        if mask is None:
            same = low == high
            decided += same.sum()
            np.testing.assert_array_equal(low[same], expected[same])
        np.testing.assert_array_equal(low > 0, expected > 0)
    assert decided > 1000


def test_minima_are_the_markers_without_others(rng):
    for _ in range(50):
        image = random_image(rng, "u1", least=3)
        minima = minima_of(image, 1) > 0
        np.testing.assert_array_equal(ours.watershed(image)[minima], theirs.watershed(image)[minima])


def test_a_number_of_markers_is_placed_as_by_skimage(rng):
    for _ in range(60):
        shape = tuple(int(side) for side in rng.integers(1, 30, int(rng.integers(1, 4))))
        image = np.full(shape, 7, np.uint8)
        count = int(rng.integers(1, 40))
        mask = None if rng.random() < .5 else rng.random(shape) < .8
        if mask is not None:
            mask.flat[0] = True
        grid = ours._grid_of_seeds(shape, count)
        np.testing.assert_array_equal(grid, pytest.importorskip("skimage.util").regular_seeds(shape, count))
        found, expected = (each.watershed(image, count, mask=mask) for each in (ours, theirs))
        assert set(np.unique(found)) == set(np.unique(expected))


def test_footprints_and_their_centre_are_taken(rng):
    image = rng.integers(0, 99, (30, 40)).astype(np.uint8)
    for steps in (1, 2):
        footprint = ndimage.generate_binary_structure(2, steps)
        np.testing.assert_array_equal(ours.watershed(image, connectivity=footprint, offset=(1, 1)),
                                      ours.watershed(image, connectivity=steps))


def test_seeds_by_area_are_the_maxima_of_an_area_opening(rng):
    morphology = pytest.importorskip("skimage.morphology")
    for _ in range(60):
        image = rng.integers(0, int(rng.choice([5, 60])), tuple(rng.integers(2, 25, 2))).astype(np.uint8)
        least = int(rng.integers(1, image.size + 1))
        opened = morphology.area_opening(image, least, connectivity=1)
        maxima = components(morphology.local_maxima(opened, connectivity=1), 1) if np.ptp(opened) else np.ones_like(image)
        found = pollard.seeds(image, "area", least)
        assert found.max() == maxima.max()
        for each in range(1, found.max() + 1):
            assert len(np.unique(maxima[found == each])) == 1 and maxima[found == each][0] > 0, "one in each maximum"
        np.testing.assert_array_equal(pollard.seeds(255 - image, "area", least, dark=True), found)


def test_seeds_by_dynamics_are_the_h_maxima(rng):
    for axes in (2, 3):
        for _ in range(40):
            shape = tuple(rng.integers(2, 12, axes))
            image = rng.permutation(np.prod(shape)).reshape(shape).astype(np.uint16)  # without equal maxima
            h = int(rng.integers(1, image.size))
            expected = pollard.label(pollard.h_maxima(image, h, ndimage.generate_binary_structure(axes, 1)), connectivity=1)
            found = pollard.seeds(image, least=h)
            assert found.dtype == np.uint32 and found.max() == expected.max()
            volumes = pollard.seeds(image / 8, "volume", (h - .5) / 8)
            np.testing.assert_array_equal(volumes, pollard.seeds(image, "volume", h))


def test_seeds_count_in_their_mask_only(rng):
    image = rng.integers(0, 60, (20, 30)).astype(np.uint8)
    mask = rng.random(image.shape) < .7
    found = pollard.seeds(image, mask=mask, connectivity=2)
    assert found.max() > 10 and not found[~mask].any()
    for wrong in ({"by": "height"}, {"least": np.nan}, {"connectivity": 3}, {"mask": mask[1:]}):
        with pytest.raises(ValueError):
            pollard.seeds(image, **wrong)


def test_lines_keep_regions_apart(rng):
    image = rng.integers(0, 99, (40, 50)).astype(np.uint8)
    lined, whole = ours.watershed(image, watershed_line=True), ours.watershed(image)
    assert ((lined == whole) | (lined == 0)).all() and (lined == 0).any()
    for axis in (0, 1):
        a, b = np.moveaxis(lined, axis, 0)[1:], np.moveaxis(lined, axis, 0)[:-1]
        assert ((a == b) | (a == 0) | (b == 0)).all()


def test_watersheds_refuse_what_they_cannot_flood():
    image = np.zeros((3, 4), np.uint8)
    for wrong in ({"compactness": 1}, {"offset": (0, 1)}, {"markers": 0}, {"connectivity": np.ones((3, 5))}, {"markers": np.zeros((3, 3), int)}, {"connectivity": 3},
                  {"mask": np.ones((4, 3), bool)}, {"markers": np.full((3, 4), -1)}, {"markers": np.full((3, 4), 2**31)}):
        with pytest.raises(ValueError):
            ours.watershed(image, **wrong)
    with pytest.raises(TypeError):
        ours.watershed(image, np.ones((3, 4)))
    with pytest.raises(ValueError, match="65536"):
        ours.watershed(np.arange(70000.).reshape(700, 100))


def test_devices_give_equal_distances_and_watersheds(rng):
    image, mask = random_image(rng), random_mask(rng)
    for device in (each["name"] for each in pollard.devices() if not each["unusable"]):
        np.testing.assert_array_equal(ours.watershed(image, device=device), ours.watershed(image))
        np.testing.assert_array_equal(ours.distance_transform(mask, device=device), ours.distance_transform(mask))
    with pytest.raises(ValueError, match="tpu"):
        ours.watershed(image, device="tpu")
    with pytest.raises(ValueError, match="tpu"):
        ours.distance_transform(mask, device="tpu")
    with pytest.raises(TypeError):
        ours.distance_transform(mask, device=3)


def discs():
    y, x = np.indices((41, 80))
    return np.hypot(y - 20, x - 25) <= 14, np.hypot(y - 20, x - 49) <= 14


def test_split_cuts_discs_that_overlap():
    left, right = discs()
    parts = pollard.split(left | right, strength=.7)
    assert parts.dtype == np.uint32
    assert set(np.unique(parts)) == {0, 1, 2} and ((parts > 0) == (left | right)).all()
    assert parts[:, :36].max() == 1 and (parts[:, 39:] != 1).all(), "the neck is at column 37"
    assert pollard.split(left | right, strength=.3).max() == 1
    lined = pollard.split(left | right, strength=.7, lines=True)
    assert components(lined > 0, 2).max() == 2


def test_labels_are_split_one_by_one():
    left, right = discs()
    mask = left | right
    labels = np.zeros((82, 80), np.int64)
    labels[:41][mask] = 7
    labels[41:][mask] = 3
    parts = pollard.split(labels, strength=.7)
    alone = pollard.split(mask, strength=.7)
    np.testing.assert_array_equal(parts[41:], alone)
    np.testing.assert_array_equal(parts[:41], np.where(alone > 0, alone + 2, 0))


def test_brightness_splits_between_maxima():
    columns = np.abs(np.cos((np.arange(80) + .5) * np.pi / 40)) * 50 + 50
    image = np.tile(columns, (20, 1)).astype(np.uint8)
    mask = np.ones(image.shape, bool)
    assert pollard.split(mask, "brightness", intensity_image=image).max() == 3
    assert pollard.split(mask, "brightness", intensity_image=image, dark=True).max() == 2
    for wrong in ({"by": "brightness"}, {"by": "colour"}, {"strength": 2}, {"by": "brightness", "intensity_image": image[1:]},
                  {"by": "brightness", "intensity_image": image.astype(float)}, {"spacing": (1, 1, 1)}):
        with pytest.raises(ValueError):
            pollard.split(mask, **wrong)


def in_order_of_first_pixels(labels):
    """The labels as 1, 2 .. in the order of their first pixels."""
    found, first, places = np.unique(labels, return_index=True, return_inverse=True)
    is_label = found != 0
    numbers = np.zeros(found.size, np.uint32)
    numbers[np.flatnonzero(is_label)[np.argsort(first[is_label])]] = np.arange(1, is_label.sum() + 1)
    return numbers[places].reshape(labels.shape)


def test_objects_of_a_watershed_are_those_of_its_steps(rng):
    for _ in range(60):
        image = random_image(rng, rng.choice(["u1", "u2", "i2", "i4"]), least=2)
        if image.ndim == 1:
            continue
        mask, steps = np.ones(image.shape, bool), int(rng.integers(1, image.ndim + 1))
        by, least, dark = rng.choice(["dynamics", "area", "volume"]), int(rng.integers(1, 9)), bool(rng.integers(2))
        if by != "area":  # areas of components of the tree count the pixels outside, too
            mask[tuple(slice(int(rng.integers(0, side))) for side in image.shape)] = False
        markers = pollard.seeds(image, by, least, steps, mask, dark=dark)
        flooded = image.astype(np.int64) if dark else -image.astype(np.int64)
        expected = in_order_of_first_pixels(ours.watershed(flooded, markers, steps, mask=mask))
        found = pollard.objects(mask, image, steps, watershed={"seeds": by, "least": least}, dark=dark)
        np.testing.assert_array_equal(found.labels, expected)
        np.testing.assert_array_equal(found.table["area"], np.bincount(expected.ravel())[1:])
        means = [image[expected == each].mean() for each in found.table["label"]]
        np.testing.assert_allclose(found.table["grey_mean"], means)
        everywhere = pollard.objects(mask, image, steps, watershed={"seeds": by, "least": least, "everywhere": True}, dark=dark)
        np.testing.assert_array_equal(everywhere.labels > 0, np.ones(image.shape, bool) & (everywhere.labels.max() > 0))


def test_objects_of_a_hierarchy_are_its_regions(rng):
    for _ in range(60):
        image = random_image(rng, rng.choice(["u1", "u2", "i2"]), least=2)
        if image.ndim == 1:
            continue
        mask = None if rng.integers(2) else rng.random(image.shape) < .9
        steps, regions = int(rng.integers(1, image.ndim + 1)), int(rng.integers(1, 9))
        labels = pollard.hierarchy(image, "volume", connectivity=steps, mask=mask).labels(regions=regions)
        sides = tuple(rng.choice([.5, 1, 2], image.ndim))
        areas = np.bincount(labels.ravel(), minlength=2)[1:] * np.prod(sides)
        least = float(np.median(areas))
        kept = np.concatenate([[False], areas >= least])
        found = pollard.objects(mask, image, steps, sides, hierarchy={"by": "volume", "regions": regions, "sizes": {"least": least}})
        np.testing.assert_array_equal(found.labels, in_order_of_first_pixels(np.where(kept[labels], labels, 0)))
        assert (found.table["area"] >= least).all()


def test_regions_count_in_values_and_leave_out_missing_pixels():
    image = np.array([[1.5, 4, 3, np.nan, 2, 9]])
    found = pollard.objects(None, image, hierarchy={"by": "altitude", "weight": "maximum", "above": 4})
    assert found.labels.tolist() == [[1, 1, 1, 0, 2, 2]] or found.labels[0, 3] == 0
    np.testing.assert_allclose(found.table["grey_max"], [image[found.labels == each].max() for each in found.table["label"]])
    series = np.stack([np.uint8([[0, 8, 5, 9, 2, 7]])] * 2)
    both = pollard.objects(None, series, axes="tyx", hierarchy={"by": "altitude", "regions": 3})
    assert both.labels.reshape(2, -1).tolist() == [[1, 2, 2, 2, 3, 3], [4, 5, 5, 5, 6, 6]] and both.table["t"].tolist() == [0] * 3 + [1] * 3


@pytest.mark.parametrize("ways, text", [
    ({"watershed": {}, "hierarchy": {}}, "another way"), ({"watershed": {"relief": "x"}}, "relief: .*levels, gradient"),
    ({"watershed": {"leest": 1}}, "leest"), ({"watershed": {"least": -1}}, "least"), ({"watershed": {"least": np.inf}}, "finite"),
    ({"watershed": {"relief": "distance"}}, "mask: is needed"), ({"hierarchy": {"regions": 2, "above": 1}}, "above"),
    ({"hierarchy": {"sizes": {"least": 1, "unit": "um"}}}, "unit of spacing"), ({"hierarchy": {"sizes": {"least": -1}}}, "least")])
def test_regions_refuse_what_they_cannot_find(ways, text):
    image = np.uint8([[0, 8, 5, 9, 2, 7]])
    with pytest.raises(ValueError, match=text):
        pollard.objects(None, image, **ways)
    with pytest.raises(TypeError, match="dict"):
        pollard.objects(None, image, watershed="distance")
    with pytest.raises(TypeError, match="dict"):
        pollard.objects(None, image, hierarchy={"sizes": object()})
    with pytest.raises(TypeError, match="intensity_image"):
        pollard.objects(image > 3, hierarchy={})
    with pytest.raises(ValueError, match="shape"):
        pollard.objects(np.ones((2, 2), bool), image, hierarchy={})


@pytest.mark.parametrize("shape, dtype", [((23, 31), np.uint16), ((23, 31), np.int64), ((5, 9, 8), np.uint32)])
def test_label_images_are_objects(shape, dtype):
    random = np.random.default_rng(52)
    labels = random.choice([0, 0, 3, 4, 900, 40_000], size=shape).astype(dtype)
    image = random.integers(0, 200, shape).astype(np.uint8)
    mask = random.random(shape) < .8
    for inside in (None, mask):
        expected = labels if inside is None else np.where(inside, labels, 0)
        numbers = np.unique(expected[expected != 0])
        for grey in (image, image / 7, None):
            found = pollard.objects(inside, grey, labels=labels)
            np.testing.assert_array_equal(found.labels, expected)
            np.testing.assert_array_equal(found.table["label"], numbers)
            np.testing.assert_array_equal(found.table["area"], [(expected == each).sum() for each in numbers])
            assert ("grey_mean" in found.table) == (grey is not None)
            if grey is not None:
                np.testing.assert_allclose(found.table["grey_mean"], [grey[expected == each].mean() for each in numbers])
    skimage = pollard.objects(labels=labels).columns("skimage")
    np.testing.assert_array_equal(skimage["num_pixels"], [(labels == each).sum() for each in numbers])
    np.testing.assert_array_equal(skimage["bbox-0"], [np.argwhere(labels == each)[:, 0].min() for each in numbers])


def test_label_files_are_objects(tmp_path):
    image = np.arange(6, dtype=np.uint8).reshape(2, 3)
    outline = {"type": "Feature", "id": 12, "properties": {}, "geometry": {
        "type": "Polygon", "coordinates": [[[1, 0], [3, 0], [3, 1], [1, 1], [1, 0]]]}}
    (tmp_path / "cells.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [outline]}))
    found = pollard.objects(None, image, labels=tmp_path / "cells.geojson")
    np.testing.assert_array_equal(found.labels, [[0, 12, 12], [0, 0, 0]])
    np.testing.assert_array_equal(found.table["grey_sum"], [3])
    series = np.stack([found.labels, 5 * found.labels])
    along = pollard.objects(None, np.stack([image, image]), labels=series, axes="tyx")
    np.testing.assert_array_equal(along.labels, series)
    np.testing.assert_array_equal(along.table["label"], [12, 60])
    np.testing.assert_array_equal(along.table["t"], [0, 1])
    with pytest.raises(TypeError, match="intensity_image: is needed for a label file"):
        pollard.objects(labels=tmp_path / "cells.geojson")
    with pytest.raises(ValueError, match="other ways to find objects"):
        pollard.objects(None, image, labels=found.labels, hierarchy={})
    with pytest.raises(ValueError, match="intensity_image: has another shape"):
        pollard.objects(None, image[:1], labels=found.labels)
    with pytest.raises(TypeError, match="labels: the values are float64"):
        pollard.objects(labels=image / 2)
    with pytest.raises((OSError, ValueError), match="none.tif"):
        pollard.objects(None, image, labels=str(tmp_path / "none.tif"))
