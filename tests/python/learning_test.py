"""pollard.learn(): criteria from nodes to keep and to drop."""

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
