"""Max-trees and min-trees of images and volumes."""

from __future__ import annotations

import functools
import re
from html import escape
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .arguments import Criteria, nodes, number, numbers, parse_criteria, text, whole
from .chunked import ChunkedTree
from .containers import Container, Given, frames, is_chunked, take
from .levels import (Levels, distance, exact_sums, flags_of, flat, halves_of, levels_of, on_gpu, unmasked,
                     unsigned_distance, unsigned_of)
from .tables import Table

_UNIT = re.compile(r"\d\s*(?:nm|um|\u00b5m|mm|cm|km|m)[23\u00b2\u00b3]?(?![a-z])")
_MEASURED = ("area", "centroid_x", "centroid_y", "centroid_z", "major", "minor")  # columns of regions with a unit


class Spectrum(NamedTuple):
    """Pattern spectrum: grey mass per bin of an attribute (Maragos 1989; Urbach, Roerdink & Wilkinson 2007).

    Examples
    --------
    >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).spectrum("area", bins=2)
    Spectrum(edges=array([1., 2., 3.]), mass=array([ 9, 14], dtype=uint64), nodes=array([1, 1], dtype=uint64), total=23)
    """

    edges: np.ndarray  #: (bins + 1,) float64; bin i holds edges[i] <= value < edges[i + 1], integers the last edge too
    mass: np.ndarray  #: (bins,) uint64, contrast * area in values * px; float64 for real numbers and beyond 2**53
    nodes: np.ndarray  #: (bins,) uint64, number of nodes
    total: Union[int, float]  #: mass of all nodes but the root, inside the bins or not


class Regions(NamedTuple):
    """Maximally stable extremal regions (Matas et al. 2002; Nister & Stewenius 2008).

    Examples
    --------
    >>> image = np.zeros((40, 40), np.uint8)
    >>> image[10:20, 10:20] = 200
    >>> regions = pollard.max_tree(image).mser()
    >>> regions.table["area"], int((regions.labels == 1).sum())
    (array([100], dtype=uint32), 100)
    """

    table: Table  #: a column per measurement; `node` is the node of the tree
    labels: np.ndarray  #: uint32 in the shape of the image: 1 + row of the smallest region around the pixel, else 0


def _in_container(method: Any) -> Any:
    """A method whose result, or whose first result, is an array of pixels: it comes as the image came."""

    @functools.wraps(method)
    def wrapped(self: "MaxTree", *arguments: Any, **named: Any) -> Any:
        result = method(self, *arguments, **named)
        first = result[0] if isinstance(result, tuple) else result
        return self._container.restored_first(result) if isinstance(first, np.ndarray) else result

    return wrapped


