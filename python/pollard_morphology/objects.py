"""Objects of masks, and contours."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from .arguments import number, text, whole
from .chunked import ChunkedTree
from .containers import Container, contained, frames, is_chunked, joined_columns, plain, take
from .levels import Levels, array_of, exact_sums, flags_of, halves_of, labels_of, levels_of, unmasked, unsigned_distance
from .tables import Table
from .tree import sides_of


class Objects(NamedTuple):
    """Objects of a mask.

    Examples
    --------
    >>> found = pollard.objects([[1, 1, 0, 1]], intensity_image=[[5, 7, 0, 2]])
    >>> found.labels
    array([[1, 1, 0, 2]], dtype=uint32)
    >>> found.table["area"], found.table["grey_mean"]
    (array([2, 1]), array([6., 2.]))
    """

    labels: np.ndarray  #: uint32 in the shape of the mask: 1, 2 .. by first pixels, or given numbers, else 0
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
            `intensity_max`. Axes take pixels as points, as there, and `euler_number` joins pixels at
            corners. If they are measured, see `features` of :func:`objects`: `area_convex`, `solidity` and
            `feret_diameter_max`. Left out, because the number is another one: `perimeter`. Not measured: filled areas,
            moments of intensities.

        Returns
        -------
        dict of arrays, a value per object.

        Raises
        ------
        TypeError, ValueError
            For other names.

        Examples
        --------
        >>> pollard.objects([[1, 1, 0, 1]]).columns("skimage")["bbox-3"]
        array([2, 4])
        """
        if text(names, "names", ("pollard", "skimage")) == "pollard":
            return Table(self.table)
        if "t" in self.table or "c" in self.table:
            raise ValueError("names: 'skimage': is for the objects of one image or volume, not of several along t or c")
        table, axes = self.table, self.labels.ndim
        labels = np.asarray(self.labels)
        if table["label"].size != 0 and table["label"][-1] != table["label"].size:  # numbers of a label image
            labels = np.searchsorted(table["label"], labels, side="right").astype(np.uint32)
        pixels, starts = _pixels_of(labels.ravel(), table["label"].size)
        found = Table(label=table["label"], num_pixels=np.diff(starts, append=pixels.size))
        found["area"] = table["area"].astype(np.float64)
        places = np.unravel_index(pixels, self.labels.shape)
        for axis, place in enumerate(places):
            found[f"bbox-{axis}"] = np.minimum.reduceat(place, starts) if starts.size else place
        for axis, place in enumerate(places):
            found[f"bbox-{axes + axis}"] = np.maximum.reduceat(place, starts) + 1 if starts.size else place
        box = np.prod([found[f"bbox-{axes + axis}"] - found[f"bbox-{axis}"] for axis in range(axes)], axis=0)
        found["area_bbox"] = box * (found["area"] / found["num_pixels"])
        found["extent"] = table["rectangularity"]
        for axis, name in enumerate(("centroid_z", "centroid_y", "centroid_x")[-axes:]):
            found[f"centroid-{axis}"] = table[name] if name in table else np.zeros(table["label"].size)  # one slice
        found["equivalent_diameter_area"] = (2 * axes * found["area"] / np.pi) ** (1 / axes)
        sides = [table[name] / (found[f"bbox-{axes + axis}"] - found[f"bbox-{axis}"]) if name in table
                 else np.ones(table["label"].size)  # one slice
                 for axis, name in enumerate(("slices", "height", "width")[-axes:])]
        found.update(_ellipses(_covariances(places, starts, sides)))
        found.update({name: table[name].astype(np.float64)
                      for name in ("area_convex", "solidity", "feret_diameter_max") if name in table})
        found["euler_number"] = _euler_numbers(labels, table["label"].size)
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

        Examples
        --------
        >>> table = pollard.objects([[1, 1, 0, 1]]).to_dataframe()
        >>> table["area"].tolist()
        [2, 1]
        """
        found = self.columns(names)
        try:
            import pandas  # pylint: disable=import-outside-toplevel
        except ImportError as problem:
            raise ImportError("to_dataframe: needs pandas, which is not installed; columns() has the same as arrays") \
                from problem
        return pandas.DataFrame(found)


class Contour(NamedTuple):
    """State of an evolving contour.

    Examples
    --------
    >>> image = np.zeros((40, 40), np.uint8)
    >>> image[10:30, 12:32] = 200
    >>> state = pollard.snake(image, init=(5, 5, 35, 35)).contours[0]
    >>> state.pixels, state.step
    (400, 'split')
    """

    contour: np.ndarray  #: (nodes, 2) int32: rows and columns of corners; (0, 0) is the upper left one of the image
    energy: float  #: of the region inside and that outside, and of its length if that has a price
    round: int  #: number of changes so far
    step: str  #: the last change: "start", "move" or "split"
    pixels: int  #: inside


class Snake(NamedTuple):
    """Evolved contours.

    Examples
    --------
    >>> image = np.zeros((40, 40), np.uint8)
    >>> image[10:30, 12:32] = 200
    >>> found = pollard.snake(image, init=(5, 5, 35, 35), states=True)
    >>> found.states[0][0].step, found.states[0][0].pixels, found.contours[0].pixels
    ('start', 900, 400)
    """

    contours: List[Contour]  #: the last state of each, in the order of the starts
    energy: float  #: of all regions, and of the lengths if they have a price
    states: Optional[List[List[Contour]]]  #: all states of each, if they were asked for


@contained
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
    device : {"auto", "cpu", "cuda"}
        As of :func:`max_tree`.

    Returns
    -------
    uint32 in the shape of the mask: 1, 2 .. in the order of their first pixels, 0 outside.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other values: compare them first, ``image > threshold``.

    Examples
    --------
    >>> pollard.label([[1, 1, 0, 1]], return_num=True)
    (array([[1, 1, 0, 2]], dtype=uint32), 2)
    """
    ground = 0 if background is None else whole(background, "background")
    if is_chunked(mask) and ground == 0 and mask.dtype == bool:
        steps = mask.ndim if connectivity is None else whole(connectivity, "connectivity")
        return ChunkedTree(mask, None, steps, "max", Container(), None, None).labels("level >= 1", return_num=return_num)
    if 0 in np.shape(mask):
        empty = np.zeros(np.shape(mask), np.uint32)
        return (empty, 0) if return_num else empty
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


