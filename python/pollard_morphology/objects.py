"""Objects of masks, and contours."""

from __future__ import annotations

import itertools
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .arguments import number, text, whole
from .levels import array_of, exact_sums, flags_of, halves_of, levels_of, unsigned_distance
from .tables import Table
from .tree import sides_of


class Objects(NamedTuple):
    """Objects of a mask."""

    labels: np.ndarray  #: uint32 in the shape of the mask: 1, 2 .. in the order of their first pixels, else 0
    table: Table  #: a column per feature, a row per object

    def columns(self, names: str = "pollard") -> Table:
        """The table with other names of columns.

        Parameters
        ----------
        names : {"pollard", "skimage"}
            "skimage" has the columns that ``skimage.measure.regionprops_table`` has, too, with its names, axes and values:
            `label`, `num_pixels`, `area`, `bbox-0` .. (pixels, whatever the spacing), `area_bbox`, `extent`,
            `centroid-0` .., `equivalent_diameter_area`, `axis_major_length`, `axis_minor_length`, `euler_number`, in
            images `eccentricity` and `orientation`, and with an intensity image `intensity_mean`, `intensity_min` and
            `intensity_max`. Axes are those of pixels that are points, as there, and `euler_number` joins pixels at
            corners. Left out, because the number is another one: `perimeter`. Not measured: convex hulls, filled areas,
            moments of intensities.

        Raises
        ------
        TypeError, ValueError
            For other names.
        """
        if text(names, "names", ("pollard", "skimage")) == "pollard":
            return Table(self.table)
        table, axes = self.table, self.labels.ndim
        pixels, starts = _pixels_of(self.labels.ravel(), table["label"].size)
        found = Table(label=table["label"], num_pixels=np.diff(starts, append=pixels.size))
        found["area"] = table["area"].astype(np.float64)
        places = np.unravel_index(pixels, self.labels.shape)
        for axis, place in enumerate(places):
            found[f"bbox-{axis}"] = np.minimum.reduceat(place, starts) if starts.size else place
        for axis, place in enumerate(places):
            found[f"bbox-{axes + axis}"] = np.maximum.reduceat(place, starts) + 1 if starts.size else place
        with np.errstate(invalid="ignore"):
            found["area_bbox"] = found["area"] / table["rectangularity"]
        found["extent"] = table["rectangularity"]
        for axis, name in enumerate(("centroid_z", "centroid_y", "centroid_x")[-axes:]):
            found[f"centroid-{axis}"] = table[name]
        found["equivalent_diameter_area"] = (2 * axes * found["area"] / np.pi) ** (1 / axes)
        sides = [table[name] / (found[f"bbox-{axes + axis}"] - found[f"bbox-{axis}"])
                 for axis, name in enumerate(("slices", "height", "width")[-axes:])]
        found.update(_ellipses(_covariances(places, starts, sides)))
        found["euler_number"] = _euler_numbers(self.labels, table["label"].size)
        found.update({f"intensity_{each}": table[f"grey_{each}"] for each in ("mean", "min", "max")
                      if f"grey_{each}" in table})
        return found

    def to_dataframe(self, names: str = "pollard") -> Any:
        """The table as a ``pandas.DataFrame``, a row per object.

        Parameters
        ----------
        names : {"pollard", "skimage"}
            As of :meth:`columns`.

        Raises
        ------
        ImportError
            Without pandas; :meth:`columns` needs none.
        """
        found = self.columns(names)
        try:
            import pandas  # pylint: disable=import-outside-toplevel
        except ImportError as problem:
            raise ImportError("to_dataframe: needs pandas, which is not installed; columns() has the same as arrays") \
                from problem
        return pandas.DataFrame(found)


class Contour(NamedTuple):
    """State of an evolving contour."""

    contour: np.ndarray  #: (nodes, 2) int32: rows and columns of corners; (0, 0) is the upper left one of the image
    energy: float  #: of the region inside and that outside, and of its length if that has a price
    round: int  #: number of changes so far
    step: str  #: the last change: "start", "move" or "split"
    pixels: int  #: inside


