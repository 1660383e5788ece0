"""Filters of one image by a range of one attribute, without napari and Qt."""

from __future__ import annotations

import re
import zlib
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

import pollard_morphology as pollard

RULES = ("direct", "min", "max", "viterbi", "subtractive")
OUTPUTS = ("filtered", "residue", "mask", "labels")
FEATURES = ("area", "level", "mean", "height", "elongation")  #: columns of labels
BINS = 64

NAMES = ("t", "z", "y", "x")  #: of axes without a name, the last ones
SERIES = ("t", "time", "c", "channel", "ch")  #: names of axes that count images
METRES = {"nm": 1e-9, "um": 1e-6, "mm": 1e-3, "cm": 1e-2, "m": 1.0, "km": 1e3}
LONG_NAMES = {"nanometer": "nm", "micrometer": "um", "micron": "um", "\N{MICRO SIGN}m": "um",
              "\N{GREEK SMALL LETTER MU}m": "um", "millimeter": "mm", "centimeter": "cm", "meter": "m", "kilometer": "km"}

LayerData = Tuple[np.ndarray, Dict[str, Any], str]


class Progress:
    """A job, which another thread may cancel, and how many of its parts are done."""

    def __init__(self) -> None:
        self.job, self.done, self.parts = pollard.Job(), 0, 1

    def each(self, parts: Sequence[Any]) -> Iterator[Any]:
        """The parts, one after another; counts them."""
        self.parts = max(len(parts), 1)
        for self.done, part in enumerate(parts):
            yield part
        self.done = self.parts

    @property
    def fraction(self) -> float:
        """Of the whole that is done; 0 if it is not known."""
        return min((self.done + self.job.progress) / self.parts, 1.0)


class Choice(NamedTuple):
    """The kept range, and the rule and output of the filter."""

    attribute: str
    low: Optional[float]  #: None: no lower bound; without both, nodes stay whose attribute is undefined
    high: Optional[float]
    rule: str = "direct"
    output: str = "filtered"


def attribute_names(axes: int) -> List[str]:
    """Attributes of images (2 axes) or volumes (3)."""
    return [entry["name"] for entry in pollard.attributes(axes == 3)]


def pixels_of(layer: Any) -> Any:
    """The array of an image layer, of a pyramid the finest level."""
    return layer.data[0] if getattr(layer, "multiscale", False) else layer.data


def axes_choices(layer: Any) -> List[Tuple[str, Tuple[int, ...]]]:
    """Axes of a layer that can make an image or a volume, with their names; the likely choice comes first."""
    count = pixels_of(layer).ndim
    given = [str(each).lower() for each in getattr(layer, "axis_labels", ())]
    is_named = len(given) == count and {"y", "x"} <= set(given)
    names = given if is_named or len(given) == count and not any(re.fullmatch(r"-?\d+", each) for each in given) else [
        *(f"axis {i}" for i in range(count - len(NAMES))), *NAMES[-count:]]
    plane = (names.index("y"), names.index("x")) if is_named else (count - 2, count - 1)
    others = [i for i in range(count) if i not in plane][::-1]
    flat = [(" ".join(names[i] for i in plane), plane)]
    volumes = [(" ".join(names[i] for i in (other, *plane)), (other, *plane)) for other in others]
    volumes.sort(key=lambda each: names[each[1][0]] != "z")
    return flat + volumes if not others or names[volumes[0][1][0]] in SERIES else volumes + flat


def short_unit(unit: Any) -> str:
    """The unit of a layer, or one that a person typed, as "um"."""
    return LONG_NAMES.get(str(unit), str(unit))


def spacing_of(layer: Any, axes: Sequence[int]) -> Tuple[Optional[Tuple[float, ...]], Optional[str]]:
    """Sides of a pixel or voxel along these axes of a layer, and their unit.

    Without a unit there are only the sides of voxels that are no cubes, in widths of a voxel.
    """
    count = pixels_of(layer).ndim
    scale = tuple(abs(float(each)) for each in getattr(layer, "scale", ()))
    if len(scale) != count or not all(0 < scale[i] < float("inf") for i in axes):
        return None, None
    sides = tuple(scale[i] for i in axes)
    units = [short_unit(each) for each in getattr(layer, "units", None) or ()]
    if len(units) == count and all(units[i] in METRES for i in axes):
        unit = units[axes[-1]]
        return tuple(side * METRES[units[i]] / METRES[unit] for side, i in zip(sides, axes)), unit
    return (sides if len(axes) == 3 and len(set(sides)) > 1 else None), None


