"""Max-trees and min-trees of pictures and volumes."""

from __future__ import annotations

import re
from html import escape
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .levels import Levels, flags_of, levels_of, on_gpu

Criteria = Union[str, Sequence[str]]


class Spectrum(NamedTuple):
    """Pattern spectrum: grey mass per bin of an attribute (Maragos 1989; Urbach, Roerdink & Wilkinson 2007)."""

    edges: np.ndarray  #: (bins + 1,) float64; bin i holds edges[i] <= value < edges[i + 1], integers the last edge too
    mass: np.ndarray  #: (bins,) uint64, grey * px: contrast * area, summed over the nodes of the bin
    nodes: np.ndarray  #: (bins,) uint64, number of nodes
    total: int  #: grey * px of all nodes but the root, inside the bins or not


class Regions(NamedTuple):
    """Maximally stable extremal regions (Matas et al. 2002; Nister & Stewenius 2008)."""

    table: Dict[str, np.ndarray]  #: a column per measurement; `node` is the node of the tree
    labels: np.ndarray  #: uint32 in the shape of the image: 1 + row of the smallest region around the pixel, else 0


def parse_criteria(criteria: Optional[Criteria]) -> Tuple[List[str], str]:
    """Single criteria and "all" or "any", from "area >= 100 and elongation < 3" or a sequence of criteria.

    Raises
    ------
    ValueError
        For a text with both "and" and "or".
    """
    if criteria is None:
        return [], "all"
    if not isinstance(criteria, str):
        return [str(each) for each in criteria], "all"
    conjunctions = re.split(r"\s+and\s+|\s*&&?\s*", criteria.strip())
    alternatives = re.split(r"\s+or\s+|\s*\|\|?\s*", criteria.strip())
    if len(conjunctions) > 1 and len(alternatives) > 1:
        raise ValueError(f"criteria '{criteria}': have both 'and' and 'or'; use one of them, or an array of nodes")
    return (alternatives, "any") if len(alternatives) > 1 else (conjunctions, "all")


