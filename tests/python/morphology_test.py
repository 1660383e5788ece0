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


def of_now(expected, mask):
    """The type that scikit-image's reconstruction has since 0.20."""
    return expected.astype(np.float32) if mask.dtype.kind == "f" and mask.dtype.itemsize <= 4 else expected


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
        expected = of_now(theirs.reconstruction(native(seed), native(mask), method, footprint), mask)
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


@pytest.mark.parametrize("name", ["local_maxima", "local_minima"])
def test_local_extrema_equal_those_of_skimage(rng, name):
    here, there = getattr(ours, name), getattr(theirs, name)
    for given, image, connectivity in cases(rng, least=1):
        same(here(given), there(native(image)), image)
        same(here(given, connectivity=connectivity), there(native(image), connectivity=connectivity), image)
        steps = np.abs(np.indices((3,) * image.ndim) - 1).sum(axis=0) <= connectivity
        same(here(given, steps), there(native(image), steps), image)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(here(given, allow_borders=False), there(native(image), allow_borders=False), image)
        for mine, other in zip(here(given, indices=True), there(native(image), indices=True), strict=True):
            np.testing.assert_array_equal(mine, other)


def test_local_extrema_of_many_values_and_borders(rng):
    image = rng.permutation(300 * 300).reshape(300, 300) // 2
    for name in ("local_maxima", "local_minima"):
        for allow in (True, False):
            same(getattr(ours, name)(image, allow_borders=allow), getattr(theirs, name)(image, allow_borders=allow), image)
    with pytest.warns(UserWarning, match="shorter than 3"):
        assert not ours.local_maxima(image[:2], allow_borders=False).any()
    assert ours.local_maxima(np.zeros((0, 3))).shape == (0, 3)


def larger(function, *arguments, **options):
    """A result of scikit-image; before 0.26 its limits are exclusive and have other names."""
    size = options.pop("max_size")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, max_size=size, **options)
        except TypeError:
            old = "min_size" if function is theirs.remove_small_objects else "area_threshold"
            return function(*arguments, **{old: size + 1}, **options)


@pytest.mark.filterwarnings("ignore:Any labeled images", "ignore:Only one label")
def test_small_objects_and_holes_equal_those_of_skimage(rng):
    for _ in range(ROUNDS):
        axes = int(rng.integers(1, 4))
        flags = rng.random(tuple(rng.integers(1, 10, axes))) < rng.choice([0.3, 0.5, 0.8])
        labels = (rng.integers(0, 4, flags.shape) * flags).astype(rng.choice(["u1", "i4", "u4"]))
        size, connectivity = int(rng.integers(0, 9)), int(rng.integers(1, axes + 1))
        for name in ("remove_small_objects", "remove_small_holes"):
            here, there = getattr(ours, name), getattr(theirs, name)
            for given in (reordered(rng, flags), labels):
                expected = larger(there, np.ascontiguousarray(given), max_size=size, connectivity=connectivity)
                same(here(given, max_size=size, connectivity=connectivity), expected, given)
                with pytest.warns(FutureWarning, match="max_size"):
                    old = here(given, size + 1, connectivity)
                np.testing.assert_array_equal(old, expected)
            out = flags.copy()
            assert here(out, max_size=size, connectivity=connectivity, out=out) is out
            np.testing.assert_array_equal(out, larger(there, flags, max_size=size, connectivity=connectivity))


def test_small_objects_have_defaults_and_refusals():
    flags = np.zeros((20, 20), bool)
    flags[:8, :8] = True
    flags[10:, 10:] = True
    assert ours.remove_small_objects(flags).sum() == 100  # 64 pixels and fewer go
    assert not ours.remove_small_holes(~flags)[10:, 10:].any() and ours.remove_small_holes(~flags)[:8, :8].all()
    assert ours.remove_small_objects(np.zeros((0, 2), bool)).shape == (0, 2)
    with pytest.warns(UserWarning, match="Only one label"):
        ours.remove_small_objects(flags.astype(int))
    with pytest.warns(UserWarning, match="boolean"):
        ours.remove_small_holes(flags.astype(int))
    for name, call in (("float64", lambda: ours.remove_small_objects(flags * 1.0)),
                       ("float64", lambda: ours.remove_small_holes(flags * 1.0)),
                       ("bool", lambda: ours.remove_small_holes(flags, out=np.zeros((20, 20), int)))):
        with pytest.raises(TypeError, match=name):
            call()
    with pytest.raises(ValueError, match="-1: labels"):
        ours.remove_small_objects(np.array([[-1, 2]]))
    with pytest.raises(ValueError, match="max_size alone"):
        ours.remove_small_objects(flags, min_size=3, max_size=3)


@pytest.mark.parametrize("name", ["white_tophat", "black_tophat"])
def test_tophats_equal_those_of_skimage(rng, name):
    here, there = getattr(ours, name), getattr(theirs, name)
    for given, image, _ in cases(rng, ROUNDS // 4):
        if image.dtype == bool:
            continue  # scikit-image 0.19 gives other results for booleans by version of NumPy
        image = native(image)
        same(here(given), there(image), image)
        footprint = rng.random((3,) * image.ndim) < 0.6
        footprint[(1,) * image.ndim] = True
        footprint |= np.flip(footprint)  # scikit-image before 0.23 has another closing by footprints without this symmetry
        same(here(given, footprint), there(image, footprint), image)
        flat = np.ones((3, 5, 1)[:image.ndim], np.uint8)
        same(here(given, flat), there(image, flat), image)
        out = image.copy()
        assert here(out, out=out) is out
        np.testing.assert_array_equal(out, there(image))


def test_tophats_by_definition(rng):
    for _ in range(50):
        image = rng.random((9, 11)) < 0.5
        footprint = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]]) if rng.random() < 0.5 else np.ones((3, 5))
        white, black = ours.white_tophat(image, footprint), ours.black_tophat(image, footprint)
        assert white.dtype == black.dtype == bool
        assert (image | ~white).all() and not (image & black).any()
        np.testing.assert_array_equal(ours.white_tophat(image.astype(np.uint8), footprint), white)
        np.testing.assert_array_equal(ours.white_tophat(image & ~white, footprint), np.zeros_like(image))  # idempotent
