"""Arrays with more than values: axes by letters, masks, missing values, coordinates; results come as the arrays came."""
import itertools
import subprocess
import sys

import numpy as np
import pytest
from conftest import random_image, reordered

import pollard_morphology as pollard
from pollard_morphology import morphology

RECIPE = pollard.Recipe('{"pollard_recipe": 1, "name": "small", "steps": [{"id": "filter", "version": 1, '
                        '"parameters": {"criteria": ["area>=4"]}}]}')


def stacked(image, loops, work):
    """A naive oracle: the work on each image, in the array's shape."""
    out = [work(image[place]) for place in np.ndindex(*image.shape[:loops])]
    return np.stack(out).reshape((*image.shape[:loops], *out[0].shape))


@pytest.mark.parametrize("axes", ["tyx", "cyx", "yxc", "tcyx", "tzyx", "ctzyx", "xy", "xyz", "zyxc", "yxtc"])
def test_letters_say_which_axes_are_images(rng, axes):
    spatial = "".join(letter for letter in "zyx" if letter in axes)
    loops = "".join(letter for letter in axes if letter not in "zyx")
    order = [axes.index(letter) for letter in loops + spatial]
    back = tuple(int(at) for at in np.argsort(order))
    for kind in ("u1", "i2", "f4", "bool"):
        image = random_image(rng, kind, tuple(int(side) for side in rng.integers(2, 6, len(axes))))
        work = image.transpose(order)
        trees = pollard.max_tree(reordered(rng, image), axes=axes)
        for call in (lambda tree: tree.filter("area >= 3"), lambda tree: tree.labels("1 <= area <= 3"),
                     lambda tree: tree.filter("area >= 3", output="residue"), lambda tree: tree.h_transform(1)):
            expected = stacked(work, len(loops), lambda each: call(pollard.max_tree(each, axes=spatial))).transpose(back)
            found = call(trees)
            assert found.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected)
        pages = trees.profile("area", [2, 4])
        np.testing.assert_array_equal(pages[1], pollard.max_tree(image, axes=axes).filter("area >= 4"))
        expected = stacked(work, len(loops), lambda each: RECIPE.run(each, axes=spatial).image)
        np.testing.assert_array_equal(RECIPE.run(image, axes=axes).image, expected.transpose(back))


def test_trees_of_several_images_are_reached_by_place():
    image = np.random.default_rng(0).integers(0, 9, (3, 2, 6, 7), dtype=np.uint8)
    trees = pollard.max_tree(image, axes="tcyx")
    assert len(trees) == 6 and trees.shape == (3, 2) and trees.axes == "tc" and "3 x 2" in repr(trees)
    assert [tree.num_nodes for tree in trees] == [pollard.max_tree(each).num_nodes for each in image.reshape(6, 6, 7)]
    np.testing.assert_array_equal(trees[2, -1].nodes, pollard.max_tree(image[2, 1]).nodes)
    for wrong, problem in (((3, 0), IndexError), (0, ValueError), ("a", TypeError)):
        with pytest.raises(problem):
            trees[wrong]  # pylint: disable=pointless-statement


def test_masks_follow_the_axes(rng):
    image = rng.integers(0, 9, (2, 6, 5)).astype(np.uint8)
    mask = rng.random(image.shape) < 0.7
    for given in (mask, mask[0]):
        found = pollard.max_tree(image, axes="tyx", mask=given).filter("area >= 3")
        for t in range(2):
            each = given[t] if given.ndim == 3 else given
            np.testing.assert_array_equal(found[t], pollard.max_tree(image[t], mask=each).filter("area >= 3"))
    with pytest.raises(ValueError, match="mask: has another shape"):
        pollard.max_tree(image, axes="tyx", mask=mask[0, 0])


def test_objects_of_several_images_have_one_table(rng):
    mask = rng.random((3, 2, 8, 9)) < 0.4
    grey = rng.integers(0, 200, mask.shape).astype(np.uint8)
    labels, table = pollard.objects(mask, grey, 1, axes="tcyx")
    row = 0
    for t, c in itertools.product(range(3), range(2)):
        one = pollard.objects(mask[t, c], grey[t, c], 1)
        rows = slice(row, row + one.table["label"].size)
        np.testing.assert_array_equal(labels[t, c], np.where(one.labels, one.labels + row, 0))
        assert (table["t"][rows] == t).all() and (table["c"][rows] == c).all()
        for name in one.table:
            np.testing.assert_array_equal(table[name][rows], one.table[name] + (row if name == "label" else 0))
        row = rows.stop
    assert row == table["label"].size == labels.max()
    with pytest.raises(ValueError, match="names: 'skimage'"):
        pollard.Objects(labels, table).columns("skimage")


