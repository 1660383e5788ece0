"""Trees of Higra as trees of this package."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .tree import MaxTree, max_tree


def from_higra(parents: Any, altitudes: Any, shape: Sequence[int], connectivity: int = 1, kind: str = "max",
               device: str = "auto") -> MaxTree:
    """The tree of the image from which Higra's tree was built.

    Parameters
    ----------
    parents : array of int, or an object with the method ``parents()`` (higra.Tree)
    altitudes : array, one per node of Higra's tree
    shape : of the image, whose pixels are the leaves
    connectivity, kind, device
        As of :func:`max_tree`, and as of Higra's graph.

    Returns
    -------
    MaxTree

    Raises
    ------
    ValueError
        If the tree is not the tree of the image with these neighbours.

    Examples
    --------
    >>> parents, altitudes = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).to_higra()    # or tree.parents(), altitudes of Higra
    >>> pollard.from_higra(parents, altitudes, shape=(1, 7))["area"]
    array([7, 1, 2], dtype=uint32)
    """
    table = np.asarray(parents.parents() if callable(getattr(parents, "parents", None)) else parents, np.int64)
    values = np.asarray(altitudes)
    pixels = int(np.prod(shape))
    if table.ndim != 1 or values.shape != table.shape or not 0 < pixels < table.size:
        raise ValueError("from_higra: parents and altitudes need a value for each pixel and each node")
    if (table < 0).any() or (table >= table.size).any():
        raise ValueError("from_higra: a parent is not a node")
    tree = max_tree(values[table[:pixels]].reshape(tuple(shape)), connectivity, kind, device)
    ours, _ = tree.to_higra()
    if ours.size != table.size or not _same_tree(ours, table, pixels):
        raise ValueError(f"from_higra: not the {kind}-tree of these pixels with connectivity {connectivity}")
    return tree


def _same_tree(ours: np.ndarray, theirs: np.ndarray, pixels: int) -> bool:
    """Whether two trees with the same leaves differ in the numbers of their nodes alone."""
    number = np.full(ours.size, -1, np.int64)  # index of a node in the other tree
    number[ours[:pixels]] = theirs[:pixels]
    if (number[ours[:pixels]] != theirs[:pixels]).any() or (number[pixels:] < 0).any():
        return False
    nodes = np.arange(pixels, ours.size)
    return bool((number[ours[nodes]] == theirs[number[nodes]]).all())
