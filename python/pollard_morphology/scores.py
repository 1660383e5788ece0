"""Label images beside the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _core
from .arguments import numbers
from .levels import labels_of
from .tables import Table
from .tree import sides_of

__all__ = ["Score", "score"]

_USUAL = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))


@dataclass(frozen=True)
class Score:
    """How a label image agrees with the true one, see :func:`score`.

    Examples
    --------
    >>> result = pollard.score([[1, 1, 0, 2]], [[5, 5, 5, 0]], 0.5)
    >>> result.f1, result.invented
    (0.666..., array([2], dtype=uint32))
    """

    #: A row per threshold: threshold, matched, precision, recall, f1, accuracy, mean_overlap, panoptic_quality.
    matches: Table
    found: Table  #: a row per object of the result: label, pixels, partner (0: none), overlap with it (IoU), matched
    truth: Table  #: the same per object of the truth
    missed: np.ndarray  #: labels of the truth that no object shows
    invented: np.ndarray  #: labels of the result that show no object of the truth
    split: np.ndarray  #: labels of the truth in which two or more objects of the result lie
    merged: np.ndarray  #: labels of the truth that one object of the result covers together with another one
    iou: float  #: of the foregrounds: intersection over union
    dice: float  #: of the foregrounds
    #: Largest distance between the boundaries of the foregrounds, in the unit of `spacing`, else px; NaN without one of them.
    hausdorff: float
    hausdorff_95: float  #: the larger of both 95th percentiles of the distances
    boundary_mean: float  #: mean distance, over the boundary pixels of both

    @property
    def f1(self) -> float:
        """F1 at the first threshold."""
        return float(self.matches["f1"][0])

    @property
    def mean_accuracy(self) -> float:
        """Mean accuracy over the thresholds: the mean average precision of Cellpose and of the Data Science Bowl 2018."""
        return float(self.matches["accuracy"].mean())


def score(result: Any, truth: Any, thresholds: Optional[Union[float, Sequence[float]]] = None,
          spacing: Optional[Sequence[float]] = None) -> Score:
    """Compares a label image with the true one.

    Objects of both are partners if their intersection over union is at least the threshold; of all assignments, the one with
    the most pairs counts, and of these the one with the largest sum of overlaps, as StarDist and Cellpose match. The accuracy
    is matched / (found + truth - matched), called average precision by Cellpose and by the Data Science Bowl 2018; the panoptic
    quality is f1 * mean_overlap (Kirillov and others 2019). A share of nothing is 1. The 95th percentiles of distances between
    boundaries are linear between values, and the larger of both directions counts.

    Parameters
    ----------
    result : array of integers from 0, of 2 or 3 axes
        Labels, 0 is background. Pixels of a label need not be connected.
    truth : array of the shape of the result
        The true labels.
    thresholds : number or numbers above 0, at most 1
        Without it 0.5, 0.55 .. 0.95. The first decides which objects are missed, invented, split and merged.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel, the unit of distances.

    Returns
    -------
    :class:`Score`

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other shapes, labels, thresholds and sides.
    MemoryError

    Examples
    --------
    >>> found = pollard.score([[1, 1, 2, 2, 0, 3]], [[7, 7, 7, 7, 0, 9]])
    >>> found.f1, found.split, found.mean_accuracy
    (0.8, array([], dtype=uint32), 0.291...)
    >>> found.matches["matched"]
    array([2, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    """
    ours, theirs = labels_of(result, "result"), labels_of(truth, "truth")
    if ours.shape != theirs.shape:
        raise ValueError(f"result, truth: have the shapes {ours.shape} and {theirs.shape}")
    limits = list(_USUAL) if thresholds is None else [float(each) for each in numbers(np.atleast_1d(thresholds), "thresholds")]
    if not limits or not all(0 < each <= 1 for each in limits):
        raise ValueError(f"thresholds: {limits}: must be above 0 and at most 1")
    matches, found, true, outcomes, foreground, distances = _core.score(ours, theirs, limits, sides_of(spacing, ours.ndim))
    return Score(Table(matches), Table(found), Table(true), *outcomes, *foreground, *distances)