class Snake(NamedTuple):
    """Evolved contours."""

    contours: List[Contour]  #: the last state of each, in the order of the starts
    energy: float  #: of all regions, and of the lengths if they have a price
    states: Optional[List[List[Contour]]]  #: all states of each, if they were asked for


def label(mask: Any, background: Optional[int] = None, return_num: bool = False, connectivity: Optional[int] = None, *,
          device: str = "auto") -> Union[np.ndarray, Tuple[np.ndarray, int]]:
    """Numbers the connected components of a mask, with the parameters of ``skimage.measure.label`` in their order.

    Parameters
    ----------
    mask : array of bool, or of integers that are all 0 or 1, of 1 to 3 axes
    background : int, optional
        Value of the pixels that are not numbered: 0 (the default) or 1; with another one both values are.
    return_num : bool
        Whether to return the number of components too.
    connectivity : int, optional
        Largest number of steps along axes to a neighbour: 1 to the number of axes, which is the default.

    Returns
    -------
    uint32 in the shape of the mask: 1, 2 .. in the order of their first pixels, 0 outside.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other values: compare them first, ``image > threshold``.
    """
    ground = 0 if background is None else whole(background, "background")
    if ground == 0:
        labels, count, _ = _label(mask, None, connectivity, False, None, device)
        return (labels, count) if return_num else labels
    flags = flags_of(mask, "mask").reshape(np.shape(mask))
    labels, count, _ = _label(~flags, None, connectivity, False, None, device)
    if ground != 1:  # both values, numbered in the order of the first pixels
        others, more, _ = _label(flags, None, connectivity, False, None, device)
        labels = np.where(flags, others + np.uint32(count), labels)
        count += more
        found, first = np.unique(labels, return_index=True)
        number_of = np.zeros(count + 1, np.uint32)
        number_of[found[np.argsort(first)]] = np.arange(1, count + 1, dtype=np.uint32)
        labels = number_of[labels]
    return (labels, count) if return_num else labels


def objects(mask: Any, intensity_image: Any = None, connectivity: Optional[int] = None,
            spacing: Optional[Sequence[float]] = None, *, device: str = "auto") -> Objects:
    """Numbers and measures the connected components of a mask.

    Parameters
    ----------
    mask : array of bool, or of integers that are all 0 or 1, of 2 or 3 axes
    intensity_image : array, optional
        Image to measure: the columns `grey_mean`, `grey_min`, `grey_max` and `grey_sum`, in its values.
        Sums of integers are exact: int64, or Python's integers where these may not fit.
    connectivity : int, optional
        As of :func:`label`.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel. Lengths, positions, areas and volumes are in their unit then, else in px. If pixels are
        not squares, perimeters and circularities are NaN.

    Returns
    -------
    Objects
        Of no object a table with empty columns.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays, and an intensity image of another shape.
    """
    labels, _, table = _label(mask, intensity_image, connectivity, True, spacing, device)
    if intensity_image is None:
        table = Table({name: column for name, column in table.items() if not name.startswith("grey_")})
    return Objects(labels, table)


def _label(mask: Any, intensity_image: Any, connectivity: Optional[int], features: bool,
           spacing: Optional[Sequence[float]], device: str) -> Tuple[np.ndarray, int, Optional[Table]]:
    shape, device = np.shape(mask), text(device, "device")
    connectivity = len(shape) if connectivity is None else whole(connectivity, "connectivity")
    if np.size(mask) == 0:
        raise ValueError(f"mask: has no pixels (shape {shape})")
    flags = flags_of(mask, "mask")
    grey = None if intensity_image is None else array_of(intensity_image, "intensity_image")
    if grey is not None and grey.shape != shape:
        raise ValueError("intensity_image: has another shape than the mask")
    are_levels = grey is not None and grey.dtype.newbyteorder("=") in (bool, np.uint8, np.uint16)
    labels, count, table = _core.label(flags, levels_of(grey).array if are_levels else None,
                                       connectivity, features, sides_of(spacing, flags.ndim),
                                       device)
    if table is not None and grey is not None and not are_levels:
        native = grey.astype(grey.dtype.newbyteorder("="), copy=False)
        table.update(_grey_features(labels.ravel(), count, native.ravel()))
    return labels.reshape(shape), count, None if table is None else Table(table)


