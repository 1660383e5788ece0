"""scikit-image's functions on max-trees, with its names, parameters and results.

``from pollard import morphology`` can stand in for ``from skimage import morphology``. The results equal those of
scikit-image 0.19; what differs is said at the function. Arrays have 1 to 3 axes and values of any real type, real numbers
and wide integers with at most 65536 different ones. `parent` and `tree_traverser` are taken, for compatible calls, and
not used: to use a tree several times, see :func:`pollard.max_tree`.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .levels import Levels, array_of, levels_of
from .tree import _build

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


def _open(image: Any, attributes: Tuple[str, ...], threshold: float, connectivity: int, kind: str) -> np.ndarray:
    """The image without the components of which no attribute reaches the threshold."""
    given = array_of(image, "image")
    if given.size == 0:
        return given.copy()
    levels = levels_of(given, ranks=True)
    tree = _build(levels, connectivity, kind)
    if not any(tree[name][0] >= threshold for name in attributes):
        nothing = 0 if kind == "max" else _inverted_zero(levels.dtype)  # also the root goes
        return np.full(given.shape, nothing, levels.dtype)
    return tree.filter(" or ".join(f"{name}>={_number(threshold)}" for name in attributes))


def _extents(image: Any) -> Tuple[str, ...]:
    shape = np.shape(image)
    return ("width", "height_px", "slices_px") if len(shape) == 3 and shape[0] > 1 else ("width", "height_px")


def max_tree(image: Any, connectivity: int = 1) -> Tuple[np.ndarray, np.ndarray]:
    """The max-tree as a parent image, as ``skimage.morphology.max_tree``.

    Returns
    -------
    parent : int64 in the shape of the image
        Index of each pixel's parent in ``image.ravel()``; the canonical pixel of a node is the last of its pixels (in
        scikit-image it depends on the sorting).
    tree_traverser : (pixels,) int64
        The pixels in an order in which parents come before their children.
    """
    return _build(levels_of(image, ranks=True), connectivity).to_skimage()


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

    Returns
    -------
    An array of the shape and type of the image.

    Raises
    ------
    ValueError
        For arrays that :mod:`pollard.morphology` does not take.
    """
    return _open(image, ("area",), area_threshold, connectivity, "max")


def area_closing(image: Any, area_threshold: float = 64, connectivity: int = 1, parent: Any = None,
                 tree_traverser: Any = None) -> np.ndarray:
    """Removes dark components of fewer than `area_threshold` pixels: the dual of :func:`area_opening`."""
    return _open(image, ("area",), area_threshold, connectivity, "min")


def diameter_opening(image: Any, diameter_threshold: float = 8, connectivity: int = 1, parent: Any = None,
                     tree_traverser: Any = None) -> np.ndarray:
    """Removes bright components whose box is shorter than `diameter_threshold` along all axes (Walter & Klein 2002).

    Parameters and result are those of :func:`area_opening`.
    """
    return _open(image, _extents(image), diameter_threshold, connectivity, "max")


def diameter_closing(image: Any, diameter_threshold: float = 8, connectivity: int = 1, parent: Any = None,
                     tree_traverser: Any = None) -> np.ndarray:
    """Removes dark components whose box is shorter than `diameter_threshold`: the dual of :func:`diameter_opening`."""
    return _open(image, _extents(image), diameter_threshold, connectivity, "min")


def max_tree_local_maxima(image: Any, connectivity: int = 1, parent: Any = None,
                          tree_traverser: Any = None) -> np.ndarray:
    """Numbers the regional maxima, plateaus without a higher neighbour.

    Returns
    -------
    uint64 in the shape of the image: 1, 2 .. in the order of their first pixels (in scikit-image that of the sorting),
    0 for other pixels.
    """
    given = array_of(image, "image")
    if given.size == 0:
        return np.ones(given.shape, np.uint64)
    tree = _build(levels_of(given, ranks=True), connectivity)
    return tree.labels(tree.is_leaf).astype(np.uint64)


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
        Together with at most 65536 different values, unless they are integers within such a range.
    method : {"dilation", "erosion"}
        The seed is at most, or at least, the mask.
    footprint : array, optional
        Neighbours of a pixel: that of a connectivity; all touching pixels by default. Others are refused.
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
    both = levels_of(np.concatenate([marker.ravel(), limit.ravel()]), "seed and mask", ranks=True)
    halves = both.array.reshape((2, *(limit.shape if limit.ndim > 1 else (1, limit.size))))
    levels = Levels(halves[1], limit.shape, both.dtype, both.offset, both.table)
    tree = _build(levels, connectivity, "max" if method == "dilation" else "min")
    return tree._image(tree._core.reconstruct_from(halves[0])).astype(np.float64)


def _h_extrema(image: Any, h: float, footprint: Optional[Any], kind: str) -> np.ndarray:
    given = array_of(image, "image")
    connectivity = _connectivity(footprint, given.ndim)
    if given.size == 0:
        return np.zeros(given.shape, np.uint8)
    low, high = given.min(), given.max()
    if h > (float(high) - float(low)):
        return np.zeros(given.shape, np.uint8)
    if h == 0:
        raise ValueError("h = 0 is ambiguous, use local_maxima() instead?" if kind == "max" else
                         "h = 0 is ambiguous, use local_minima() instead?")
    if not h > 0:
        raise ValueError(f"h: {h}: is positive")
    if given.dtype.kind != "f" and float(h).is_integer():
        levels = levels_of(given)
        reached = _build(levels, connectivity, kind)._core.h_maxima(int(h))
        residue = levels.array - reached if kind == "max" else reached - levels.array
        return levels.shaped((residue >= h).astype(np.uint8))
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
        Integers of other than 8 or 16 bits within a range of 65536.
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
