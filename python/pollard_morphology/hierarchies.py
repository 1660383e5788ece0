"""Hierarchies of regions."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from .arguments import number, text, whole
from .levels import Levels, array_of, flags_of, levels_of, unmasked

_BY = ("altitude", "dynamics", "area", "volume")
_WEIGHTS = ("difference", "maximum")


class Hierarchy:
    """Regions of an image for any strength of the boundaries between them, as :func:`hierarchy` returns them.

    Examples
    --------
    >>> found = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 0, 0, 0]]), by="altitude")
    >>> found.strengths.tolist(), found.labels().tolist()
    ([9, 9], [[1, 1, 2, 2, 3, 3, 3]])
    """

    def __init__(self, core: Any, levels: Levels, by: str, weight: str):
        self._core = core
        self._levels = levels
        self.by = by  #: what makes a boundary strong
        self.weight = weight  #: of edges between pixels
        #: uint32 in the shape of the image: the basin of each pixel, from 0 in the order of their first pixels
        self.basins = levels.shaped(core.basins)

    @property
    def _holds_values(self) -> bool:
        return self.by == "altitude" and self.weight == "maximum"

    def _values(self, strengths: np.ndarray) -> np.ndarray:
        if self._holds_values:
            return self._levels.values(strengths.astype(self._levels.array.dtype))
        return strengths

    @property
    def strengths(self) -> np.ndarray:
        """Strengths at which two regions merge, ascending: uint64, or with altitudes by maxima values of the image."""
        return self._values(self._core.strengths)

    def _strength(self, above: Any, regions: Any) -> int:
        if above is not None and regions is not None:
            raise ValueError("above, regions: give one of them")
        if regions is not None:
            return self._core.strength_for(whole(regions, "regions", 1))
        if above is None:
            return 0
        merged = int(np.searchsorted(self.strengths, number(above, "above"), side="right"))
        return 0 if merged == 0 else int(self._core.strengths[merged - 1])

    def labels(self, above: Optional[float] = None, regions: Optional[int] = None) -> np.ndarray:
        """Numbers the regions.

        Parameters
        ----------
        above : number, optional
            Keeps boundaries that are stronger, in the unit of :attr:`strengths`; without it all boundaries.
        regions : int, optional
            Keeps the strongest boundaries, so that at most this many regions remain.

        Returns
        -------
        uint32 in the shape of the image: 1, 2 .. in the order of their first pixels, 0 outside the mask.

        Raises
        ------
        TypeError
            For parameters of other types.
        ValueError
            For both parameters, and fewer than one region.

        Examples
        --------
        >>> found = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude")
        >>> found.labels(above=7).tolist(), found.labels(regions=3).tolist()
        ([[1, 1, 2, 2, 2, 2, 2]], [[1, 1, 2, 2, 3, 3, 3]])
        """
        return self._levels.shaped(self._core.labels(self._strength(above, regions))[0])

    def boundaries(self) -> np.ndarray:
        """The saliency map: per pixel the strength of the strongest boundary between it and pixels that share a side.

        Returns
        -------
        Array in the shape of the image and the type of :attr:`strengths`; 0 within regions that no boundary divides.

        Examples
        --------
        >>> pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").boundaries().tolist()
        [[0, 9, 9, 7, 7, 0, 0]]
        """
        found = self._levels.shaped(self._core.boundaries())
        return np.where(found == 0, 0, self._values(found)).astype(self.strengths.dtype) if self._holds_values else found


def hierarchy(image: Any, by: str = "area", weight: str = "difference", connectivity: int = 1, *,
              mask: Any = None, device: str = "auto") -> Hierarchy:
    """Divides an image or volume into regions, for any strength of the boundaries between them.

    Regions for a larger strength are unions of regions for a smaller one. The strengths equal the altitudes of Higra's
    ``quasi_flat_zone_hierarchy`` and ``watershed_hierarchy_by_*`` (Najman, Cousty and Perret 2013); docs/analyses.md
    defines them.

    Parameters
    ----------
    image : array of 2 or 3 axes
        Integers within a range of 65536; with ``weight="maximum"`` and `by` "altitude" or "area" also real numbers and
        wider integers of at most 65536 different values.
    by : {"area", "altitude", "dynamics", "volume"}
        "altitude": regions are flat zones, separated by the largest weight on the best path between them. The others:
        regions are basins of a watershed, and a boundary is as strong as the basin that vanishes with it: in pixels, by
        the rise above its lowest weight, or by the sum of the rises over its pixels.
    weight : {"difference", "maximum"}
        Weight between neighbours: the difference of their values, or the larger value (of a gradient, for example).
    connectivity : int
        As of :func:`max_tree`.
    mask : array of bool, optional
        Pixels that count, as of :func:`max_tree`. Others belong to no region.
    device : {"auto", "cpu", "cuda"}
        As of :func:`max_tree`. "cuda" also finds the regions of each strength. Hierarchies are equal.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays and values of parameters.
    MemoryError

    Examples
    --------
    >>> image = np.uint8([[1, 1, 7, 7, 2, 3, 7]])
    >>> found = pollard.hierarchy(image, weight="maximum")
    >>> found.labels().tolist(), found.strengths.tolist()
    ([[1, 1, 1, 1, 2, 2, 2]], [2])
    """
    by, weight = text(by, "by", _BY), text(weight, "weight", _WEIGHTS)
    values, mask = unmasked(image, mask)
    given = array_of(values, "image")
    flags = None if mask is None else flags_of(mask, "mask")
    if flags is not None and flags.shape != given.shape:
        raise ValueError("mask: has another shape than the image")
    levels = levels_of(given, ranks="values", inside=flags)
    if levels.table is not None and (weight == "difference" or by not in ("altitude", "area")):
        raise ValueError(f"image: has real numbers or integers of a wide range, for which '{by}' by '{weight}' would be "
                         "rounded; scale and round them to uint16")
    core = _core.Hierarchy(levels.array, flags, by, weight, whole(connectivity, "connectivity", 1, levels.array.ndim),
                           text(device, "device"))
    return Hierarchy(core, levels, by, weight)
