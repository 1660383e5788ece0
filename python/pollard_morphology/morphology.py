"""scikit-image's functions on max-trees, with its names, parameters and results.

``from pollard_morphology import morphology`` can stand in for ``from skimage import morphology``. The results equal those of
scikit-image 0.26; what differs is said at the function. Arrays have 1 to 3 axes and values of any real type; of real
numbers and wide integers, each 65535 different values take a tree. `parent` and `tree_traverser` say which neighbours
make the tree, in place of `connectivity`; it is built again: to use a tree several times, see :func:`pollard_morphology.max_tree`.
Openings and closings of a masked array leave out its masked pixels and return such an array.
"""

from __future__ import annotations

import warnings
from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _core
from .arguments import number, text, whole
from .chunked import ChunkedTree
from .containers import Container, contained, is_chunked, whole_arrays
from .levels import array_of, distance, flags_of, flat, levels_of, unmasked
from .objects import label
from .tree import h_reconstructed, reconstructed, tree_of_levels

__all__ = ["area_closing", "area_opening", "black_tophat", "closing", "diameter_closing", "diameter_opening", "dilation",
           "erosion", "h_maxima", "h_minima", "label", "local_maxima", "local_minima", "max_tree", "max_tree_local_maxima",
           "opening", "reconstruction", "remove_small_holes", "remove_small_objects", "white_tophat"]

_DEFAULT: Any = object()  # a deprecated parameter that was not given


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
    name = "area_threshold" if attributes == ("area",) else "diameter_threshold"
    threshold, connectivity = number(threshold, name), whole(connectivity, "connectivity")
    if is_chunked(image) and tree[0] is None:
        most = image.size if attributes == ("area",) else max(image.shape)
        if most >= threshold:
            criteria = " or ".join(f"{name} >= {_number(threshold)}" for name in attributes)
            return ChunkedTree(image, None, connectivity, kind, Container(), None, None).filter(criteria)
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
        raise ValueError(f"connectivity: {connectivity}: must be 1 to {levels.ndim} in an array of {levels.ndim} axes")
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

    Parameters
    ----------
    image : array of 1 to 3 axes
    connectivity : int
        As of :func:`area_opening`.

    Returns
    -------
    parent : int64 in the shape of the image
        Index of each pixel's parent in ``image.ravel()``; the canonical pixel of a node is the last of its pixels (in
        scikit-image it depends on the sorting).
    tree_traverser : (pixels,) int64
        The pixels in an order in which parents come before their children.

    Raises
    ------
    ValueError
        For more than 65536 different values.

    Examples
    --------
    >>> morphology.max_tree([[0, 0, 9, 0, 0, 7, 7]])
    (array([[4, 4, 4, 4, 4, 6, 4]]), array([4, 0, 1, 3, 2, 6, 5]))
    """
    connectivity = whole(connectivity, "connectivity")
    levels = levels_of(image, ranks="order")
    if levels.array.dtype.itemsize > 2:
        raise ValueError(f"image: {levels.table.size} different values; 65536 are possible for a tree (round them, or "
                         "scale to uint16)")
    parent, traverser = tree_of_levels(levels.array, connectivity, "max").parent_image()
    return levels.shaped(parent), traverser


@contained
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

    Examples
    --------
    >>> pollard.area_opening([[0, 0, 9, 0, 0, 7, 7]], area_threshold=2)
    array([[0, 0, 0, 0, 0, 7, 7]])
    """
    return _open(image, ("area",), area_threshold, connectivity, "max", (parent, tree_traverser))


@contained
def area_closing(image: Any, area_threshold: float = 64, connectivity: int = 1, parent: Any = None,
                 tree_traverser: Any = None) -> np.ndarray:
    """Removes dark components of fewer than `area_threshold` pixels: the dual of :func:`area_opening`.

    Parameters, result and errors are as in :func:`area_opening`.

    Examples
    --------
    >>> pollard.area_closing([[9, 9, 0, 9, 2, 2]], area_threshold=2)
    array([[9, 9, 9, 9, 2, 2]])
    """
    return _open(image, ("area",), area_threshold, connectivity, "min", (parent, tree_traverser))