class MaxTree:
    """Tree of the connected components of the level sets of an image; :func:`max_tree` makes it.

    Nodes are numbered from the root, node 0, in depth-first order, so that ``parent[n] < n`` for all others and the
    nodes of the component n are ``n .. subtree_end[n] - 1``. All arrays of nodes and attributes are views of the tree's
    memory, without a copy, and read-only.
    """

    def __init__(self, core: Any, levels: Levels):
        self._core = core
        self._levels = levels
        self._level: Optional[np.ndarray] = None

    # Nodes ----------------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """"max" or "min"."""
        return "min" if self._core.is_min else "max"

    @property
    def shape(self) -> Tuple[int, ...]:
        """Shape of the image."""
        return self._levels.shape

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return self._core.num_nodes

    @property
    def num_leaves(self) -> int:
        """Number of nodes without children: the regional maxima (of a min-tree the minima)."""
        return self._core.num_leaves

    @property
    def depth(self) -> int:
        """Edges on the longest path from the root."""
        return self._core.depth

    @property
    def device(self) -> str:
        """Device that the tree is on: "cpu" or "cuda"."""
        return self._core.device

    @property
    def build_ms(self) -> float:
        """Milliseconds that the build took, without Python."""
        return self._core.build_ms

    @property
    def parent(self) -> np.ndarray:
        """(num_nodes,) uint32: the parent of each node; the root's is the root."""
        return self._core.parent

    @property
    def level(self) -> np.ndarray:
        """(num_nodes,): the value of each node, in the type of the image (unsigned 8-bit ones as uint16)."""
        if self._level is None:
            levels = self._core.level
            small = self._levels.dtype.itemsize == 1 and self._levels.dtype.kind != "i"
            self._level = levels if small else self._levels.values(levels)
        return self._level

    @property
    def nodes(self) -> np.ndarray:
        """uint32 in the shape of the image: the node of each pixel, the smallest component that contains it."""
        return self._levels.shaped(self._core.nodes)

    @property
    def subtree_end(self) -> np.ndarray:
        """(num_nodes,) uint32: one past the last node of the component."""
        return self._core.subtree_end

    @property
    def canonical(self) -> np.ndarray:
        """(num_nodes,) uint32: the canonical pixel, an index into ``image.ravel()``: the last pixel of the node."""
        return self._core.canonical

    @property
    def is_leaf(self) -> np.ndarray:
        """(num_nodes,) bool: whether the node has no children."""
        return self.subtree_end == np.arange(1, self.num_nodes + 1, dtype=np.uint32)

    def chain(self, *index: int) -> np.ndarray:
        """The components around a pixel, from the smallest to the root.

        Parameters
        ----------
        *index : int
            Position of the pixel: ``chain(y, x)``, in a volume ``chain(z, y, x)``.

        Returns
        -------
        (length,) uint32: nodes.

        Raises
        ------
        ValueError
            For a position outside the image.
        """
        pixel = int(np.ravel_multi_index(index, self.shape))
        return self._core.chain(pixel)

    def __len__(self) -> int:
        return self.num_nodes

    # Attributes -----------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> np.ndarray:
        """An attribute of all nodes, (num_nodes,), computed once; docs/attributes.md has names and definitions.

        The type is an integer one for counts, else float64; NaN where the attribute is undefined. Attributes of grey
        levels are in the values of the image; `volume` and `height` of the root count from the smallest value of the
        image's type.

        Raises
        ------
        ValueError
            For a name that is unknown or not measured in such an image.
        """
        values = self._core.attribute(name)
        offset = self._levels.offset
        if offset == 0 or name not in ("level", "mean", "sum"):
            return values
        if name == "mean":
            return values + offset
        signed = values.astype(np.int64)
        return signed + (offset if name == "level" else offset * self["area"].astype(np.int64))

    def attributes(self, names: Iterable[str]) -> Dict[str, np.ndarray]:
        """Several attributes: ``{name: tree[name]}``."""
        return {name: self[name] for name in names}

    # Filters --------------------------------------------------------------------------------------------------------

    def filter(self, criteria: Optional[Criteria] = None, rule: str = "direct", output: str = "filtered",
               prominent: Optional[str] = None) -> Union[np.ndarray, _core.DeviceArray]:
        """The image without the components that do not meet the criteria.

        Parameters
        ----------
        criteria : str or sequence of str
            Such as ``"area >= 100 and elongation < 3"``, ``"50 <= area <= 500"`` or, with alternatives,
            ``"area >= 1000 or height >= 30"``.
        rule : {"direct", "min", "max", "viterbi", "subtractive"}
            How the removal of a node affects others (Salembier, Oliveras & Garrido 1998; Urbach & Wilkinson 2002).
        output : {"filtered", "residue", "mask"}
            The filtered image, the absolute difference to the image, or the pixels of kept components as booleans.
        prominent : str, optional
            Keeps only the components with one of the most prominent maxima: ``"dynamics:20"``,
            ``"extinction_area:20"``, ``"extinction_volume:20"``.

        Returns
        -------
        An array of the shape and type of the image; booleans for a mask, levels of unsigned type for a residue of
        signed values. Pixels outside the mask of :func:`max_tree` keep their values, or are 0. Of a tree of an array on a
        GPU a :class:`pollard.DeviceArray` there; its masks have the values 0 and 255 or 65535.

        Raises
        ------
        ValueError
            For criteria, rules and outputs that are not these.
        """
        if output == "labels":
            raise ValueError("output: 'labels': use the method labels")
        texts, match = parse_criteria(criteria)
        levels = self._core.filter(texts, match, rule, output, prominent or "")
        if isinstance(levels, _core.DeviceArray):
            return levels
        if output == "mask":
            return self._levels.shaped(levels != 0)
        if output == "residue" and self._levels.dtype != bool:
            return self._levels.shaped(levels)
        return self._image(levels)

    def reconstruct(self, keep: np.ndarray, rule: str = "direct") -> np.ndarray:
        """The image of the nodes that an array keeps; the root always stays.

        Parameters
        ----------
        keep : (num_nodes,) bool
            Such as ``tree["area"] >= 100``.
        rule : str
            As of :meth:`filter`.

        Returns
        -------
        An array of the shape and type of the image.
        """
        return self._image(self._core.reconstruct(np.ascontiguousarray(keep), rule))

    def labels(self, keep: Union[np.ndarray, Criteria], rule: str = "direct",
               return_num: bool = False) -> Union[np.ndarray, _core.DeviceArray,
                                                  Tuple[Union[np.ndarray, _core.DeviceArray], int]]:
        """Numbers the largest kept components: kept nodes without a kept ancestor.

        Parameters
        ----------
        keep : (num_nodes,) bool, or criteria
            As of :meth:`reconstruct` or :meth:`filter`.
        rule : str
            As of :meth:`filter`.
        return_num : bool
            Whether to return the number of labels too.

        Returns
        -------
        uint32 in the shape of the image: 1, 2 .. in the order of their first pixels, 0 for others. For criteria and a tree
        of an array on a GPU a :class:`pollard.DeviceArray` there.
        """
        if isinstance(keep, np.ndarray) and keep.dtype == bool:
            labels, count = self._core.labels_of(np.ascontiguousarray(keep), rule)
        else:
            texts, match = parse_criteria(keep)
            labels, count = self._core.labels(texts, match, rule, "")
        labels = labels if isinstance(labels, _core.DeviceArray) else self._levels.shaped(labels)
        return (labels, count) if return_num else labels

    def h_transform(self, h: int) -> np.ndarray:
        """The h-maxima transform (of a min-tree the h-minima transform), an image (Soille 2004, chapter 6).

        Parameters
        ----------
        h : int
            Height in grey levels, 0 to 65535.
        """
        return self._image(self._core.h_maxima(h))

    # Analyses -------------------------------------------------------------------------------------------------------

    def spectrum(self, attribute: str, bins: int = 32, scale: str = "linear",
                 range: Optional[Tuple[float, float]] = None) -> Spectrum:
        """Grey mass per bin of an attribute.

        Parameters
        ----------
        attribute : str
        bins : int
            1 to 4096.
        scale : {"linear", "log"}
        range : (float, float), optional
            First and last edge; otherwise the range of the values.
        """
        low, high = (None, None) if range is None else range
        return Spectrum(**self._core.spectrum(attribute, bins, scale, low, high))

    def profile(self, attribute: str, thresholds: Sequence[float], rule: str = "direct",
                differential: bool = False) -> np.ndarray:
        """Attribute profile: the images that ``attribute >= t`` leaves, for each threshold (Dalla Mura et al. 2010).

        Parameters
        ----------
        attribute : str
        thresholds : sequence of float
            Strictly ascending, at most 4096.
        rule : str
            As of :meth:`filter`.
        differential : bool
            Whether to return the differences of successive images, the first from the image itself.

        Returns
        -------
        Array of shape ``(len(thresholds), *image.shape)``, in the type of the image; differences are unsigned.
        """
        pages = self._core.profile(attribute, [float(each) for each in thresholds], rule, differential)
        pages = pages if differential else self._levels.values(pages)
        return pages.reshape((len(pages), *self.shape))

    def mser(self, delta: Optional[int] = None, min_area: int = 30, max_area: Optional[int] = None,
             max_variation: float = 0.25, min_diversity: float = 0.2) -> Regions:
        """Maximally stable extremal regions: bright ones of a max-tree, dark ones of a min-tree.

        Parameters
        ----------
        delta : int, optional
            Grey levels; 5 in 8-bit images and 1285 in others.
        min_area, max_area : int
            Pixels; at most a quarter of the image by default.
        max_variation : float
        min_diversity : float
            Smallest relative difference in area to the next larger region, 0 to 1.
        """
        table, labels = self._core.mser(delta, min_area, max_area, max_variation, min_diversity)
        return Regions(table, self._levels.shaped(labels))

    # Other packages -------------------------------------------------------------------------------------------------

    def to_skimage(self) -> Tuple[np.ndarray, np.ndarray]:
        """Parent image and traverser, as of ``skimage.morphology.max_tree``.

        Of a min-tree they are those of the max-tree of the inverted image, as scikit-image's closings take them.

        Returns
        -------
        parent : int64 in the shape of the image
        tree_traverser : (pixels,) int64
        """
        parent, traverser = self._core.parent_image()
        return self._levels.shaped(parent), traverser

    def to_higra(self) -> Tuple[np.ndarray, np.ndarray]:
        """Parents and altitudes, as ``higra.Tree(parents)`` and ``higra.component_tree_max_tree`` have them.

        Returns
        -------
        parents : (pixels + num_nodes,) int64
            The pixels come first, the root last; parents come after their children, and the root is its own.
        altitudes : (pixels + num_nodes,)
            In the type of the image.
        """
        pixels = int(np.prod(self.shape))
        last = pixels + self.num_nodes - 1
        parents = np.empty(last + 1, np.int64)
        np.subtract(last, self.nodes.ravel(), out=parents[:pixels], dtype=np.int64)
        np.subtract(last, self.parent[::-1], out=parents[pixels:], dtype=np.int64)
        level = self.level
        return parents, np.concatenate([level[self.nodes.ravel()], level[::-1]]).astype(self._levels.dtype)

    def _image(self, levels: np.ndarray) -> np.ndarray:
        return self._levels.shaped(self._levels.values(levels))

    def __repr__(self) -> str:
        size = " x ".join(str(side) for side in self.shape)
        return f"<pollard.MaxTree: {self.kind}-tree of {size} pixels, {self.num_nodes} nodes, {self.device}>"

    def _repr_html_(self) -> str:
        rows = [("tree", f"{self.kind}-tree"), ("image", f"{self.shape}, {self._levels.dtype}"),
                ("nodes", f"{self.num_nodes:,}"), ("leaves", f"{self.num_leaves:,}"), ("depth", f"{self.depth:,}"),
                ("built", f"{self.build_ms:.1f} ms, {self.device}")]
        cells = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
                        for name, text in rows)
        return f"<table>{cells}</table>"


