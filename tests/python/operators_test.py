"""Operators against SciPy and scikit-image, on random arrays: equal integers."""
import numpy as np
import pytest
from conftest import reordered

import pollard_morphology as pollard
from pollard_morphology import morphology as ours

ndimage = pytest.importorskip("scipy.ndimage")
theirs = pytest.importorskip("skimage.morphology")


def random_array(rng, axes=None):
    axes = int(rng.integers(1, 4)) if axes is None else axes
    shape = tuple(int(side) for side in rng.integers(2, (0, 300, 60, 16)[axes], axes))  # one slice is an image
    high = int(rng.choice([2, 9, 256, 60000]))
    return rng.integers(0, high, shape).astype(np.uint8 if high <= 256 else np.uint16)


def disc(radius, axes):
    reach = int(radius)
    return ((np.indices((2 * reach + 1,) * axes) - reach)**2).sum(axis=0) <= radius**2


def footprint_of(shape, radius, axes):
    return disc(radius, axes) if shape == "disc" else np.ones((2 * int(radius) + 1,) * axes, bool)


def test_reconstructions_from_marked_pixels_equal_those_of_scikit_image(rng):
    for _ in range(100):
        image = random_array(rng)
        marker = rng.random(image.shape) < .05
        connectivity = int(rng.integers(1, image.ndim + 1))
        footprint = ndimage.generate_binary_structure(image.ndim, connectivity)
        for name, method, elsewhere in (("reconstruction-by-dilation", "dilation", image.min()),
                                        ("reconstruction-by-erosion", "erosion", image.max())):
            seed = np.where(marker, image, elsewhere)
            found = pollard.apply_operator(image, name, marker=marker * 7, connectivity=connectivity)
            assert found.dtype == image.dtype
            np.testing.assert_array_equal(found, theirs.reconstruction(seed, image, method, footprint), err_msg=name)
    with pytest.raises(ValueError, match="marker: has another shape"):
        pollard.apply_operator(np.zeros((3, 4)), "reconstruction-by-dilation", marker=np.zeros((3, 5)))
    with pytest.raises(ValueError, match="marker: reconstruction-by-dilation needs it"):
        pollard.apply_operator(np.zeros((3, 4)), "reconstruction-by-dilation")


def test_flat_operators_equal_those_of_scipy(rng):
    for _ in range(150):
        image = random_array(rng)
        shape, radius = rng.choice(["disc", "box"]), float(rng.choice([0, 1, 1.5, 2, 3.2, 5]))
        footprint = footprint_of(shape, radius, image.ndim)
        for name, function in (("erosion", ndimage.grey_erosion), ("dilation", ndimage.grey_dilation),
                               ("opening", ndimage.grey_opening), ("closing", ndimage.grey_closing)):
            found = pollard.apply_operator(reordered(rng, image), name, shape=shape, radius=radius)
            assert found.dtype == image.dtype
            np.testing.assert_array_equal(found, function(image, footprint=footprint), err_msg=name)
        opened, closed = (function(image, footprint=footprint) for function in (ndimage.grey_opening, ndimage.grey_closing))
        np.testing.assert_array_equal(pollard.apply_operator(image, "white-tophat", shape=shape, radius=radius), image - opened)
        np.testing.assert_array_equal(pollard.apply_operator(image, "black-tophat", shape=shape, radius=radius), closed - image)
        np.testing.assert_array_equal(pollard.gradient(image, radius, shape=shape),
                                      ndimage.grey_dilation(image, footprint=footprint) -
                                      ndimage.grey_erosion(image, footprint=footprint))


def test_morphology_has_scikit_images_functions(rng):
    for _ in range(100):
        image = random_array(rng, int(rng.integers(2, 4)))
        image = image.astype(rng.choice(["uint8", "uint16", "float32"])) if rng.random() < .5 else image
        radius = int(rng.integers(1, 4))
        shape = rng.choice(["disc", "box", "any"])
        footprint = rng.random((3,) * image.ndim) < .6 if shape == "any" else footprint_of(shape, radius, image.ndim)
        if shape == "any":
            footprint |= np.flip(footprint)  # versions of scikit-image differ in the mirroring of other footprints
            footprint[(1,) * image.ndim] = True
        for name in ("erosion", "dilation", "opening", "closing", "white_tophat", "black_tophat"):
            np.testing.assert_array_equal(getattr(ours, name)(image, footprint), getattr(theirs, name)(image, footprint),
                                          err_msg=f"{name} {shape}")
    out = np.empty_like(image)
    assert ours.opening(image, out=out) is out
    np.testing.assert_array_equal(out, theirs.opening(image))


