"""Arguments: what users of scikit-image type first works, and what is refused gets a sentence."""
import sys
import threading

import numpy as np
import pytest

import pollard_morphology as pollard
from pollard_morphology import morphology

IMAGE = np.random.default_rng(0).integers(0, 200, (12, 15)).astype(np.uint8)
MASK = IMAGE > 100
WRONG = [  # functions of a tree
    lambda t: t[3], lambda t: t[None], lambda t: list(t), lambda t: dict(t), lambda t: t.filter(5),
    lambda t: t.filter(t["area"] > 3), lambda t: t.filter([1, 2]), lambda t: t.filter("area>3", 5),
    lambda t: t.filter("area>3", output=3), lambda t: t.filter("area>3", prominent=3), lambda t: t.labels(5),
    lambda t: t.labels(None), lambda t: t.labels([]), lambda t: t.labels("area>3", 5), lambda t: t.reconstruct(None),
    lambda t: t.reconstruct("area>3"), lambda t: t.reconstruct([0.5]), lambda t: t.reconstruct([True]),
    lambda t: t.reconstruct([t.num_nodes]), lambda t: t.reconstruct([-1]), lambda t: t.reconstruct([0] * t.num_nodes),
    lambda t: t.reconstruct([[True], [False, True]]), lambda t: t.reconstruct([0], 5), lambda t: t.spectrum(3),
    lambda t: t.spectrum("area", "x"), lambda t: t.spectrum("area", 2.5), lambda t: t.spectrum("area", -1),
    lambda t: t.spectrum("area", 4, 3), lambda t: t.spectrum("area", 4, "linear", 3),
    lambda t: t.spectrum("area", 4, "linear", (1, "a")), lambda t: t.spectrum("area", 4, "linear", (1, 2, 3)),
    lambda t: t.profile("area", 3), lambda t: t.profile("area", ["a"]), lambda t: t.profile("area", [np.nan]),
    lambda t: t.profile("area", "12"), lambda t: t.profile(3, [1]), lambda t: t.mser("a"), lambda t: t.mser(2.5),
    lambda t: t.mser(-2), lambda t: t.mser(2, -3), lambda t: t.mser(70000), lambda t: t.mser(max_variation="a"),
    lambda t: t.chain("a"), lambda t: t.chain(1.5, 2), lambda t: t.h_transform("a"), lambda t: t.h_transform(None),
    lambda t: t.h_transform(np.nan),
    # functions of the image
    lambda t: pollard.max_tree(IMAGE, "a"), lambda t: pollard.max_tree(IMAGE, None), lambda t: pollard.max_tree(IMAGE, 1.5),
    lambda t: pollard.max_tree(IMAGE, kind=3), lambda t: pollard.max_tree(IMAGE, device=None),
    lambda t: pollard.max_tree(IMAGE, threads="a"), lambda t: pollard.max_tree(IMAGE, threads=-1),
    lambda t: pollard.max_tree(IMAGE, spacing="ab", unit="um"), lambda t: pollard.max_tree(IMAGE, spacing=(1, "b"), unit="um"),
    lambda t: pollard.max_tree(IMAGE, spacing=(1, 1), unit=3), lambda t: pollard.max_tree(IMAGE, mask=3),
    lambda t: pollard.max_tree("a.tif"), lambda t: pollard.max_tree(None), lambda t: pollard.profile(IMAGE, 3, [1]),
    lambda t: pollard.mser(IMAGE, delta="a"), lambda t: pollard.label(MASK, connectivity="a"), lambda t: pollard.label(3),
    lambda t: pollard.label(IMAGE), lambda t: pollard.label(MASK, "a"), lambda t: pollard.objects(MASK, connectivity=1.5),
    lambda t: pollard.objects(MASK, device=3), lambda t: pollard.objects(MASK).columns("other"),
    lambda t: pollard.best_components(3), lambda t: pollard.best_components(IMAGE, "a"),
    lambda t: pollard.best_components(IMAGE, 0), lambda t: pollard.best_components(IMAGE, strictness=1),
    lambda t: pollard.best_components(IMAGE[0]), lambda t: pollard.best_components(np.zeros((2, 2, 2, 2), np.uint8)),
    lambda t: pollard.best_components(IMAGE, mask=MASK[1:]), lambda t: pollard.best_components(IMAGE, device=3),
    lambda t: pollard.hierarchy(IMAGE, device=3),
    lambda t: pollard.snake(IMAGE, 3), lambda t: pollard.snake(IMAGE, "abc"), lambda t: pollard.snake(IMAGE, []),
    lambda t: pollard.snake(IMAGE, [("a", 2), (3, 4)]), lambda t: pollard.snake(IMAGE, (1, 2, 8, 9), law=3),
    lambda t: pollard.snake(IMAGE, (1, 2, 8, 9), max_step="a"), lambda t: pollard.snake(IMAGE, (1, 2, 8, 9), max_nodes=-1),
    lambda t: pollard.snake(IMAGE, (1, 2, 8, 9), apart=1.5), lambda t: pollard.Recipe(3), lambda t: pollard.Recipe.preset(3),
    lambda t: pollard.Recipe.load(3), lambda t: pollard.Recipe.preset("uneven-background")(IMAGE, device=3),
    lambda t: pollard.Recipe.preset("uneven-background").run("a.tif", at=3),
    lambda t: morphology.area_opening(IMAGE, "a"), lambda t: morphology.area_opening(IMAGE, 4, "a"),
    lambda t: morphology.area_opening(IMAGE, np.nan), lambda t: morphology.diameter_opening(IMAGE, [3]),
    lambda t: morphology.h_maxima(IMAGE, "a"), lambda t: morphology.h_maxima(IMAGE, None),
    lambda t: morphology.reconstruction(IMAGE, IMAGE, 3), lambda t: morphology.max_tree(IMAGE, "a"),
    lambda t: morphology.local_maxima(IMAGE, connectivity="a"), lambda t: morphology.local_maxima(IMAGE, np.ones((5, 5))),
    lambda t: morphology.remove_small_objects(MASK, max_size="a"), lambda t: morphology.white_tophat(IMAGE, 3),
    lambda t: morphology.white_tophat(IMAGE, mode="wrap"), lambda t: morphology.white_tophat(IMAGE, np.ones((2, 2))),
    lambda t: morphology.black_tophat(IMAGE, [(np.ones((3, 3)), 2)])]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_arguments_get_a_sentence(number):
    """One line that speaks of the argument, not of the signature of a function that the caller did not call."""
    tree = pollard.max_tree(IMAGE)
    with pytest.raises((TypeError, ValueError)) as caught:
        WRONG[number](tree)
    text = str(caught.value)
    assert "\n" not in text and ("MaxTree" in text or ":" in text), text
    for words in ("incompatible", "argument must", "not supported between", "object is not", "unsupported operand",
                  "could not convert", "inPixels", "indices"):
        assert words not in text, text