@contained
def diameter_opening(image: Any, diameter_threshold: float = 8, connectivity: int = 1, parent: Any = None,
                     tree_traverser: Any = None) -> np.ndarray:
    """Removes bright components whose box is shorter than `diameter_threshold` along all axes (Walter & Klein 2002).

    Parameters and result are as in :func:`area_opening`.

    Examples
    --------
    >>> pollard.diameter_opening([[0, 8, 0, 5, 5, 5, 0]], diameter_threshold=3)
    array([[0, 0, 0, 5, 5, 5, 0]])
    """
    return _open(image, _extents(image), diameter_threshold, connectivity, "max", (parent, tree_traverser))


@contained
def diameter_closing(image: Any, diameter_threshold: float = 8, connectivity: int = 1, parent: Any = None,
                     tree_traverser: Any = None) -> np.ndarray:
    """Removes dark components whose box is shorter than `diameter_threshold`: the dual of :func:`diameter_opening`.

    Parameters, result and errors are as in :func:`area_opening`.

    Examples
    --------
    >>> pollard.diameter_closing([[9, 1, 9, 4, 4, 4, 9]], diameter_threshold=3)
    array([[9, 9, 9, 4, 4, 4, 9]])
    """
    return _open(image, _extents(image), diameter_threshold, connectivity, "min", (parent, tree_traverser))


@contained
@whole_arrays
def max_tree_local_maxima(image: Any, connectivity: int = 1, parent: Any = None,
                          tree_traverser: Any = None) -> np.ndarray:
    """Numbers the regional maxima, plateaus without a higher neighbour (Soille 2004, chapter 6).

    Parameters
    ----------
    image : array of 1 to 3 axes
    connectivity, parent, tree_traverser
        As of :func:`area_opening`.

    Returns
    -------
    uint64 in the shape of the image: 1, 2 .. in the order of their first pixels (in scikit-image in the order of the
    sorting), 0 for other pixels.

    Examples
    --------
    >>> pollard.max_tree_local_maxima([[0, 0, 9, 0, 0, 7, 7]])
    array([[0, 0, 1, 0, 0, 2, 2]], dtype=uint64)
    """
    connectivity = whole(connectivity, "connectivity")
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
        labels = label(levels > reached, connectivity=connectivity)
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


def _real_type(dtype: np.dtype) -> Any:
    """The type of results of scikit-image's reconstruction since 0.20."""
    return np.float32 if dtype.kind == "f" and dtype.itemsize <= 4 else np.float64


@contained
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
    float64 in the shape of the arrays; float32 for a mask of float16 and float32, as in scikit-image 0.26.

    Raises
    ------
    ValueError
        For a seed beyond the mask, other shapes, footprints and methods.

    Examples
    --------
    >>> pollard.reconstruction(seed=[[0, 0, 9, 0, 0, 0]], mask=[[0, 9, 9, 0, 7, 7]])
    array([[0., 9., 9., 0., 0., 0.]])
    """
    if offset is not None:
        raise ValueError("offset: the centre of the footprint is possible")
    text(method, "method", ("dilation", "erosion"))
    marker, limit = array_of(seed, "seed"), array_of(mask, "mask")
    if marker.shape != limit.shape:
        raise ValueError(f"seed: has the shape {marker.shape}, the mask {limit.shape}")
    connectivity = _connectivity(footprint, limit.ndim)
    number_type = _real_type(limit.dtype)
    if limit.size == 0:
        return np.zeros(limit.shape, number_type)
    if (marker > limit).any() if method == "dilation" else (marker < limit).any():
        side = "greater" if method == "dilation" else "less"
        raise ValueError(f"seed: has a value {side} than the mask's; reconstruction by {method} cannot take it")
    kind = "max" if method == "dilation" else "min"
    return reconstructed(marker, limit, kind, connectivity, "seed and mask").astype(number_type)


def _h_extrema(image: Any, h: float, footprint: Optional[Any], kind: str) -> np.ndarray:
    h, given = number(h, "h"), array_of(image, "image")
    connectivity = _connectivity(footprint, given.ndim)
    if given.size == 0:
        return np.zeros(given.shape, np.uint8)
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise ValueError("image: has NaN or infinite values, which have no height; give them a value")
    low, high = given.min(), given.max()
    if h > (float(high) - float(low) if given.dtype.kind == "f" else int(high) - int(low)):
        return np.zeros(given.shape, np.uint8)
    if h == 0:
        raise ValueError("h = 0 is ambiguous: every plateau has this height; give a height above 0, or use "
                         "local_maxima() and local_minima()")
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
    shifted = values - h - resolution if kind == "max" else values + h + resolution
    reached = reconstructed(shifted, values, kind, connectivity, "image").astype(_real_type(values.dtype))
    residue = values - reached if kind == "max" else reached - values
    return (residue >= h).astype(np.uint8)


@contained
@whole_arrays
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

    Examples
    --------
    >>> pollard.h_maxima([[0, 0, 9, 0, 0, 7, 7]], h=8)
    array([[0, 0, 1, 0, 0, 0, 0]], dtype=uint8)
    """
    return _h_extrema(image, h, footprint, "max")