class MaxTree:
    """Tree of the connected components of the level sets of an image (Salembier, Oliveras & Garrido 1998).

    :func:`max_tree` makes it.

    Nodes are numbered from the root, node 0, in depth-first order, so that ``parent[n] < n`` for all others and the
    nodes of the component n are ``n .. subtree_end[n] - 1``. All arrays of nodes and attributes are views of the tree's
    memory, without a copy, and read-only.

    Examples
    --------
    >>> tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
    >>> tree
    <pollard_morphology.MaxTree: max-tree of 1 x 7 pixels, 3 nodes, cpu>
    >>> tree.nodes
    array([[0, 0, 1, 0, 0, 2, 2]], dtype=uint32)
    >>> tree.parent, tree.level, tree.subtree_end, tree.canonical
    (array([0, 0, 0], dtype=uint32), array([0, 9, 7]), array([3, 2, 3], dtype=uint32), array([4, 2, 6], dtype=uint32))
    >>> tree.num_leaves, tree.depth, tree.is_leaf, "area" in tree
    (2, 1, array([False,  True,  True]), True)
    """

    def __init__(self, core: Any, levels: Levels, connectivity: int, container: Container = Container(),
                 has_unknown_unit: bool = False):
        self._core = core
        self._levels = levels
        self._connectivity = connectivity
        self._container = container
        self._has_unknown_unit = has_unknown_unit
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
    @_in_container
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
            Position of the pixel: ``chain(y, x)``, in a volume ``chain(z, y, x)``; or a tuple of these.

        Returns
        -------
        (length,) uint32: nodes.

        Raises
        ------
        ValueError
            For a position outside the image.

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).chain(0, 5)
        array([2, 0], dtype=uint32)
        """
        given: Any = index[0] if len(index) == 1 and isinstance(index[0], (tuple, list, np.ndarray)) else index
        place = tuple(whole(at, "chain") for at in given)
        if len(place) != len(self.shape) or not all(0 <= at < side for at, side in zip(place, self.shape)):
            raise ValueError(f"chain: {place}: is no pixel of an image of shape {self.shape}")
        return self._core.chain(int(np.ravel_multi_index(place, self.shape)))

    def __len__(self) -> int:
        return self.num_nodes

    def __iter__(self) -> Any:
        """Refused: scikit-image's functions return a pair of arrays, this is an object."""
        raise TypeError("a MaxTree is one object, not a pair of arrays: write `parent, tree_traverser = "
                        "tree.to_skimage()`; `range(len(tree))` are its nodes, and `tree[\"area\"]` is an attribute")

    def __contains__(self, name: object) -> bool:
        """Whether an attribute of this name is measured in such an image: ``"area" in tree``."""
        try:
            self._core.unit_factor(name)
        except (TypeError, ValueError):
            return False
        return True

    # Attributes -----------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> np.ndarray:
        """An attribute of all nodes, (num_nodes,), computed once; docs/attributes.md has names and definitions.

        The type is an integer one for counts, else float64; NaN where the attribute is undefined. Attributes of grey
        levels are in the values of the image, lengths, areas and volumes in the unit of :func:`max_tree`, if it has one,
        else in px. Of images of integers, whole numbers are exact: `level` and `sum` are
        int64 (levels of uint64 images are uint64, sums that may not fit are Python's integers), others int64 up to
        2**53 and float64 beyond. Of images of real numbers all of these are float64.

        Raises
        ------
        TypeError
            If the key is not a name. An attribute is an array: ``tree["area"][node]`` is the value of one node.
        ValueError
            For a name that is unknown or not measured in such an image.

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])["area"]
        array([7, 1, 2], dtype=uint32)
        """
        if not isinstance(name, str):
            raise TypeError(f"tree[..]: {name!r}: is not the name of an attribute; of one node it is tree[\"area\"][node]")
        dtype = self._levels.dtype
        if name == "level" and dtype not in (bool, np.uint8, np.uint16):
            wide = np.uint64 if dtype == np.uint64 else np.int64
            return self.level.astype(np.float64 if dtype.kind == "f" else wide)
        if name == "sum" and dtype.kind in "iu" and dtype not in (np.uint8, np.uint16):
            return self._exact_sums()
        if name == "mean" and self._levels.base != 0:
            return (self._exact_sums().astype(object) / self._core.attribute("area").astype(object)).astype(np.float64)
        if name == "outer_mean" and self._levels.base != 0:
            return self._core.attribute(name) + float(self._levels.base)
        return self._in_unit(name, self._core.attribute(name))

    def _in_unit(self, name: str, pixels: np.ndarray) -> np.ndarray:
        """Numbers of an attribute in px in the unit of the tree."""
        factor = self._core.unit_factor(name)
        return pixels if factor == 1 else pixels * factor

    def _exact_sums(self) -> np.ndarray:
        low = self.level.min()
        own = np.bincount(self._core.nodes.ravel(), minlength=self.num_nodes).astype(np.uint64)
        halves = halves_of(unsigned_distance(self.level, low))
        return exact_sums(int(low), int(self.level.max()), self._core.attribute("area"),
                          (self._over_components(own * halves[0]), self._over_components(own * halves[1])))

    def _over_components(self, numbers: np.ndarray) -> np.ndarray:
        """Sums of unsigned integers of the nodes over the components."""
        sums = np.concatenate([np.zeros(1, numbers.dtype), np.cumsum(numbers, dtype=numbers.dtype)])
        return sums[self.subtree_end] - sums[:-1]

    def attributes(self, names: Iterable[str]) -> Table:
        """Several attributes, a row per node: ``{name: tree[name]}``.

        Parameters
        ----------
        names : iterable of str

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).attributes(["area", "mean"])["mean"]
        array([3.28571429, 9.        , 7.        ])
        """
        return Table({name: self[name] for name in names})

    # Filters --------------------------------------------------------------------------------------------------------

    @_in_container
    def filter(self, criteria: Optional[Criteria] = None, rule: str = "direct", output: str = "filtered",
               prominent: Optional[str] = None,
               forest: Sequence[Sequence[str]] = ()) -> Union[np.ndarray, _core.DeviceArray]:
        """The image without the components that do not meet the criteria.

        Parameters
        ----------
        criteria : str or sequence of str
            Such as ``"area >= 100 and elongation < 3"``, ``"50 <= area <= 500"`` or, with alternatives,
            ``"area >= 1000 or height >= 30"``. Bounds of grey levels are in the values of the image, such as
            ``"level >= 0.3"``. Bounds of lengths, areas and volumes are in px, or in their unit, ``"area >= 3 um2"``, if
            :func:`max_tree` got spacing and unit.
        rule : {"direct", "min", "max", "viterbi", "subtractive"}
            How the removal of a node affects others (Salembier, Oliveras & Garrido 1998; Urbach & Wilkinson 2002).
        output : {"filtered", "residue", "mask"}
            The filtered image, the absolute difference to the image, or the pixels of kept components as booleans.
        prominent : str, optional
            Keeps only the components with one of the most prominent maxima: ``"dynamics:20"``,
            ``"extinction_area:20"``, ``"extinction_volume:20"``.
        forest : sequence of sequences of str
            Decision trees of :func:`pollard_morphology.learn`, more than half of which must keep a component, too. The
            processor decides, also with a tree on a GPU.

        Returns
        -------
        An array of the shape and type of the image; booleans for a mask, unsigned integers of the same width for a
        residue of integers. Pixels outside the mask of :func:`max_tree` keep their values, or are 0. Of a tree of an
        array on a GPU a :class:`pollard_morphology.DeviceArray` there; its masks have the values 0 and 255 or 65535.

        Raises
        ------
        ValueError
            For criteria, rules and outputs that are not these, and for a forest with a question that leads to no later one.

        Examples
        --------
        >>> tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
        >>> tree.filter("area >= 2")
        array([[0, 0, 0, 0, 0, 7, 7]])
        >>> tree.filter("height > 8", output="residue")
        array([[0, 0, 0, 0, 0, 7, 7]], dtype=uint64)
        """
        if text(output, "output") == "labels":
            raise ValueError("output: 'labels': use the method labels")
        rule = text(rule, "rule")
        prominent = "" if prominent is None else text(prominent, "prominent")
        texts, match = self._criteria(criteria)
        trees = self._forest(forest)

        def run(by: str, result: str) -> Any:
            return self._core.filter(texts, match, by, result, prominent, trees)

        if self._levels.table is not None and rule == "subtractive" and output in ("filtered", "residue"):
            kept = run("direct", "filtered").ravel()[self.canonical] == self._core.level
            return self._result(self._subtracted(kept), output)
        if self._levels.table is not None and output == "residue":
            return self._result(self._image(run(rule, "filtered")), output)
        levels = run(rule, output)
        if isinstance(levels, _core.DeviceArray):
            return levels
        if output == "mask":
            return self._levels.shaped(levels != 0)
        if output == "residue" and self._levels.dtype != bool:
            return self._levels.shaped(levels).astype(unsigned_of(self._levels.dtype), copy=False)
        return self._image(levels)

    def _criteria(self, criteria: Optional[Criteria]) -> Tuple[List[str], str]:
        texts, match = parse_criteria(criteria)
        for each in texts if self._has_unknown_unit else ():
            if _UNIT.search(each):
                raise ValueError(f"criterion '{each}': the spacing has no unit; give the bound in px, or the unit of the spacing")
        return [self._levels.criterion(each) for each in texts], match

    def _forest(self, forest: Sequence[Sequence[str]]) -> List[List[str]]:
        if len(forest) and self._levels.base != 0:
            raise ValueError("forest: the image has integers beyond 2**53")
        return [[text(question, "forest") for question in questions] for questions in forest]

    def _unfiltered(self) -> np.ndarray:
        """Levels of the image."""
        return self._core.filter([], "all", "direct", "filtered", "")

    def _result(self, filtered: np.ndarray, output: str) -> np.ndarray:
        return filtered if output == "filtered" else distance(self._image(self._unfiltered()), filtered)

    def _restored(self, values: np.ndarray) -> np.ndarray:
        """The array of pixels with the values of the image outside of the mask."""
        levels = self._unfiltered()
        is_inside = levels == self._core.level[self._core.nodes]
        return self._levels.shaped(np.where(is_inside, values, self._levels.values(levels)))

    def _subtracted(self, keep: np.ndarray) -> np.ndarray:
        """The image less the contrasts of removed nodes."""
        number = np.float64 if self._levels.dtype.kind == "f" else np.uint64  # modulo 2^64
        values = self.level.astype(number)
        removed = self._core.path_sums(np.where(keep, number(0), values - values[self.parent]))
        return self._restored((values - removed).astype(self._levels.dtype)[self._core.nodes])

    @_in_container
    def reconstruct(self, keep: np.ndarray, rule: str = "direct") -> np.ndarray:
        """The image of the nodes that an array keeps; the root always stays.

        Parameters
        ----------
        keep : (num_nodes,) bool, or numbers of nodes
            Such as ``tree["area"] >= 100``, or ``[3, 8]``: an array, a list or a series.
        rule : str
            As of :meth:`filter`.

        Returns
        -------
        An array of the shape and type of the image.

        Raises
        ------
        ValueError
            For other values than booleans and whole numbers, another number of booleans than `num_nodes`,
            and for a number that is no node.

        Examples
        --------
        >>> tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
        >>> tree.reconstruct(tree["area"] >= 2)
        array([[0, 0, 0, 0, 0, 7, 7]])
        """
        return self._reconstructed(nodes(keep, self.num_nodes), text(rule, "rule"))

    def _reconstructed(self, kept: np.ndarray, rule: str) -> np.ndarray:
        levels = self._core.reconstruct(kept, rule)
        if self._levels.table is not None and rule == "subtractive":
            return self._subtracted(kept)
        return self._image(levels)

    @_in_container
    def labels(self, keep: Union[np.ndarray, Criteria], rule: str = "direct",
               return_num: bool = False,
               forest: Sequence[Sequence[str]] = ()) -> Union[np.ndarray, _core.DeviceArray,
                                                              Tuple[Union[np.ndarray, _core.DeviceArray], int]]:
        """Numbers the largest kept components: kept nodes without a kept ancestor.

        The root is a node, too: if it meets the criteria, as it does ``"area >= 5"``, all pixels are one component with
        the label 1. An upper bound leaves it out: ``f"5 <= area < {tree.nodes.size}"``.

        Parameters
        ----------
        keep : (num_nodes,) bool, numbers of nodes, or criteria
            As of :meth:`reconstruct` or :meth:`filter`; an empty list is neither.
        rule : str
            As of :meth:`filter`.
        return_num : bool
            Whether to return the number of labels too.
        forest : sequence of sequences of str
            As of :meth:`filter`, beside criteria.

        Returns
        -------
        uint32 in the shape of the image: 1, 2 .. in the order of their first pixels, 0 for others. For criteria and a tree
        of an array on a GPU a :class:`pollard_morphology.DeviceArray` there.

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).labels("area <= 2", return_num=True)
        (array([[0, 0, 1, 0, 0, 2, 2]], dtype=uint32), 2)
        """
        rule = text(rule, "rule")
        is_text = isinstance(keep, str) or (isinstance(keep, (list, tuple)) and len(keep) != 0 and
                                            all(isinstance(each, str) for each in keep))
        if isinstance(keep, (list, tuple)) and len(keep) == 0:
            raise ValueError("keep: is an empty list; give numpy.zeros(0, int) for no node, '' for no criterion")
        if not is_text and len(forest):
            raise ValueError("forest: is for criteria; give '' as keep for no criterion")
        if not is_text:
            labels, count = self._core.labels_of(nodes(keep, self.num_nodes), rule)
        else:
            texts, match = self._criteria(keep or None)
            labels, count = self._core.labels(texts, match, rule, "", self._forest(forest))
        labels = labels if isinstance(labels, _core.DeviceArray) else self._levels.shaped(labels)
        return (labels, count) if return_num else labels

    @_in_container
    def h_transform(self, h: float) -> np.ndarray:
        """The h-maxima transform (of a min-tree the h-minima transform), an image (Soille 2004, chapter 6).

        Parameters
        ----------
        h : number
            Height in values, 0 or more; an integer for images of integers.

        Returns
        -------
        An array of the shape and type of the image.

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).h_transform(2)
        array([[0, 0, 7, 0, 0, 5, 5]])
        """
        dtype = self._levels.dtype
        h = number(h, "h")
        if not 0 <= h < np.inf:
            raise ValueError(f"h: {h}: must be 0 or more")
        if dtype.kind != "f" and h != int(h):
            raise ValueError(f"h: {h}: is an integer for images of integers")
        if self._levels.table is None and (dtype.itemsize <= 2 or h <= int(self.level.max()) - int(self.level.min())):
            return self._image(self._core.h_maxima(min(int(h), 65535)))
        image = self.level[self._core.nodes]
        return self._restored(h_reconstructed(image, h, self.kind, self._connectivity))

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
            First and last edge; otherwise the range of the values. Edges are in the unit of the tree; edges of
            attributes of grey levels are in the values of the image; in images of other types than bool, uint8 and uint16
            the last bin includes its last edge.

        Returns
        -------
        Spectrum

        Raises
        ------
        ValueError
            For an attribute that is unknown, other bins and scales, and a range that does not ascend.

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).spectrum("area", bins=2).mass
        array([ 9, 14], dtype=uint64)
        """
        bins, scale = whole(bins, "bins", 1, 4096), text(scale, "scale")
        base = self._base_of(text(attribute, "attribute"))
        if base != 0 and scale == "log":
            raise ValueError(f"scale: 'log': is not possible for the {attribute} of integers beyond 2**53")
        low, high = (None, None) if range is None else (self._core.in_pixels(attribute, float(edge - base))
                                                        for edge in numbers(range, "range", 2))
        found = Spectrum(**self._core.spectrum(attribute, bins, scale, low, high))
        return found._replace(edges=self._in_unit(attribute, found.edges) + base)

    def _base_of(self, attribute: str) -> int:
        """What the extension does not count in the attribute."""
        return self._levels.base if attribute in ("level", "mean", "outer_mean") else 0

    @_in_container
    def profile(self, attribute: str, thresholds: Sequence[float], rule: str = "direct",
                differential: bool = False) -> np.ndarray:
        """Attribute profile: the images that ``attribute >= t`` leaves, for each threshold (Dalla Mura et al. 2010).

        Parameters
        ----------
        attribute : str
        thresholds : sequence of float
            Strictly ascending, at most 4096, in the unit of the tree.
        rule : str
            As of :meth:`filter`.
        differential : bool
            Whether to return the differences of successive images, the first from the image itself.

        Returns
        -------
        Array of shape ``(len(thresholds), *image.shape)``, in the type of the image; differences of integers are
        unsigned integers of the same width.

        Raises
        ------
        ValueError
            For an attribute or rule that is unknown, and thresholds that do not ascend.

        Examples
        --------
        >>> pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).profile("area", [2, 3]).tolist()
        [[[0, 0, 0, 0, 0, 7, 7]], [[0, 0, 0, 0, 0, 0, 0]]]
        """
        base, rule = self._base_of(text(attribute, "attribute")), text(rule, "rule")
        bounds = [self._core.in_pixels(attribute, float(each - base)) for each in numbers(thresholds, "thresholds")]
        if self._levels.table is None:
            pages = self._core.profile(attribute, bounds, rule, differential)
            differs = differential and self._levels.dtype != bool
            pages = (pages.astype(unsigned_of(self._levels.dtype), copy=False) if differs else
                     self._levels.values(pages))
            return pages.reshape((len(pages), *self.shape))
        if not bounds or not all(a < b for a, b in zip(bounds, bounds[1:])):
            raise ValueError("profile: there is at least one threshold, and thresholds must ascend")
        measured = self._core.attribute(attribute)
        pages = np.stack([self._reconstructed(measured >= bound, rule) for bound in bounds])
        if not differential:
            return pages
        return distance(np.concatenate([self._image(self._unfiltered())[np.newaxis], pages[:-1]]), pages)

    def mser(self, delta: Optional[int] = None, min_area: int = 30, max_area: Optional[int] = None,
             max_variation: float = 0.25, min_diversity: float = 0.2) -> Regions:
        """Maximally stable extremal regions: bright ones of a max-tree, dark ones of a min-tree.

        Parameters
        ----------
        delta : int, optional
            Difference of values; 5 in images of uint8 and bool, 1285 of uint16, and 5/255 of the range of the values in
            others.
        min_area, max_area : int
            Pixels; at most a quarter of the image by default.
        max_variation : float
        min_diversity : float
            Smallest relative difference in area to the next larger region, 0 to 1.

        Raises
        ------
        ValueError
            For an image of real numbers, or of integers beyond a range of 65536: scale it to uint16.

        Examples
        --------
        >>> image = np.zeros((40, 40), np.uint8)
        >>> image[10:20, 10:20] = 200
        >>> pollard.max_tree(image).mser(min_area=50).table["level"]
        array([200.])
        """
        delta = None if delta is None else whole(delta, "delta", 1, 65535)
        min_area = whole(min_area, "min_area", 0)
        max_area = None if max_area is None else whole(max_area, "max_area", 0)
        max_variation, min_diversity = (float(number(max_variation, "max_variation")),
                                        float(number(min_diversity, "min_diversity")))
        table, labels = self._core.mser(delta, min_area, max_area, max_variation, min_diversity)
        if self._levels.base != 0:
            table["level"] = self["level"][table["node"]]
        table.update({name: self._in_unit(name, table[name]) for name in table if name in _MEASURED})
        return Regions(Table(table), self._container.restored(self._levels.shaped(labels)))

    # Other packages -------------------------------------------------------------------------------------------------

    def to_skimage(self) -> Tuple[np.ndarray, np.ndarray]:
        """Parent image and traverser, as of ``skimage.morphology.max_tree``.

        For a min-tree they are computed on the max-tree of the inverted image, as scikit-image's closings take them.

        Returns
        -------
        parent : int64 in the shape of the image
        tree_traverser : (pixels,) int64

        Examples
        --------
        >>> parent, traverser = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).to_skimage()
        >>> parent
        array([[4, 4, 4, 4, 4, 6, 4]])
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

        Examples
        --------
        >>> parents, altitudes = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]]).to_higra()
        >>> parents
        array([9, 9, 8, 9, 9, 7, 7, 9, 9, 9])
        >>> altitudes
        array([0, 0, 9, 0, 0, 7, 7, 7, 9, 0])
        """
        pixels = int(np.prod(self.shape))
        last = pixels + self.num_nodes - 1
        parents = np.empty(last + 1, np.int64)
        np.subtract(last, self._core.nodes.ravel(), out=parents[:pixels], dtype=np.int64)
        np.subtract(last, self.parent[::-1], out=parents[pixels:], dtype=np.int64)
        level = self.level
        return parents, np.concatenate([level[self._core.nodes.ravel()], level[::-1]]).astype(self._levels.dtype)

    def _image(self, levels: np.ndarray) -> np.ndarray:
        return self._levels.shaped(self._levels.values(levels))

    def __repr__(self) -> str:
        size = " x ".join(str(side) for side in self.shape)
        return f"<pollard_morphology.MaxTree: {self.kind}-tree of {size} pixels, {self.num_nodes} nodes, {self.device}>"

    def _repr_html_(self) -> str:
        rows = [("tree", f"{self.kind}-tree"), ("image", f"{self.shape}, {self._levels.dtype}"),
                ("nodes", f"{self.num_nodes:,}"), ("leaves", f"{self.num_leaves:,}"), ("depth", f"{self.depth:,}"),
                ("built", f"{self.build_ms:.1f} ms, {self.device}")]
        cells = "".join(f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
                        for name, text in rows)
        return f"<table>{cells}</table>"


class MaxTrees:
    """Trees of the images of an array along its axes t and c, as :func:`max_tree` returns them.

    ``trees[1]`` or ``trees[1, 0]`` is the :class:`MaxTree` of one image, by its position along these axes in their order;
    iterating gives all. A method returns the results of all images in one array, in the axes of the given array.

    Examples
    --------
    >>> frames = np.array([[[0, 9, 0, 7, 7]], [[5, 5, 0, 0, 8]]], np.uint8)
    >>> pollard.max_tree(frames, axes="tyx")
    <pollard_morphology.MaxTrees: 2 images along t>
    """

    def __init__(self, trees: Dict[Tuple[int, ...], Any], given: Given):
        self._trees = trees
        self._container = given.container
        self.axes = given.loops  #: letters of the axes along which images follow each other
        self.shape = tuple(1 + max(place[axis] for place in trees) for axis in range(len(given.loops)))  #: images along these

    def __len__(self) -> int:
        return len(self._trees)

    def __iter__(self) -> Any:
        return iter(self._trees.values())

    def __getitem__(self, place: Union[int, Tuple[int, ...]]) -> MaxTree:
        """The tree of one image, by its `place`: a position along each of :attr:`axes`.

        Examples
        --------
        >>> frames = np.array([[[0, 9, 0, 7, 7]], [[5, 5, 0, 0, 8]]], np.uint8)
        >>> pollard.max_tree(frames, axes="tyx")[1]["area"]
        array([5, 2, 1], dtype=uint32)
        """
        at = tuple(whole(each, "trees[..]") for each in (place if isinstance(place, tuple) else (place,)))
        if len(at) != len(self.shape):
            raise ValueError(f"trees[..]: {place}: needs a position along each of the axes {', '.join(self.axes)}")
        at = tuple(each + side if each < 0 else each for each, side in zip(at, self.shape))
        if at not in self._trees:
            raise IndexError(f"trees[..]: {place}: there are {self.shape} images")
        return self._trees[at]

    def _each(self, method: str, arguments: Tuple[Any, ...], named: Dict[str, Any], leading: int = 0) -> Any:
        """The results of a method of all trees, stacked after the leading axes."""
        found = [getattr(tree, method)(*arguments, **named) for tree in self]
        stack = np.stack
        if is_chunked(found[0]):
            from dask.array import stack  # pylint: disable=import-outside-toplevel
        pages = stack(found, axis=leading)
        pages = pages.reshape((*pages.shape[:leading], *self.shape, *pages.shape[leading + 1:]))
        return self._container.restored(pages)

    def filter(self, *arguments: Any, **named: Any) -> Any:
        """As :meth:`MaxTree.filter`, of all images; `arguments` and `named` go to the method.

        Examples
        --------
        >>> frames = np.array([[[0, 9, 0, 7, 7]], [[5, 5, 0, 0, 8]]], np.uint8)
        >>> pollard.max_tree(frames, axes="tyx").filter("area >= 2").tolist()
        [[[0, 0, 0, 7, 7]], [[5, 5, 0, 0, 0]]]
        """
        return self._each("filter", arguments, named)

    def labels(self, keep: Criteria, rule: str = "direct") -> Any:
        """As :meth:`MaxTree.labels` with criteria `keep` and a `rule`, of all images; each has its own numbers from 1.

        Examples
        --------
        >>> frames = np.array([[[0, 9, 0, 7, 7]], [[5, 5, 0, 0, 8]]], np.uint8)
        >>> pollard.max_tree(frames, axes="tyx").labels("area <= 2").tolist()
        [[[0, 1, 0, 2, 2]], [[1, 1, 0, 0, 2]]]
        """
        return self._each("labels", (keep, rule), {})

    def profile(self, *arguments: Any, **named: Any) -> Any:
        """As :meth:`MaxTree.profile` with its `arguments` and `named`, of all images; the thresholds are the first axis.

        Examples
        --------
        >>> frames = np.array([[[0, 9, 0, 7, 7]], [[5, 5, 0, 0, 8]]], np.uint8)
        >>> pollard.max_tree(frames, axes="tyx").profile("area", [2, 3]).shape
        (2, 2, 1, 5)
        """
        return self._each("profile", arguments, named, 1)

    def h_transform(self, h: float) -> Any:
        """As :meth:`MaxTree.h_transform` with the height `h`, of all images.

        Examples
        --------
        >>> frames = np.array([[[0, 9, 0, 7, 7]], [[5, 5, 0, 0, 8]]], np.uint8)
        >>> pollard.max_tree(frames, axes="tyx").h_transform(2).tolist()
        [[[0, 7, 0, 5, 5]], [[3, 3, 0, 0, 6]]]
        """
        return self._each("h_transform", (h,), {})

    def __repr__(self) -> str:
        return f"<pollard_morphology.MaxTrees: {' x '.join(str(side) for side in self.shape)} images along {self.axes}>"


def max_tree(image: Any, connectivity: int = 1, kind: str = "max", device: str = "auto", mask: Any = None,
             spacing: Optional[Sequence[float]] = None, *, axes: Optional[str] = None, unit: Optional[str] = None,
             threads: int = 0, copy: bool = False) -> Union[MaxTree, MaxTrees, ChunkedTree]:
    """The max-tree or min-tree of an image or volume.

    Parameters
    ----------
    image : array of 2 or 3 axes
        bool, uint8, uint16, int8, int16, wider integers within a range of 65536, or integers and real numbers of at
        most 65536 different values, finite where they count. The tree reads the memory of arrays of bool, uint8 and
        uint16 that are contiguous in C order, and keeps them alive; others are copied. An array of uint8 or uint16 on a
        GPU (CuPy, PyTorch, Numba, JAX ..) stays there. NaN, and the pixels that a NumPy masked array masks, do not
        count. Results of a masked array or of an ``xarray.DataArray`` are such arrays, with its mask or its coordinates.
        A dask array has a :class:`ChunkedTree`, which filters chunk by chunk.
    connectivity : int
        Largest number of steps along axes to a neighbour: in an image 1 or 2 (4 or 8 neighbours), in a volume 1, 2 or
        3 (6, 18 or 26).
    kind : {"max", "min"}
        Bright components on dark, or dark ones on bright.
    device : {"auto", "cpu", "cuda"}
        "auto" takes the GPU where there is one that works.
    mask : array of bool, optional
        Pixels that count; the others belong to the root and keep their values in results.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel. Without a unit, results of an image are in the unit that the caller knows, while bounds
        of criteria are in px; of a volume the spacing is for attributes of shapes: lengths are in widths x of a voxel.
        Without a spacing, the step of the coordinates of a ``DataArray``, if they are regular and have the attribute `units`.
    axes : str, optional
        A letter for each axis of the array: t and c for images one after the other, each with a tree of its own, z, y and x
        for an image or volume, in any order. Dimensions of a ``DataArray`` with these names need no letters.
    unit : {"nm", "um", "mm", "cm", "m", "km"}, optional
        Unit of the spacing and of results: attributes that are lengths, areas or volumes, edges of spectra, thresholds of
        profiles, and measurements of regions. Lengths are possible if pixels are squares.
    threads : int
        0 for all.
    copy : bool
        Whether to copy the values, so that the array may change while the tree is in use. Without a copy, residues and
        pixels outside the mask follow the array; during a call no thread may write to it.

    Returns
    -------
    MaxTree
        With axes t or c :class:`MaxTrees`, of a dask array :class:`ChunkedTree`.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays or values of parameters, and for an array that seems to have colours.
    MemoryError
        If the tree needs more memory than the device has.
    RuntimeError
        If the device cannot be used.

    Examples
    --------
    >>> image = np.array([[0, 0, 9, 0, 0, 7, 7]], np.uint8)
    >>> tree = pollard.max_tree(image)
    >>> tree.filter("area >= 2")
    array([[0, 0, 0, 0, 0, 7, 7]], dtype=uint8)
    >>> tree.reconstruct((tree["area"] >= 2) | (tree["mean"] > 8))
    array([[0, 0, 9, 0, 0, 7, 7]], dtype=uint8)
    >>> pollard.max_tree(image, spacing=(0.5, 0.5), unit="um")["area"]    # in um2
    array([1.75, 0.25, 0.5 ])
    """
    kind, device = text(kind, "kind", ("max", "min")), text(device, "device")
    connectivity, threads = whole(connectivity, "connectivity"), whole(threads, "threads", 0, 1024)
    if on_gpu(image):
        if axes is not None:
            raise ValueError("axes: are for arrays on the host")
        return _build_on_gpu(image, connectivity, kind, device, mask, spacing, unit, threads)
    given = take(image, axes, mask, spacing, unit)

    def build(values: Any, inside: Any, container: Container) -> Union[MaxTree, ChunkedTree]:
        if is_chunked(values):
            sides = None if given.spacing is None else _sides_in(given.spacing, given.unit, values.ndim)
            return ChunkedTree(values, inside, connectivity, kind, container, sides, given.unit)
        values, inside = unmasked(values, inside)
        flags = None if inside is None else flags_of(inside, "mask")
        levels = levels_of(np.array(values) if copy else values, ranks="values", inside=flags)
        return _build(levels, connectivity, kind, device, flags, given.spacing, given.unit, threads, container)

    if given.loops:
        return MaxTrees({place: build(values, inside, Container()) for place, values, inside in frames(given)}, given)
    return build(given.values, given.mask, given.container)


def _build(levels: Levels, connectivity: int, kind: str, device: str, inside: Optional[np.ndarray],
           spacing: Optional[Sequence[float]], unit: Optional[str], threads: int, container: Container) -> MaxTree:
    sides = _sides_in(spacing, unit, levels.array.ndim)
    is_unknown = spacing is not None and unit is None and levels.array.ndim == 2
    core = _core.MaxTree(levels.array, inside, kind == "min", connectivity, device, threads, levels.mapping(), sides,
                         "um" if is_unknown else unit)
    return MaxTree(core, levels._replace(array=np.empty(0, levels.array.dtype)), connectivity, container, is_unknown)


def tree_of_levels(levels: np.ndarray, connectivity: int, kind: str, inside: Optional[np.ndarray] = None) -> Any:
    """The extension's tree of levels."""
    return _core.MaxTree(levels, inside, kind == "min", connectivity, "auto", 0, None, (1.0, 1.0, 1.0), None)