def test_scalars_of_numpy_are_numbers():
    tree = pollard.max_tree(IMAGE, np.int64(2))
    np.testing.assert_array_equal(pollard.max_tree(IMAGE, 2.0).parent, tree.parent)
    np.testing.assert_array_equal(morphology.area_opening(IMAGE, np.float32(5), np.uint8(2)),
                                  tree.filter("area >= 5"))
    np.testing.assert_array_equal(morphology.h_maxima(IMAGE, np.array(20)), morphology.h_maxima(IMAGE, 20))
    assert tree.chain(np.int32(3), np.array(4)).size == tree.chain((3, 4)).size
    assert tree.spectrum("area", np.uint16(4)).mass.size == 4


def test_a_tree_says_that_it_is_one_object():
    tree = pollard.max_tree(IMAGE)
    with pytest.raises(TypeError, match=r"`parent, tree_traverser = tree.to_skimage\(\)`"):
        _, _ = tree
    assert "area" in tree and "mean" in tree
    assert "size" not in tree and 3 not in tree and None not in tree
    assert [name for name in (each["name"] for each in pollard.attributes()) if name in tree and tree[name].size != len(tree)] == []
    parent, tree_traverser = tree.to_skimage()
    assert parent.shape == IMAGE.shape and tree_traverser.size == IMAGE.size