@contained
@whole_arrays
def h_minima(image: Any, h: float, footprint: Optional[Any] = None) -> np.ndarray:
    """The minima of a depth of at least `h`: the dual of :func:`h_maxima`.

    Parameters, result and errors are as in :func:`h_maxima`.

    Examples
    --------
    >>> pollard.h_minima([[9, 9, 0, 9, 9, 2, 2]], h=8)
    array([[0, 0, 1, 0, 0, 0, 0]], dtype=uint8)
    """
    return _h_extrema(image, h, footprint, "min")


def _local_extrema(image: Any, footprint: Optional[Any], connectivity: Optional[int], indices: bool, allow_borders: bool,
                   kind: str) -> Union[np.ndarray, Tuple[np.ndarray, ...]]:
    given = array_of(image, "image")
    if footprint is None and connectivity is not None:
        steps = whole(connectivity, "connectivity", 1, given.ndim)
    else:
        steps = _connectivity(footprint, given.ndim)
    if given.size == 0:
        found = np.zeros(given.shape, bool)
    elif not allow_borders and min(given.shape) < 3:
        warnings.warn("an array with an axis shorter than 3 has no extrema away from its borders", UserWarning, stacklevel=3)
        found = np.zeros(given.shape, bool)
    else:
        levels = levels_of(given, ranks="order").array
        if levels.min() == levels.max():  # a constant image has no neighbour that is lower
            found = np.zeros(given.shape, bool)
        elif levels.dtype.itemsize <= 2:
            tree = tree_of_levels(levels, steps, kind)
            is_leaf = tree.subtree_end == np.arange(1, tree.num_nodes + 1, dtype=np.uint32)
            if not allow_borders:
                is_leaf = is_leaf & ~_touches_border(tree.nodes.reshape(given.shape), tree.num_nodes)
            found = is_leaf[tree.nodes].reshape(given.shape)
        else:
            reached = h_reconstructed(levels, 1, kind, steps)
            found = (levels > reached if kind == "max" else levels < reached).reshape(given.shape)
            if not allow_borders:
                numbers, count = label(found, connectivity=steps, return_num=True)
                found = found & ~_touches_border(numbers, count + 1)[numbers]
    return np.nonzero(found) if indices else found


def _touches_border(numbers: np.ndarray, count: int) -> np.ndarray:
    """Whether each of the numbers below `count` is in the first or last position of an axis of their array."""
    touches = np.zeros(count, bool)
    for axis in range(numbers.ndim):
        touches[np.take(numbers, (0, -1), axis)] = True
    return touches


@contained
@whole_arrays
def local_maxima(image: Any, footprint: Optional[Any] = None, connectivity: Optional[int] = None, indices: bool = False,
                 allow_borders: bool = True) -> Union[np.ndarray, Tuple[np.ndarray, ...]]:
    """The regional maxima: plateaus of which all neighbours are lower (Soille 2004, chapter 6).

    Parameters
    ----------
    image : array
        A constant one has no maximum, as in scikit-image.
    footprint : array, optional
        As of :func:`reconstruction`; it comes before `connectivity`.
    connectivity : int, optional
        1 to the number of axes, which is the default.
    indices : bool
        Whether to return the positions of the pixels, an array per axis.
    allow_borders : bool
        Whether plateaus at the border of the image count.

    Returns
    -------
    bool in the shape of the image, or a tuple of arrays of positions.

    Raises
    ------
    ValueError
        For arrays with NaN, and other footprints than the neighbours of a pixel.

    Examples
    --------
    >>> morphology.local_maxima([[0, 0, 9, 0, 0, 7, 7]])
    array([[False, False,  True, False, False,  True,  True]])
    """
    return _local_extrema(image, footprint, connectivity, indices, allow_borders, "max")