def _pixels_of(labels: np.ndarray, count: int) -> Tuple[np.ndarray, np.ndarray]:
    """Indices of the pixels of labels 1 .. `count`, label after label, and the first position of each label in them."""
    pixels = np.flatnonzero(labels)
    pixels = pixels[np.argsort(labels[pixels], kind="stable")]
    return pixels, np.searchsorted(labels[pixels], np.arange(1, count + 1, dtype=labels.dtype))


def _covariances(places: Sequence[np.ndarray], starts: np.ndarray, sides: Sequence[np.ndarray]) -> np.ndarray:
    """(objects, axes, axes): covariances of the positions of pixels.

    Parameters
    ----------
    places : an array per axis, object after object; `starts` has the first position of each
    sides : of a pixel, an array per axis
    """
    counts = np.diff(starts, append=places[0].size)
    centred = []
    for place, side in zip(places, sides):
        whole_sum = np.add.reduceat(place, starts) if starts.size else place
        # counts * place - sum is exact, so that symmetric objects have equal variances.
        centred.append((np.repeat(counts, counts) * place - np.repeat(whole_sum, counts)) * np.repeat(side / counts, counts))
    found = np.empty((starts.size, len(places), len(places)))
    for i, first in enumerate(centred):
        for j, second in enumerate(centred):
            found[:, i, j] = np.add.reduceat(first * second, starts) / counts if starts.size else 0
    return found


def _ellipses(covariances: np.ndarray) -> Dict[str, np.ndarray]:
    """Axes of ellipses or ellipsoids of equal second moments; of ellipses orientations and eccentricities, too."""
    values = np.linalg.eigvalsh(covariances).clip(0)
    axes = values.shape[1]
    lengths = np.sqrt((16 if axes == 2 else 20) * values)
    found = {"axis_major_length": lengths[:, -1], "axis_minor_length": lengths[:, 0]}
    if axes == 2:
        rows, columns, both = covariances[:, 0, 0], covariances[:, 1, 1], covariances[:, 0, 1]
        found["orientation"] = np.where(rows == columns, np.where(both > 0, np.pi / 4, -np.pi / 4),
                                        np.arctan2(2 * both, rows - columns) / 2)
        with np.errstate(invalid="ignore"):
            squares = 1 - values[:, 0] / values[:, 1]
        found["eccentricity"] = np.sqrt(np.where(values[:, 1] == 0, 0, squares))
    return found


def _euler_numbers(labels: np.ndarray, count: int) -> np.ndarray:
    """(count,) Euler numbers of objects whose pixels are closed squares or cubes: the alternating sum of their cells."""
    wide = np.pad(labels, 1)
    found = np.zeros(count + 1, np.int64)
    for across in itertools.product((False, True), repeat=labels.ndim):  # axes along which a cell has no extent
        around = [wide[tuple(slice(1 - step, side + 1 + (1 - step if each else 0)) for step, each, side in
                             zip(steps, across, labels.shape))]
                  for steps in itertools.product(*((0, 1) if each else (0,) for each in across))]
        for i, one in enumerate(around):
            is_first = np.ones(one.shape, bool)
            for other in around[:i]:
                is_first &= one != other
            found += (-1) ** (labels.ndim - sum(across)) * np.bincount(one[is_first], minlength=count + 1)
    return found[1:]


def _grey_features(labels: np.ndarray, count: int, values: np.ndarray) -> Dict[str, np.ndarray]:
    """Features of the values of objects, which have one pixel at least."""
    pixels, starts = _pixels_of(labels, count)
    ordered = values[pixels]
    if count == 0:
        low = high = total = mean = ordered[:0]
    else:
        low, high = np.minimum.reduceat(ordered, starts), np.maximum.reduceat(ordered, starts)
        counts = np.diff(starts, append=pixels.size)
        if values.dtype.kind == "f":
            total = np.add.reduceat(ordered.astype(np.longdouble), starts)
        else:
            least = ordered.min()
            halves = [np.add.reduceat(each, starts) for each in halves_of(unsigned_distance(ordered, least))]
            total = exact_sums(int(least), int(ordered.max()), counts, (halves[0], halves[1]))
        mean = total / counts
    is_real = values.dtype.kind == "f"
    number = np.float64 if is_real else np.uint64 if values.dtype == np.uint64 else np.int64
    if total.dtype != object:
        total = total.astype(np.float64 if is_real else np.int64)
    return {"grey_mean": mean.astype(np.float64), "grey_min": low.astype(number), "grey_max": high.astype(number),
            "grey_sum": total}