def test_medians_equal_those_of_scipy(rng):
    for _ in range(80):
        image = random_array(rng)
        shape, radius = rng.choice(["disc", "box"]), float(rng.choice([1, 1.5, 2, 4]))
        footprint = footprint_of(shape, radius, image.ndim)
        np.testing.assert_array_equal(pollard.median(image, radius, shape=shape),
                                      ndimage.median_filter(image, footprint=footprint))


def test_gaussians_equal_those_of_scipy_but_for_the_rounding(rng):
    for _ in range(80):
        image = random_array(rng)
        sigma = float(rng.uniform(.2, 5))
        expected = ndimage.gaussian_filter(image.astype(np.float64), sigma)
        found = pollard.gaussian(image, sigma)
        assert found.dtype == image.dtype
        is_clear = np.abs(expected % 1 - .5) > 1e-6
        np.testing.assert_array_equal(found[is_clear], np.floor(expected + .5)[is_clear])
        assert np.abs(found - expected).max() <= .5 + 1e-6


def test_holes_equal_those_of_scipy_and_scikit_image(rng):
    for _ in range(80):
        image = random_array(rng, int(rng.integers(2, 4)))
        mask = image > np.median(image)
        np.testing.assert_array_equal(pollard.fill_holes(mask), ndimage.binary_fill_holes(mask))
        if min(image.shape) > 2:
            inner = (slice(1, -1),) * image.ndim
            structure = ndimage.generate_binary_structure(image.ndim, 1)
            seed = np.full_like(image, image.max())
            border = np.ones(image.shape, bool)
            border[inner] = False
            seed[border] = image[border]
            np.testing.assert_array_equal(pollard.fill_holes(image),
                                          theirs.reconstruction(seed, image, "erosion", structure))
            seed = np.where(border, image, 0).astype(image.dtype)
            np.testing.assert_array_equal(pollard.clear_border(image),
                                          image - theirs.reconstruction(seed, image, "dilation", structure))


def test_skeletons_equal_those_of_scikit_image(rng):
    for _ in range(150):
        axes = int(rng.integers(2, 4))
        mask = ndimage.gaussian_filter(rng.random(tuple(rng.integers(3, (0, 0, 60, 20)[axes], axes))), 1) > .5
        expected = theirs.skeletonize(mask, method="lee") != 0
        np.testing.assert_array_equal(pollard.skeletonize(mask), expected)
        width = pollard.thickness(mask)
        if not mask.all():
            np.testing.assert_array_equal(width, np.where(expected, 2 * ndimage.distance_transform_edt(mask), 0))


def test_pixels_outside_a_mask_do_not_count(rng):
    for _ in range(60):
        image = random_array(rng, 2)
        mask = rng.random(image.shape) < .7
        eroded = pollard.apply_operator(image, "erosion", radius=1, mask=mask)
        filled = np.where(mask, image, np.iinfo(image.dtype).max)
        np.testing.assert_array_equal(eroded, np.where(mask, ndimage.grey_erosion(filled, footprint=disc(1, 2)), image))
        with_nan = np.where(mask, image, np.nan)
        np.testing.assert_array_equal(pollard.apply_operator(with_nan, "erosion", radius=1)[mask], eroded[mask])


def test_sides_of_voxels_count():
    image = np.zeros((5, 9, 9), np.uint8)
    image[2, 4, 4] = 1
    found = pollard.apply_operator(image, "dilation", radius=2, spacing=(2, 1, .5))
    z, y, x = np.indices(image.shape)
    np.testing.assert_array_equal(found, ((z - 2) * 2)**2 + (y - 4)**2 + ((x - 4) * .5)**2 <= 4)


def test_wide_and_real_values_are_compared_exactly(rng):
    for dtype in (np.int16, np.int64, np.float64):
        image = (rng.random((40, 30)) * 1e6 - 5e5).astype(np.int16 if dtype == np.int16 else dtype)
        found = pollard.apply_operator(image, "opening", radius=2)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, ndimage.grey_opening(image, footprint=disc(2, 2)))


def test_wrong_arguments_are_refused():
    image = np.zeros((4, 5), np.uint8)
    for wrong in ({"operator": "sharpen"}, {"operator": "opening"}, {"operator": "opening", "radius": -1},
                  {"operator": "opening", "radius": 1, "sigma": 1}, {"operator": "median", "radius": 1, "shape": "star"},
                  {"operator": "gaussian", "sigma": float("nan")}, {"operator": "fill-holes", "connectivity": 3},
                  {"operator": "erosion", "radius": 1, "mask": np.ones((2, 2), bool)}):
        with pytest.raises(ValueError):
            pollard.apply_operator(image, **wrong)
    with pytest.raises(ValueError, match="uint16"):
        pollard.gaussian(np.zeros((3, 3)) + .5)
    with pytest.raises(ValueError, match="method"):
        pollard.skeletonize(image, method="zhang")
