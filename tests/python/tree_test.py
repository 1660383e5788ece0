"""The tree object: its arrays, attributes, filters and analyses against NumPy on random images."""
import numpy as np
import pytest
from conftest import components, random_image, reordered

import pollard_morphology as pollard

TYPES = ["bool", "u1", "u2", "i1", "i2", "i4", "u8", ">u2", ">i2"]


def trees(rng, count=150, axes=(2, 2, 3)):
    for _ in range(count):
        n = int(rng.choice(axes))
        shape = tuple(int(side) for side in rng.integers(1, 6 if n == 3 else 12, n))
        image = random_image(rng, TYPES[rng.integers(len(TYPES))], shape)
        connectivity = int(rng.integers(1, n + 1))
        kind = ["max", "min"][rng.integers(2)]
        yield image, pollard.max_tree(reordered(rng, image), connectivity, kind), connectivity


def pixels_of(tree, node):
    nodes = tree.nodes
    return (nodes >= node) & (nodes < tree.subtree_end[node])


def test_nodes_are_the_components_of_the_level_sets(rng):
    for image, tree, connectivity in trees(rng, 60):
        found = set()
        for value in np.unique(image):
            labels = components(image >= value if tree.kind == "max" else image <= value, connectivity)
            for label in range(1, labels.max() + 1):
                mask = labels == label
                if (image[mask] == value).any():
                    found.add((int(value), mask.tobytes()))
        ours = {(int(tree.level[n]), pixels_of(tree, n).tobytes()) for n in range(tree.num_nodes)}
        assert ours == found
        assert len(tree) == tree.num_nodes == len(found)


def test_arrays_fit_together(rng):
    for image, tree, _ in trees(rng):
        nodes = np.arange(tree.num_nodes)
        assert tree.parent[0] == 0 and (tree.parent[1:] < nodes[1:]).all()
        assert tree.nodes.shape == tree.shape == image.shape
        np.testing.assert_array_equal(tree.level[tree.nodes], image)
        np.testing.assert_array_equal(tree.nodes.ravel()[tree.canonical], nodes)
        assert tree.num_leaves == tree.is_leaf.sum()
        deepest = 0
        depth = np.zeros(tree.num_nodes, int)
        for n in nodes[1:]:
            depth[n] = depth[tree.parent[n]] + 1
            deepest = max(deepest, depth[n])
        assert tree.depth == deepest


def test_attributes_equal_those_of_numpy(rng):
    for image, tree, _ in trees(rng, 60):
        values = image.astype(float)
        for n in range(tree.num_nodes):
            mask = pixels_of(tree, n)
            assert tree["area"][n] == mask.sum()
            assert tree["level"][n] == float(tree.level[n])
            assert tree["mean"][n] == pytest.approx(values[mask].mean())
            assert tree["sum"][n] == values[mask].sum()
            assert tree["width"][n] == np.ptp(np.nonzero(mask)[-1]) + 1
            assert tree["contrast"][n] == abs(float(tree.level[n]) - float(tree.level[tree.parent[n]]))
        both = tree.attributes(["area", "width"])
        assert list(both) == ["area", "width"] and both["width"] is not None


def by_rule(tree, keep, rule):
    """Decisions of a rule and the level of each node's pixels."""
    keep, n = keep.copy(), tree.num_nodes
    if rule == "min":
        for i in range(1, n):
            keep[i] &= keep[tree.parent[i]]
    if rule == "max":
        for i in range(n - 1, 0, -1):
            keep[tree.parent[i]] |= keep[i]
    level = tree.level.astype(np.int64)
    out = level.copy()
    for i in range(1, n):
        p = tree.parent[i]
        if rule == "subtractive":
            out[i] = out[p] + (level[i] - level[p] if keep[i] else 0)
        else:
            out[i] = level[i] if keep[i] else out[p]
    return keep, out


@pytest.mark.parametrize("rule", ["direct", "min", "max", "subtractive"])
def test_rules_equal_their_definitions(rng, rule):
    for image, tree, _ in trees(rng, 80):
        keep = rng.random(tree.num_nodes) < 0.5
        decided, level = by_rule(tree, keep, rule)
        result = tree.reconstruct(keep, rule)
        assert result.dtype == image.dtype.newbyteorder("=")
        np.testing.assert_array_equal(result, level[tree.nodes].astype(result.dtype))
        labels, count = tree.labels(keep, rule, return_num=True)
        maximal = [n for n in np.flatnonzero(decided) if not any(decided[m] for m in ancestors(tree, n))]
        expected = np.zeros(image.shape, int)
        for n in maximal:
            expected[pixels_of(tree, n)] = n + 1
        assert count == len(maximal) and (np.unique(labels[labels > 0]) == np.arange(1, count + 1)).all()
        assert len(set(zip(labels.ravel().tolist(), expected.ravel().tolist()))) == len(np.unique(expected))