def reconstructed(seed: np.ndarray, mask: np.ndarray, kind: str, connectivity: int, name: str) -> np.ndarray:
    """Reconstruction by dilation ("max") or erosion ("min") of arrays of one shape and type, with its values."""
    both = levels_of(np.concatenate([seed.ravel(), mask.ravel()]), name, "order")
    halves = both.array.reshape((2, *(mask.shape if mask.ndim > 1 else (1, mask.size))))
    levels = flat(halves, lambda part: tree_of_levels(part[1], connectivity, kind).reconstruct_from(part[0]))
    return both.values(levels).reshape(mask.shape)


def h_reconstructed(image: np.ndarray, h: float, kind: str, connectivity: int) -> np.ndarray:
    """The reconstruction of ``image - h`` ("min": ``image + h``), an array of the image's type.

    Where an integer would exceed its type, it is the last one of the type.
    """
    if image.dtype.kind == "f":
        seed = image - image.dtype.type(h) if kind == "max" else image + image.dtype.type(h)
        return reconstructed(seed, image, kind, connectivity, "image")
    low, high = image.min(), image.max()
    if h > int(high) - int(low):
        info = np.iinfo(image.dtype)
        value = max(int(high) - int(h), info.min) if kind == "max" else min(int(low) + int(h), info.max)
        return np.full(image.shape, value, image.dtype)
    above = unsigned_distance(image, low) if kind == "max" else unsigned_distance(high, image)
    step = above.dtype.type(h)
    reached = reconstructed(np.where(above >= step, above - step, above.dtype.type(0)), above, "max", connectivity,
                            "image")
    return (low + reached.view(image.dtype) if kind == "max" else high - reached.view(image.dtype))


