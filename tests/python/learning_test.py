"""pollard.learn(): criteria from nodes to keep and to drop; best components: least sure regions and learned weights."""

import re

import numpy as np
import pytest

import pollard_morphology as pollard


def decided(tree, criteria):
    """Nodes that meet criteria."""
    meets = np.ones(tree.num_nodes, bool)
    for each in criteria:
        low, name, high = re.fullmatch(r"(?:(.+)<=)?([a-z][a-z_0-9]*)((?:<=|>=|==).+)", each).groups()
        values = np.asarray(tree[name], float)
        bound = float(high[2:])
        meets &= {"<=": values <= bound, ">=": values >= bound, "==": values == bound}[high[:2]]
        meets &= values >= float(low) if low else True
    return meets


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.float32, np.float64])
def test_criteria_decide_as_given(dtype):
    random = np.random.default_rng(3)
    learned = 0
    for _ in range(20):
        image = random.integers(0, 12, (24, 24))
        image = ((image - 5) * 1000).astype(dtype) if dtype == np.int16 else image.astype(dtype)
        image = image / 7 - 0.5 if np.dtype(dtype).kind == "f" else image
        tree = pollard.max_tree(image.astype(dtype))
        some = random.permutation(np.arange(1, tree.num_nodes))[:6]
        found = pollard.learn(tree, some[:3], some[3:])
        assert 1 <= len(found.criteria) <= 3
        kept = tree.labels(found.criteria)  # the filter takes the criteria
        assert kept.shape == image.shape
        inside = np.flatnonzero(decided(tree, found.criteria))
        assert set(some[:3]) <= set(inside)
        assert set(some[3:]) & set(inside) == set(found.wrong.tolist())
        learned += len(found.wrong) == 0
    assert learned > 15


def test_more_nodes_that_agree_change_nothing():
    random = np.random.default_rng(4)
    tree = pollard.max_tree(random.integers(0, 12, (40, 40)).astype(np.uint8))
    found = pollard.learn(tree, [10, 20], [30, 40], ask=5)
    assert len(found.unsure) == 5
    keeps = decided(tree, found.criteria)
    agreeing = [node for node in range(50, 80)]
    more = pollard.learn(tree, [n for n in agreeing if keeps[n]], [n for n in agreeing if not keeps[n]], start=found)
    assert more.criteria == found.criteria and more.margin == found.margin
    wrong = next(n for n in range(100, tree.num_nodes) if keeps[n])
    other = pollard.learn(tree, [], [wrong], start=more)
    assert other.criteria != found.criteria or wrong in other.wrong
    assert len(other.batches) == 3


def test_attributes_are_chosen():
    tree = pollard.max_tree([[0, 5, 5, 0, 9, 0, 7, 7, 7]])
    assert pollard.learn(tree, [3], [1, 2], ["level"]).criteria == ["6<=level<=8"]
    assert pollard.learn(tree, [3], [1, 2], ["area"]).criteria == ["3<=area<=4"]
    assert pollard.learn(tree, [3], [1, 2], ["area"], any_size=True).criteria == ["area>=3"]
    assert pollard.learn(tree, np.arange(4) == 3, [0], ["area"], any_size=True).criteria == ["area<=5"]
    assert pollard.learn(tree, [], [1]).criteria == []


def test_volumes_have_their_attributes():
    image = np.zeros((3, 4, 9), np.uint8)
    image[1, 1, 1:4] = 5
    image[:, 1:3, 5:7] = 5
    tree = pollard.max_tree(image, axes="zyx")
    flat, cube = tree.nodes[1, 1, 1], tree.nodes[1, 1, 5]
    found = pollard.learn(tree, [cube], [flat], ["slices_px"])
    assert found.criteria == ["slices_px>=2"]