def objects(mask: Any = None, intensity_image: Any = None, connectivity: Optional[int] = None,
            spacing: Optional[Sequence[float]] = None, *, features: Union[str, Sequence[str]] = (),
            axes: Optional[str] = None, device: str = "auto", watershed: Optional[Mapping[str, Any]] = None,
            hierarchy: Optional[Mapping[str, Any]] = None, dark: bool = False, labels: Any = None) -> Objects:
    """Numbers and measures the connected components of a mask; docs/objects.md defines the features.

    With `watershed` or `hierarchy` the objects are regions of the intensity image instead. Both are dicts with the
    parameters of recipes, which docs/objects-that-touch.md lists; an empty one has the defaults.

    With `labels` each number of a label image is an object, in one part or several. The objects keep their numbers in labels and
    table, whose rows are in ascending order of the numbers.

    Parameters
    ----------
    mask : array of bool, or of integers that are all 0 or 1, of 2 or 3 axes
        None for regions of the whole intensity image, and for all pixels of `labels`.
    intensity_image : array, optional
        Image to measure: the columns `grey_mean`, `grey_min`, `grey_max` and `grey_sum`, in its values.
        Sums of integers are exact: int64, or Python's integers where these may not fit.
    connectivity, device
        As of :func:`label`.
    spacing : (y, x) or in a volume (z, y, x), optional
        Sides of a pixel or voxel. Lengths, positions, areas and volumes are in their unit then, else in px. If pixels are
        not squares, perimeters and circularities are NaN. Without it, the spacing of the coordinates of a ``DataArray``, if they
        are regular and have the attribute `units`.
    features : str or sequence of str
        Further columns, which are measured if they are named: in images `area_convex`, `solidity`, `perimeter_convex`,
        `feret_diameter_max`, `feret_max_angle`, `feret_diameter_min` and `feret_min_angle`; in images and volumes
        `inscribed_radius`, `inscribed_x`, `inscribed_y`, `thickness`, and in volumes `inscribed_z`. "all" for all features.
    axes : str, optional
        As of :func:`max_tree`: along t and c each image has its own objects. The numbers go on from image to image, and the
        table has columns `t` and `c` of positions.
    watershed : dict, optional
        Objects are the regions of a watershed of the pixels of `mask`, one around each maximum: `relief`, `seeds`, `least`,
        `seeds_of`, `lines` and `everywhere`, which divides all pixels whatever the mask.
    hierarchy : dict, optional
        Objects are the regions of a hierarchy of the pixels of `mask`, cut at a strength: `by`, `weight`, `above` or
        `regions`, and `sizes`, a dict of `least` and `most` in px, or in the unit of `spacing`.
    dark : bool
        With `watershed`: whether objects are darker than their surroundings.
    labels : array of integers from 0, or the path of a label file, optional
        0 is background. A file has the shape of the intensity image: an image of labels in any readable format, or outlines
        as GeoJSON, ImageJ regions or COCO, see docs/objects.md.

    Returns
    -------
    Objects
        Of no object a table with empty columns.

    Raises
    ------
    TypeError
        For parameters of other types, and regions or a label file without an intensity image.
    ValueError
        For other arrays, an intensity image of another shape, unknown features, and other parameters of regions.

    Examples
    --------
    >>> image = np.array([[5, 7, 0, 6]])
    >>> found = pollard.objects(image > 3, intensity_image=image)
    >>> found.labels, found.table["grey_max"]
    (array([[1, 1, 0, 2]], dtype=uint32), array([7, 6]))
    >>> pollard.objects([[1, 0], [1, 1]], features=["area_convex", "feret_diameter_max"]).table["area_convex"]
    array([3])
    >>> row = np.uint8([[0, 8, 5, 9, 2, 7]])
    >>> pollard.objects(row > 0, row, watershed={"least": 4}).labels    # maxima of dynamics above 4
    array([[0, 1, 1, 1, 1, 2]], dtype=uint32)
    >>> pollard.objects(None, row, hierarchy={"by": "altitude", "regions": 3}).labels
    array([[1, 2, 2, 2, 3, 3]], dtype=uint32)
    >>> pollard.objects(labels=[[7, 7, 0, 3, 7]]).table["label"], pollard.objects(labels=[[7, 7, 0, 3, 7]]).table["area"]
    (array([3, 7]), array([1, 3]))
    """
    if labels is not None:
        if watershed is not None or hierarchy is not None:
            raise ValueError("labels: watershed and hierarchy are other ways to find objects")
        return _labelled(labels, mask, intensity_image, connectivity, spacing, features, axes)
    regions = _rules_of(watershed, hierarchy, dark)
    if regions is not None and intensity_image is None:
        raise TypeError("intensity_image: is needed for regions of a watershed or hierarchy")
    if watershed is not None and watershed.get("everywhere"):
        mask = None
    if mask is None and watershed is not None and "distance" in (watershed.get("relief"), watershed.get("seeds_of")):
        raise ValueError("mask: is needed for distances, which are to the pixels outside of it")
    if mask is None and regions is None:
        raise TypeError("mask: is needed to find objects, unless regions or labels are given")
    of_all_pixels = mask is None and regions is not None
    given = take(intensity_image, axes, None, spacing, None, "intensity_image") if of_all_pixels else (
        take(mask, axes, None, spacing, None, "mask"))
    further = _names_of(features)
    grey = None if intensity_image is None else take(intensity_image, axes, name="intensity_image")
    if grey is not None and not of_all_pixels and (np.shape(intensity_image) != np.shape(mask)
                                                   or grey.loops != given.loops):
        raise ValueError("intensity_image: has another shape than the mask")

    def measured(flags: Any, values: Any) -> Tuple[np.ndarray, Table]:
        if regions is not None:
            return _regions(None if of_all_pixels else flags, values, regions, connectivity, given.spacing, device, further)
        labels, _, table = _label(flags, values, connectivity, True, given.spacing, device, further)
        return labels, Table({name: column for name, column in (table or {}).items()
                              if values is not None or not name.startswith("grey_")})

    if not given.loops:
        labels, table = measured(given.values, None if grey is None else grey.values)
        return Objects(given.container.restored(labels), table)
    values = np.asanyarray(given.values)
    of_all, tables, count = np.zeros(values.shape, np.uint32), [], 0
    for place, flags, _ in frames(given):
        labels, table = measured(flags, None if grey is None else np.asanyarray(grey.values)[place])
        of_all[place] = np.where(labels != 0, labels + np.uint32(count), np.uint32(0))
        table["label"] = table["label"] + count
        count += table["label"].size
        tables.append((place, table))
    return Objects(given.container.restored(of_all), joined_columns(given.loops, tables))


