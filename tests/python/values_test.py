"""Arrays of any real type: attributes, criteria, filters and tables in their values, by naive oracles."""
import json

import numpy as np
import pytest
from conftest import components, reordered

import pollard_morphology as pollard
from pollard_morphology import morphology

FAR = 1_700_000_000_000_000_000  # beyond 2^53
STEPS = {"f2": 0.125, "f4": 0.1, "f8": 0.375}


def image_of(rng, kind, shape=None):
    """An image of few values far apart; "far": integers beyond 2^53, "wide": within a range beyond 2^16."""
    shape = tuple(rng.integers(2, 8, 2)) if shape is None else shape
    steps = rng.integers(-6, 7, shape)
    if kind == "far":
        return steps + FAR
    if kind == "wide":
        return (steps.astype(np.int64) ** 3 * 40_000).astype(np.int32)
    if kind in ("u4", "u8"):
        return ((steps + 6).astype(np.uint64) ** 3 * 70_000).astype(kind)
    return (steps * STEPS.get(kind, 7)).astype(kind)


KINDS = ["i1", "i2", "i4", "i8", "u4", "u8", "f2", "f4", "f8", "wide", "far"]


def pixels_of(tree, node):
    return (tree.nodes >= node) & (tree.nodes < tree.subtree_end[node])


def exactly(values):
    """Python's numbers, of which sums of integers are exact."""
    return np.ravel(values).tolist()


def border_means(inside, image):
    """Means of the steps down the border and of the values outside it, over the sides of pixels."""
    values, steps, outer = image.astype(object), [], []
    for axis in range(image.ndim):
        mask, of = np.swapaxes(inside, 0, axis), np.swapaxes(values, 0, axis)
        for here, there in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            leaves = mask[here] & ~mask[there]
            steps += np.abs(of[here] - of[there])[leaves].tolist()
            outer += of[there][leaves].tolist()
    return (sum(steps) / len(steps), sum(outer) / len(outer)) if steps else (np.nan, np.nan)


@pytest.mark.parametrize("kind", KINDS)
def test_attributes_are_those_of_the_values(rng, kind):
    for _ in range(12):
        image = image_of(rng, kind)
        tree = pollard.max_tree(reordered(rng, image), int(rng.integers(1, 3)), ["max", "min"][rng.integers(2)])
        names = ("level", "sum", "mean", "contrast", "height", "volume", "variance", "border_contrast",
                 "outer_mean")
        table = tree.attributes(names)
        reach = float(image.max()) - float(image.min()) or 1.0
        assert tree.level.dtype == image.dtype
        for node in range(tree.num_nodes):
            inside = exactly(image[pixels_of(tree, node)])
            level, around = tree.level[node].item(), tree.level[tree.parent[node]].item()
            right = {"level": level, "sum": sum(inside), "contrast": abs(level - around),
                     "height": max(abs(each - around) for each in inside),
                     "volume": sum(abs(each - around) for each in inside)}
            if image.dtype.kind in "iu":
                assert {name: exactly(table[name][node])[0] for name in right} == right
            else:
                for name, value in right.items():
                    assert table[name][node] == pytest.approx(value, abs=1e-12 * reach * len(inside)), name
            mean = sum(inside) / len(inside)
            assert table["mean"][node] == pytest.approx(mean, rel=1e-15, abs=1e-12 * reach)
            of_border = table["border_contrast"][node], table["outer_mean"][node]
            assert of_border == pytest.approx(border_means(pixels_of(tree, node), image), rel=1e-14, abs=1e-12 * reach,
                                              nan_ok=True)
            low = min(inside)
            assert table["variance"][node] == pytest.approx(np.var([each - low for each in inside]),
                                                            abs=1e-9 * reach**2)


@pytest.mark.parametrize("kind", KINDS)
def test_structure_depends_on_the_order_of_values_alone(rng, kind):
    for _ in range(10):
        image = image_of(rng, kind)
        ranks = np.unique(image, return_inverse=True)[1].reshape(image.shape).astype(np.uint8)
        tree, other = pollard.max_tree(image), pollard.max_tree(ranks)
        np.testing.assert_array_equal(tree.nodes, other.nodes)
        for name in ("area", "width", "perimeter", "depth"):
            np.testing.assert_array_equal(tree[name], other[name])
        np.testing.assert_array_equal(tree.level, np.unique(image)[other.level])
        parents, altitudes = tree.to_higra()
        back = pollard.from_higra(parents, altitudes, image.shape)
        np.testing.assert_array_equal(back.nodes, tree.nodes)


