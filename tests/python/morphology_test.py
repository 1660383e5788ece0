"""The functions with scikit-image's names against scikit-image, on random arrays of all types and layouts."""
import warnings

import numpy as np
import pytest
from conftest import DTYPES, components, neighbour_steps, random_image, reordered

from pollard_morphology import morphology as ours

theirs = pytest.importorskip("skimage.morphology")

ROUNDS = 400


def cases(rng, count=ROUNDS, least=3):
    """Random arrays. scikit-image 0.19 has wrong trees where a side is less than 3 pixels."""
    for _ in range(count):
        image = random_image(rng, least=least)
        yield reordered(rng, image), np.ascontiguousarray(image), int(rng.integers(1, image.ndim + 1))


def same(result, expected, image):
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype.newbyteorder("=")
    np.testing.assert_array_equal(result, expected, err_msg=f"{image.dtype} {image.shape}")


def native(image):
    """scikit-image takes neither the other byte order nor booleans everywhere."""
    return image.astype(image.dtype.newbyteorder("="))


@pytest.mark.parametrize("name", ["area_opening", "area_closing"])
def test_area_filters_equal_those_of_skimage(rng, name):
    for given, image, connectivity in cases(rng):
        threshold = int(rng.integers(0, image.size + 3))
        expected = getattr(theirs, name)(native(image), threshold, connectivity)
        same(getattr(ours, name)(given, threshold, connectivity), expected, image)


@pytest.mark.parametrize("name", ["diameter_opening", "diameter_closing"])
def test_diameter_filters_equal_those_of_skimage(rng, name):
    for given, image, connectivity in cases(rng):
        threshold = int(rng.integers(0, max(image.shape) + 3))
        expected = getattr(theirs, name)(native(image), threshold, connectivity)
        same(getattr(ours, name)(given, threshold, connectivity), expected, image)


def opened(image, connectivity, meets):
    """Per pixel the largest value at which its component meets a criterion; the smallest value if none does."""
    result = np.full(image.shape, image.min())
    for value in np.unique(image):
        labels = components(image >= value, connectivity)
        for label in range(1, labels.max() + 1):
            if meets(np.nonzero(labels == label)):
                result[labels == label] = value
    return result


def test_small_images_by_definition(rng):
    for given, image, connectivity in cases(rng, 150, least=1):
        for threshold in range(1, min(image.size, 5) + 1):
            same(ours.area_opening(given, threshold, connectivity),
                 opened(image, connectivity, lambda places: places[0].size >= threshold), native(image))
        for threshold in range(1, min(max(image.shape), 4) + 1):
            same(ours.diameter_opening(given, threshold, connectivity),
                 opened(image, connectivity, lambda places: max(np.ptp(each) + 1 for each in places) >= threshold),
                 native(image))
        labels = ours.max_tree_local_maxima(given, connectivity)
        maxima = np.zeros(image.shape, int)
        for value in np.unique(image):
            higher = components(image >= value, connectivity)
            for label in range(1, higher.max() + 1):
                plateau = higher == label
                if (image[plateau] == value).all():
                    maxima[plateau] = 1
        np.testing.assert_array_equal(labels != 0, maxima != 0)
        np.testing.assert_array_equal(labels, components(maxima == 1, connectivity))


def canonical(parent, image):
    """Per pixel the smallest pixel of its node, and of the node's parent: the tree, whatever the canonical pixels are."""
    flat, values = parent.ravel(), image.ravel()
    node = np.where(values[flat] == values, flat, np.arange(flat.size))
    first = np.full(flat.size, flat.size)
    np.minimum.at(first, node, np.arange(flat.size))
    return first[node], first[node[flat[node]]]


