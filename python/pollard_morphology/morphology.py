"""scikit-image's functions on max-trees, with its names, parameters and results.

``from pollard_morphology import morphology`` can stand in for ``from skimage import morphology``. The results equal those of
scikit-image 0.19; what differs is said at the function. Arrays have 1 to 3 axes and values of any real type; of real
numbers and wide integers, each 65535 different values take a tree. `parent` and `tree_traverser` say which neighbours
make the tree, in place of `connectivity`; it is built again: to use a tree several times, see :func:`pollard_morphology.max_tree`.
Openings and closings of a masked array leave out its masked pixels and return such an array.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .levels import array_of, distance, flags_of, flat, levels_of, unmasked
from .objects import label
from .tree import h_reconstructed, reconstructed, tree_of_levels

__all__ = ["area_closing", "area_opening", "diameter_closing", "diameter_opening", "h_maxima", "h_minima", "max_tree",
           "max_tree_local_maxima", "reconstruction"]


def _number(value: Any) -> str:
    number = float(value)
    return str(int(number)) if number.is_integer() else repr(number)


def _inverted_zero(dtype: np.dtype) -> Any:
    """skimage.util.invert() of 0."""
    if dtype.kind == "u":
        return np.iinfo(dtype).max
    return {"b": True, "i": -1, "f": 1}[dtype.kind]


def _open(image: Any, attributes: Tuple[str, ...], threshold: float, connectivity: int, kind: str,
          tree: Tuple[Any, Any]) -> np.ndarray:
    """The image without the components of which no attribute reaches the threshold."""
    values, mask = unmasked(image)
    given = array_of(values, "image")
    if given.size == 0:
        return given.copy()
    inside = None if mask is None else flags_of(mask, "mask")
    levels = levels_of(given, ranks="order", inside=inside)
    connectivity = _connectivity_of(tree, levels.array, connectivity, kind, inside)
    most = given.size if attributes == ("area",) else max(given.shape)
    if not most >= threshold:
        nothing = 0 if kind == "max" else _inverted_zero(levels.dtype)  # removes the root, too
        opened = np.full(given.shape, nothing, levels.dtype)
    else:
        criteria = [f"{name}>={_number(threshold)}" for name in attributes]
        opened = levels.shaped(levels.values(flat(levels.array, lambda part: tree_of_levels(
            part, connectivity, kind, inside).filter(criteria, "any", "direct", "filtered", ""))))
    return np.ma.MaskedArray(opened, np.ma.getmaskarray(image)) if isinstance(image, np.ma.MaskedArray) else opened


def _connectivity_of(tree: Tuple[Any, Any], levels: np.ndarray, connectivity: int, kind: str,
                     inside: Optional[np.ndarray] = None) -> int:
    """The connectivity of a tree as :func:`max_tree` returns, or the given one without a tree."""
    if not 1 <= connectivity <= levels.ndim:
        raise ValueError(f"connectivity: {connectivity}: is 1 to {levels.ndim} in an array of {levels.ndim} axes")
    if tree[0] is None or tree[1] is None:
        return connectivity
    parent = np.asarray(tree[0]).ravel()
    if levels.dtype.itemsize <= 2 and parent.size == levels.size and parent.dtype.kind in "iu":
        for each in sorted(range(1, levels.ndim + 1), key=lambda other: other != connectivity):
            if _is_tree(tree_of_levels(levels, each, kind, inside), parent):
                return each
    raise ValueError("parent: is not the max-tree of the image (for a closing: of the inverted image), or this has "
                     "more than 65536 different values; leave parent and tree_traverser out and give the connectivity")


def _is_tree(tree: Any, parent: np.ndarray) -> bool:
    """Whether a parent image has the nodes of the tree, whatever their canonical pixels are."""
    nodes = tree.nodes.ravel()
    pixels = np.arange(nodes.size)
    if parent.min() < 0 or parent.max() >= nodes.size:
        return False
    level = tree.level[nodes]
    canonical = np.where(level[parent] == level, parent, pixels)
    ends = pixels[canonical == pixels]
    return bool(ends.size == tree.num_nodes and (nodes[canonical] == nodes).all() and
                (nodes[parent[ends]] == tree.parent[nodes[ends]]).all())


def _extents(image: Any) -> Tuple[str, ...]:
    shape = np.shape(image)
    return ("width", "height_px", "slices_px") if len(shape) == 3 and shape[0] > 1 else ("width", "height_px")


def max_tree(image: Any, connectivity: int = 1) -> Tuple[np.ndarray, np.ndarray]:
    """The max-tree as a parent image, as ``skimage.morphology.max_tree``.

    Raises
    ------
    ValueError
        For more than 65536 different values.

    Returns
    -------
    parent : int64 in the shape of the image
        Index of each pixel's parent in ``image.ravel()``; the canonical pixel of a node is the last of its pixels (in
        scikit-image it depends on the sorting).
    tree_traverser : (pixels,) int64
        The pixels in an order in which parents come before their children.
    """
    levels = levels_of(image, ranks="order")
    if levels.array.dtype.itemsize > 2:
        raise ValueError(f"image: {levels.table.size} different values; 65536 are possible for a tree (round them, or "
                         "scale to uint16)")
    parent, traverser = tree_of_levels(levels.array, connectivity, "max").parent_image()
    return levels.shaped(parent), traverser


def area_opening(image: Any, area_threshold: float = 64, connectivity: int = 1, parent: Any = None,
                 tree_traverser: Any = None) -> np.ndarray:
    """Removes bright components of fewer than `area_threshold` pixels (Vincent 1993).

    Parameters
    ----------
    image : array
    area_threshold : number
        Pixels. Above the number of pixels of the image, the result is 0, as in scikit-image.
    connectivity : int
        1 to the number of axes: the largest number of steps along axes to a neighbour.
    parent, tree_traverser : arrays, optional
        As of :func:`max_tree`, of this package or scikit-image's: its neighbours are used.

    Returns
    -------
    An array of the shape and type of the image.

    Raises
    ------
    ValueError
        For arrays that :mod:`pollard_morphology.morphology` does not take, and for a parent image of another image.
    """
    return _open(image, ("area",), area_threshold, connectivity, "max", (parent, tree_traverser))


def area_closing(image: Any, area_threshold: float = 64, connectivity: int = 1, parent: Any = None,
                 tree_traverser: Any = None) -> np.ndarray:
    """Removes dark components of fewer than `area_threshold` pixels: the dual of :func:`area_opening`."""
    return _open(image, ("area",), area_threshold, connectivity, "min", (parent, tree_traverser))


def diameter_opening(image: Any, diameter_threshold: float = 8, connectivity: int = 1, parent: Any = None,
                     tree_traverser: Any = None) -> np.ndarray:
    """Removes bright components whose box is shorter than `diameter_threshold` along all axes (Walter & Klein 2002).

    Parameters and result are as in :func:`area_opening`.
    """
    return _open(image, _extents(image), diameter_threshold, connectivity, "max", (parent, tree_traverser))


def diameter_closing(image: Any, diameter_threshold: float = 8, connectivity: int = 1, parent: Any = None,
                     tree_traverser: Any = None) -> np.ndarray:
    """Removes dark components whose box is shorter than `diameter_threshold`: the dual of :func:`diameter_opening`."""
    return _open(image, _extents(image), diameter_threshold, connectivity, "min", (parent, tree_traverser))


def max_tree_local_maxima(image: Any, connectivity: int = 1, parent: Any = None,
                          tree_traverser: Any = None) -> np.ndarray:
    """Numbers the regional maxima, plateaus without a higher neighbour.

    Returns
    -------
    uint64 in the shape of the image: 1, 2 .. in the order of their first pixels (in scikit-image in the order of the
    sorting), 0 for other pixels.
    """
    given = array_of(image, "image")
    if given.size == 0:
        return np.ones(given.shape, np.uint64)
    levels = levels_of(given, ranks="order").array
    connectivity = _connectivity_of((parent, tree_traverser), levels, connectivity, "max")
    if levels.dtype.itemsize <= 2:
        tree = tree_of_levels(levels, connectivity, "max")
        is_leaf = tree.subtree_end == np.arange(1, tree.num_nodes + 1, dtype=np.uint32)
        labels, _ = tree.labels_of(is_leaf, "direct")
    else:  # a maximum is higher than the reconstruction of the image one step lower
        reached = h_reconstructed(levels, 1, "max", connectivity)
        labels = label(levels > reached, connectivity)
    return labels.reshape(given.shape).astype(np.uint64)


def _connectivity(footprint: Optional[Any], axes: int) -> int:
    """The connectivity with this footprint."""
    if footprint is None:
        return axes
    given = np.array(footprint, dtype=bool)
    if given.shape == (3,) * axes:
        steps = np.abs(np.indices(given.shape) - 1).sum(axis=0)
        given[steps == 0] = True
        for connectivity in range(1, axes + 1):
            if np.array_equal(given, steps <= connectivity):
                return connectivity
    raise ValueError("footprint: the neighbours of a pixel are possible, of side 3: "
                     "scipy.ndimage.generate_binary_structure(image.ndim, connectivity)")


def reconstruction(seed: Any, mask: Any, method: str = "dilation", footprint: Optional[Any] = None,
                   offset: Optional[Any] = None) -> np.ndarray:
    """Morphological reconstruction of the mask from the seed (Vincent 1993).

    Parameters
    ----------
    seed, mask : arrays of the same shape
    method : {"dilation", "erosion"}
        The seed is at most, or at least, the mask.
    footprint : array, optional
        Neighbours of a pixel: the footprint of a connectivity; all touching pixels by default. Others are refused.
    offset : None

    Returns
    -------
    float64 in the shape of the arrays.

    Raises
    ------
    ValueError
        For a seed beyond the mask, other shapes, footprints and methods.
    """
    if offset is not None:
        raise ValueError("offset: the centre of the footprint is possible")
    if method not in ("dilation", "erosion"):
        raise ValueError(f"method: '{method}': unknown (there are dilation, erosion)")
    marker, limit = array_of(seed, "seed"), array_of(mask, "mask")
    if marker.shape != limit.shape:
        raise ValueError(f"seed: has the shape {marker.shape}, the mask {limit.shape}")
    connectivity = _connectivity(footprint, limit.ndim)
    if limit.size == 0:
        return np.zeros(limit.shape)
    if (marker > limit).any() if method == "dilation" else (marker < limit).any():
        side = "greater" if method == "dilation" else "less"
        raise ValueError(f"seed: has a value {side} than the mask's; reconstruction by {method} cannot take it")
    kind = "max" if method == "dilation" else "min"
    return reconstructed(marker, limit, kind, connectivity, "seed and mask").astype(np.float64)


def _h_extrema(image: Any, h: float, footprint: Optional[Any], kind: str) -> np.ndarray:
    given = array_of(image, "image")
    connectivity = _connectivity(footprint, given.ndim)
    if given.size == 0:
        return np.zeros(given.shape, np.uint8)
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise ValueError("image: has NaN or infinite values, which have no height; give them a value")
    low, high = given.min(), given.max()
    if h > (float(high) - float(low) if given.dtype.kind == "f" else int(high) - int(low)):
        return np.zeros(given.shape, np.uint8)
    if h == 0:
        raise ValueError("h = 0 is ambiguous: every plateau has this height; give a height above 0")
    if not h > 0:
        raise ValueError(f"h: {h}: is positive")
    if given.dtype.kind != "f" and float(h).is_integer():
        levels = levels_of(given, ranks="order")
        if levels.table is None:
            reached = tree_of_levels(levels.array, connectivity, kind).h_maxima(int(h))
            return levels.shaped((distance(levels.array, reached) >= h).astype(np.uint8))
        native = given.astype(levels.dtype, copy=False)
        return (distance(native, h_reconstructed(native, int(h), kind, connectivity)) >= int(h)).astype(np.uint8)
    values = given if given.dtype.kind == "f" else given.astype(float)
    resolution = 2 * np.finfo(values.dtype).resolution * np.abs(values)
    if kind == "max":
        residue = values - reconstruction(values - h - resolution, values, "dilation", footprint)
    else:
        residue = reconstruction(values + h + resolution, values, "erosion", footprint) - values
    return (residue >= h).astype(np.uint8)


def h_maxima(image: Any, h: float, footprint: Optional[Any] = None) -> np.ndarray:
    """The maxima of a height of at least `h` (Soille 2004, chapter 6), and the highest of the image.

    Parameters
    ----------
    image : array
        Real numbers are finite.
    h : number
        Positive.
    footprint : array, optional
        As of :func:`reconstruction`.

    Returns
    -------
    uint8 in the shape of the image: 1 in these maxima, 0 elsewhere; all 0 if `h` is beyond the range of the image.
    """
    return _h_extrema(image, h, footprint, "max")


def h_minima(image: Any, h: float, footprint: Optional[Any] = None) -> np.ndarray:
    """The minima of a depth of at least `h`: the dual of :func:`h_maxima`."""
    return _h_extrema(image, h, footprint, "min")