def _rules_of(watershed: Any, hierarchy: Any, dark: Any) -> Optional[str]:
    """The ways to find regions as the text that the extension reads; None without one."""
    ways = {name: way for name, way in (("watershed", watershed), ("hierarchy", hierarchy)) if way is not None}
    for name, way in ways.items():
        if not isinstance(way, Mapping):
            raise TypeError(f"{name}: {way!r}: is not a dict of parameters")
    if not ways:
        return None
    try:
        return json.dumps({**{name: dict(way) for name, way in ways.items()}, "dark": bool(dark)}, default=_plain,
                          allow_nan=False)
    except ValueError as problem:
        raise ValueError(f"{', '.join(ways)}: numbers must be finite") from problem


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r}: is no number, text, boolean or dict")


def _regions(flags: Any, values: Any, rules: str, connectivity: Optional[int], spacing: Optional[Sequence[float]],
             device: str, further: Sequence[str]) -> Tuple[np.ndarray, Table]:
    """Labels and features of the regions of an image in a mask, or in all pixels."""
    values, inside = unmasked(values, flags)
    given = array_of(values, "intensity_image")
    inside = None if inside is None else flags_of(inside, "mask")
    steps = given.ndim if connectivity is None else whole(connectivity, "connectivity")
    levels = levels_of(given, "intensity_image", ranks="values", inside=inside)
    labels, columns = _core.region_objects(levels.array, inside, levels.mapping(), rules, steps,
                                           sides_of(spacing, levels.array.ndim), list(further), text(device, "device"))
    return labels.reshape(given.shape), _in_values(columns, labels, given, levels)