def by_rule(tree, keep, rule):
    """Python's number per node that a rule leaves."""
    level = exactly(tree.level)
    out = list(level)
    for node in range(1, tree.num_nodes):
        up = tree.parent[node]
        if rule == "subtractive":
            lost = sum((0 if keep[each] else level[each] - level[tree.parent[each]]) for each in
                       [node, *ancestors(tree, node)])
            out[node] = level[node] - lost
        else:
            out[node] = level[node] if keep[node] else out[up]
    return out


def ancestors(tree, node):
    while node != 0:
        node = int(tree.parent[node])
        yield node


@pytest.mark.parametrize("rule", ["direct", "subtractive"])
@pytest.mark.parametrize("kind", KINDS)
def test_results_have_the_type_and_the_values(rng, kind, rule):
    for _ in range(10):
        image = image_of(rng, kind)
        tree = pollard.max_tree(image)
        whole = tree.filter("area >= 1", rule)
        assert whole.dtype == image.dtype and whole.tobytes() == image.tobytes()
        keep = tree["area"] >= 3
        expected = np.array(by_rule(tree, keep, rule), dtype=object)[tree.nodes].astype(image.dtype)
        filtered = tree.filter("area >= 3", rule)
        np.testing.assert_array_equal(filtered, tree.reconstruct(keep, rule))
        np.testing.assert_allclose(filtered, expected, rtol=0 if image.dtype.kind != "f" else 1e-3 if kind == "f2" else
                                   1e-6)
        residue = tree.filter("area >= 3", rule, "residue")
        lost = [a - b for a, b in zip(exactly(image), exactly(filtered))]
        assert residue.dtype == (image.dtype if image.dtype.kind == "f" else np.dtype(f"u{image.itemsize}"))
        np.testing.assert_array_equal(residue.ravel(), np.array(lost, dtype=object).astype(residue.dtype))
        pages = tree.profile("area", [1, 3], rule)
        assert pages.dtype == image.dtype
        np.testing.assert_array_equal(pages, [image, filtered])
        differences = tree.profile("area", [1, 3], rule, differential=True)
        np.testing.assert_array_equal(differences, [np.zeros_like(residue), residue])


@pytest.mark.parametrize("kind", KINDS)
def test_criteria_are_in_values(rng, kind):
    for _ in range(10):
        image = image_of(rng, kind)
        tree = pollard.max_tree(image)
        bound = image.ravel()[0]
        text = str(bound) if image.dtype.kind == "f" else str(int(bound))
        for sign, meets in ((">=", tree.level >= bound), ("<=", tree.level <= bound), (">", tree.level > bound)):
            np.testing.assert_array_equal(tree.filter(f"level {sign} {text}"), tree.reconstruct(meets), err_msg=text)
        np.testing.assert_array_equal(tree.labels(f"level >= {text}"), tree.labels(tree.level >= bound))
        middle = float(np.median(tree["height"])) + 0.03
        np.testing.assert_array_equal(tree.filter(f"height >= {middle}"), tree.reconstruct(tree["height"] >= middle))
        pages = tree.profile("level", [int(bound) if image.dtype.kind != "f" else float(bound)])
        np.testing.assert_array_equal(pages[0], tree.reconstruct(tree.level >= bound))


@pytest.mark.parametrize("kind", ["i2", "i4", "f4", "wide", "far"])
def test_spectra_are_in_values(rng, kind):
    for _ in range(10):
        image = image_of(rng, kind, (6, 7))
        tree = pollard.max_tree(image)
        mass = tree["contrast"].astype(float) * tree["area"]
        for name in ("level", "mean", "height"):
            spectrum = tree.spectrum(name, 4)
            values = tree[name][1:].astype(float)
            np.testing.assert_allclose(spectrum.edges[[0, -1]], [values.min(), values.max()], rtol=1e-15, atol=1e-12)
            assert spectrum.nodes.sum() == tree.num_nodes - 1
            assert float(spectrum.total) == pytest.approx(mass[1:].sum()) == pytest.approx(float(spectrum.mass.sum()))
        low, high = image.min(), image.max()
        assert tree.spectrum("level", 4, range=(int(low) - 2, int(high) + 2)).nodes.sum() == tree.num_nodes - 1
        assert tree.spectrum("area", 4).nodes.sum() == tree.num_nodes - 1