@pytest.mark.parametrize("call", [pollard.max_tree, lambda image: RECIPE.run(image),
                                  lambda image: pollard.profile(image, "area", [2]), lambda image: pollard.objects(image)])
def test_colours_and_more_axes_are_refused_with_the_way_out(call):
    for shape in ((20, 30, 3), (16, 16, 4)):
        with pytest.raises(ValueError, match=r"seems to have colours.*\[\.\.\., 1\].*axes='yxc'.*axes='zyx'"):
            call(np.zeros(shape, np.uint8))
    with pytest.raises(ValueError, match="has 4 axes.*axes='tzyx'"):
        call(np.zeros((2, 3, 20, 30), np.uint8))


def test_contours_evolve_in_images():
    for shape in ((20, 30, 3), (2, 3, 20, 30)):
        with pytest.raises(ValueError, match="axes; contours evolve in images"):
            pollard.snake(np.zeros(shape, np.uint8), (2, 2, 9, 9))


def test_colours_are_channels_or_a_volume_if_axes_say_so(rng):
    image = rng.integers(0, 200, (20, 30, 3)).astype(np.uint8)
    found = pollard.max_tree(image, axes="yxc").filter("area >= 9")
    for c in range(3):
        np.testing.assert_array_equal(found[..., c], pollard.max_tree(image[..., c]).filter("area >= 9"))
    assert pollard.max_tree(image, axes="zyx").shape == image.shape


@pytest.mark.parametrize("axes", ["yyx", "tzy", "abcd", "yx", "", "tzyxc"])
def test_other_letters_are_refused(axes):
    with pytest.raises(ValueError, match="^axes: "):
        pollard.max_tree(np.zeros((2, 3, 4), np.uint8), axes=axes)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
def test_nan_is_missing(rng, kind):
    for _ in range(10):
        image = random_image(rng, kind, (7, 8))
        missing = rng.random(image.shape) < 0.2
        image[missing] = np.nan
        tree, masked = pollard.max_tree(image), pollard.max_tree(np.where(missing, 0, image).astype(kind), mask=~missing)
        np.testing.assert_array_equal(tree["area"], masked["area"])
        np.testing.assert_allclose(tree["mean"], masked["mean"], rtol=1e-14)
        found = tree.filter("area >= 3")
        assert np.isnan(found[missing]).all()
        np.testing.assert_array_equal(found[~missing], masked.filter("area >= 3")[~missing])
        np.testing.assert_array_equal(RECIPE(image), pollard.max_tree(image, 1).filter("area >= 4"))
        opened = morphology.area_opening(image, 3)
        assert np.isnan(opened[missing]).all() and not np.isnan(opened[~missing]).any()
        np.testing.assert_array_equal(opened, found)
        np.testing.assert_array_equal(pollard.max_tree(image.tolist()).filter("area >= 3"), found.astype(float))
    assert np.isnan(pollard.max_tree(np.full((2, 2), np.nan)).filter("area >= 1")).all()


def test_masked_arrays_come_back_with_their_mask(rng):
    image = rng.integers(0, 20, (9, 8)).astype(np.int16)
    outside = rng.random(image.shape) < 0.3
    masked, plain = np.ma.MaskedArray(image, outside), pollard.max_tree(image, mask=~outside)
    tree = pollard.max_tree(masked)
    for found, expected in ((tree.filter("area >= 3"), plain.filter("area >= 3")),
                            (tree.labels("area <= 3"), plain.labels("area <= 3")),
                            (tree.reconstruct(tree["area"] >= 3), plain.filter("area >= 3")), (tree.nodes, plain.nodes),
                            (tree.profile("area", [2, 3])[1], plain.filter("area >= 3")),
                            (RECIPE(masked), plain.filter("area >= 4"))):
        assert isinstance(found, np.ma.MaskedArray) and found.dtype == expected.dtype
        np.testing.assert_array_equal(found.mask, outside)
        np.testing.assert_array_equal(found.compressed(), expected[~outside])


def test_empty_arrays_have_no_components():
    for shape in ((0,), (0, 5), (5, 0), (3, 0, 4)):
        labels, count = pollard.label(np.zeros(shape, bool), return_num=True)
        assert labels.shape == shape and labels.dtype == np.uint32 and count == 0
        assert morphology.label(np.zeros(shape, np.uint8)).shape == shape
        assert morphology.area_opening(np.zeros(shape, np.uint8)).shape == shape