def ancestors(tree, node):
    while node != 0:
        node = int(tree.parent[node])
        yield node


@pytest.mark.parametrize("rule", ["direct", "min", "max", "viterbi", "subtractive"])
def test_texts_and_arrays_decide_alike(rng, rule):
    for image, tree, _ in trees(rng, 80, (2,)):
        area, contrast = tree["area"], tree["contrast"]
        for text, keep in [("area >= 3", area >= 3), ("2 <= area <= 6", (area >= 2) & (area <= 6)),
                           ("area >= 3 and contrast < 4", (area >= 3) & (contrast < 4)),
                           ("area>=5 or contrast>=4", (area >= 5) | (contrast >= 4)),
                           (["area>=3", "contrast<4"], (area >= 3) & (contrast < 4)),
                           (f"level >= {int(image.max()) - 1}", tree["level"] >= int(image.max()) - 1),
                           (f"mean <= {float(image.max()) - 0.5}", tree["mean"] <= float(image.max()) - 0.5)]:
            filtered = tree.filter(text, rule)
            np.testing.assert_array_equal(filtered, tree.reconstruct(keep, rule))
            np.testing.assert_array_equal(tree.labels(text, rule), tree.labels(keep, rule))
            mask = tree.filter(text, rule, "mask")
            assert mask.dtype == bool
            np.testing.assert_array_equal(mask, tree.labels(keep, rule) != 0)
            difference = np.abs(image.astype(np.int64) - filtered.astype(np.int64))
            np.testing.assert_array_equal(tree.filter(text, rule, "residue").astype(np.int64), difference)


def test_prominent_maxima_stay(rng):
    image = np.array([[0, 9, 0, 5, 0, 7, 0]], np.uint8)
    tree = pollard.max_tree(image)
    assert tree.filter(prominent="dynamics:2").tolist() == [[0, 9, 0, 0, 0, 7, 0]]
    assert tree.filter("area >= 1", prominent="dynamics:1").tolist() == [[0, 9, 0, 0, 0, 0, 0]]


def test_min_trees_are_dual(rng):
    for _ in range(60):
        image = random_image(rng, "u1", (7, 9))
        bright, dark = pollard.max_tree(image), pollard.max_tree(255 - image, kind="min")
        np.testing.assert_array_equal(bright.parent, dark.parent)
        np.testing.assert_array_equal(255 - bright.filter("area >= 4"), dark.filter("area >= 4"))


def test_masks_leave_the_outside_as_it_is(rng):
    for _ in range(60):
        image = random_image(rng, "u2", (8, 9))
        inside = rng.random(image.shape) < 0.7
        tree = pollard.max_tree(image, mask=inside)
        whole = pollard.max_tree(np.where(inside, image, image[inside].min() if inside.any() else 0))
        result, expected = tree.filter("area >= 3"), whole.filter("area >= 3")
        np.testing.assert_array_equal(result[inside], expected[inside])
        np.testing.assert_array_equal(result[~inside], image[~inside])
        np.testing.assert_array_equal(tree.reconstruct(tree["area"] >= 3), result)
        assert (tree.labels("area >= 3")[~inside] == 0).all()
        assert not tree.filter("area >= 1", output="mask")[~inside].any()
        assert not tree.filter("area >= 9", output="residue")[~inside].any()
    with pytest.raises(ValueError, match="another shape"):
        pollard.max_tree(image, mask=inside[:2])
    with pytest.raises(ValueError, match="not bool"):
        pollard.max_tree(image, mask=inside.astype(int) * 255)
    np.testing.assert_array_equal(pollard.max_tree(image, mask=inside.astype(int)).nodes, tree.nodes)


def test_booleans_written_by_other_code_are_flags():
    image = np.array([[1, 5, 1, 7]], np.uint8)
    inside = np.array([[255, 2, 1, 0]], np.uint8).view(bool)
    assert pollard.max_tree(image, mask=inside).filter("area >= 2").tolist() == [[1, 1, 1, 7]]
    tree = pollard.max_tree(image)
    assert tree.reconstruct(np.full(tree.num_nodes, 255, np.uint8).view(bool)).tolist() == image.tolist()