def unit_of(attribute: str, unit: Optional[str], axes: int) -> str:
    """The unit of an attribute in images (2 axes) or volumes (3) with a unit of length, such as "um2"; else empty."""
    power = next(each["dimension"] for each in pollard.attributes(axes == 3) if each["name"] == attribute)
    return f"{unit}{power if power > 1 else ''}" if unit and power else ""


def number_of(text: str, unit: str) -> Optional[float]:
    """A bound as a person types it, "50" or "50 um2", in a unit; None for an empty text.

    Raises
    ------
    ValueError
        For other texts and units.
    """
    if not text.strip():
        return None
    parts = re.fullmatch(r"\s*([-+]?[\d.,]+(?:[eE][-+]?\d+)?)\s*(\D*?)([23\u00b2\u00b3]?)\s*", text)
    try:
        number = float(parts[1].replace(",", ".")) if parts else float("nan")
    except ValueError:
        number = float("nan")
    if not parts or number != number or abs(number) == float("inf"):
        raise ValueError(f"'{text}' is not a number")
    name, power = short_unit(parts[2]), {"\u00b2": "2", "\u00b3": "3"}.get(parts[3], parts[3])
    if not name and not power:
        return number
    wanted = re.fullmatch(r"([a-z]+)([23]?)", unit)
    if not wanted or name not in METRES or power != wanted[2]:
        raise ValueError(f"'{text}': " + (f"is a number, or a number in {unit}" if wanted else
                                          "has a unit, but the attribute or the layer has none (scale and units)"))
    return number * (METRES[name] / METRES[wanted[1]]) ** int(power or 1)


def checksum(data: np.ndarray) -> int:
    """A number that changes with the values of an array."""
    return zlib.adler32(np.ascontiguousarray(data).reshape(-1).view(np.uint8)) if data.size else 0


class Stack:
    """The images or volumes in an array of more axes."""

    def __init__(self, image: np.ndarray, axes: Optional[Sequence[int]] = None):
        """Takes these axes, or all, for one image or volume."""
        axes = range(image.ndim) if axes is None else axes
        self._axes, last = tuple(axes), tuple(range(-len(axes), 0))
        moved = np.moveaxis(image, self._axes, last)
        self._shape, self._last = moved.shape, last
        self.parts = moved.reshape((-1, *moved.shape[moved.ndim - len(axes):]))  #: one after another

    def joined(self, parts: Sequence[np.ndarray]) -> np.ndarray:
        """The results of all parts in the axes of the array."""
        whole = parts[0][np.newaxis] if len(parts) == 1 else np.stack(parts)
        return np.moveaxis(whole.reshape(self._shape), self._last, self._axes)

    def joined_labels(self, parts: Sequence[np.ndarray], counts: Sequence[int]) -> np.ndarray:
        """Labels of all parts, which go on from one part to the next."""
        first = np.cumsum([0, *counts])[:-1]
        return self.joined([np.where(part != 0, part + np.uint32(start), part) if start else part
                            for part, start in zip(parts, first)])


