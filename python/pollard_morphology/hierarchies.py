"""Hierarchies of regions."""

from __future__ import annotations

import re
from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _core
from .arguments import nodes, number, parse_criteria, text, whole
from .levels import Levels, array_of, flags_of, levels_of, unmasked

_BY = ("altitude", "dynamics", "area", "volume")
_WEIGHTS = ("difference", "maximum")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_CRITERION = re.compile(rf"(?:(?P<above>{_NUMBER})\s*(?P<first><=|<|>=|>)\s*)?(?P<name>[a-z]\w*)"
                        rf"(?:\s*(?P<second><=|<|>=|>)\s*(?P<below>{_NUMBER}))?")
_COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


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

    def view(self, above: Optional[float] = None, regions: Optional[int] = None, *,
             window: Tuple[slice, slice] = (slice(None), slice(None)), plane: int = 0) -> np.ndarray:
        """Tells regions apart at some of the pixels, in a time that does not depend on the size of the image.

        Parameters
        ----------
        above, regions
            As of :meth:`labels`.
        window : two slices, of rows and columns
            Their steps, at least 1, leave pixels out: ``np.s_[0:4000:4, 0:6000:4]``.
        plane : int
            The slice of a volume.

        Returns
        -------
        uint32, as ``labels()[window]`` of an image: equal numbers in equal regions, from 1, in no order; 0 outside the mask.

        Raises
        ------
        ValueError
            For other steps, and for a plane outside the volume.

        Examples
        --------
        >>> found = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude")
        >>> found.view(above=7, window=np.s_[:, ::3])
        array([[1, 2, 2]], dtype=uint32)
        """
        shape = self._levels.shape
        planes = shape[0] if len(shape) == 3 else 1
        rows, columns = (each.indices(side) for each, side in zip(window, shape[-2:]))
        if rows[2] < 1 or columns[2] < 1:
            raise ValueError("window: needs steps of at least 1")
        first = (whole(plane, "plane", 0, planes - 1) * shape[-2] + rows[0]) * shape[-1] + columns[0]
        return self._core.samples(self._strength(above, regions), first, columns[2], rows[2] * shape[-1],
                                  len(range(*columns)), len(range(*rows)))

    def means(self, above: Optional[float] = None, regions: Optional[int] = None) -> np.ndarray:
        """The mean of its region at each pixel; `above` and `regions` are as in :meth:`labels`.

        Returns
        -------
        float64 in the shape of the image; pixels outside the mask keep their values.

        Examples
        --------
        >>> pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 3, 3]]), by="altitude").means(above=2).tolist()
        [[0.0, 0.0, 9.0, 9.0, 2.6666666666666665, 2.6666666666666665, 2.6666666666666665]]
        """
        labels = self.labels(above, regions)
        values = self._values_of_pixels()
        sums = np.bincount(labels.ravel(), values.ravel())
        found = (sums / np.maximum(np.bincount(labels.ravel()), 1))[labels]
        return np.where(labels == 0, values, found)

    def simplify(self, area: int) -> Hierarchy:
        """The hierarchy without small regions, as Higra's ``filter_small_nodes_from_tree``.

        Where two regions merge, and one has fewer pixels, the boundary between the two basins at their lowest edge
        vanishes. So no region is smaller, unless it is apart from all others. The other boundaries keep their strengths.

        Parameters
        ----------
        area : int
            Fewest pixels of a region.

        Examples
        --------
        >>> found = pollard.hierarchy(np.uint8([[0, 0, 9, 2, 2, 2]]), by="altitude").simplify(2)
        >>> found.labels().tolist(), found.strengths.tolist()
        ([[1, 1, 2, 2, 2, 2]], [9])
        """
        core = self._core.without_small(whole(area, "area", 0))
        return Hierarchy(core, self._levels, self.by, self.weight)

    def tree(self, binary: bool = False) -> RegionTree:
        """The tree of all regions.

        Parameters
        ----------
        binary : bool
            Whether regions that merge at one strength merge one by one, in the order of :attr:`strengths`, so that nodes have
            two children; else at once.

        Examples
        --------
        >>> pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        <pollard_morphology.RegionTree: 5 nodes, 3 leaves>
        """
        return RegionTree(self, self._core.tree(bool(binary)))

    def _values_of_pixels(self) -> np.ndarray:
        return self._levels.shaped(self._levels.values(self._levels.array))

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