@contained
@whole_arrays
def local_minima(image: Any, footprint: Optional[Any] = None, connectivity: Optional[int] = None, indices: bool = False,
                 allow_borders: bool = True) -> Union[np.ndarray, Tuple[np.ndarray, ...]]:
    """The regional minima: the dual of :func:`local_maxima`.

    Parameters, result and errors are as in :func:`local_maxima`.

    Examples
    --------
    >>> morphology.local_minima([[9, 9, 0, 9, 2, 2, 9]], indices=True)
    (array([0, 0, 0]), array([2, 4, 5]))
    """
    return _local_extrema(image, footprint, connectivity, indices, allow_borders, "min")


def _largest_removed(deprecated: Any, name: str, max_size: Any, default: Any) -> Tuple[Union[int, float], bool]:
    """The threshold of sizes, and whether objects of this size are removed, too."""
    if deprecated is _DEFAULT:
        return number(default if max_size is _DEFAULT else max_size, "max_size"), True
    if max_size is not _DEFAULT:
        raise ValueError(f"{name} and max_size: give max_size alone, which replaces {name}")
    warnings.warn(f"Parameter `{name}` is deprecated since scikit-image 0.26. Use `max_size` instead, which removes objects "
                  "of this size, too; the old one removes smaller ones only.", FutureWarning, stacklevel=3)
    return number(deprecated, name), False


def _without_small(flags: np.ndarray, size: Union[int, float], with_size: bool, connectivity: int) -> np.ndarray:
    """Booleans without the components of fewer than `size` pixels, or of at most so many."""
    if flags.size == 0:
        return flags.copy()
    labels, count = label(flags, connectivity=connectivity, return_num=True)
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    stays = sizes > size if with_size else sizes >= size
    stays[0] = False
    return stays[labels]


def _integers(ar: Any) -> np.ndarray:
    array = np.asarray(ar)
    if array.dtype.kind not in "biu":
        raise TypeError(f"ar: the values are {array.dtype}; booleans and integers are possible")
    return array


@contained
def remove_small_objects(ar: Any, min_size: Any = _DEFAULT, connectivity: int = 1, *, max_size: Any = _DEFAULT,
                         out: Optional[np.ndarray] = None) -> np.ndarray:
    """Removes the objects of at most `max_size` pixels.

    Parameters
    ----------
    ar : array of bool of 1 to 3 axes, or labels, integers of 0 and more
        Objects of booleans are connected components; labels are objects whether they are connected or not.
    min_size : number
        Deprecated: removes the objects of fewer pixels.
    connectivity : int
        1 to the number of axes, of objects of booleans.
    max_size : number
        Pixels; 64 by default.
    out : array, optional
        Takes the result; it may be `ar`.

    Returns
    -------
    An array of the shape and type of `ar`.

    Raises
    ------
    TypeError
        For other types of values.
    ValueError
        For negative labels.

    Examples
    --------
    >>> morphology.remove_small_objects(np.array([[True, True, False, True]]), max_size=1)
    array([[ True,  True, False, False]])
    """
    array = _integers(ar)
    size, with_size = _largest_removed(min_size, "min_size", max_size, 64)
    if array.dtype == bool:
        kept = _without_small(array, size, with_size, whole(connectivity, "connectivity"))
        result = kept.reshape(array.shape)
    else:
        if array.size != 0 and array.min() < 0:
            raise ValueError(f"ar: {array.min()}: labels are 0 or more")
        found, row, sizes = np.unique(array, return_inverse=True, return_counts=True)
        if array.size != 0 and (found.size, found[-1]) in ((1, 1), (2, 1)):
            warnings.warn("Only one label was provided to `remove_small_objects`. Did you mean to use a boolean array?",
                          UserWarning, stacklevel=2)
        stays = sizes > size if with_size else sizes >= size
        result = np.where(stays[row.reshape(array.shape)], array, array.dtype.type(0))
    if out is None:
        return result
    out[...] = result
    return out