class AttributeFilter:
    """The trees of an image, of a volume, or of each of the images or volumes of a stack, and their filters."""

    def __init__(self, image: np.ndarray, kind: str = "max", connectivity: int = 1, device: str = "auto",
                 axes: Optional[Sequence[int]] = None, spacing: Optional[Sequence[float]] = None,
                 unit: Optional[str] = None, progress: Optional[Progress] = None):
        """Builds the trees.

        Parameters
        ----------
        image : array of 2 or more axes
        kind, connectivity, device, spacing, unit
            As of :func:`pollard_morphology.max_tree`.
        axes : two or three numbers, optional
            The axes that make an image or a volume; the others count them. By default all axes.

        Raises
        ------
        ValueError
            For an image that :func:`pollard_morphology.max_tree` does not take.
        pollard_morphology.Cancelled
            If the job of `progress` is cancelled.
        """
        self.stack = Stack(np.asarray(image), axes)
        self.unit, self.axes = unit, self.stack.parts.ndim - 1
        parts = (progress or Progress()).each(self.stack.parts)
        self.trees = [pollard.max_tree(part, connectivity, kind, device, copy=True, spacing=spacing, unit=unit)
                      for part in parts]
        self.tree = self.trees[0]

    def _finite(self, attribute: str) -> np.ndarray:
        values = np.concatenate([tree[attribute].astype(float) for tree in self.trees])
        return values[np.isfinite(values)]

    def range(self, attribute: str) -> Tuple[float, float]:
        """Smallest and largest value; (0, 0) if no node has one."""
        values = self._finite(attribute)
        return (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)

    def edges(self, attribute: str) -> np.ndarray:
        """(BINS + 1,) ascending edges over the range, in equal ratios where the values span more than 1 to 100."""
        low, high = self.range(attribute)
        if low > 0 and high > 100 * low:
            edges = np.geomspace(low, high, BINS + 1)
            edges[[0, -1]] = low, high
            return edges
        return np.linspace(low, high if high > low else low + 1, BINS + 1)

    def histogram(self, attribute: str) -> np.ndarray:
        """(BINS,) nodes in each bin of :meth:`edges`."""
        return np.histogram(self._finite(attribute), self.edges(attribute))[0]

    def layer(self, choice: Choice, name: str, progress: Optional[Progress] = None) -> LayerData:
        """The layer of a filter that keeps low <= attribute <= high: Image, or Labels with their features.

        A residue has its contrast limits, from 0 to its largest value.

        Parameters
        ----------
        name : str
            Of the image's layer.
        """
        meta: Dict[str, Any] = {"name": f"{name} {choice.attribute} {choice.output}"}
        unit = unit_of(choice.attribute, self.unit, self.axes)
        criteria = [f"{choice.attribute} {sign} {bound!r}{unit}" for sign, bound in ((">=", choice.low), ("<=", choice.high))
                    if bound is not None]
        trees = (progress or Progress()).each(self.trees)
        if choice.output == "labels":
            labels, features = self._labels(criteria, choice.rule, trees)
            return labels, {**meta, "features": features}, "labels"
        filtered = self.stack.joined([tree.filter(criteria, choice.rule, choice.output) for tree in trees])
        if choice.output == "mask":
            return filtered.astype(np.uint8), meta, "labels"
        if choice.output == "residue" and filtered.dtype != bool:
            meta["contrast_limits"] = (0.0, float(filtered.max()) or 1.0)
        return filtered, meta, "image"

    def _labels(self, criteria: List[str], rule: str,
                trees: Iterator[pollard.MaxTree]) -> Tuple[np.ndarray, Dict[str, np.ndarray]]:
        """Labels and their features."""
        parts: List[np.ndarray] = []
        rows: List[Dict[str, np.ndarray]] = []
        for tree in trees:
            parts.append(tree.labels(criteria or "", rule))
            rows.append(features_of(tree, parts[-1], self.unit))
        counts = [len(row["index"]) for row in rows]
        features = {key: np.concatenate([row[key] for row in rows]) for key in rows[0]}
        features["index"] = np.arange(1, sum(counts) + 1)
        return self.stack.joined_labels(parts, counts), features


def features_of(tree: pollard.MaxTree, labels: np.ndarray, unit: Optional[str] = None) -> Dict[str, np.ndarray]:
    """A row of FEATURES per label, with the label in `index`: the attributes of the label's component.

    Names of columns with a unit end in it: `area_um2`.
    """
    found, node = np.unique(labels.ravel()[tree.canonical], return_index=True)  # the component's first node
    node, found = node[found > 0], found[found > 0]
    units = {name: unit_of(name, unit, len(tree.shape)) for name in FEATURES}
    return {"index": found, **{f"{name}_{units[name]}" if units[name] else name: tree[name][node] for name in FEATURES}}