def snake(image: Any, init: Any, law: str = "gaussian", moves: str = "local-best", *, max_step: int = 0,
          min_length: int = 8, max_nodes: int = 4096, max_rounds: int = 0, mask: Any = None, forbidden: Any = None,
          apart: Optional[int] = None, length_price: float = 0, states: bool = False, device: str = "auto") -> Snake:
    """Lets contours evolve until the regions inside and outside are as homogeneous as possible (Chesnaud et al. 1999).

    Parameters
    ----------
    image : array of 2 axes
        bool, uint8, uint16, int8, int16, or wider integers within a range of 65536; without negative values for other
        laws than "gaussian".
    init : (nodes, 2) array, (min_row, min_col, max_row, max_col), or a list of several
        Starts: rows and columns of corners, or boxes. Several contours evolve together.
    law : {"gaussian", "poisson", "gamma", "rayleigh"}
        Distribution of the values in a region.
    moves : {"local-best", "parity", "sequential"}
        Nodes that move in one round.
    max_step : int
        Pixels, a power of two; 0 for 1/32 of the longer side.
    min_length : int
        Edges that are longer are split.
    max_nodes, max_rounds : int
        Limits; 0 rounds for none.
    mask : array of bool, optional
        Pixels that count.
    forbidden : array of bool, optional
        Pixels that no contour may contain.
    apart : int, optional
        Pixels around each start: every contour evolves by itself, there.
    length_price : float
        Energy per pixel of a contour's length: a higher one gives smoother and shorter contours.
    states : bool
        Whether to return all states.

    Returns
    -------
    Snake

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays, starts and values of parameters.
    """
    law, moves, device = text(law, "law"), text(moves, "moves"), text(device, "device")
    max_step, min_length, max_nodes, max_rounds = (
        whole(value, name, 0, 2**31 - 1) for name, value in (
            ("max_step", max_step), ("min_length", min_length), ("max_nodes", max_nodes), ("max_rounds", max_rounds)))
    apart = None if apart is None else whole(apart, "apart", 0, 2**31 - 1)
    length_price = float(number(length_price, "length_price"))
    given = array_of(image, "image")
    if law != "gaussian" and given.size != 0 and given.dtype.kind in "iu":  # these laws depend on the position of 0
        low, high = given.min(), given.max()
        if low < 0 or high > 65535:
            raise ValueError(f"image: values from {low} to {high}; 0 to 65535 are possible for the law '{law}'")
        given = given.astype(np.uint8 if given.dtype.itemsize == 1 else np.uint16, copy=False)
    levels = levels_of(given)
    if isinstance(init, str) or not hasattr(init, "__getitem__") or len(init) == 0:
        raise TypeError(f"init: {init!r}: is not an array of corners, a box (min_row, min_col, max_row, max_col) or a list "
                        "of these")
    single = np.ndim(init[0]) == 0 or (np.ndim(init[0]) == 1 and len(init[0]) == 2)
    found = _core.snake(levels.array, None if mask is None else flags_of(mask, "mask"),
                        [_corners(each) for each in ([init] if single else init)], law, moves, max_step, min_length,
                        max_nodes, max_rounds, None if forbidden is None else flags_of(forbidden, "forbidden"), apart,
                        length_price, bool(states), device)
    all_states = [[Contour(**state) for state in each] for each in found["states"]] if states else None
    return Snake([Contour(**state) for state in found["contours"]], found["energy"], all_states)


def _corners(start: Any) -> np.ndarray:
    try:
        corners = np.asarray(start, dtype=float)
    except (TypeError, ValueError) as problem:
        raise TypeError(f"init: {start!r}: is not an array of corners or a box") from problem
    if corners.shape == (4,):
        top, left, bottom, right = corners
        return np.array([(top, left), (top, right), (bottom, right), (bottom, left)])
    return corners
