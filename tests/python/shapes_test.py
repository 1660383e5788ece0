"""Shapes of objects beside scikit-image and SciPy."""
import numpy as np
import pytest

import pollard_morphology as pollard

SHAPES = ("area_convex", "solidity", "perimeter_convex", "feret_diameter_max", "feret_max_angle", "feret_diameter_min",
          "feret_min_angle", "inscribed_radius", "inscribed_x", "inscribed_y", "thickness")


def noise(shape, density, seed=0):
    return np.random.default_rng(seed).random(shape) < density


def blobs(shape=(150, 180)):
    """Round and bent objects of many sizes."""
    y, x = np.indices(shape)
    return np.sin(x / 9) * np.cos(y / 13) + np.sin((x + 2 * y) / 21) > 0.4


@pytest.mark.parametrize("mask", [noise((40, 50), 0.2), noise((40, 50), 0.45), blobs(), np.ones((1, 9), bool),
                                  np.ones((7, 1), bool), np.eye(6, dtype=bool)])
@pytest.mark.parametrize("spacing", [None, (2, 0.5)])
def test_hulls_are_those_of_regionprops(mask, spacing):
    skimage, measure = pytest.importorskip("skimage"), pytest.importorskip("skimage.measure")
    if skimage.__version__.startswith(("0.18", "0.19")):
        pytest.skip("scikit-image before 0.20 leaves out pixels on the border of the hull")
    found = pollard.objects(mask, spacing=spacing, features="all")
    columns = found.columns("skimage")
    names = ("area_convex", "solidity", "feret_diameter_max")
    options = {} if spacing is None else {"spacing": spacing}
    expected = measure.regionprops_table(found.labels.astype(int), properties=names, **options)
    for name in names:
        np.testing.assert_allclose(columns[name], expected[name], rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("mask, spacing", [(noise((40, 50), 0.6), None), (blobs(), None), (blobs(), (2, 0.5)),
                                           (noise((12, 14, 10), 0.7), None), (noise((12, 14, 10), 0.7), (3, 1, 0.5))])
def test_inscribed_balls_are_the_largest_distances(mask, spacing):
    ndimage = pytest.importorskip("scipy.ndimage")
    found = pollard.objects(mask, connectivity=1, spacing=spacing, features=["inscribed_radius"])
    for label, radius in zip(found.table["label"], found.table["inscribed_radius"]):
        far = ndimage.distance_transform_edt(np.pad(found.labels == label, 1), spacing)
        assert radius == pytest.approx(far.max(), rel=1e-12)


def test_thickness_is_that_of_all_balls():
    ndimage = pytest.importorskip("scipy.ndimage")
    found = pollard.objects(blobs((50, 60)), features=["thickness"])
    places = np.indices(found.labels.shape)
    for label, thickness in zip(found.table["label"], found.table["thickness"]):
        inside = found.labels == label
        far = ndimage.distance_transform_edt(np.pad(inside, 1))[1:-1, 1:-1]
        largest = np.zeros(inside.shape)
        for y, x in np.argwhere(inside):
            near = (places[0] - y) ** 2 + (places[1] - x) ** 2 < far[y, x] ** 2 - 1e-9
            largest[near] = np.maximum(largest[near], far[y, x])
        assert thickness == pytest.approx(2 * largest[inside].mean(), rel=1e-12)


def test_shapes_are_columns_if_they_are_named():
    mask = noise((20, 30), 0.4)
    usual = pollard.objects(mask).table
    assert not set(SHAPES) & set(usual)
    some = pollard.objects(mask, features=["thickness", "solidity"]).table
    assert set(some) - set(usual) == {"thickness", "solidity"}
    whole = pollard.objects(mask, features="all").table
    assert set(whole) - set(usual) == set(SHAPES)
    assert whole["area_convex"].dtype == np.int64 and whole["inscribed_x"].dtype == np.int64
    assert "solidity" not in pollard.objects(mask).columns("skimage")
    volume = pollard.objects(np.ones((3, 5, 7), bool), features="all").table
    assert volume["inscribed_radius"] == [2] and volume["inscribed_z"] == [1] and "solidity" not in volume


def test_other_features_are_errors():
    with pytest.raises(ValueError, match="'nonsense' is no feature"):
        pollard.objects(np.ones((2, 2), bool), features="nonsense")
    with pytest.raises(ValueError, match="'solidity' is no feature"):
        pollard.objects(np.ones((2, 2, 2), bool), features=["solidity"])
    for wrong in (3, [3], None):
        with pytest.raises(TypeError, match="features"):
            pollard.objects(np.ones((2, 2), bool), features=wrong)