def _labelled(labels: Any, mask: Any, intensity_image: Any, connectivity: Optional[int],
              spacing: Optional[Sequence[float]], features: Union[str, Sequence[str]], axes: Optional[str]) -> Objects:
    """The objects of a label image or a label file, with their numbers."""
    if isinstance(labels, (str, os.PathLike)):
        if intensity_image is None:
            raise TypeError("intensity_image: is needed for a label file, which has its shape")
        labels = _core.read_labels(labels, np.shape(intensity_image))
    given, further = take(labels, axes, None, spacing, None, "labels"), _names_of(features)
    grey = None if intensity_image is None else take(intensity_image, axes, name="intensity_image")
    for other, name in ((intensity_image, "intensity_image"), (mask, "mask")):
        if other is not None and np.shape(other) != np.shape(labels):
            raise ValueError(f"{name}: has another shape than the labels")
    flags = None if mask is None else take(mask, axes, name="mask")

    def measured(place: Any) -> Tuple[np.ndarray, Table]:
        own = labels_of(np.asanyarray(given.values)[place], "labels")
        values = None if grey is None else array_of(np.asanyarray(grey.values)[place], "intensity_image")
        inside = None if flags is None else flags_of(np.asanyarray(flags.values)[place], "mask")
        steps = own.ndim if connectivity is None else whole(connectivity, "connectivity")
        are_levels = values is not None and values.dtype.newbyteorder("=") in (bool, np.uint8, np.uint16)
        ranks, columns = _core.label_objects(own, inside, levels_of(values).array if are_levels else None, steps,
                                             sides_of(given.spacing, own.ndim), further)
        table = Table({name: column for name, column in columns.items()
                       if values is not None or not name.startswith("grey_")})
        if values is not None and not are_levels:
            native = values.astype(values.dtype.newbyteorder("="), copy=False)
            table.update(_grey_features(ranks.ravel(), table["label"].size, native.ravel()))
        return np.concatenate(([0], table["label"])).astype(np.uint32)[ranks], table

    if not given.loops:
        found, table = measured(...)
        return Objects(given.container.restored(found), table)
    of_all, tables = np.zeros(np.shape(given.values), np.uint32), []
    for place, _, _ in frames(given):
        of_all[place], table = measured(place)
        tables.append((place, table))
    return Objects(given.container.restored(of_all), joined_columns(given.loops, tables))


def _in_values(columns: Dict[str, np.ndarray], labels: np.ndarray, values: np.ndarray, levels: Levels) -> Table:
    """The table of objects with the columns of grey in the values of the image."""
    table = Table(columns)
    if levels.mapping() is not None:
        native = values.astype(values.dtype.newbyteorder("="), copy=False)
        table.update(_grey_features(labels.ravel(), table["label"].size, native.ravel()))
    return table