def test_chains_lead_to_the_root(rng):
    for image, tree, _ in trees(rng, 40):
        index = tuple(int(rng.integers(side)) for side in image.shape)
        chain = tree.chain(*index)
        assert chain[0] == tree.nodes[index] and chain[-1] == 0
        assert (tree.parent[chain[:-1]] == chain[1:]).all()
        with pytest.raises(ValueError):
            tree.chain(*image.shape)


def test_spectra_hold_the_mass_of_the_image(rng):
    for image, tree, _ in trees(rng, 60):
        spectrum = tree.spectrum("area", 5)
        values = image.astype(np.int64)
        assert spectrum.total == spectrum.mass.sum() == np.abs(values - int(tree.level[0])).sum()
        assert spectrum.nodes.sum() == tree.num_nodes - 1
        assert len(spectrum.edges) == 6 and len(spectrum.mass) == 5
        assert len(tree.spectrum("area", 3, "log", (1, 100)).edges) == 4
    with pytest.raises(ValueError, match="scale"):
        tree.spectrum("area", scale="even")


def test_profiles_are_series_of_filters(rng):
    for image, tree, _ in trees(rng, 60):
        pages = tree.profile("area", [2, 4, 8])
        assert pages.shape == (3, *image.shape)
        for page, threshold in zip(pages, [2, 4, 8]):
            np.testing.assert_array_equal(page, tree.filter(f"area >= {threshold}"))
        differences = tree.profile("area", [2, 4, 8], differential=True).astype(np.int64)
        values = np.concatenate([image[np.newaxis], pages]).astype(np.int64)
        np.testing.assert_array_equal(differences, np.abs(np.diff(values, axis=0)))
    np.testing.assert_array_equal(pollard.profile(image, "area", [3]), pollard.max_tree(image).profile("area", [3]))


def test_stable_regions_are_components():
    image = np.zeros((40, 40), np.uint8)
    image[10:20, 10:20] = 200
    regions = pollard.mser(image, min_area=10, max_area=400)
    assert regions.table["area"].tolist() == [100]
    assert regions.table["centroid_x"].tolist() == [14.5]
    np.testing.assert_array_equal(regions.labels == 1, image == 200)
    with pytest.raises(ValueError, match="mser|diversity"):
        pollard.mser(image, min_diversity=2)


def test_h_transform_is_a_reconstruction(rng):
    for _ in range(60):
        image = random_image(rng, "u1", (8, 8)) + np.uint8(9)
        seed = image - np.uint8(3)
        steps = np.abs(np.indices((3, 3)) - 1).sum(axis=0)
        for connectivity in (1, 2):
            expected = pollard.reconstruction(seed, image, footprint=steps <= connectivity)
            np.testing.assert_array_equal(pollard.max_tree(image, connectivity).h_transform(3), expected)


def test_higra_trees_go_both_ways(rng):
    for image, tree, connectivity in trees(rng, 60):
        parents, altitudes = tree.to_higra()
        count = image.size + tree.num_nodes
        assert parents.shape == altitudes.shape == (count,)
        assert (parents[:-1] > np.arange(count - 1)).all() and parents[-1] == count - 1
        np.testing.assert_array_equal(altitudes[:image.size], image.ravel())
        back = pollard.from_higra(parents, altitudes, image.shape, connectivity, tree.kind)
        np.testing.assert_array_equal(back.parent, tree.parent)
        # Another numbering of the nodes: sorted by level.
        order = np.argsort(tree.level if tree.kind == "max" else -tree.level.astype(np.int64), kind="stable")
        number = np.empty(tree.num_nodes, np.int64)
        number[order[::-1]] = np.arange(image.size, count)
        other = np.empty(count, np.int64)
        other[:image.size] = number[tree.nodes.ravel()]
        other[number] = number[tree.parent]
        heights = np.concatenate([image.ravel(), tree.level[order[::-1]].astype(image.dtype)])
        back = pollard.from_higra(other, heights, image.shape, connectivity, tree.kind)
        np.testing.assert_array_equal(back.nodes, tree.nodes)
        if tree.num_nodes > 2:
            other[number[-1]] = number[0] if tree.parent[-1] != 0 else number[1]
            with pytest.raises(ValueError, match="not the"):
                pollard.from_higra(other, heights, image.shape, connectivity, tree.kind)


def test_voxels_have_sides():
    volume = np.zeros((5, 5, 5), np.uint8)
    volume[1:4, 2, 2] = 9
    tree = pollard.max_tree(volume, spacing=(4, 1, 1))
    assert tree["area"][1] == 3
    assert tree["elongation"][1] > pollard.max_tree(volume)["elongation"][1]
    for wrong in [(1, 1), (1, 0, 1)]:
        with pytest.raises(ValueError, match="spacing"):
            pollard.max_tree(volume, spacing=wrong)