def test_trees_are_those_of_skimage(rng):
    for given, image, connectivity in cases(rng):
        parent, traverser = ours.max_tree(given, connectivity)
        expected, _ = theirs.max_tree(native(image), connectivity)
        assert parent.dtype == traverser.dtype == np.int64 and parent.shape == image.shape
        for mine, other in zip(canonical(parent, image), canonical(expected, image)):
            np.testing.assert_array_equal(mine, other)
        place = np.empty(image.size, np.int64)
        place[traverser] = np.arange(image.size)  # every pixel is there once
        assert (place[parent.ravel()] <= place).all()
        assert (place[parent.ravel()] < place).sum() == image.size - 1


def test_skimage_filters_by_our_tree(rng):
    for given, image, connectivity in cases(rng, 100):
        parent, traverser = ours.max_tree(given, connectivity)
        result = theirs.area_opening(native(image), 4, connectivity, parent, traverser)
        same(ours.area_opening(given, 4, connectivity), result, image)


def test_local_maxima_are_those_of_skimage(rng):
    for given, image, connectivity in cases(rng):
        labels = ours.max_tree_local_maxima(given, connectivity)
        expected = theirs.max_tree_local_maxima(native(image), connectivity)
        assert labels.dtype == np.uint64 and labels.shape == image.shape
        pairs = {(int(a), int(b)) for a, b in zip(labels.ravel(), expected.ravel())}
        assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
        assert ((labels == 0) == (expected == 0)).all()
        first = [int(np.flatnonzero(labels.ravel() == k)[0]) for k in range(1, int(labels.max()) + 1)]
        assert first == sorted(first)


@pytest.mark.parametrize("method", ["dilation", "erosion"])
def test_reconstruction_equals_that_of_skimage(rng, method):
    ndimage = pytest.importorskip("scipy.ndimage")
    for _ in range(ROUNDS):
        image = random_image(rng, DTYPES[rng.integers(1, len(DTYPES))])
        other = random_image(rng, image.dtype, image.shape)
        low, high = np.minimum(image, other), np.maximum(image, other)
        seed, mask = (low, high) if method == "dilation" else (high, low)
        connectivity = int(rng.integers(1, image.ndim + 1))
        footprint = ndimage.generate_binary_structure(image.ndim, connectivity)
        expected = theirs.reconstruction(native(seed), native(mask), method, footprint)
        same(ours.reconstruction(reordered(rng, seed), mask, method, footprint), expected, image)
        if connectivity == image.ndim:
            same(ours.reconstruction(seed, reordered(rng, mask), method), expected, image)


def flooded(seed, mask, connectivity):
    """Reconstruction by dilation as its definition says: dilations under the mask until nothing changes."""
    while True:
        padded = np.pad(seed, 1, constant_values=seed.min())
        grown = seed.copy()
        for step in neighbour_steps(seed.ndim, connectivity):
            grown = np.maximum(grown, padded[tuple(slice(1 + s, 1 + s + n) for s, n in zip(step, seed.shape))])
        grown = np.minimum(grown, mask)
        if (grown == seed).all():
            return grown
        seed = grown


def test_reconstruction_equals_its_definition(rng):
    for _ in range(200):
        mask = random_image(rng, "i4")
        seed = np.minimum(mask, random_image(rng, "i4", mask.shape))
        steps = np.abs(np.indices((3,) * mask.ndim) - 1).sum(axis=0)
        for connectivity in range(1, mask.ndim + 1):
            result = ours.reconstruction(seed, mask, footprint=steps <= connectivity)
            np.testing.assert_array_equal(result, flooded(seed, mask, connectivity))
            dual = ours.reconstruction(-seed, -mask, "erosion", steps <= connectivity)
            np.testing.assert_array_equal(dual, -result)