@contained
def remove_small_holes(ar: Any, area_threshold: Any = _DEFAULT, connectivity: int = 1, *, max_size: Any = _DEFAULT,
                       out: Optional[np.ndarray] = None) -> np.ndarray:
    """Fills the components of the background of at most `max_size` pixels.

    Parameters
    ----------
    ar : array of bool of 1 to 3 axes, or of integers, of which all but 0 are objects
    area_threshold : number
        Deprecated: fills the holes of fewer pixels.
    connectivity : int
        1 to the number of axes, of the background.
    max_size : number
        Pixels; 64 by default.
    out : array of bool, optional
        Takes the result; it may be `ar`.

    Returns
    -------
    bool in the shape of `ar`.

    Raises
    ------
    TypeError
        For other types of values, and for `out` of another type than bool.

    Examples
    --------
    >>> morphology.remove_small_holes(np.array([[True, False, True, False, False]]), max_size=1)
    array([[ True,  True,  True, False, False]])
    """
    array = _integers(ar)
    if array.dtype != bool:
        warnings.warn("Any labeled images will be returned as a boolean array. Did you mean to use a boolean array?",
                      UserWarning, stacklevel=2)
    if out is not None and out.dtype != bool:
        raise TypeError("out: is not an array of bool")
    size, with_size = _largest_removed(area_threshold, "area_threshold", max_size, 64)
    result = ~_without_small(array == 0, size, with_size, whole(connectivity, "connectivity")).reshape(array.shape)
    if out is None:
        return result
    out[...] = result
    return out


def _eroded(image: np.ndarray, offsets: np.ndarray, kind: str) -> np.ndarray:
    """Smallest ("max": largest) values at these offsets from each pixel; the image is reflected at its borders."""
    reach = np.abs(offsets).max(axis=0)
    padded = np.pad(image, [(side, side) for side in reach], mode="symmetric")
    choose = np.maximum if kind == "max" else np.minimum
    result: Any = None
    for offset in offsets:
        part = padded[tuple(slice(far + step, far + step + side) for far, step, side in zip(reach, offset, image.shape))]
        result = part.copy() if result is None else choose(result, part, out=result)
    return result


def _footprint(footprint: Optional[Any], axes: int) -> np.ndarray:
    if footprint is None:
        return np.abs(np.indices((3,) * axes) - 1).sum(axis=0) <= 1
    try:
        shape = np.asarray(footprint) != 0
    except ValueError:
        shape = np.empty(0, bool)
    if shape.ndim != axes or not shape.any() or any(side % 2 == 0 for side in shape.shape):
        raise ValueError(f"footprint: needs an array of {axes} axes with odd sides and a pixel at least; sequences of "
                         "footprints are not possible")
    return shape


def _named_shape(footprint: np.ndarray) -> str:
    """The name of a box, or a disc or ball, of equal sides; "" for other footprints."""
    if len(set(footprint.shape)) != 1:
        return ""
    if footprint.all():
        return "box"
    radius = footprint.shape[0] // 2
    return "disc" if np.array_equal(footprint, ((np.indices(footprint.shape) - radius)**2).sum(axis=0) <= radius**2) else ""


def _flat(image: Any, footprint: Optional[Any], operator: str) -> Tuple[np.ndarray, np.ndarray]:
    """An image, and its erosion, dilation, opening or closing by a footprint."""
    given = array_of(image, "image")
    if given.dtype.kind == "f" and np.isnan(given).any():
        raise ValueError("image: has NaN, which has no order; give these pixels a value")
    shape = _footprint(footprint, given.ndim)
    if given.size == 0:
        return given, given.copy()
    name = _named_shape(shape)
    if name:
        levels, radius = levels_of(given, ranks="order"), shape.shape[0] // 2
        return given, levels.shaped(levels.values(flat(levels.array, lambda part: _core.apply_operator(
            part, operator, name, radius, 1.0, 0.0, 1, (1.0, 1.0, 1.0), None))))
    offsets = np.argwhere(shape) - np.array(shape.shape) // 2
    kinds = {"erosion": ("min",), "dilation": ("max",), "opening": ("min", "max"), "closing": ("max", "min")}[operator]
    result = given
    for kind in kinds:
        result = _eroded(result, offsets if len(kinds) == 1 or kind == kinds[0] else -offsets, kind)
    return given, result


def _into(result: np.ndarray, out: Optional[np.ndarray]) -> np.ndarray:
    if out is None:
        return result
    out[...] = result
    return out


def _tophat(high: np.ndarray, low: np.ndarray, out: Optional[np.ndarray]) -> np.ndarray:
    return _into(high ^ low if high.dtype == bool else high - low, out)


def _require_reflection(mode: Any) -> None:
    if text(mode, "mode") != "reflect":
        raise ValueError(f"mode: '{mode}': 'reflect' is possible; pad the image for other borders")