def _build_on_gpu(image: Any, connectivity: int, kind: str, device: str, mask: Any, spacing: Optional[Sequence[float]],
                  unit: Optional[str], threads: int) -> MaxTree:
    if mask is not None:
        raise ValueError("mask: is for arrays on the host")
    array = _core.DeviceArray(image)
    levels = Levels(np.empty(0, array.dtype), array.shape, np.dtype(array.dtype), 0, None)
    sides = _sides_in(spacing, unit, len(array.shape))
    is_unknown = spacing is not None and unit is None and len(array.shape) == 2
    core = _core.MaxTree(array, kind == "min", connectivity, device, threads, sides, "um" if is_unknown else unit)
    return MaxTree(core, levels, connectivity, has_unknown_unit=is_unknown)


def _sides_in(spacing: Optional[Sequence[float]], unit: Optional[str], axes: int) -> Tuple[float, float, float]:
    """Sides of a pixel or voxel (z, y, x); 1 without a spacing."""
    if unit is not None:
        unit = text(unit, "unit")
    if unit is not None and spacing is None:
        raise ValueError(f"unit: '{unit}': is the unit of the spacing, which is missing")
    return sides_of(spacing, axes) or (1.0, 1.0, 1.0)


def sides_of(spacing: Optional[Sequence[float]], axes: int) -> Optional[Tuple[float, float, float]]:
    """Sides of a voxel (z, y, x); of a pixel (1, y, x).

    Raises
    ------
    ValueError
        Unless there are as many positive numbers as axes, two or three.
    """
    if spacing is None:
        return None
    if isinstance(spacing, str) or np.ndim(spacing) != 1:
        raise ValueError(f"spacing: {spacing}: the sides (z, y, x) of a voxel are three numbers, (y, x) of a pixel two")
    sides = [float(side) for side in numbers(spacing, "spacing")]
    if len(sides) != axes or axes not in (2, 3):
        raise ValueError(f"spacing: {tuple(sides)}: an array of {axes} axes has no such sides; there are (y, x) of a "
                         "pixel and (z, y, x) of a voxel")
    if not all(0 < side < np.inf for side in sides):
        raise ValueError(f"spacing: {tuple(sides)}: sides are positive")
    return (sides[0] if axes == 3 else 1.0, sides[-2], sides[-1])