def max_tree(image: Any, connectivity: int = 1, kind: str = "max", device: str = "auto", mask: Any = None,
             spacing: Optional[Sequence[float]] = None, *, threads: int = 0, copy: bool = False) -> MaxTree:
    """The max-tree or min-tree of a picture or volume.

    Parameters
    ----------
    image : array of 2 or 3 axes
        bool, uint8, uint16, int8, int16, or wider integers within a range of 65536. The tree reads the memory of
        arrays of bool, uint8 and uint16 that are contiguous in C order, and keeps them alive; others are copied. An
        array of uint8 or uint16 on a GPU (CuPy, PyTorch, Numba, JAX ..) stays there.
    connectivity : int
        Largest number of steps along axes to a neighbour: in a picture 1 or 2 (4 or 8 neighbours), in a volume 1, 2 or
        3 (6, 18 or 26).
    kind : {"max", "min"}
        Bright components on dark, or dark ones on bright.
    device : {"auto", "cpu", "cuda"}
        "auto" takes the GPU where there is one that works.
    mask : array of bool, optional
        Pixels that count; the others belong to the root and keep their values in results.
    spacing : (z, y, x), optional
        Sides of a voxel of a volume, for shapes.
    threads : int
        0 for all.
    copy : bool
        Whether to copy the values, so that the array may change while the tree is in use. Without a copy, residues and
        pixels outside the mask follow the array; during a call no thread may write to it.

    Returns
    -------
    MaxTree

    Raises
    ------
    ValueError
        For other arrays or parameters.
    MemoryError
        If the tree needs more memory than the device has.
    RuntimeError
        If the device cannot be used.

    Examples
    --------
    >>> tree = pollard.max_tree(image)
    >>> clean = tree.filter("area >= 100")
    >>> round_ones = tree.reconstruct((tree["area"] >= 50) & (tree["circularity"] > 0.8))
    """
    if kind not in ("max", "min"):
        raise ValueError(f"kind: '{kind}': unknown (there are max, min)")
    if on_gpu(image):
        return _build_on_gpu(image, connectivity, kind, device, mask, spacing, threads)
    return _build(levels_of(np.array(image) if copy else image), connectivity, kind, device, mask, spacing, threads)