def best_components(image: Any, size: Optional[float] = None, strictness: float = 0.35, dark: bool = False, *,
                    keep: Sequence[Sequence[int]] = (), drop: Sequence[Sequence[int]] = (), mask: Any = None,
                    spacing: Optional[Sequence[float]] = None, weights: Optional[Mapping[str, float]] = None,
                    device: str = "auto") -> Objects:
    """Finds objects without a threshold: the set of disjoint components of the tree with the highest sum of scores.

    Candidates are the nodes of the max-tree of the smoothed image, and the parts into which the shape of a node divides
    it. A score is the expected overlap with an object, by contrast, contrast at the border, fit of an ellipse (in a
    volume an ellipsoid) and size, less the strictness. The set is an exact optimum; docs/algorithms-components.md has the source. Objects that touch are
    separate. The weights suit bright, roundish objects such as nuclei.

    Parameters
    ----------
    image : array of 2 or 3 axes
        Its values may be of any real type, but of floating-point and wide integers at most 65536 different ones.
    size : float, optional
        Expected area of an object, in px, or in the square of the unit of `spacing`; in a volume the expected volume, in
        voxels or in the cube of the unit. It is estimated if it is not given.
    strictness : float
        Expected overlap that an object must exceed, above 0 (many objects) and below 1 (few).
    dark : bool
        Whether objects are darker than their surroundings.
    keep, drop : sequences of (row, column), or in a volume (slice, row, column)
        Pixels that an object contains, and pixels that no object contains. Of the choices without an object at the pixels
        of `drop`, those with objects at as many pixels of `keep` as possible remain. Pixels outside the image have no
        effect.
    mask : array of bool, optional
        Pixels in which objects may lie.
    spacing : (y, x) or in a volume (z, y, x), optional
        As of :func:`objects`. In a volume the proportions of the sides count: areas of faces, distances and the filter of
        the image follow them.
    weights : mapping of str to float, optional
        Weights of the terms of the expected overlap, as :func:`learn_weights` gives them; those left out are built in.
    device : {"auto", "cpu", "cuda"}

    Returns
    -------
    Objects
        The table has the columns of the image's values, as :func:`objects` with an intensity image has.

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays, a mask of another shape, and numbers out of range.

    Examples
    --------
    >>> y, x = np.mgrid[:40, :60]
    >>> nearest = np.minimum(np.hypot(y - 20, x - 18), np.hypot(y - 20, x - 40))    # two discs, blurred
    >>> image = (20 + 180 / (1 + np.exp(2 * nearest - 18))).astype(np.uint8)
    >>> found = pollard.best_components(image)
    >>> found.labels[20, 18], found.labels[20, 40], found.labels.max()
    (1, 2, 2)
    """
    given = BestImage(image, mask, spacing, dark)
    choice = best_choice(given, size, strictness, weights, keep, drop)
    labels, columns = _core.best_components(*given.arguments, *choice, text(device, "device"))
    return Objects(labels, _in_values(columns, labels, given.values, given.levels))


class BestImage:
    """An image in which best components are found."""

    def __init__(self, image: Any, mask: Any, spacing: Optional[Sequence[float]], dark: bool) -> None:
        """Checks the arguments of :func:`best_components`."""
        values, mask = unmasked(image, mask)
        self.values = array_of(values, "image")
        axes = self.values.ndim
        if axes not in (2, 3):
            raise ValueError(f"image: has {axes} axes; best components are found in images of 2 or 3 axes")
        flags = None if mask is None else flags_of(mask, "mask")
        if flags is not None and flags.shape != self.values.shape:
            raise ValueError("mask: has another shape than the image")
        self.sides = sides_of(spacing, axes)
        self.levels = levels_of(self.values, ranks="values", inside=flags)
        self.arguments = (self.levels.array, flags, self.levels.mapping(), bool(dark), self.sides)

    def pixels_of(self, size: Optional[float]) -> Optional[float]:
        """An area in the unit of the spacing, in px."""
        if size is None:
            return None
        return float(number(size, "size")) / (1 if self.sides is None else float(np.prod(self.sides[3 - self.values.ndim:])))