def test_refuses_what_is_no_input():
    tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
    for keep, drop, message in [([3], [1], "keep: 3: is no node"), ([1], [9], "drop: 9: is no node"),
                                ([0], [1], "keep: 0: is the whole image"), ([1], [1, 2], "drop: 1: is a node to keep")]:
        with pytest.raises(ValueError, match=message):
            pollard.learn(tree, keep, drop)
    with pytest.raises(ValueError, match="attribute"):
        pollard.learn(tree, [1], [2], ["size"])
    with pytest.raises(ValueError, match="attributes: is an empty list"):
        pollard.learn(tree, [1], [2], [])
    with pytest.raises(TypeError, match="not a MaxTree"):
        pollard.learn(np.zeros((3, 3)), [1], [2])
    with pytest.raises(ValueError, match="2\\*\\*53"):
        pollard.learn(pollard.max_tree(np.array([[2**60, 2**60 + 9, 2**60]])), [1], [0])


def discs(seed, centres=((12, 14), (12, 44), (32, 28), (30, 58))):
    """Discs of two brightnesses, and the labels of the darker ones."""
    random = np.random.default_rng(seed)
    image, labels = random.integers(20, 26, (46, 74)), np.zeros((46, 74), int)
    y, x = np.mgrid[:46, :74]
    for number, (cy, cx) in enumerate(random.permutation(centres), 1):
        inside = np.hypot(y - cy, x - cx) < 8
        image[inside] = 100 if number % 2 else 200
        labels[inside] = number if number % 2 else 0
    return image.astype(np.uint8), labels


def test_weights_are_learned_from_images():
    images, labels = zip(*map(discs, range(4)))
    weights = pollard.learn_weights(images, labels)
    assert list(weights) == ["contrast", "border", "relative", "misfit", "area", "small", "large", "constant"]
    image, truth = discs(9)
    assert pollard.best_components(image).labels.max() == 4
    found = pollard.best_components(image, weights=weights).labels
    np.testing.assert_array_equal(found > 0, truth > 0)
    np.testing.assert_array_equal(pollard.best_components(image, weights={}).labels, pollard.best_components(image).labels)
    assert not pollard.best_components(image, weights={"constant": -20}).labels.any()
    twice = pollard.learn_weights([each / 10 for each in images], labels)
    assert twice == pytest.approx(weights, abs=0.02)
    for wrong in ({"size": 1}, {"misfit": 1e4}, {"misfit": float("inf")}, {"misfit=1,area": 2}):
        with pytest.raises(ValueError, match="weights"):
            pollard.best_components(image, weights=wrong)
    for wrong in ([1], {"misfit": "x"}, {3: 1}):
        with pytest.raises(TypeError, match="weights"):
            pollard.best_components(image, weights=wrong)
    for some in ([], [truth, truth], [truth[1:]]):
        with pytest.raises(ValueError, match="labels"):
            pollard.learn_weights([image], some)


@pytest.mark.parametrize("volume", [False, True])
def test_least_sure_regions(volume):
    image, _ = discs(3)
    image = np.repeat(np.pad(image[None], ((3, 3), (0, 0), (0, 0)), constant_values=20), [1] * 3 + [9] + [1] * 3, axis=0) if volume else image
    found = pollard.best_components(image).labels
    all_of = pollard.least_sure(image, 1000)
    assert list(all_of) == (["z"] if volume else []) + ["y", "x", "object", "expected_overlap"]
    places = tuple(all_of[axis] for axis in ("zyx" if volume else "yx"))
    np.testing.assert_array_equal(found[places] > 0, all_of["object"])
    assert all_of["object"].sum() == found.max()
    doubt = np.abs(all_of["expected_overlap"] - 0.35)
    assert (np.diff(doubt) >= 0).all()
    first = [int(place[0]) for place in places]
    assert pollard.least_sure(image, 1)["x"].tolist() == first[-1:]
    marked = {"drop" if all_of["object"][0] else "keep": [first]}
    changed = pollard.best_components(image, **marked).labels
    assert (changed[tuple(first)] > 0) != all_of["object"][0]
    again = pollard.least_sure(image, 1000, **marked)
    assert first not in np.transpose([again[axis] for axis in ("zyx" if volume else "yx")]).tolist()
    assert len(pollard.least_sure(image, 0)["x"]) == 0
    with pytest.raises(ValueError, match="count"):
        pollard.least_sure(image, -1)