def test_a_spacing_without_unit_gives_results_in_its_unit():
    image = np.zeros((30, 40), np.uint8)
    image[4:10, 5:20] = 100
    plain, tree = pollard.max_tree(image), pollard.max_tree(image, spacing=(0.5, 0.5))
    np.testing.assert_allclose(tree["area"], plain["area"] * 0.25)
    np.testing.assert_allclose(tree["perimeter"], plain["perimeter"] * 0.5)
    np.testing.assert_allclose(pollard.max_tree(image, spacing=(2, 3))["area"], plain["area"] * 6)
    np.testing.assert_array_equal(tree.filter("area >= 91"), plain.filter("area >= 91"))  # px
    np.testing.assert_array_equal(tree.profile("area", [20, 23]), plain.profile("area", [80, 92]))
    assert tree.filter("area >= 91").max() == 0 and tree.filter("area >= 90").max() == 100
    for bound in ("area >= 3um2", "area >= 3 mm2", "3um2 <= area", "width >= 2 m"):
        with pytest.raises(ValueError, match="the spacing has no unit"):
            tree.filter(bound)


def test_spacing_and_unit_give_results_in_the_unit():
    image = np.zeros((30, 40), np.uint8)
    image[4:10, 5:20] = 100
    image[20:22, 20:22] = 50
    plain, tree = pollard.max_tree(image), pollard.max_tree(image, spacing=(0.5, 0.5), unit="um")
    np.testing.assert_allclose(tree["area"], plain["area"] * 0.25)
    np.testing.assert_allclose(tree["major"], plain["major"] * 0.5)
    np.testing.assert_array_equal(tree["elongation"], plain["elongation"])
    np.testing.assert_array_equal(tree["level"], plain["level"])
    np.testing.assert_array_equal(tree.filter("area >= 22.5um2"), plain.filter("area >= 90"))
    np.testing.assert_array_equal(tree.filter("area >= 90"), plain.filter("area >= 90"))
    np.testing.assert_array_equal(tree.profile("area", [1, 22.5]), plain.profile("area", [4, 90]))
    spectrum, pixels = tree.spectrum("area", 8, range=(0, 100)), plain.spectrum("area", 8, range=(0, 400))
    np.testing.assert_allclose(spectrum.edges, pixels.edges * 0.25)
    np.testing.assert_array_equal(spectrum.mass, pixels.mass)
    regions, in_pixels = tree.mser(min_area=1, max_area=1000), plain.mser(min_area=1, max_area=1000)
    assert len(regions.table["area"]) > 0
    np.testing.assert_allclose(regions.table["area"], in_pixels.table["area"] * 0.25)
    np.testing.assert_allclose(regions.table["centroid_x"], in_pixels.table["centroid_x"] * 0.5)
    oblong = pollard.max_tree(image, spacing=(2, 0.5), unit="mm")
    np.testing.assert_allclose(oblong["area"], plain["area"])
    with pytest.raises(ValueError, match="major"):
        oblong["major"]
    volume = np.zeros((5, 5, 5), np.uint8)
    volume[1:4, 2, 2] = 9
    deep = pollard.max_tree(volume, spacing=(4, 2, 2), unit="mm")
    assert deep["area"][1] == 3 * 16 and deep["slices_px"][1] == 12 and deep["width"][1] == 2
    assert deep.filter("area > 48mm3").max() == 0 and deep.filter("area >= 48mm3").max() == 9
    for wrong in [dict(unit="um"), dict(spacing=(1, 1), unit="px"),
                  dict(spacing=(1, 1, 1), unit="um")]:
        with pytest.raises(ValueError, match="unit|spacing"):
            pollard.max_tree(image, **wrong)
    with pytest.raises(ValueError, match="spacing and unit"):
        plain.filter("area >= 3um2")


def test_arrays_are_views_that_outlive_the_tree():
    image = np.random.default_rng(1).integers(0, 255, (50, 60), dtype=np.uint8)
    tree = pollard.max_tree(image)
    for name in ("parent", "subtree_end", "canonical", "nodes", "level"):
        array = getattr(tree, name)
        assert not array.flags.writeable and array.base is not None
        assert np.shares_memory(array, getattr(tree, name))
        with pytest.raises(ValueError):
            array[0] = 1
    assert np.shares_memory(tree["area"], tree["area"])
    parent, area, filtered = tree.parent, tree["area"], tree.filter("area >= 5")
    expected = [each.copy() for each in (parent, area, filtered)]
    assert filtered.flags.writeable
    del tree
    for array, before in zip((parent, area, filtered), expected):
        np.testing.assert_array_equal(array, before)