@pytest.mark.parametrize("name", ["h_maxima", "h_minima"])
def test_h_extrema_equal_those_of_skimage(rng, name):
    ndimage = pytest.importorskip("scipy.ndimage")
    for _ in range(ROUNDS):
        image = random_image(rng, DTYPES[rng.integers(1, len(DTYPES))])
        if image.dtype.kind in "iu" and int(image.max()) - int(image.min()) > 120:
            continue
        spread = float(image.max()) - float(image.min())
        h = max(1, int(rng.integers(0, int(spread) + 2)))
        if image.dtype.kind == "f":
            h = float(rng.integers(1, 8 * h + 1)) / 8
        connectivity = int(rng.integers(1, image.ndim + 1))
        footprint = ndimage.generate_binary_structure(image.ndim, connectivity)
        expected = getattr(theirs, name)(native(image), h, footprint)
        same(getattr(ours, name)(reordered(rng, image), h, footprint), expected, image)


def test_fractional_heights_of_integers(rng):
    for _ in range(50):
        image = random_image(rng, "u1")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = theirs.h_maxima(image, 1.5)
        same(ours.h_maxima(image, 1.5), expected, image)


def test_filters_are_idempotent_and_dual(rng):
    for given, image, connectivity in cases(rng, 100):
        opened = ours.area_opening(given, 3, connectivity)
        same(ours.area_opening(opened, 3, connectivity), opened, image)
        if image.dtype.kind in "if" and image.size >= 3:
            assert (opened <= image).all()
            same(-ours.area_closing(-native(image), 3, connectivity), opened, image)


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (3, 0, 2)])
def test_empty_arrays_give_empty_arrays(shape):
    image = np.zeros(shape, np.uint8)
    assert ours.area_opening(image).shape == shape
    assert ours.diameter_closing(image).shape == shape
    assert ours.max_tree_local_maxima(image).shape == shape
    assert ours.reconstruction(image, image).shape == shape
    assert ours.h_maxima(image, 1).shape == shape


def test_sequences_and_buffers_are_arrays():
    rows = [[1, 5, 1], [1, 1, 1]]
    assert ours.area_opening(rows, 2).tolist() == [[1, 1, 1], [1, 1, 1]]
    assert ours.area_opening(memoryview(b"\x01\x05\x01"), 2).tolist() == [1, 1, 1]


@pytest.mark.parametrize("image, message", [
    (np.zeros((2, 2), complex), "complex128"),
    (np.array([["a"]]), "<U1"),
    (np.zeros((1, 1, 1, 1), np.uint8), "4 axes"),
    (np.zeros(()), "0 axes"),
    (np.array([[np.nan, 1.0]]), "NaN"),
])
def test_other_arrays_are_refused_with_one_line(image, message):
    with pytest.raises(ValueError, match=message) as caught:
        ours.area_opening(image)
    assert "\n" not in str(caught.value)


def test_wrong_parameters_are_refused():
    image = np.arange(9, dtype=np.uint8).reshape(3, 3)
    with pytest.raises(ValueError, match="connectivity: 3"):
        ours.area_opening(image, connectivity=3)
    with pytest.raises(ValueError, match="footprint"):
        ours.h_maxima(image, 1, np.ones((5, 5)))
    with pytest.raises(ValueError, match="h = 0 is ambiguous"):
        ours.h_maxima(image, 0)
    with pytest.raises(ValueError, match="is positive"):
        ours.h_minima(image, -1)
    with pytest.raises(ValueError, match="method"):
        ours.reconstruction(image, image, "both")
    with pytest.raises(ValueError, match="greater than the mask's"):
        ours.reconstruction(image + 1, image)
    with pytest.raises(ValueError, match="shape"):
        ours.reconstruction(image[:2], image)


@pytest.mark.parametrize("count", [256, 257, 65536])
def test_integers_of_any_range_come_back(count):
    image = np.arange(count, dtype=np.int32)[np.newaxis] - 100
    same(ours.area_opening(image, 1), image, image)


def test_inputs_stay_as_they_are(rng):
    for given, image, connectivity in cases(rng, 50):
        before = given.copy()
        ours.area_opening(given, 3, connectivity)
        ours.max_tree_local_maxima(given, connectivity)
        np.testing.assert_array_equal(given, before)