@pytest.mark.parametrize("kind", KINDS)
def test_h_transforms_are_reconstructions(rng, kind):
    for _ in range(10):
        image = image_of(rng, kind)
        reach = image.max() - image.min()
        h = reach / 3 if image.dtype.kind == "f" else int(reach) // 3
        for form, sign in (("max", -1), ("min", 1)):
            tree = pollard.max_tree(image, 2, form)
            result = tree.h_transform(h)
            assert result.dtype == image.dtype
            wide = image.astype(object) if image.dtype.kind != "f" else image
            seed = (wide + sign * (image.dtype.type(h) if image.dtype.kind == "f" else h))
            seed = np.clip(seed, image.min(), image.max()).astype(image.dtype)
            expected = pollard.reconstruction(seed, image, "dilation" if form == "max" else "erosion")
            np.testing.assert_allclose(result.astype(float), expected, rtol=1e-15)


def test_more_values_than_levels(rng):
    theirs = pytest.importorskip("skimage.morphology")
    image = (rng.integers(0, 2**20, (300, 290)) / 2**20).astype(np.float32)  # differences are exact in both precisions
    assert np.unique(image).size > 65536
    wide = (image * 2**40).astype(np.int64)
    for each in (image, wide):
        for name, parameter in (("area_opening", 9), ("area_closing", 9), ("diameter_opening", 4)):
            is_rounded = name == "area_closing" and each.dtype.kind == "f"  # by scikit-image, which closes 1 - image
            np.testing.assert_allclose(getattr(morphology, name)(each, parameter),
                                       getattr(theirs, name)(each, parameter), rtol=0, atol=6e-8 if is_rounded else 0)
        for name in ("h_maxima", "h_minima"):
            h = each.dtype.type(2**-20 * int(2**20 * 0.6)) if each.dtype.kind == "f" else int(each.max() * 0.6)
            np.testing.assert_array_equal(getattr(morphology, name)(each, h), getattr(theirs, name)(each, h))
        np.testing.assert_array_equal(morphology.max_tree_local_maxima(each, 2) != 0,
                                      theirs.max_tree_local_maxima(each, 2) != 0)
        seed = each - each.dtype.type(each.max() * 0.2)
        np.testing.assert_array_equal(morphology.reconstruction(seed, each), theirs.reconstruction(seed, each))
        with pytest.raises(ValueError, match="different values"):
            morphology.max_tree(each)
        with pytest.raises(ValueError, match="more than 65536"):
            morphology.area_opening(each, 9, parent=np.zeros(each.shape, int), tree_traverser=np.arange(each.size))


def test_given_trees_say_the_neighbours(rng):
    theirs = pytest.importorskip("skimage.morphology")
    for _ in range(20):
        image = rng.integers(0, 50, (10, 12)).astype(np.int16)
        for module in (theirs, morphology):
            parent, traverser = module.max_tree(image, connectivity=2)
            tree = {"parent": parent, "tree_traverser": traverser}
            for name in ("area_opening", "diameter_opening", "max_tree_local_maxima"):
                parameters = () if name == "max_tree_local_maxima" else (5,)
                got, right = (getattr(each, name)(image, *parameters, **tree) for each in (morphology, theirs))
                same = np.equal if parameters else lambda a, b: (a != 0) == (b != 0)  # labels have another order
                assert same(got, right).all()
        inverted = dict(zip(("parent", "tree_traverser"), theirs.max_tree(~image, connectivity=2)))
        np.testing.assert_array_equal(morphology.area_closing(image, 5, **inverted),
                                      theirs.area_closing(image, 5, **inverted))
        with pytest.raises(ValueError, match="parent: is not the max-tree"):
            morphology.area_opening(image[::-1].copy(), 5, **tree)