class Series:
    """A stand-in for a column of pandas or polars."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)


def test_choices_of_nodes_are_arrays_lists_and_series():
    for dtype in (np.uint8, np.float64):  # levels and ranks
        image = IMAGE.astype(dtype)
        tree = pollard.max_tree(image)
        keep = (tree["area"] >= 5) & (tree["area"] < 60)
        numbers = np.flatnonzero(keep)
        for rule in ("direct", "min", "subtractive"):
            expected, labels = tree.reconstruct(keep, rule), tree.labels(keep, rule)
            for choice in (keep.tolist(), Series(keep), Series(keep.astype(object)), numbers, numbers.tolist(),
                           tuple(numbers[::-1]), Series(numbers), numbers.astype(np.uint8) if len(tree) < 256 else numbers,
                           np.ma.MaskedArray(np.ones(len(tree), bool), ~keep), keep[::-1].copy()[::-1]):
                np.testing.assert_array_equal(tree.reconstruct(choice, rule), expected)
                np.testing.assert_array_equal(tree.labels(choice, rule), labels)
        assert tree.labels(np.zeros(0, int)).max() == 0
        assert (tree.reconstruct([]) == image.min()).all()
        np.testing.assert_array_equal(tree.labels(["area >= 5", "area < 60"]), tree.labels("area >= 5 and area < 60"))
        assert (tree.labels("area >= 5") == 1).all()  # the root, as the docstring says


@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "u4"])
def test_masks_of_zeros_and_ones_are_masks(dtype):
    flags = MASK.astype(dtype)
    np.testing.assert_array_equal(pollard.label(flags), pollard.label(MASK))
    np.testing.assert_array_equal(pollard.objects(flags).table["area"], pollard.objects(MASK).table["area"])
    np.testing.assert_array_equal(pollard.max_tree(IMAGE, mask=flags).parent, pollard.max_tree(IMAGE, mask=MASK).parent)
    recipe = pollard.Recipe.preset("uneven-background")
    np.testing.assert_array_equal(recipe(IMAGE, flags), recipe(IMAGE, MASK))
    start = (1, 1, 10, 12)
    assert pollard.snake(IMAGE, start, mask=flags).energy == pollard.snake(IMAGE, start, mask=MASK).energy
    for wrong in (flags * 2, MASK.astype(float)):
        with pytest.raises(ValueError, match="not bool.*mask > 0"):
            pollard.label(wrong)


@pytest.mark.parametrize("shape, spacing", [((30, 40), None), ((30, 40), (2, 3)), ((8, 9, 10), None),
                                            ((8, 9, 10), (3, 2, 1.5)), ((5, 5), None)])
def test_columns_have_names_and_values_of_regionprops(shape, spacing):
    skimage, measure = pytest.importorskip("skimage"), pytest.importorskip("skimage.measure")
    rng = np.random.default_rng(3)
    mask, image = rng.random(shape) < 0.3, rng.integers(0, 999, shape).astype(np.int32)
    found = pollard.objects(mask, image, 1, spacing)
    columns = found.columns(names="skimage")
    values = {"area": "area", "bbox": "bbox", "extent": "extent", "centroid": "centroid", "label": "label"}
    values.update({name: name for name in ("area_bbox", "equivalent_diameter_area", "intensity_mean", "intensity_min",
                                           "intensity_max", "euler_number")})
    is_old = skimage.__version__.startswith("0.19")  # orientations of diagonals are turned, flat volumes end in an error
    axes = ("axis_major_length", "axis_minor_length") if len(shape) == 2 or not is_old else ()
    axes += ("eccentricity",) if len(shape) == 2 else ()
    axes += ("orientation",) if len(shape) == 2 and not is_old else ()
    values.update({name: name for name in axes})
    try:
        options = {} if spacing is None else {"spacing": spacing}
        expected = measure.regionprops_table(found.labels.astype(int), image, properties=list(values), **options)
    except TypeError:
        pytest.skip("scikit-image before 0.20 has no spacing")
    if not is_old:
        assert set(expected) == set(columns) - {"num_pixels"}
    for name, column in expected.items():
        found_column = columns[name]
        if name == "orientation":  # modulo pi; discs have none
            found_column = column + np.where(columns["eccentricity"] < 1e-6, 0, np.sin(found_column - column))
        tolerance = 1e-6 if name == "axis_minor_length" else 1e-12  # the root of a rounding, of lines
        np.testing.assert_allclose(found_column, column, rtol=1e-12, atol=tolerance, err_msg=name)
    np.testing.assert_array_equal(columns["num_pixels"], np.bincount(found.labels.ravel())[1:])
    assert not [name for name in pollard.objects(mask).columns("skimage") if name.startswith("intensity")]
    assert found.columns() == found.table
    nothing = pollard.objects(np.zeros(shape, bool)).columns("skimage")
    assert {column.size for column in nothing.values()} == {0} and "bbox-0" in nothing


def test_tables_become_data_frames():
    pandas = pytest.importorskip("pandas", reason="no pandas; Debian has python3-pandas")
    found = pollard.objects(MASK, IMAGE)
    for names in ("pollard", "skimage"):
        frame = found.to_dataframe(names=names)
        assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == list(found.columns(names))
        assert len(frame) == found.labels.max()
    tree = pollard.max_tree(IMAGE)
    table = pandas.DataFrame(tree.attributes(["area", "mean"]))
    np.testing.assert_array_equal(tree.labels(table["area"] < 50), tree.labels(tree["area"] < 50))
    np.testing.assert_array_equal(tree.labels(table.index[table["area"] < 50]), tree.labels(tree["area"] < 50))


def test_tables_are_streams_of_arrow():
    """Exact in every type of column, read in any thread, released when the last reader is."""
    arrow = pytest.importorskip("pyarrow", reason="no pyarrow; the package index has it")
    columns = {f"c{i}": np.arange(4, -1, -1, dtype=kind) for i, kind in enumerate(
        ("i1", "u1", "i2", ">u2", "i4", "u4", "i8", ">u8", "f4", "f8"))}
    columns.update(flags=np.array([True, False, True, True, False]), empty=np.full(5, np.nan),
                   sums=np.array([2**70, -2**70, 3, 10**38 - 1, 0], dtype=object))
    table = pollard.Table(columns)
    before = sys.getrefcount(columns["c9"])
    read = arrow.RecordBatchReader.from_stream(table).read_all()
    shared = sys.getrefcount(columns["c9"])
    assert shared == before + 1  # not copied
    assert read.column_names == list(columns) and read.num_rows == 5
    for name, column in columns.items():
        if name == "sums":
            assert [int(each) for each in read[name].to_pylist()] == column.tolist()
        else:
            np.testing.assert_array_equal(read[name].to_numpy(), column)
    child = read["c8"].chunk(0)
    del read
    assert child.to_pylist() == [4, 3, 2, 1, 0]
    holders = [child]
    del child
    other = threading.Thread(target=holders.clear)  # the last reference ends on another thread
    other.start()
    other.join()
    after = sys.getrefcount(columns["c9"])  # a rewritten assertion has a reference of its own
    assert after == before
    assert arrow.RecordBatchReader.from_stream(pollard.Table()).read_all().num_rows == 0
    assert "arrow_array_stream" in repr(table.__arrow_c_stream__())  # never read


@pytest.mark.parametrize("columns, kind, text", [
    ({"a": np.zeros(2), "b": np.zeros(3)}, ValueError, "one length"), ({"a": np.zeros((2, 2))}, ValueError, "one length"),
    ({"a": np.zeros(2, complex)}, TypeError, "column 'a' has the type complex128"),
    ({"a": np.array([1.5, None], object)}, TypeError, "object"), ({"a": np.array([10**38], object)}, TypeError, "object")])
def test_arrow_refuses_other_columns(columns, kind, text):
    with pytest.raises(kind, match=text):
        pollard.Table(columns).__arrow_c_stream__()


def test_tables_of_the_module_are_tables():
    found = pollard.objects(MASK, IMAGE)
    tree = pollard.max_tree(IMAGE)
    for table in (found.table, found.columns(), found.columns("skimage"), tree.attributes(["area"]), tree.mser().table):
        assert isinstance(table, pollard.Table) and isinstance(table, dict)
        table.__arrow_c_stream__()


def test_data_frames_need_pandas(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match="needs pandas"):
        pollard.objects(MASK).to_dataframe()


def test_grey_columns_need_an_intensity_image():
    assert not [name for name in pollard.objects(MASK).table if name.startswith("grey")]
    assert [name for name in pollard.objects(MASK, IMAGE).table if name.startswith("grey")]


@pytest.mark.parametrize("call, words", [
    (lambda: pollard.max_tree(IMAGE).filter("major >= 3um"), "spacing and unit"),
    (lambda: morphology.h_maxima(np.where(IMAGE > IMAGE.mean(), np.inf, IMAGE), 5), "infinite"),
    (lambda: morphology.h_maxima(IMAGE, 0), "height above 0"),
    (lambda: pollard.max_tree(np.zeros((2, 3, 4), np.uint8), spacing=2), "three numbers"),
    (lambda: pollard.label(np.bool_(True)), "0 axes"),
], ids=["unit", "infinity", "h = 0", "one side", "0 axes"])
def test_refusals_say_which_value_is_needed(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_chains_take_a_place_as_a_tuple():
    tree = pollard.max_tree(IMAGE)
    np.testing.assert_array_equal(tree.chain((3, 4)), tree.chain(3, 4))


def discs():
    """Three discs, of which two touch."""
    y, x = np.mgrid[:50, :80]
    out = np.min([np.hypot(x - a, y - b) for a, b in ((20, 20), (37, 22), (62, 35))], axis=0) - 9
    return (20 + 180 / (1 + np.exp(2 * out))).astype(np.uint8)


def test_best_components_are_separate_where_they_touch():
    image = discs()
    found = pollard.best_components(image)
    assert found.labels.shape == image.shape and found.table["label"].tolist() == [1, 2, 3]
    assert (found.labels[20, 20], found.labels[22, 37], found.labels[35, 62], found.labels[0, 0]) == (1, 2, 3, 0)
    np.testing.assert_array_equal(found.table["area"], np.bincount(found.labels.ravel())[1:])
    for label, mean, total in zip(*(found.table[name] for name in ("label", "grey_mean", "grey_sum"))):
        assert mean == pytest.approx(image[found.labels == label].mean()) and total == image[found.labels == label].sum()


def test_best_components_heed_marks():
    image = discs()
    found = pollard.best_components(image)
    without = pollard.best_components(image, drop=[(22, 37)])
    assert without.labels[22, 37] == 0 and without.labels[35, 62] != 0
    again = pollard.best_components(image, strictness=0.99, keep=np.array([(35, 62)]))
    np.testing.assert_array_equal(again.labels > 0, found.labels == 3)
    np.testing.assert_array_equal(pollard.best_components(image, keep=[(900, 900)]).labels, found.labels)
    for wrong in ([(1, 2, 3)], [1, 2], [(1.5, 2)], ["a"]):
        with pytest.raises(TypeError):
            pollard.best_components(image, keep=wrong)
    with pytest.raises(ValueError):
        pollard.best_components(image, drop=[(-1, 2)])


def balls(height: float) -> np.ndarray:
    """Two balls that touch and one apart, in slices of this height."""
    z, y, x = np.mgrid[:round(30 / height), :40, :70].astype(float)
    z = z * height
    out = np.min([np.sqrt((z - 14) ** 2 + (y - b) ** 2 + (x - a) ** 2) for a, b in ((14, 14), (28, 15), (52, 24))], axis=0) - 8
    return (20 + 180 / (1 + np.exp(2 * out))).astype(np.uint8)


@pytest.mark.parametrize("height", [1, 2])
def test_best_components_of_volumes(height):
    image, at = balls(height), 14 // height
    found = pollard.best_components(image, spacing=(height, 1, 1))
    assert found.labels.shape == image.shape and found.table["label"].tolist() == [1, 2, 3]
    labels = [found.labels[at, y, x] for y, x in ((14, 14), (15, 28), (24, 52))]
    assert sorted(labels) == [1, 2, 3] and found.labels[0, 39, 0] == 0
    assert found.table["area"] == pytest.approx([4 / 3 * np.pi * 8**3] * 3, rel=0.25)
    whole = pollard.best_components(image, size=2145, spacing=(height, 1, 1))
    np.testing.assert_array_equal(pollard.best_components(image, size=2145 * 8, spacing=(2 * height, 2, 2)).labels, whole.labels)
    without = pollard.best_components(image, drop=[(at, 24, 52)], spacing=(height, 1, 1))
    assert without.labels.max() == 2 and without.labels[at, 24, 52] == 0
    alone = pollard.best_components(image, strictness=0.99, keep=[(at, 24, 52)], spacing=(height, 1, 1))
    assert alone.labels.max() == 1 and alone.labels[at, 24, 52] == 1
    with pytest.raises(TypeError):
        pollard.best_components(image, keep=[(24, 52)])


def test_best_components_follow_values_and_sizes():
    image = discs()
    found = pollard.best_components(image)
    np.testing.assert_array_equal(pollard.best_components(255 - image, dark=True).labels, found.labels)
    wide = pollard.best_components(image.astype(np.int32) * 1000 - 7)
    np.testing.assert_array_equal(wide.table["grey_max"], found.table["grey_max"].astype(np.int64) * 1000 - 7)
    real = pollard.best_components(image / 255)
    assert len(real.table["label"]) == 3 and real.table["grey_mean"] == pytest.approx(found.table["grey_mean"] / 255)
    assert not pollard.best_components(image, size=1e9).labels.any()
    assert not pollard.best_components(image, strictness=0.99).labels.any()
    in_units = pollard.best_components(image, size=65, spacing=(0.5, 0.5))
    np.testing.assert_array_equal(in_units.labels, pollard.best_components(image, size=260).labels)
    np.testing.assert_allclose(in_units.table["area"] * 4, found.table["area"], rtol=0.2)
    left = np.zeros(image.shape, bool)
    left[:, :50] = True
    part = pollard.best_components(np.ma.masked_array(image, ~left))
    assert part.labels.max() == 2 and not part.labels[~left].any()
    np.testing.assert_array_equal(part.labels, pollard.best_components(image, mask=left).labels)
