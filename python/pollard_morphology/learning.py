"""Criteria from components to keep and to drop."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .arguments import nodes, text, whole
from .tree import MaxTree

__all__ = ["Learned", "learn"]


class Learned(NamedTuple):
    """Criteria that :func:`learn` found.

    Examples
    --------
    >>> tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
    >>> pollard.learn(tree, [2], [1], ["area", "level"]).criteria
    ['2<=area<=3']
    """

    criteria: List[str]  #: at most three, as :meth:`MaxTree.filter` takes them; all must be met
    margin: float  #: distance of the nearest dropped node from the interval of the kept ones, as a part of the ranks, 0..1
    wrong: np.ndarray  #: (n,) uint32: nodes to drop that meet the criteria; empty if the criteria decide all as given
    unsure: np.ndarray  #: (n,) uint32: nodes next to a bound, of disjoint components, the nearest first
    batches: Tuple[List[Tuple[int, bool]], ...]  #: (node, whether to keep it), a list for each call of :func:`learn`


def learn(tree: MaxTree, keep: Sequence[int], drop: Sequence[int], attributes: Optional[Sequence[str]] = None,
          any_size: bool = False, ask: int = 3, start: Optional[Learned] = None) -> Learned:
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
    found: Any = tree._core.learn(batches, names, bool(any_size), whole(ask, "ask", 0))
    return Learned(*found, batches)
