"""Watersheds, distances and the splitting of objects that touch.

``from pollard_morphology import segmentation`` has the function `watershed` of ``skimage.segmentation``.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _core
from .arguments import number, text, whole
from .levels import array_of, flags_of, levels_of
from .morphology import _connectivity, local_minima
from .objects import label
from .tree import MaxTree, max_tree, sides_of

__all__ = ["distance_transform", "seeds", "split", "watershed"]

_MEASURES = {"dynamics": "dynamics", "area": "extinction_area", "volume": "extinction_volume"}

_MOST = 0x7FFFFFFE  # the largest label of a marker


def _flags(mask: Any, name: str) -> np.ndarray:
    if np.size(mask) == 0:
        raise ValueError(f"{name}: has no pixels (shape {np.shape(mask)})")
    return flags_of(mask, name)


def _neighbours(connectivity: Any, axes: int) -> int:
    if np.ndim(connectivity):
        return _connectivity(connectivity, axes)
    return whole(connectivity, "connectivity", 1, axes)


def distance_transform(mask: Any, spacing: Optional[Sequence[float]] = None, *, squared: bool = False) -> np.ndarray:
    """Euclidean distance of every pixel of a mask to the nearest pixel outside the mask.

    The distances equal ``scipy.ndimage.distance_transform_edt`` (Meijster, Roerdink and Hesselink 2000;
    Felzenszwalb and Huttenlocher 2012). Pixels beyond the borders of the array count neither way.

    Parameters
    ----------
    mask : array of bool, or of integers that are all 0 or 1, of 1 to 3 axes
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel, the unit of the distances; without it px.
    squared : bool
        Whether to return squared distances in px^2, exact, as uint32. A mask of all pixels has 4294967295 then.

    Returns
    -------
    float64 in the shape of the mask, 0 outside the mask; infinite for a mask of all pixels.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays and sides, for `squared` with `spacing`, and without `spacing` for an array whose squared
        diagonal does not fit 32 bits.
    MemoryError

    Examples
    --------
    >>> pollard.distance_transform([[0, 1, 1, 1, 0]])
    array([[0., 1., 2., 1., 0.]])
    """
    flags = _flags(mask, "mask")
    if squared and spacing is not None:
        raise ValueError("squared: squared distances are in px^2; leave out spacing, or square the distances")
    found = _core.squared_distances(flags) if spacing is None else _core.distances(flags, sides_of(spacing, np.ndim(mask)))
    found = found.reshape(np.shape(mask))
    if squared or spacing is not None:
        return found
    return np.where(found == np.uint32(0xFFFFFFFF), np.inf, np.sqrt(found, dtype=np.float64))


def seeds(image: Any, by: str = "dynamics", least: float = 0, connectivity: Any = 1, mask: Any = None, *,
          dark: bool = False) -> np.ndarray:
    """Markers for :func:`watershed`: the regional maxima, or minima, that outlast others by a measure.

    The measure of a maximum is its extinction value (Grimaud 1992; Vachier and Meyer 1995): the dynamics, area or volume of
    the component in which it is the last maximum, as the attributes ``dynamics``, ``extinction_area`` and
    ``extinction_volume`` of the leaves of :func:`max_tree`.

    Parameters
    ----------
    image : array of 2 or 3 axes
        As of :func:`max_tree`.
    by : {"dynamics", "area", "volume"}
    least : number
        Smallest measure of a marker: a difference of values, px, or the sum of differences over the px. 0: all maxima.
    connectivity : int, or footprint of a connectivity
        Largest number of steps along axes to a neighbour: 1 to the number of axes.
    mask : array of bool, optional
        Pixels that count.
    dark : bool
        Whether to find minima, which are the markers if the image itself is flooded.

    Returns
    -------
    uint32 in the shape of the image: 1, 2 .. in the order of their first pixels, 0 elsewhere.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays and values.

    Examples
    --------
    >>> pollard.seeds([[0, 5, 3, 9, 0, 7]], least=3)
    array([[0, 0, 0, 1, 0, 2]], dtype=uint32)
    """
    text(by, "by", tuple(_MEASURES))
    bound = number(least, "least")
    steps = _neighbours(connectivity, np.ndim(image))
    tree = max_tree(image, steps, "min" if dark else "max", mask=mask)
    if not isinstance(tree, MaxTree):
        raise ValueError("image: is an array in chunks; compute it first")
    keep = np.asarray(tree.is_leaf) & (np.asarray(tree[_MEASURES[by]]) >= bound)
    found = keep[np.asarray(tree.nodes)]
    return label(found if mask is None else found & _flags(mask, "mask"), connectivity=steps)


def _grid_of_seeds(shape: Tuple[int, ...], count: int) -> np.ndarray:
    """Labels of about `count` single pixels at equal distances, those of ``skimage.util.regular_seeds``."""
    seeded = np.zeros(shape, np.uint32)
    steps = np.ones(len(shape))
    if count < seeded.size:
        # An axis shorter than the distance has one place, and the others share the number.
        order = np.argsort(shape, kind="stable")
        sides = np.array(shape, float)[order]
        apart = np.full(len(shape), (seeded.size / count) ** (1 / len(shape)))
        for axis in range(len(shape) - 1):
            if (sides >= apart).all():
                break
            apart[axis] = sides[axis]
            rest = len(shape) - axis - 1
            apart[axis + 1:] = (np.prod(sides[axis + 1:]) / count) ** (1 / rest)
        steps[order] = apart
    places = tuple(slice(int(step // 2) if count < seeded.size else 0, None, max(int(np.round(step)), 1)) for step in steps)
    grid = seeded[places]
    grid[...] = np.arange(1, grid.size + 1, dtype=np.uint32).reshape(grid.shape)
    return seeded


def watershed(image: Any, markers: Any = None, connectivity: Any = 1, offset: Any = None, mask: Any = None,
              compactness: float = 0, watershed_line: bool = False) -> np.ndarray:
    """Seeded watershed, with the parameters of ``skimage.segmentation.watershed`` in their order.

    Low values are flooded first: flood ``-distance_transform(mask)`` to split objects by their shape. A pixel gets the
    label of the marker from which it is reached at the first possible value; at a tie by the fewest steps among the pixels
    that are reached at this value, at a further tie by the neighbour of the lowest value, at last the smallest label.
    scikit-image decides such ties by its order of work; where there are none, both results are equal (Soille 2004, chapter 9).

    Parameters
    ----------
    image : array of 1 to 3 axes, of 65536 different values at most
    markers : int, or array of integers from 0 to 2147483646, optional
        Labels, 0: no marker; or about this number of single pixels in the mask, on a regular grid. By default each regional
        minimum of the image is a marker; :func:`seeds` selects among them.
    connectivity : int, or footprint of a connectivity
        Largest number of steps along axes to a neighbour: 1 to the number of axes.
    offset : optional
        The centre of the footprint, which is 1 along each axis; others are not possible.
    mask : array of bool, optional
        Pixels to label.
    compactness : 0
        Other numbers are not possible.
    watershed_line : bool
        Whether pixels that have a neighbour with a smaller label become 0, so that regions do not touch. The lines of
        scikit-image run elsewhere.

    Returns
    -------
    int32 in the shape of the image: labels, 0 outside the mask and where no marker reaches.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other shapes and numbers, NaN, and more than 65536 different values.

    Examples
    --------
    >>> pollard.watershed([[5, 1, 2, 8, 3, 0, 4]])
    array([[1, 1, 1, 1, 2, 2, 2]], dtype=int32)
    """
    if number(compactness, "compactness") != 0:
        raise ValueError("compactness: only 0 is possible")
    given = array_of(image, "image")
    if offset is not None and not np.array_equal(offset, np.ones(given.ndim)):
        raise ValueError("offset: only the centre of the footprint is possible, 1 along each axis")
    steps = _neighbours(connectivity, given.ndim)
    inside = None if mask is None else _flags(mask, "mask")
    if mask is not None and np.shape(mask) != given.shape:
        raise ValueError("mask: has another shape than the image")
    levels = levels_of(given, ranks="order", inside=inside).array
    if levels.dtype.itemsize > 2:
        raise ValueError("image: has more than 65536 different values; round them, or scale to uint16")
    if markers is None:
        lowest = local_minima(given, connectivity=steps)
        labels = label(lowest if mask is None else lowest & inside.reshape(given.shape), connectivity=steps)
    elif np.ndim(markers) == 0:
        count = whole(markers, "markers", 1)
        share = 1 if mask is None else np.count_nonzero(inside) / given.size
        labels = _grid_of_seeds(given.shape, int(count / share) if share else 1)
    else:
        labels = array_of(markers, "markers")
        if labels.dtype.kind not in "bui":
            raise TypeError(f"markers: the values are {labels.dtype}, not integers")
        if labels.shape != given.shape:
            raise ValueError("markers: needs the labels of markers in an array of the shape of the image")
        if labels.size and not 0 <= int(labels.min()) <= int(labels.max()) <= _MOST:
            raise ValueError(f"markers: the labels are {labels.min()} to {labels.max()}; 0 to {_MOST} are possible")
    found = _core.watershed(levels, np.ascontiguousarray(labels, np.uint32), inside, steps, bool(watershed_line))
    return found.reshape(given.shape).view(np.int32)


def split(mask: Any, by: str = "shape", strength: float = 0.8, intensity_image: Any = None,
          connectivity: Optional[int] = None, spacing: Optional[Sequence[float]] = None, *, dark: bool = False,
          lines: bool = False) -> np.ndarray:
    """Splits objects that touch.

    A watershed floods the distance to the background, or the brightness, from each maximum that is high enough: a maximum
    of height m that a neck of height s connects to a higher one becomes a part if s <= strength * m. By brightness, heights
    count from the lowest value of the object; by shape, m - s is .75 px at least, too (of a voxel, of its shortest side in y or
    x). docs/objects-that-touch.md has the definition (Vincent and Soille 1991).

    Parameters
    ----------
    mask : array of bool, or of labels, of 2 or 3 axes
        Of labels, each is split on its own.
    by : {"shape", "brightness"}
    strength : number from 0 to 1
        0 splits nothing, 1 splits at every neck.
    intensity_image : array, optional
        For "brightness": booleans, or integers in a range of 65536.
    connectivity : int, optional
        Largest number of steps along axes to a neighbour: 1 to the number of axes, which is the default.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel.
    dark : bool
        Whether the parts are darker than what lies between them.
    lines : bool
        Whether pixels with a neighbour in a part with a smaller number become 0, so that parts do not touch.

    Returns
    -------
    uint32 in the shape of the mask: numbers of the parts, 0 in the background.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other shapes, numbers and values, and "brightness" without an image.

    Examples
    --------
    >>> y, x = np.mgrid[:40, :60]
    >>> discs = np.minimum(np.hypot(y - 20, x - 18), np.hypot(y - 20, x - 40)) < 12    # they touch
    >>> pollard.label(discs).max(), pollard.split(discs).max()
    (1, 2)
    """
    text(by, "by", ("shape", "brightness"))
    given = array_of(mask, "mask")
    steps = given.ndim if connectivity is None else _neighbours(connectivity, given.ndim)
    share = float(number(strength, "strength"))
    if not 0 <= share <= 1:
        raise ValueError(f"strength: {share}: must be 0 to 1")
    sides = np.array(sides_of(spacing, given.ndim) or (1, 1, 1), float)
    sides /= sides[1:].min()
    grey = None
    if by == "brightness":
        if intensity_image is None:
            raise ValueError("intensity_image: is needed to split by brightness")
        if np.shape(intensity_image) != given.shape:
            raise ValueError("intensity_image: has another shape than the mask")
        grey = levels_of(intensity_image, "intensity_image").array

    def parts_of(flags: np.ndarray, levels: Optional[np.ndarray]) -> np.ndarray:
        return _core.split(flags, levels, by, share, steps, tuple(sides), bool(dark), bool(lines))

    if given.dtype == bool:
        flags = _flags(given, "mask")
        return parts_of(flags, grey).reshape(given.shape)
    if given.dtype.kind not in "ui" or (given.size and given.min() < 0):
        raise ValueError(f"mask: the values are {given.dtype}; booleans and labels from 0 on are possible")
    return _split_labels(given, grey, parts_of)


def _split_labels(labels: np.ndarray, grey: Optional[np.ndarray], parts_of: Any) -> np.ndarray:
    """The parts of each label, one label after another in their boxes with a margin of background."""
    found = np.zeros(labels.shape, np.uint32)
    places = np.flatnonzero(labels)
    places = places[np.argsort(labels.ravel()[places], kind="stable")]
    values = labels.ravel()[places]
    starts = np.flatnonzero(np.diff(values, prepend=0))
    count = 0
    for first, last in zip(starts, [*starts[1:], values.size]):
        at = np.unravel_index(places[first:last], labels.shape)
        box = tuple(slice(int(axis.min()), int(axis.max()) + 1) for axis in at)
        margin = [(int(side.start > 0), int(side.stop < length)) for side, length in zip(box, labels.shape)]
        own = labels[box] == values[first]
        flags = np.ascontiguousarray(np.pad(own, margin))
        levels = None if grey is None else np.ascontiguousarray(np.pad(grey.reshape(labels.shape)[box], margin))
        inner = tuple(slice(before, before + length) for (before, _), length in zip(margin, own.shape))
        parts = parts_of(flags, levels)[inner]
        found[box][parts != 0] = parts[parts != 0] + np.uint32(count)
        count += int(parts.max(initial=0))
    return found
