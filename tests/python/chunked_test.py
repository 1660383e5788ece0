"""dask arrays: filters chunk by chunk, compared with those of the whole array."""
import threading

import numpy as np
import pytest
from conftest import random_image

import pollard_morphology as pollard
from pollard_morphology import morphology

dask = pytest.importorskip("dask", reason="no dask; Debian has python3-dask")
da = pytest.importorskip("dask.array", reason="no dask; Debian has python3-dask")

KINDS = ["bool", "u1", "u2", "u4", "i1", "i2", "i4", "i8", "f4", "f8", ">u2"]
FILTERS = [("area >= 4", "direct", "filtered"), ("2 <= area <= 9", "max", "residue"), ("area >= 3", "direct", "mask"),
           ("level >= 1", "viterbi", "filtered"), ("width >= 3 or area >= 9", "min", "filtered")]
OF_IMAGES = [("perimeter >= 9", "direct", "filtered")]
OF_DISTANCES = [("height >= 2", "min", "filtered"), ("area >= 5", "subtractive", "residue")]


def chunked(rng, image):
    """The array in chunks of any sizes, some of them uneven."""
    if rng.random() < 0.3:
        sizes = tuple(tuple(np.diff([0, *sorted(set(rng.integers(1, side, 2).tolist()) if side > 2 else {1}), side]).tolist())
                      for side in image.shape)
        return da.from_array(image, chunks=tuple(tuple(size for size in each if size) for each in sizes))
    return da.from_array(image, chunks=tuple(int(rng.integers(1, side + 1)) for side in image.shape))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axes", [2, 3])
def test_filters_are_exact_over_the_seams(rng, kind, axes):
    for _ in range(2):
        image = random_image(rng, kind, tuple(int(side) for side in rng.integers(3, 20 if axes == 2 else 7, axes)))
        given = chunked(rng, image)
        connectivity, tree_kind = int(rng.integers(1, axes + 1)), ["max", "min"][rng.integers(2)]
        mask = rng.random(image.shape) > 0.2 if rng.random() < 0.5 else None
        whole = pollard.max_tree(image, connectivity, tree_kind, mask=mask)
        tree = pollard.max_tree(given, connectivity, tree_kind, mask=mask)
        has_ranks = np.dtype(kind).kind == "f"
        filters = FILTERS + (OF_IMAGES if axes == 2 else []) + ([] if has_ranks else OF_DISTANCES)
        lazy = [tree.filter(*each) for each in filters]
        labels, count = tree.labels("2 <= area <= 9", return_num=True)
        for found, result, each in zip(dask.compute(*lazy), lazy, filters):
            expected = whole.filter(*each)
            assert found.dtype == result.dtype == expected.dtype
            np.testing.assert_array_equal(found, expected, err_msg=str((each, image.shape, given.chunks)))
        found, number = dask.compute(labels, count)
        expected, right = whole.labels("2 <= area <= 9", return_num=True)
        np.testing.assert_array_equal(found, expected)
        assert number == right
        if has_ranks:
            with pytest.raises(ValueError, match="distances of values"):
                tree.filter("height >= 2").compute()


@pytest.mark.parametrize("kind", ["u1", "i4", "f8"])
def test_functions_on_dask_arrays_equal_those_on_arrays(rng, kind):
    image = random_image(rng, kind, (13, 11))
    given = chunked(rng, image)
    calls = [lambda a: morphology.area_opening(a, 4), lambda a: morphology.area_closing(a, 4, 2),
             lambda a: morphology.diameter_opening(a, 3), lambda a: morphology.diameter_closing(a, 3),
             lambda a: morphology.area_opening(a, 1000), lambda a: morphology.local_maxima(a),
             lambda a: morphology.h_maxima(a, 1), lambda a: morphology.white_tophat(a),
             lambda a: pollard.label(a > 1), lambda a: pollard.max_tree(a).profile("area", [2, 5]),
             lambda a: pollard.max_tree(a, spacing=(2, 2), unit="um").profile("area", [8, 20]),
             lambda a: pollard.max_tree(a, spacing=(2, 2), unit="um").filter("area >= 8 um2")]
    for call in calls:
        found, expected = call(given), call(image)
        assert np.asarray(found).dtype == expected.dtype
        np.testing.assert_array_equal(np.asarray(found), expected)
    np.testing.assert_array_equal(pollard.max_tree(given).compute().nodes, pollard.max_tree(image).nodes)
    np.testing.assert_array_equal(pollard.objects(given > 1, given).labels, pollard.label(image > 1))


