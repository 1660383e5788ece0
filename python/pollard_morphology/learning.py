"""Criteria or a forest from components to keep and to drop, nodes of a mask, and weights of best components."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _core
from .arguments import nodes, text, whole
from .levels import flags_of, labels_of
from .objects import BestImage, best_choice
from .tables import Table
from .tree import MaxTree

__all__ = ["Learned", "learn", "learn_weights", "least_sure", "nodes_of_mask"]


class Learned(NamedTuple):
    """Criteria, and perhaps a forest, that :func:`learn` found.

    Examples
    --------
    >>> tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
    >>> pollard.learn(tree, [2], [1], ["area", "level"]).criteria
    ['2<=area<=3']
    """

    criteria: List[str]  #: at most three, as :meth:`MaxTree.filter` takes them; all must be met
    margin: float  #: distance of the nearest dropped node from the interval of the kept ones, as a part of the ranks, 0..1
    wrong: np.ndarray  #: (n,) uint32: nodes that are decided otherwise; empty if the result decides all as given
    unsure: np.ndarray  #: (n,) uint32: nodes next to a bound, of disjoint components, the nearest first; empty with a forest
    batches: Tuple[List[Tuple[int, bool]], ...]  #: (node, whether to keep it), a list for each call of :func:`learn`
    forest: List[List[str]] = []  #: decision trees as :meth:`MaxTree.filter` takes them, as lists of questions; or empty


def learn(tree: MaxTree, keep: Sequence[int], drop: Sequence[int], attributes: Optional[Sequence[str]] = None,
          any_size: bool = False, ask: int = 3, start: Optional[Learned] = None, forest: bool = False) -> Learned:
    """Finds the simplest criteria that keep some nodes of a tree and drop others.

    The result is the smallest set of criteria, at most three, that keeps all nodes of `keep` and drops all of `drop`. Of
    equally small sets it is the one with the largest margin: the distance of the nearest dropped node from the interval of
    the kept ones, in ranks among the nodes of the tree. Each octave of areas has the same weight in these ranks. A bound is
    the number with the fewest digits in the middle half between both. If no set decides all nodes as given, the result drops
    as many as possible. Source: Pollard.

    Parameters
    ----------
    tree : MaxTree
    keep, drop : sequences of int
        Numbers of nodes, such as ``tree.chain(y, x)[0]``, or booleans of all nodes. There are no criteria before there are
        nodes of both kinds.
    attributes : sequence of str, optional
        Attributes that criteria may use; otherwise all but places in the image and in the tree, the orientation and the
        moments of Hu.
    any_size : bool
        Whether criteria need not bound the area. Otherwise they do if it is among the attributes: from about half of the
        smallest node of `keep` to about twice the largest one.
    ask : int
        Largest number of nodes in `unsure`.
    start : Learned, optional
        An earlier result for this tree: its nodes come first. New nodes that its criteria decide as given change nothing.
    forest : bool
        Whether to learn a random forest instead (Breiman 2001): 64 decision trees about attributes of a node, and about the
        same attributes relative to the smallest node around it with at least twice its area. The only criterion is then that
        of the area. The same nodes give the same forest. docs/learn.md has the definition.

    Returns
    -------
    Learned

    Raises
    ------
    TypeError
        If `tree` is not one tree.
    ValueError
        For a number that is no node, a node to keep that is the root, an unknown attribute, and an image of integers beyond
        2**53.
    MemoryError
        If the attributes need more memory than is free.

    Examples
    --------
    >>> tree = pollard.max_tree([[0, 5, 5, 0, 9, 0, 7, 7, 7]])
    >>> tree.nodes
    array([[0, 1, 1, 0, 2, 0, 3, 3, 3]], dtype=uint32)
    >>> found = pollard.learn(tree, keep=[3], drop=[2], attributes=["area"])
    >>> found.criteria
    ['2<=area<=4']
    >>> found = pollard.learn(tree, keep=[], drop=[1], attributes=["area"], start=found)
    >>> found.criteria, tree.filter(found.criteria)
    (['3<=area<=4'], array([[0, 0, 0, 0, 0, 0, 7, 7, 7]]))
    >>> found = pollard.learn(tree, keep=[3], drop=[1, 2], forest=True)
    >>> tree.filter(found.criteria, forest=found.forest)
    array([[0, 0, 0, 0, 0, 0, 7, 7, 7]])
    """
    if not isinstance(tree, MaxTree):
        raise TypeError(f"tree: is a {type(tree).__name__}, not a MaxTree of one image")
    if tree._levels.base != 0:
        raise ValueError("tree: the image has integers beyond 2**53, which criteria of learn do not have")
    kept = np.flatnonzero(nodes(keep, tree.num_nodes))
    if kept.size and kept[0] == 0:
        raise ValueError("keep: 0: is the whole image, which always stays")
    batch = [(int(node), True) for node in kept]
    batch += [(int(node), False) for node in np.flatnonzero(nodes(drop, tree.num_nodes, "drop"))]
    both = set(kept.tolist()) & {node for node, is_kept in batch if not is_kept}
    if both:
        raise ValueError(f"drop: {min(both)}: is a node to keep, too")
    batches = ((*start.batches, batch) if start is not None else (batch,))
    names = [] if attributes is None else [text(name, "attributes") for name in attributes]
    if attributes is not None and not names:
        raise ValueError("attributes: is an empty list")
    found: Any = tree._core.learn(batches, names, bool(any_size), whole(ask, "ask", 0), bool(forest))
    return Learned(*found[:4], batches, found[4])


def nodes_of_mask(tree: MaxTree, mask: Any) -> np.ndarray:
    """Finds the disjoint nodes of a tree that fit a mask best, such as roughly painted pixels.

    The number of pixels that are in a node or in the mask, but not in both, is the smallest possible: an exact optimum. Of equally
    good nodes the larger ones are the result, or none. Source: N. Passat, B. Naegel, F. Rousseau, M. Koob, J.-L. Dietemann,
    Interactive segmentation based on component-trees, Pattern Recognition 44, 2011.

    Parameters
    ----------
    tree : MaxTree
    mask : array of bool in the shape of the image

    Returns
    -------
    (n,) uint32
        Numbers of nodes, ascending, for :meth:`MaxTree.labels` or :func:`learn`.

    Raises
    ------
    TypeError
        If `tree` is not one tree.
    ValueError
        For a mask of another shape or type.

    Examples
    --------
    >>> tree = pollard.max_tree([[0, 5, 5, 5, 0, 9, 0, 7, 7]])
    >>> nodes = pollard.nodes_of_mask(tree, [[0, 0, 1, 1, 1, 0, 0, 1, 1]])
    >>> tree.labels(nodes)
    array([[0, 1, 1, 1, 0, 0, 0, 2, 2]], dtype=uint32)
    """
    if not isinstance(tree, MaxTree):
        raise TypeError(f"tree: is a {type(tree).__name__}, not a MaxTree of one image")
    flags = flags_of(mask, "mask")
    if np.shape(mask) != tree.shape:
        raise ValueError(f"mask: has the shape {np.shape(mask)}, the image {tree.shape}")
    return tree._core.mask_nodes(flags)


def least_sure(image: Any, count: int = 10, size: Optional[float] = None, strictness: float = 0.35, dark: bool = False, *,
               keep: Sequence[Sequence[int]] = (), drop: Sequence[Sequence[int]] = (), mask: Any = None,
               spacing: Optional[Sequence[float]] = None, weights: Optional[Mapping[str, float]] = None,
               device: str = "auto") -> Table:
    """Finds the regions of which :func:`best_components` is least sure, to be kept or dropped by a person.

    They are objects of the result, and candidates that overlap no object. Their expected overlaps are nearest to the strictness.
    No two regions overlap, and no pixel of `keep` or `drop` is in a region. Its pixel is the one farthest from its border.
    Source: Pollard.

    Parameters
    ----------
    image : array of 2 or 3 axes
    count : int
        Largest number of regions.
    size, strictness, dark, keep, drop, mask, spacing, weights, device :
        As of :func:`best_components`.

    Returns
    -------
    Table
        The columns `y` and `x`, in volumes also `z`, of the pixels; `object`, whether the region is an object of the result;
        `expected_overlap`, 0 to 1. The least sure ones come first.

    Raises
    ------
    TypeError, ValueError
        As :func:`best_components`; for a negative `count`.

    Examples
    --------
    >>> y, x = np.mgrid[:40, :60]
    >>> nearest = np.minimum(np.hypot(y - 20, x - 18), np.hypot(y - 20, x - 40))    # two discs, blurred
    >>> image = (20 + 180 / (1 + np.exp(2 * nearest - 18))).astype(np.uint8)
    >>> found = pollard.least_sure(image, 2)
    >>> found["object"]
    array([ True,  True])
    >>> pollard.best_components(image, drop=[(found["y"][0], found["x"][0])]).labels.max()
    1
    """
    given = BestImage(image, mask, spacing, dark)
    choice = best_choice(given, size, strictness, weights, keep, drop)
    found = _core.least_sure(*given.arguments, *choice, text(device, "device"), whole(count, "count", 0))
    places = np.unravel_index(found["pixel"].astype(np.intp), given.values.shape)
    table = Table(zip("zyx"[-len(places):], places))
    table.update({name: found[name] for name in ("object", "expected_overlap")})
    return table


def learn_weights(images: Sequence[Any], labels: Sequence[Any], size: Optional[float] = None, dark: bool = False, *,
                  spacing: Optional[Sequence[float]] = None, device: str = "auto") -> Dict[str, float]:
    """Learns weights of :func:`best_components` from images whose objects are all known.

    The expected overlap is a logistic function of the weighted sum of terms of a candidate. A fractional logistic
    regression fits it to the overlaps of all candidates with the objects. Each image counts the same, and the distance to
    the built-in weights a tenth of that. A few images teach little about objects that the built-in weights find; other kinds
    of objects need weights of their own. Source: L. E. Papke, J. M. Wooldridge, Econometric methods for fractional
    response variables, Journal of Applied Econometrics 11, 1996.

    Parameters
    ----------
    images : sequence of arrays of 2 or 3 axes
    labels : sequence of integer arrays of the same shapes
        The number of the object at each pixel, 0 for none. An object that is missing teaches that it is none.
    size, dark, spacing, device :
        As of :func:`best_components`.

    Returns
    -------
    dict of str to float
        `contrast`, `border`, `relative`, `misfit`, `area`, `small`, `large` and `constant`, for `weights` of
        :func:`best_components`; docs/algorithms-components.md has the terms.

    Raises
    ------
    TypeError, ValueError
        As :func:`best_components`; for labels of another shape or number.

    Examples
    --------
    >>> y, x = np.mgrid[:40, :60]
    >>> image = (20 + 180 / (1 + np.exp(2 * np.hypot(y - 20, x - 18) - 18))).astype(np.uint8)
    >>> weights = pollard.learn_weights([image], [image > 110])
    >>> pollard.best_components(image, weights=weights).labels.max()
    1
    """
    if len(images) != len(labels) or len(images) == 0:
        raise ValueError(f"labels: {len(labels)} for {len(images)} images; must be as many, at least one")
    lessons = []
    for image, truth in zip(images, labels):
        given = BestImage(image, None, spacing, dark)
        numbers = labels_of(truth, "labels")
        if numbers.shape != given.values.shape:
            raise ValueError(f"labels: have the shape {numbers.shape}, the image {given.values.shape}")
        lessons.append(_core.best_lesson(*given.arguments, given.pixels_of(size), numbers, text(device, "device")))
    return _core.learn_weights(lessons)