@contained
@whole_arrays
def erosion(image: Any, footprint: Optional[Any] = None, out: Optional[np.ndarray] = None, *, mode: str = "reflect",
            cval: float = 0.0) -> np.ndarray:
    """The smallest value that a footprint around each pixel contains: as ``skimage.morphology.erosion``.

    Parameters, errors and cost are as in :func:`white_tophat`.

    Examples
    --------
    >>> morphology.erosion([[2, 2, 9, 2, 5, 5, 5]])
    array([[2, 2, 2, 2, 2, 5, 5]])
    """
    _require_reflection(mode)
    return _into(_flat(image, footprint, "erosion")[1], out)


@contained
@whole_arrays
def dilation(image: Any, footprint: Optional[Any] = None, out: Optional[np.ndarray] = None, *, mode: str = "reflect",
             cval: float = 0.0) -> np.ndarray:
    """The largest value that a footprint around each pixel contains: as ``skimage.morphology.dilation``.

    Parameters, errors and cost are as in :func:`white_tophat`.

    Examples
    --------
    >>> morphology.dilation([[2, 2, 9, 2, 5, 5, 5]])
    array([[2, 9, 9, 9, 5, 5, 5]])
    """
    _require_reflection(mode)
    return _into(_flat(image, footprint, "dilation")[1], out)


@contained
@whole_arrays
def opening(image: Any, footprint: Optional[Any] = None, out: Optional[np.ndarray] = None, *, mode: str = "reflect",
            cval: float = 0.0) -> np.ndarray:
    """The dilation of the erosion by a footprint: as ``skimage.morphology.opening``.

    Parameters, errors and cost are as in :func:`white_tophat`.

    Examples
    --------
    >>> morphology.opening([[2, 2, 9, 2, 5, 5, 5]])
    array([[2, 2, 2, 2, 5, 5, 5]])
    """
    _require_reflection(mode)
    return _into(_flat(image, footprint, "opening")[1], out)


@contained
@whole_arrays
def closing(image: Any, footprint: Optional[Any] = None, out: Optional[np.ndarray] = None, *, mode: str = "reflect",
            cval: float = 0.0) -> np.ndarray:
    """The erosion of the dilation by a footprint: as ``skimage.morphology.closing``.

    Parameters, errors and cost are as in :func:`white_tophat`.

    Examples
    --------
    >>> morphology.closing([[2, 2, 9, 2, 5, 5, 5]])
    array([[2, 2, 9, 5, 5, 5, 5]])
    """
    _require_reflection(mode)
    return _into(_flat(image, footprint, "closing")[1], out)


@contained
@whole_arrays
def white_tophat(image: Any, footprint: Optional[Any] = None, out: Optional[np.ndarray] = None, *, mode: str = "reflect",
                 cval: float = 0.0) -> np.ndarray:
    """The image less its opening by a footprint: bright details that it does not fit into (Soille 2004, chapter 4).

    Parameters
    ----------
    image : array
    footprint : array, optional
        Of odd sides; all pixels that differ from 0 belong to it. By default a pixel and its neighbours along axes.
    out : array, optional
        Takes the result; it may be `image`.
    mode : {"reflect"}
        Values beyond the borders.
    cval : number
        Without effect, as the mode is "reflect".

    Returns
    -------
    An array of the shape and type of the image. Discs, balls and boxes cost as much as in :func:`apply_operator`; of
    other footprints it is in proportion to their pixels.

    Raises
    ------
    ValueError
        For NaN, sequences of footprints, even sides and other modes.

    Examples
    --------
    >>> morphology.white_tophat([[2, 2, 9, 2, 5, 5, 5]])
    array([[0, 0, 7, 0, 0, 0, 0]])
    """
    _require_reflection(mode)
    given, opened = _flat(image, footprint, "opening")
    return _tophat(given, opened, out)


@contained
@whole_arrays
def black_tophat(image: Any, footprint: Optional[Any] = None, out: Optional[np.ndarray] = None, *, mode: str = "reflect",
                 cval: float = 0.0) -> np.ndarray:
    """The closing by a footprint less the image: the dual of :func:`white_tophat`, with its parameters.

    Examples
    --------
    >>> morphology.black_tophat([[9, 9, 2, 9, 4, 4, 4]])
    array([[0, 0, 7, 0, 0, 0, 0]])
    """
    _require_reflection(mode)
    given, closed = _flat(image, footprint, "closing")
    return _tophat(closed, given, out)