def test_masked_pixels_do_not_count():
    data = np.full((5, 5), 10, np.int16)
    data[2, 2] = -9999
    image = np.ma.masked_values(data, -9999)
    assert pollard.max_tree(image).level.tolist() == [10]
    closed = morphology.area_closing(image, 4)
    assert isinstance(closed, np.ma.MaskedArray) and closed.mask.sum() == 1
    assert closed.compressed().tolist() == [10] * 24
    corner = np.zeros((5, 5), bool)
    corner[0, 0] = True
    labels = pollard.max_tree(image, mask=~corner).labels("area >= 1")
    assert isinstance(labels, np.ma.MaskedArray) and (labels.data == 0).sum() == 2 and labels.mask.sum() == 1
    halves = np.ma.masked_array(np.ones((3, 7), bool), np.zeros((3, 7), bool))
    halves[:, 3] = np.ma.masked
    assert pollard.label(halves).max() == 2
    for call in (lambda: morphology.h_maxima(image, 3), lambda: morphology.reconstruction(image, image),
                 lambda: pollard.objects(data > 0, image)):
        with pytest.raises(ValueError, match="masked pixels"):
            call()


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_values_outside_the_mask_come_back(rng, kind):
    for _ in range(10):
        image = image_of(rng, kind, (6, 7))
        image[rng.random(image.shape) < 0.1] = np.nan
        image[rng.random(image.shape) < 0.1] = np.inf
        inside = np.isfinite(image)
        tree = pollard.max_tree(image, mask=inside)
        for rule in ("direct", "subtractive"):
            filtered = tree.filter("area >= 3", rule)
            np.testing.assert_array_equal(filtered[~inside], image[~inside])
            assert (tree.filter("area >= 3", rule, "residue")[~inside] == 0).all()
        assert np.isfinite(tree["mean"]).all() and np.isfinite(tree.level).all()


@pytest.mark.parametrize("kind", [*KINDS, "u1", "many"])
def test_objects_are_measured_in_values(rng, kind):
    for _ in range(10):
        image = rng.random((9, 8)) if kind == "many" else rng.integers(0, 200, (9, 8)).astype(
            np.uint8) if kind == "u1" else image_of(rng, kind, (9, 8))
        mask = rng.random(image.shape) < 0.5
        labels, table = pollard.objects(mask, reordered(rng, image), 1)
        for row, label in enumerate(table["label"]):
            inside = exactly(image[labels == label])
            right = {"grey_min": min(inside), "grey_max": max(inside), "grey_sum": sum(inside),
                     "grey_mean": sum(inside) / len(inside)}
            for name, value in right.items():
                got = exactly(table[name][row])[0] if table[name].dtype != object else table[name][row]
                assert got == (pytest.approx(value, abs=1e-9) if isinstance(value, float) else value), name
    assert len(pollard.objects(np.zeros((3, 3), bool), image[:3, :3]).table["grey_sum"]) == 0


def test_sides_of_voxels_are_the_unit_of_objects():
    volume = np.zeros((8, 20, 30), bool)
    volume[2:5, 4:12, 3:15] = True
    table = pollard.objects(volume, spacing=(2.5, 0.5, 0.5)).table
    twice = pollard.objects(volume, spacing=(5, 1, 1)).table
    assert table["area"] == [3 * 8 * 12 * 2.5 * 0.5 * 0.5] and table["centroid_z"] == [3 * 2.5]
    assert table["width"] == [12 * 0.5] and twice["major"] == pytest.approx(2 * table["major"])
    assert twice["area"] == pytest.approx(8 * table["area"])
    assert pollard.objects(volume).table["area"].tolist() == [3 * 8 * 12]
    flat = pollard.objects(volume[2], spacing=(0.5, 0.25)).table
    assert flat["area"] == [8 * 12 * 0.125] and flat["width"] == [3] and flat["height"] == [4]
    assert flat["centroid_y"] == [7.5 * 0.5] and flat["major"] == pytest.approx(4 * np.sqrt(4 ** 2 / 12))


def test_recipes_of_arrays_take_a_spacing():
    image = np.zeros((20, 20), np.uint8)
    image[2:8, 2:8], image[12:14, 12:14] = 200, 200
    recipe = pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "large", "steps": [
        {"id": "filter", "version": 2, "parameters": {"criteria": ["area>=2um2"]}},
        {"id": "objects", "version": 1, "parameters": {}}]}))
    found = recipe.run(image, spacing=(0.5, 0.5), unit="um")
    assert found.image[13, 13] == 0 and found.image[3, 3] == 200
    assert found.objects[0]["area"].tolist() == [9] and found.objects[0]["width"].tolist() == [3]
    with pytest.raises(ValueError, match="size"):
        recipe.run(image)
    with pytest.raises(ValueError, match="spacing"):
        recipe.run(image, spacing=(0.5, 0.5))