def test_chunks_are_read_twice_and_do_not_wait_in_memory():
    image = np.random.default_rng(0).integers(0, 200, (40, 60)).astype(np.uint8)
    lock, reads = threading.Lock(), []

    def read(block_info=None):
        with lock:
            reads.append(block_info[None]["chunk-location"])
        return image[tuple(slice(*each) for each in block_info[None]["array-location"])]

    source = da.map_blocks(read, chunks=((16, 16, 8), (16, 16, 16, 12)), dtype=np.uint8, meta=np.empty((0, 0), np.uint8))
    found = pollard.max_tree(source).filter("area >= 7")
    assert not reads  # lazy
    np.testing.assert_array_equal(found.compute(scheduler="synchronous"), pollard.max_tree(image).filter("area >= 7"))
    assert all(reads.count(each) == 2 for each in np.ndindex(3, 4)) and len(reads) == 24
    assert set(reads[:12]) == set(reads[12:])  # the second time after all merges
    expected = pollard.max_tree(image).filter("area >= 7")
    for given in (source.rechunk((10, 60)), dask.optimize(source.rechunk(10) + 0)[0], source.persist(), source.T.T,
                  da.concatenate([source[:9], source[9:]]), source.map_overlap(lambda block: block, depth=1)):
        found = pollard.max_tree(given).filter("area >= 7").compute(scheduler="synchronous")
        np.testing.assert_array_equal(found, expected)


def test_images_along_axes_are_lazy():
    image = np.random.default_rng(0).integers(0, 9, (3, 12, 11)).astype(np.uint8)
    given = da.from_array(image, chunks=(1, 5, 5))
    found = pollard.max_tree(given, axes="tyx").filter("area >= 4")
    assert isinstance(found, da.Array)
    np.testing.assert_array_equal(found.compute(), pollard.max_tree(image, axes="tyx").filter("area >= 4"))
    turned = pollard.max_tree(da.from_array(image[0].T, chunks=4), axes="xy").filter("area >= 4")
    np.testing.assert_array_equal(turned.compute(), pollard.max_tree(image[0]).filter("area >= 4").T)


def test_data_arrays_of_dask_stay_lazy_with_coordinates():
    xarray = pytest.importorskip("xarray", reason="no xarray; Debian has python3-xarray")
    image = np.random.default_rng(0).integers(0, 9, (12, 11)).astype(np.uint8)
    given = xarray.DataArray(image, dims=("y", "x"), coords={"x": np.arange(11.0)}).chunk({"y": 5, "x": 4})
    for found in (pollard.max_tree(given).filter("area >= 4"), morphology.area_opening(given, 4)):
        assert isinstance(found.data, da.Array) and found.dims == ("y", "x") and "x" in found.coords
        np.testing.assert_array_equal(found.values, pollard.max_tree(image).filter("area >= 4"))


def test_what_needs_the_whole_tree_says_so():
    given = da.from_array(np.random.default_rng(0).integers(0, 9, (12, 11)).astype(np.uint8), chunks=5)
    tree = pollard.max_tree(given)
    for call, problem, message in [
            (lambda: tree["area"], TypeError, "compute"), (lambda: tree.spectrum, AttributeError, "compute"),
            (lambda: tree.filter("dynamics >= 3"), ValueError, "depend on the whole tree"),
            (lambda: tree.filter("entropy >= 3"), ValueError, "not measured in parts"),
            (lambda: tree.filter("area is big"), ValueError, "area is big"),
            (lambda: tree.filter("area >= 3", "some"), ValueError, "rule: 'some'"),
            (lambda: tree.filter("area >= 3um2"), ValueError, "have no size"),
            (lambda: tree.filter("area >= 3", output="x"), ValueError, "output: 'x'"),
            (lambda: pollard.max_tree(given, 3), ValueError, "connectivity: 3"),
            (lambda: pollard.max_tree(given, kind="mid"), ValueError, "kind: 'mid'"),
            (lambda: pollard.max_tree(given[given > 3]), ValueError, "axes|compute_chunk_sizes"),
            (lambda: pollard.max_tree(given.astype(complex)), ValueError, "complex128"),
            (lambda: pollard.max_tree(given, mask=np.ones((3, 3), bool)), ValueError, "mask: has another shape")]:
        with pytest.raises(problem, match=message):
            call()
    infinite = da.from_array(np.array([[0, np.inf], [1, 2]]), chunks=1)
    with pytest.raises(ValueError, match="infinite"):
        pollard.max_tree(infinite).filter("area >= 2").compute()
    many = da.from_array(np.arange(90_000.0).reshape(300, 300), chunks=100)
    with pytest.raises(ValueError, match="65536 different values"):
        pollard.max_tree(many).filter("area >= 2").compute()