def best_choice(image: BestImage, size: Optional[float], strictness: float, weights: Optional[Mapping[str, float]],
                keep: Sequence[Sequence[int]],
                drop: Sequence[Sequence[int]]) -> Tuple[Optional[float], float, str, List[Tuple[int, int, int, bool]]]:
    """Size in px, strictness, weights and marks, as the extension takes them."""
    axes = image.values.ndim
    marks = [*_marks(keep, "keep", axes, True), *_marks(drop, "drop", axes, False)]
    named = {} if weights is None else weights
    if not isinstance(named, Mapping):
        raise TypeError(f"weights: must be a mapping of names to numbers, not {named!r}")
    for name in named:
        if not text(name, "weights").isidentifier():
            raise ValueError(f"weights: {name!r}: is no weight")
    listed = ",".join(f"{name}={float(number(weight, 'weights'))!r}" for name, weight in named.items())
    return image.pixels_of(size), float(number(strictness, "strictness")), listed, marks


def _marks(points: Any, name: str, axes: int, wanted: bool) -> List[Tuple[int, int, int, bool]]:
    """Column, row and slice of each point, and whether an object is wanted there."""
    places = np.asarray(points if len(points) > 0 else np.empty((0, axes), np.int64))
    if places.ndim != 2 or places.shape[1] != axes or places.dtype.kind not in "iu":
        raise TypeError(f"{name}: {points!r}: is not a sequence of {'(row, column)' if axes == 2 else '(slice, row, column)'}")
    if places.size and (places.min() < 0 or places.max() >= 2**32):
        raise ValueError(f"{name}: {'rows and columns' if axes == 2 else 'slices, rows and columns'} must be 0 or more")
    return [(int(at[-1]), int(at[-2]), int(at[0]) if axes == 3 else 0, wanted) for at in places]


def _names_of(features: Any) -> List[str]:
    names = [features] if isinstance(features, str) else features
    if not isinstance(names, (list, tuple)) or not all(isinstance(each, str) for each in names):
        raise TypeError(f"features: must be names of features, not {features!r}")
    return list(names)


def _label(mask: Any, intensity_image: Any, connectivity: Optional[int], features: bool,
           spacing: Optional[Sequence[float]], device: str,
           further: Sequence[str] = ()) -> Tuple[np.ndarray, int, Optional[Table]]:
    shape, device = np.shape(mask), text(device, "device")
    connectivity = len(shape) if connectivity is None else whole(connectivity, "connectivity")
    if 0 in shape:
        raise ValueError(f"mask: has no pixels (shape {shape})")
    flags = flags_of(mask, "mask")
    grey = None if intensity_image is None else array_of(intensity_image, "intensity_image")
    if grey is not None and grey.shape != shape:
        raise ValueError("intensity_image: has another shape than the mask")
    are_levels = grey is not None and grey.dtype.newbyteorder("=") in (bool, np.uint8, np.uint16)
    labels, count, table = _core.label(flags, levels_of(grey).array if are_levels else None,
                                       connectivity, features, sides_of(spacing, flags.ndim), list(further),
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
    device : {"auto", "cpu", "cuda"}
        As of :func:`max_tree`.

    Returns
    -------
    Snake

    Raises
    ------
    TypeError
        For parameters of other types.
    ValueError
        For other arrays, starts and values of parameters.

    Examples
    --------
    >>> image = np.zeros((40, 40), np.uint8)
    >>> image[10:30, 12:32] = 200
    >>> corners = pollard.snake(image, init=(5, 5, 35, 35)).contours[0].contour
    >>> corners.min(axis=0), corners.max(axis=0)
    (array([10, 12], dtype=int32), array([30, 32], dtype=int32))
    """
    law, moves, device = text(law, "law"), text(moves, "moves"), text(device, "device")
    max_step, min_length, max_nodes, max_rounds = (
        whole(value, name, 0, 2**31 - 1) for name, value in (
            ("max_step", max_step), ("min_length", min_length), ("max_nodes", max_nodes), ("max_rounds", max_rounds)))
    apart = None if apart is None else whole(apart, "apart", 0, 2**31 - 1)
    length_price = float(number(length_price, "length_price"))
    if np.ndim(image) > 2:
        raise ValueError(f"image: the array has {np.ndim(image)} axes; contours evolve in images, which have 2: index one of them")
    given = array_of(plain(image), "image")
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