def test_booleans_written_by_other_code_are_two_levels():
    image = np.array([[0, 255, 255, 0], [0, 1, 2, 0], [0, 0, 0, 0]], np.uint8).view(bool)
    assert sorted(pollard.max_tree(image)["area"].tolist()) == [4, 12]
    assert morphology.max_tree_local_maxima(image).max() == 1


@pytest.mark.parametrize("width", [1, 7, 8, 9, 63, 64, 65, 127, 130])
def test_flags_of_all_widths_are_labelled(rng, width):
    for set_flags in (0.1, 0.5, 0.9):
        flags = rng.integers(1, 256, (5, width)).astype(np.uint8) * (rng.random((5, width)) < set_flags)
        np.testing.assert_array_equal(pollard.label(flags.astype(np.uint8).view(bool), connectivity=1),
                                      components(flags != 0, 1))


@pytest.mark.parametrize("dtype", ["i2", "i4", "f4"])
def test_recipes_take_values(dtype):
    image = np.full((20, 20), -500, dtype)
    image[2:8, 2:8], image[12:14, 12:14] = 300, 700
    recipe = {"pollard_recipe": 1, "name": "large",
              "steps": [{"id": "tree", "version": 1, "parameters": {"kind": "max", "connectivity": 8}},
                        {"id": "filter", "version": 1, "parameters": {"criteria": ["area>=30"]}}]}
    result = pollard.Recipe(json.dumps(recipe))(image)
    expected = image.copy()
    expected[12:14, 12:14] = -500
    assert result.dtype == image.dtype
    np.testing.assert_array_equal(result, expected)
    recipe["steps"][1]["parameters"]["output"] = "residue"
    residue = pollard.Recipe(json.dumps(recipe))(image)
    assert residue.dtype == (image.dtype if dtype == "f4" else np.dtype(f"u{image.itemsize}"))
    np.testing.assert_array_equal(residue, image - expected)


@pytest.mark.parametrize("dtype", ["i4", "u8", "f4", "f8"])
def test_recipes_subtract_values_of_ranks(dtype):
    rng = np.random.default_rng(5)
    known = (rng.integers(0, 2 ** 30, 60) if dtype[0] != "f" else rng.normal(0, 1e3, 60)).astype(dtype)
    image = rng.choice(np.sort(known), (40, 50))
    for rule in ("direct", "subtractive"):
        for output in ("filtered", "residue"):
            recipe = {"pollard_recipe": 1, "name": "ranks", "steps": [{"id": "filter", "version": 1, "parameters": {
                "criteria": ["3<=area<=50"], "rule": rule, "output": output}}]}
            result = pollard.Recipe(json.dumps(recipe))(image)
            expected = pollard.max_tree(image).filter("3 <= area <= 50", rule, output)
            assert result.dtype == expected.dtype
            if dtype[0] == "f":
                scale = np.ptp(image) * (1e-6 if dtype == "f4" else 1e-14)
                np.testing.assert_allclose(result, expected, rtol=0, atol=scale)
            else:
                np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype", ["i2", "i4", "f4", "u2"])
def test_recipes_return_the_values_of_files(tmp_path, dtype):
    tifffile = pytest.importorskip("tifffile")
    image = np.full((20, 20), 500, dtype)
    image[2:8, 2:8], image[12:14, 12:14] = 300 if dtype == "u2" else -300, 700
    tifffile.imwrite(tmp_path / "image.tif", image)
    recipe = {"pollard_recipe": 1, "name": "large",
              "steps": [{"id": "tree", "version": 1, "parameters": {"kind": "max", "connectivity": 8}},
                        {"id": "filter", "version": 1, "parameters": {"criteria": ["area>=30"]}}]}
    result = pollard.Recipe(json.dumps(recipe))(tmp_path / "image.tif")
    expected = image.copy()
    expected[12:14, 12:14] = 500
    assert result.dtype == image.dtype
    np.testing.assert_array_equal(result, expected)


def test_contours_of_laws_with_an_origin():
    image = np.full((40, 50), 5, np.int32)
    image[10:30, 10:35] = 90
    start = (5, 5, 35, 45)
    right = pollard.snake(image.astype(np.uint8), start, "poisson")
    assert pollard.snake(image, start, "poisson").energy == right.energy
    with pytest.raises(ValueError, match="values from -5 to"):
        pollard.snake(image - 10, start, "poisson")