@pytest.mark.parametrize("shape", [(30,), (24, 20), (6, 9, 7)])
def test_nodes_of_mask(shape):
    random = np.random.default_rng(5)
    image = random.integers(0, 8, shape).astype(np.uint8)
    tree = pollard.max_tree(image)
    some = random.integers(1, tree.num_nodes, 4)
    painted = np.asarray(tree.labels(some)) > 0
    found = pollard.nodes_of_mask(tree, painted)
    np.testing.assert_array_equal(np.asarray(tree.labels(found)) > 0, painted)
    rough = painted ^ (random.random(shape) < 0.1)
    fitted = np.asarray(tree.labels(pollard.nodes_of_mask(tree, rough))) > 0
    assert (fitted != rough).sum() <= (painted != rough).sum()
    assert pollard.nodes_of_mask(tree, np.zeros(shape, bool)).size == 0
    assert pollard.nodes_of_mask(tree, np.ones(shape, bool)).tolist() == [0]
    with pytest.raises(ValueError, match="mask"):
        pollard.nodes_of_mask(tree, np.ones(shape[:-1] + (shape[-1] + 1,), bool))
    with pytest.raises(ValueError, match="mask"):
        pollard.nodes_of_mask(tree, np.full(shape, 0.5))
    with pytest.raises(TypeError, match="tree"):
        pollard.nodes_of_mask(image, painted)


def squares_and_bars(seed):
    """Squares of 6 x 6 px in the left half, bars of 12 x 3 px in the right half, each of one level from 100 on."""
    random = np.random.default_rng(seed)
    image = np.full((60, 120), 10, np.uint8)
    for y in range(0, 60, 12):
        for x in range(0, 120, 15):
            image[y:y + (6 if x < 60 else 3), x:x + (6 if x < 60 else 12)] = random.integers(100, 200)
    return image


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_a_forest_tells_squares_from_bars(dtype):
    def tree_of(seed):
        return pollard.max_tree((squares_and_bars(seed) / (1 if dtype == np.uint8 else 7)).astype(dtype))

    def object_at(tree, x, y):
        return int(tree.chain(y, x)[0])

    tree = tree_of(1)
    found = pollard.learn(tree, [object_at(tree, 1, 1)], [object_at(tree, 61, 1)], forest=True)
    found = pollard.learn(tree, [object_at(tree, 16, 13)], [object_at(tree, 76, 13)], start=found, forest=True)
    assert len(found.criteria) == 1 and len(found.forest) == 64 and len(found.wrong) == 0 and len(found.unsure) == 0
    for seed in (1, 2):
        other = tree_of(seed)
        labels = other.labels(found.criteria, forest=found.forest)
        assert labels.max() == 20 and not labels[:, 60:].any()
        mask = other.filter(found.criteria, output="mask", forest=found.forest)
        assert np.array_equal(mask, labels > 0)
    again = pollard.learn(tree, [object_at(tree, 31, 1)], [], start=found, forest=True)
    assert again.forest == found.forest


def test_forests_that_are_none_are_refused():
    tree = pollard.max_tree([[0, 5, 5, 0, 9]])
    assert tree.labels("", forest=[["level<=7 ? drop : keep"]]).tolist() == [[0, 0, 0, 0, 1]]
    for forest, why in (([["level<=7"]], "expected a question"), ([[]], "0 questions"),
                        ([["level<=7 ? 3 : keep"]], "no later question"), ([["colour<=7 ? drop : keep"]], "colour")):
        with pytest.raises(ValueError, match=why):
            tree.filter(forest=forest)
    with pytest.raises(ValueError, match="for criteria"):
        tree.labels([1], forest=[["level<=7 ? drop : keep"]])