class RegionTree:
    """Tree of the regions of a hierarchy, as :meth:`Hierarchy.tree` returns it.

    The leaves are the basins, 0 .. `num_leaves` - 1, as in :attr:`Hierarchy.basins`; the other nodes follow by strength, so
    that a parent comes after its children. With ``binary=False`` nodes of one strength are in the order of their first pixels.

    ``tree["area"]`` has the values of an attribute, one per node, over the pixels inside the mask:

    - ``strength`` at which the region is formed, 0 of leaves; ``basins`` in it; ``depth`` below the root; ``children``;
    - ``frontier_strength``: mean weight of the edges between its children, 0 of leaves; ``frontier_length``: their number;
    - ``contour_strength``, ``contour_length``: of the edges that leave the region, 0 without any;
    - ``minimum``, ``maximum``, ``range``, ``mean``, ``sum``, ``variance`` of the values;
    - ``area``, ``width``, ``centroid_x``, ``elongation``, ``orientation`` and more, in px, as of :class:`MaxTree`:
      :attr:`attributes` lists all.

    It is no :class:`MaxTree`: regions have no level, and most have no pixel that their children lack. So the rules of filters,
    ``profile``, ``spectrum``, ``mser``, ``chain`` and the panels of the window do not take it.

    Examples
    --------
    >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
    >>> tree.parent, tree["area"], tree["frontier_strength"]
    (array([4, 3, 3, 4, 4], dtype=uint32), array([2, 2, 3, 5, 7], dtype=uint64), array([0., 0., 0., 7., 9.]))
    """

    def __init__(self, found: Hierarchy, core: Any):
        self._hierarchy = found
        self._core = core
        self.parent = core.parent  #: (num_nodes,) uint32; a root is its own parent
        self.num_leaves = core.num_leaves  #: basins
        self.num_nodes = self.parent.size
        self._attributes = dict(core.attributes)

    @property
    def attributes(self) -> Tuple[str, ...]:
        """Names of the attributes."""
        return tuple(self._attributes)

    def __getitem__(self, name: str) -> np.ndarray:
        """Values of an attribute by its `name`, one per node: float64, or uint64 of numbers of pixels, edges and nodes.

        Levels are in the values of the image, and strengths as of :attr:`Hierarchy.strengths`. A region outside the mask has
        the area 0, and NaN as of other regions.

        Raises
        ------
        ValueError
            For other names.

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        >>> tree["mean"].tolist()
        [0.0, 9.0, 2.0, 4.8, 3.4285714285714284]
        """
        name = text(name, "attribute", self.attributes)
        levels = self._hierarchy._levels
        if name == "strength":
            found = self._hierarchy._values(self._core.strength)
            return np.where(self._core.strength == 0, 0, found).astype(found.dtype)
        if name in ("frontier_strength", "contour_strength") and self._hierarchy.weight == "maximum":
            return self._strengths_in_values(name)
        if name in ("sum", "mean", "variance") and levels.table is not None:
            return self._in_values(name)
        found = self._core.attribute(name)
        if name in ("minimum", "maximum"):
            is_region = self._core.attribute("area") != 0
            values = levels.values(found.astype(levels.array.dtype)).astype(np.float64)
            return np.where(is_region, values, np.nan)
        if name == "range" and levels.table is not None:
            return self["maximum"] - self["minimum"]
        if name in ("mean", "sum"):
            return found + levels.offset * (1 if name == "mean" else self._core.attribute("area"))
        return found.astype(np.uint64) if self._attributes[name] and name not in ("range", "sum") else found

    def _strengths_in_values(self, name: str) -> np.ndarray:
        levels = self._hierarchy._levels
        if levels.table is not None:
            raise ValueError(f"{name}: the image has real numbers or integers of a wide range, whose order alone counts")
        is_edge = self._core.attribute(name.replace("strength", "length")) != 0
        return np.where(is_edge, self._core.attribute(name) + levels.offset, 0)

    def _in_values(self, name: str) -> np.ndarray:
        """Sum, mean or variance of values that are no levels."""
        values = self._hierarchy._values_of_pixels().astype(np.float64).ravel()
        with np.errstate(invalid="ignore", divide="ignore"):
            area = self._core.attribute("area")
            total = np.where(area == 0, np.nan, self.sums(values))
            mean = total / area
            if name == "variance":
                shift = values.mean()
                return np.maximum(self.sums((values - shift) ** 2) / area - (mean - shift) ** 2, 0)
            return mean if name == "mean" else total

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Adds up numbers of pixels over the regions.

        Parameters
        ----------
        values : array, one number per pixel

        Returns
        -------
        (num_nodes,) float64

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        >>> tree.sums([[1, 0, 1, 0, 1, 0, 1]]).tolist()
        [1.0, 1.0, 2.0, 3.0, 4.0]
        """
        basins = self._hierarchy.basins.ravel()
        flat = np.asarray(values, np.float64).ravel()
        if flat.size != basins.size:
            raise ValueError("values: needs one per pixel")
        return self._core.sums(np.bincount(basins, flat, self.num_leaves))

    def candidates(self, min_area: int = 1, max_area: Optional[int] = None) -> np.ndarray:
        """The largest regions within a range of sizes: those whose parents are larger, which are not in one another.

        Parameters
        ----------
        min_area, max_area : int
            In pixels; without `max_area` any size.

        Returns
        -------
        Numbers of nodes, ascending.

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        >>> tree.candidates(2, 5), tree.labels(tree.candidates(3, 5)).tolist()
        (array([0, 3]), [[0, 0, 1, 1, 1, 1, 1]])
        """
        least = whole(min_area, "min_area", 1)
        area = self._core.attribute("area")
        most = np.inf if max_area is None else whole(max_area, "max_area", least)
        is_last = (area[self.parent] > most) | (self.parent == np.arange(self.num_nodes))
        return np.flatnonzero((area >= least) & (area <= most) & is_last)

    def _kept(self, keep: Union[str, Any]) -> np.ndarray:
        if isinstance(keep, str):
            return self.select(keep)
        return nodes(keep, self.num_nodes)

    def select(self, criteria: str) -> np.ndarray:
        """The regions that meet criteria, such as ``"area >= 100 and 2 <= elongation < 5"``; "or" joins alternatives.

        Parameters
        ----------
        criteria : str
            Names of :attr:`attributes` with bounds in px and in values of the image.

        Returns
        -------
        (num_nodes,) bool; False for regions outside the mask

        Raises
        ------
        ValueError
            For other texts.

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        >>> tree.select("2 <= area <= 3 and mean < 5").tolist()
        [True, False, True, False, False]
        """
        texts, match = parse_criteria(text(criteria, "criteria"))
        met = [self._met(each) for each in texts]
        return np.logical_or.reduce(met) if match == "any" else np.logical_and.reduce(met)

    def _met(self, criterion: str) -> np.ndarray:
        found = _CRITERION.fullmatch(criterion.strip())
        if found is None or not (found["above"] or found["below"]):
            raise ValueError(f"criterion '{criterion}': is not a bound of an attribute, such as 'area >= 100'")
        values = self[found["name"]]
        met = self._core.attribute("area") != 0
        if found["above"]:
            met &= _COMPARE[_TURNED[found["first"]]](values, float(found["above"]))
        if found["below"]:
            met &= _COMPARE[found["second"]](values, float(found["below"]))
        return met

    def labels(self, keep: Union[str, Any]) -> np.ndarray:
        """Numbers the largest kept regions: those in no other kept one.

        Parameters
        ----------
        keep : (num_nodes,) bool, numbers of nodes, or criteria as of :meth:`select`

        Returns
        -------
        uint32 in the shape of the image: 1, 2 .. in the order of their first pixels, 0 for others.

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        >>> tree.labels("area <= 2").tolist()
        [[1, 1, 2, 2, 0, 0, 0]]
        """
        return self._hierarchy._levels.shaped(self._core.labels(self._kept(keep))[0])

    def filter(self, keep: Union[str, Any]) -> np.ndarray:
        """The image with the mean of the smallest kept region at each pixel (Salembier and Garrido 2000).

        Parameters
        ----------
        keep : (num_nodes,) bool, numbers of nodes, or criteria as of :meth:`select`

        Returns
        -------
        float64 in the shape of the image; pixels in no kept region keep their values.

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 0, 9, 9, 2, 2, 2]]), by="altitude").tree()
        >>> tree.filter("area >= 3").tolist()
        [[3.4285714285714284, 3.4285714285714284, 4.8, 4.8, 2.0, 2.0, 2.0]]
        """
        kept = self._core.smallest(self._kept(keep))[:self.num_leaves]
        is_kept = kept < self.num_nodes
        means = np.where(is_kept, self["mean"][np.where(is_kept, kept, 0)], np.nan)
        found = means[self._hierarchy.basins]
        return np.where(is_kept[self._hierarchy.basins], found, self._hierarchy._values_of_pixels())

    def to_higra(self) -> Tuple[np.ndarray, np.ndarray]:
        """Parents and altitudes, as ``higra.Tree(parents)`` and ``higra.quasi_flat_zone_hierarchy`` have them.

        Returns
        -------
        parents : (pixels + nodes,) int64
            The pixels come first, the root last; parents come after their children, and the root is its own. A basin of one
            pixel has no node of its own.
        altitudes : (pixels + nodes,)
            In the type of :attr:`Hierarchy.strengths`; 0 of pixels and basins.

        Raises
        ------
        ValueError
            For a hierarchy with a mask, whose regions do not meet in one.

        Examples
        --------
        >>> tree = pollard.hierarchy(np.uint8([[0, 9, 9, 2]]), by="altitude").tree()
        >>> tree.to_higra()
        (array([6, 4, 4, 5, 5, 6, 6]), array([0, 0, 0, 0, 0, 7, 9], dtype=uint64))
        """
        if np.count_nonzero(self.parent == np.arange(self.num_nodes)) != 1:
            raise ValueError("to_higra: the regions inside and outside the mask do not meet in one")
        basins = self._hierarchy.basins.ravel()
        pixels = basins.size
        is_node = np.ones(self.num_nodes, bool)
        is_node[:self.num_leaves] = np.bincount(basins, minlength=self.num_leaves) > 1
        is_node[-1] |= self.num_nodes == 1 and pixels > 1
        number = np.cumsum(is_node) - 1 + pixels
        _, first = np.unique(basins, return_index=True)
        number[:self.num_leaves] = np.where(is_node[:self.num_leaves], number[:self.num_leaves], first)
        above = number[self.parent]
        parents = np.concatenate([np.where(is_node[basins], number[basins], above[basins]), above[is_node]])
        strength = self["strength"]
        return parents, np.concatenate([np.zeros(pixels, strength.dtype), strength[is_node]])

    def __repr__(self) -> str:
        return f"<pollard_morphology.RegionTree: {self.num_nodes} nodes, {self.num_leaves} leaves>"


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