def test_one_pixel_and_constant_images():
    for shape in [(1, 1), (1, 7), (7, 1), (4, 5), (1, 1, 1), (2, 1, 3)]:
        tree = pollard.max_tree(np.full(shape, 5, np.uint16))
        assert tree.num_nodes == 1 and tree.level.tolist() == [5] and tree.shape == shape
        assert (tree.filter("area >= 100") == 5).all()
        assert (tree.labels("area >= 1") == 1).all()


@pytest.mark.parametrize("call, message", [
    (lambda t: pollard.max_tree(np.zeros((2, 0), np.uint8)), "no pixels"),
    (lambda t: pollard.max_tree(np.array([[0, np.inf]])), "has infinite values; leave these pixels out"),
    (lambda t: pollard.max_tree(np.arange(70000.0)), "70000 different values"),
    (lambda t: pollard.max_tree(np.array([[0.0, 1.5]])).mser(), "mser: .* scale them to uint16"),
    (lambda t: t.chain((3, 4)), "chain: .* is no pixel of an image of shape"),
    (lambda t: t.chain(1), "chain"),
    (lambda t: t.h_transform(1.5), "h: 1.5: is an integer"),
    (lambda t: t.h_transform(-1), "h: -1: must be 0 or more"),
    (lambda t: pollard.max_tree(np.zeros((2, 3, 4), np.uint8), spacing=2), "spacing: 2: the sides"),
    (lambda t: pollard.max_tree(np.zeros((2, 2), np.uint8), kind="mid"), "kind: 'mid'"),
    (lambda t: pollard.max_tree(np.zeros((2, 2), np.uint8), device="tpu"), "device: 'tpu'"),
    (lambda t: pollard.max_tree(np.zeros((2, 2), np.uint8), 3), "connectivity: 3"),
    (lambda t: t["size"], "attribute: 'size': unknown"),
    (lambda t: t["sphericity"], "sphericity"),
    (lambda t: t.filter("size >= 3"), "size"),
    (lambda t: t.filter("area is big"), "area is big"),
    (lambda t: t.filter("area>=1 and area<=3 or width>2"), "both 'and' and 'or'"),
    (lambda t: t.filter("area>=3", rule="soft"), "rule: 'soft': unknown"),
    (lambda t: t.filter("area>=3", output="png"), "output: 'png': unknown"),
    (lambda t: t.filter("area>=3", output="labels"), "method labels"),
    (lambda t: t.filter("area>=3", prominent="size:2"), "size"),
    (lambda t: t.filter("area>=3um2"), "the pixels of an array have no size"),
    (lambda t: t.reconstruct(np.ones(3, bool)), "a value for each of the"),
    (lambda t: t.reconstruct(np.ones(t.num_nodes)), "boolean"),
    (lambda t: t.profile("area", [3, 2]), "must ascend"),
    (lambda t: t.profile("area", []), "threshold"),
    (lambda t: t.spectrum("area", 0), "bins"),
    (lambda t: pollard.from_higra([0], [0], (1,)), "from_higra"),
])
def test_errors_are_value_errors_of_one_line(call, message):
    tree = pollard.max_tree(np.arange(12, dtype=np.uint8).reshape(3, 4))
    with pytest.raises(ValueError, match=message) as caught:
        call(tree)
    assert "\n" not in str(caught.value)


def test_devices_are_listed():
    names = [device["name"] for device in pollard.devices()]
    assert "cpu" in names
    cuda = next((device for device in pollard.devices() if device["name"] == "cuda"), None)
    if cuda is None or cuda["unusable"]:
        with pytest.raises(RuntimeError, match="cuda"):
            pollard.max_tree(np.zeros((2, 2), np.uint8), device="cuda")
    else:
        image = np.random.default_rng(2).integers(0, 65535, (300, 200), dtype=np.uint16)
        gpu, cpu = pollard.max_tree(image, device="cuda"), pollard.max_tree(image, device="cpu")
        np.testing.assert_array_equal(gpu.parent, cpu.parent)
        np.testing.assert_array_equal(gpu.filter("area >= 9"), cpu.filter("area >= 9"))


def test_texts_of_a_tree():
    tree = pollard.max_tree(np.arange(12, dtype=np.uint8).reshape(3, 4))
    assert "max-tree of 3 x 4 pixels, 12 nodes" in repr(tree)
    assert "<table>" in tree._repr_html_() and "uint8" in tree._repr_html_()
    assert len(pollard.attributes()) > 30 and pollard.attributes(True)[0]["name"]