def _build(levels: Levels, connectivity: int = 1, kind: str = "max", device: str = "auto", mask: Any = None,
           spacing: Optional[Sequence[float]] = None, threads: int = 0) -> MaxTree:
    sides = sides_of(spacing, levels.array.ndim)
    inside = None if mask is None else flags_of(mask, "mask")
    return MaxTree(_core.MaxTree(levels.array, inside, kind == "min", connectivity, device, threads,
                                 float(levels.offset), sides), levels._replace(array=np.empty(0, levels.array.dtype)))


def _build_on_gpu(image: Any, connectivity: int, kind: str, device: str, mask: Any, spacing: Optional[Sequence[float]],
                  threads: int) -> MaxTree:
    if mask is not None:
        raise ValueError("mask: is for arrays on the host")
    array = _core.DeviceArray(image)
    levels = Levels(np.empty(0, array.dtype), array.shape, np.dtype(array.dtype), 0, None)
    sides = sides_of(spacing, len(array.shape))
    return MaxTree(_core.MaxTree(array, kind == "min", connectivity, device, threads, sides), levels)


def sides_of(spacing: Optional[Sequence[float]], axes: int) -> Tuple[float, float, float]:
    """Sides of a voxel (z, y, x) in units of its width.

    Raises
    ------
    ValueError
        Unless there are three positive numbers, for a volume.
    """
    if spacing is None:
        return (1.0, 1.0, 1.0)
    sides = [float(side) for side in spacing]
    if axes != 3 or len(sides) != 3:
        raise ValueError("spacing: the sides (z, y, x) of a voxel of a volume are possible; pixels are squares")
    if not all(0 < side < np.inf for side in sides):
        raise ValueError(f"spacing: {tuple(sides)}: sides are positive")
    return (sides[0] / sides[2], sides[1] / sides[2], 1.0)
