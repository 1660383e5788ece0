"""Operators that make an image from an image: smoothing, skeletons, and openings by discs and boxes with a mask."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _core
from .arguments import number, text, whole
from .containers import contained, whole_arrays
from .levels import Levels, flags_of, flat, levels_of, unmasked
from .segmentation import distance_transform
from .tree import sides_of

__all__ = ["apply_operator", "clear_border", "fill_holes", "gaussian", "gradient", "median", "skeletonize", "thickness"]

_FAR = 1e9  # side of the rows of an array of one axis, so that no other row is near
_ORDER = ("erosion", "dilation", "opening", "closing", "opening-by-reconstruction", "closing-by-reconstruction", "median",
          "fill-holes", "reconstruction-by-dilation", "reconstruction-by-erosion")  # commute with any increasing change of the values
_SHAPED = (*_ORDER[:7], "white-tophat", "black-tophat", "gradient")
_MARKED = _ORDER[8:]
_OTHERS = ("clear-border", "gaussian", "h-maxima", "h-minima")
_NAMES = (*_SHAPED, *_ORDER[7:], *_OTHERS)


def _sides(spacing: Optional[Sequence[float]], axes: int) -> Tuple[Tuple[float, float, float], float]:
    """Sides of a pixel (z, y, x) in its widths, and the width."""
    if axes == 1:
        if spacing is not None:
            raise ValueError("spacing: is of arrays of two or three axes")
        return (1.0, _FAR, 1.0), 1.0
    z, y, x = sides_of(spacing, axes) or (1.0, 1.0, 1.0)
    return (z / x, y / x, 1.0), x


def applied(levels: Levels, name: str, shape: str, lengths: Tuple[float, float], height: float, connectivity: int,
            sides: Tuple[float, float, float], mask: Optional[np.ndarray],
            marker: Optional[np.ndarray] = None) -> np.ndarray:
    """The operator on levels, as values in the shape of the array that was given."""
    def work(part: np.ndarray) -> np.ndarray:
        return _core.apply_operator(part, name, shape, lengths[0], lengths[1], height, connectivity, sides, mask, marker)

    if name in _ORDER:
        return levels.shaped(levels.values(flat(levels.array, work)))
    found = levels.shaped(work(levels.array))
    if name in ("gaussian", "h-maxima", "h-minima"):
        return levels.values(found)
    return found.view(bool) if levels.dtype == bool else found.astype(levels.dtype)


@contained
@whole_arrays
def apply_operator(image: Any, operator: str, *, shape: str = "disc", radius: Optional[float] = None,
                   sigma: Optional[float] = None, height: Optional[float] = None, connectivity: int = 1,
                   spacing: Optional[Sequence[float]] = None, mask: Any = None, marker: Any = None) -> np.ndarray:
    """An operator of ``pollard-cli operator`` on an array.

    Pixels outside the mask, masked ones and NaN neither give nor take values: they stay as they are, or are 0 in
    differences. So do pixels beyond the array, except that `median` and `gaussian` mirror it.

    Parameters
    ----------
    image : array of 1 to 3 axes
        Integers of a range of 65536 at most; for operators that only compare values (erosion to median in the list
        below, fill-holes and the reconstructions) any real type.
    operator : str
        erosion, dilation, opening, closing, opening-by-reconstruction, closing-by-reconstruction, median, white-tophat,
        black-tophat, gradient (these have a radius), fill-holes, reconstruction-by-dilation, reconstruction-by-erosion
        (these have a marker), clear-border, gaussian, h-maxima, h-minima.
    shape : {"disc", "box"}
        Of the structuring element. A disc has the pixels with ``x**2 + y**2 <= radius**2``, in a volume it is a ball.
    radius, sigma : number
        From 0, in px, or in the unit of the spacing; sigma of gaussian.
    height : number
        Difference of values, from 0, of h-maxima and h-minima.
    connectivity : int
        Neighbours of the operators with trees, 1 to the number of axes.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel.
    mask : array of bool, optional
        Pixels that count.
    marker : array of the shape of the image
        Of a reconstruction: labels, a mask or any image, whose pixels other than 0 are marked. The reconstruction
        starts from the image at these pixels, and from its smallest (by erosion its largest) value elsewhere.

    Returns
    -------
    An array of the shape and type of the image. Gaussian means are rounded to integers, half up.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For unknown operators, a parameter that the operator needs or does not take, and arrays of other values.
    MemoryError

    Examples
    --------
    >>> pollard.apply_operator([[5, 5, 9, 5, 5, 7, 7, 7]], "opening", radius=1)
    array([[5, 5, 5, 5, 5, 7, 7, 7]])
    """
    name = text(operator, "operator")
    if name not in _NAMES:
        raise ValueError(f"operator: '{name}': unknown (there are {', '.join(_NAMES)})")
    for value, key, takes in ((radius, "radius", name in _SHAPED), (sigma, "sigma", name == "gaussian"),
                              (height, "height", name in ("h-maxima", "h-minima")),
                              (marker, "marker", name in _MARKED)):
        if (value is not None) != takes:
            raise ValueError(f"{key}: {name} {'needs it' if takes else 'does not take it'}")
    values, inside = unmasked(image, mask)
    inside = None if inside is None else flags_of(inside, "mask")
    levels = levels_of(values, ranks="order" if name in _ORDER else "", inside=inside)
    axes = len(levels.shape)
    if inside is not None and inside.shape != levels.array.shape:
        raise ValueError("mask: has another shape than the image")
    if marker is not None:
        marker = np.asarray(marker) != 0
        if marker.shape != tuple(levels.shape):
            raise ValueError("marker: has another shape than the image")
        marker = np.ascontiguousarray(marker.reshape(levels.array.shape))
    sides, width = _sides(spacing, axes)
    lengths = tuple(number(1 if each is None else each, key) / width for each, key in ((radius, "radius"), (sigma, "sigma")))
    return applied(levels, name, text(shape, "shape"), lengths, number(0 if height is None else height, "height"),
                   whole(connectivity, "connectivity", 1, axes), sides, inside,
                   marker)


def gradient(image: Any, radius: float = 1, *, shape: str = "disc", spacing: Optional[Sequence[float]] = None,
             mask: Any = None) -> np.ndarray:
    """The dilation less the erosion (Soille 2004, chapter 3): :func:`apply_operator` with ``"gradient"``.

    Parameters and errors are as in :func:`apply_operator`.

    Examples
    --------
    >>> pollard.gradient([[2, 2, 9, 9, 9]])
    array([[0, 7, 7, 0, 0]])
    """
    return apply_operator(image, "gradient", radius=radius, shape=shape, spacing=spacing, mask=mask)


def gaussian(image: Any, sigma: float = 1, *, spacing: Optional[Sequence[float]] = None, mask: Any = None) -> np.ndarray:
    """Gaussian smoothing, rounded half up: :func:`apply_operator` with ``"gaussian"``.

    Before rounding, the values equal ``scipy.ndimage.gaussian_filter`` of the array as float64.

    Parameters and errors are as in :func:`apply_operator`.

    Examples
    --------
    >>> pollard.gaussian([[0, 0, 100, 0, 0]])
    array([[ 6, 24, 40, 24,  6]])
    """
    return apply_operator(image, "gaussian", sigma=sigma, spacing=spacing, mask=mask)


def median(image: Any, radius: float = 1, *, shape: str = "disc", spacing: Optional[Sequence[float]] = None,
           mask: Any = None) -> np.ndarray:
    """Median of the pixels around each pixel: :func:`apply_operator` with ``"median"``.

    The values equal ``scipy.ndimage.median_filter`` with the structuring element as footprint.

    Parameters and errors are as in :func:`apply_operator`.

    Examples
    --------
    >>> pollard.median([1, 1, 9, 1, 1, 5, 5])
    array([1, 1, 1, 1, 1, 5, 5])
    """
    return apply_operator(image, "median", radius=radius, shape=shape, spacing=spacing, mask=mask)


def fill_holes(image: Any, connectivity: int = 1, *, mask: Any = None) -> np.ndarray:
    """Fills dark regions that are not connected to the border: :func:`apply_operator` with ``"fill-holes"``.

    Of a mask the result equals ``scipy.ndimage.binary_fill_holes``.

    Parameters and errors are as in :func:`apply_operator`.

    Examples
    --------
    >>> pollard.fill_holes([[5, 5, 5, 5], [5, 0, 5, 1], [5, 5, 5, 5]])
    array([[5, 5, 5, 5],
           [5, 5, 5, 1],
           [5, 5, 5, 5]])
    """
    return apply_operator(image, "fill-holes", connectivity=connectivity, mask=mask)


def clear_border(image: Any, connectivity: int = 1, *, mask: Any = None) -> np.ndarray:
    """Removes what is connected to the border at its level: :func:`apply_operator` with ``"clear-border"``.

    Parameters and errors are as in :func:`apply_operator`.

    Examples
    --------
    >>> pollard.clear_border([[0, 0, 0, 0], [9, 0, 4, 0], [0, 0, 0, 0]])
    array([[0, 0, 0, 0],
           [0, 0, 4, 0],
           [0, 0, 0, 0]])
    """
    return apply_operator(image, "clear-border", connectivity=connectivity, mask=mask)


@contained
@whole_arrays
def skeletonize(image: Any, *, method: str = "lee") -> np.ndarray:
    """Skeleton of a mask, as ``skimage.morphology.skeletonize(image, method="lee")`` (Lee, Kashyap and Chu 1994).

    Parameters
    ----------
    image : array of 1 to 3 axes
        All pixels that differ from 0 belong to the mask.
    method : {"lee"}

    Returns
    -------
    bool in the shape of the image.

    Examples
    --------
    >>> pollard.skeletonize(np.ones((3, 5), bool))[1]
    array([ True,  True,  True,  True,  True])
    """
    text(method, "method", ("lee",))
    values = np.asarray(image)
    flags = flags_of(values != 0, "image")
    return _core.skeleton(flags).reshape(values.shape) if values.size else np.zeros(values.shape, bool)


@contained
@whole_arrays
def thickness(image: Any, spacing: Optional[Sequence[float]] = None) -> np.ndarray:
    """Twice the distance to the background, on the :func:`skeletonize` of a mask, and 0 elsewhere.

    Parameters
    ----------
    image : array of 2 or 3 axes
        All pixels that differ from 0 belong to the mask.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel, the unit of the result; without it px.

    Returns
    -------
    float64 in the shape of the image.

    Examples
    --------
    >>> pollard.thickness([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]).max()
    2.0
    """
    flags = np.asarray(image) != 0
    return np.where(skeletonize(flags), 2 * distance_transform(flags, spacing), 0.0)