def test_numpy_arrays_import_neither_xarray_nor_dask():
    script = ("import sys, numpy as np, pollard_morphology as p\nimage = np.zeros((5, 6), np.uint8)\n"
              "p.max_tree(image).filter('area >= 3'); p.area_opening(image); p.objects(image > 0); p.label(image > 0)\n"
              "assert not {'xarray', 'dask', 'zarr', 'pandas'} & set(sys.modules)")
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def data_array(image, dims, spacing=None, units="um"):
    xarray = pytest.importorskip("xarray", reason="no xarray; Debian has python3-xarray")
    coords = {dim: (dim, 5 + (1 if spacing is None else spacing[dim]) * np.arange(side), {"units": units})
              for dim, side in zip(dims, image.shape)}
    coords["place"] = (dims, np.arange(image.size).reshape(image.shape))
    return xarray.DataArray(image, dims=dims, coords=coords, attrs={"source": "test"}, name="signal")


def test_data_arrays_come_back_with_their_coordinates(rng):
    image = rng.integers(0, 20, (9, 8)).astype(np.int16)
    given = data_array(image, ("row", "column"))
    tree, plain = pollard.max_tree(given), pollard.max_tree(image)
    for found, expected in ((tree.filter("area >= 3"), plain.filter("area >= 3")), (tree.nodes, plain.nodes),
                            (tree.labels("area <= 3"), plain.labels("area <= 3")),
                            (morphology.area_opening(given, 3), plain.filter("area >= 3")),
                            (morphology.local_maxima(given), morphology.local_maxima(image)),
                            (morphology.reconstruction(given, given), morphology.reconstruction(image, image)),
                            (pollard.label(given > 9), pollard.label(image > 9)),
                            (pollard.objects(given > 9, given).labels, pollard.label(image > 9)),
                            (RECIPE(given), plain.filter("area >= 4"))):
        assert found.dims == given.dims and found.dtype == expected.dtype and found.name == given.name
        np.testing.assert_array_equal(found.values, expected)
        assert set(found.coords) == set(given.coords) and found.attrs in (given.attrs, {})
        for name in given.coords:
            assert found.coords[name].identical(given.coords[name])
    pages = tree.profile("area", [2, 3])
    assert pages.dims == ("threshold", "row", "column") and "place" in pages.coords
    labels, count = pollard.label(given > 9, return_num=True)
    assert labels.max() == count


def test_dimensions_say_which_axes_are_images(rng):
    image = rng.integers(0, 20, (2, 9, 8, 3)).astype(np.uint8)
    given = data_array(image, ("time", "x", "y", "band"))
    found = pollard.max_tree(given).filter("area >= 3")
    assert found.dims == given.dims
    for t, c in itertools.product(range(2), range(3)):
        np.testing.assert_array_equal(found.values[t, ..., c], pollard.max_tree(image[t, ..., c].T).filter("area >= 3").T)
    table = pollard.objects(given > 9).table
    assert set(table["t"]) == {0, 1} and set(table["c"]) == {0, 1, 2}
    other = data_array(image, ("a", "b", "d", "e"))
    with pytest.raises(ValueError, match="axes="):
        pollard.max_tree(other)
    assert pollard.max_tree(other, axes="tyxc").filter("area >= 3").dims == other.dims


@pytest.mark.parametrize("units, unit", [("um", "um"), ("\u00b5m", "um"), ("micrometers", "um"), ("m", "m"), ("metre", "m"),
                                         ("degrees_east", None), ("", None)])
def test_coordinates_give_the_spacing(units, unit):
    image = np.zeros((30, 40), np.uint8)
    image[4:10, 5:20] = 100
    given = data_array(image, ("y", "x"), {"y": -0.5, "x": 0.25}, units)
    if unit is None:
        assert pollard.max_tree(given)["area"][1] == 90
        return
    tree = pollard.max_tree(given)
    assert tree["area"][1] == pytest.approx(90 * 0.125)
    assert tree.filter(f"area >= 12 {unit}2").max() == 0 and tree.filter(f"area >= 11 {unit}2").max() == 100
    assert pollard.objects(given > 0).table["area"][0] == pytest.approx(90 * 0.125)
    assert pollard.max_tree(given, spacing=(1, 1), unit="mm")["area"][1] == 90
    uneven = given.assign_coords(x=("x", np.arange(40) ** 2.0, {"units": units}))
    assert pollard.max_tree(uneven)["area"][1] == 90


def test_zarr_arrays_are_read(tmp_path):
    zarr = pytest.importorskip("zarr", reason="no zarr; Debian has python3-zarr")
    image = np.random.default_rng(0).integers(0, 200, (30, 40)).astype(np.uint16)
    stored = zarr.open(str(tmp_path / "image.zarr"), mode="w", shape=image.shape, chunks=(16, 16), dtype="u2")
    stored[...] = image
    np.testing.assert_array_equal(pollard.max_tree(stored).filter("area >= 5"), pollard.max_tree(image).filter("area >= 5"))
    np.testing.assert_array_equal(morphology.area_opening(stored, 5), morphology.area_opening(image, 5))
    np.testing.assert_array_equal(RECIPE(stored), RECIPE(image))
