"""Filters of one image by a range of one attribute, without napari and Qt."""

from __future__ import annotations

import zlib
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

import pollard_morphology as pollard

RULES = ("direct", "min", "max", "viterbi", "subtractive")
OUTPUTS = ("filtered", "residue", "mask", "labels")
FEATURES = ("area", "level", "mean", "height", "elongation")  #: columns of labels
BINS = 64

LayerData = Tuple[np.ndarray, Dict[str, Any], str]


class Choice(NamedTuple):
    """The kept range, and the rule and output of the filter."""

    attribute: str
    low: Optional[float]  #: None: no lower bound; without both, nodes stay whose attribute is undefined
    high: Optional[float]
    rule: str = "direct"
    output: str = "filtered"


def attribute_names(axes: int) -> List[str]:
    """Attributes of pictures (2 axes) or volumes (3)."""
    return [entry["name"] for entry in pollard.attributes(axes == 3)]


def pixels_of(layer: Any) -> Any:
    """The array of an image layer, of a pyramid the finest level."""
    return layer.data[0] if getattr(layer, "multiscale", False) else layer.data


def sides_of(layer: Any) -> Optional[Tuple[float, ...]]:
    """The sides (z, y, x) of the voxels of a layer, as its scale has them; None for images and cubes."""
    scale = tuple(abs(float(each)) for each in getattr(layer, "scale", ())[-3:])
    return scale if len(scale) == 3 and len(set(scale)) > 1 and min(scale) > 0 else None


def axes_of(layer: Any) -> int:
    """The last axes of a layer that make an image (2) or a volume (3), as the names of its axes have it."""
    axes = pixels_of(layer).ndim
    names = [str(each).lower() for each in getattr(layer, "axis_labels", ())]
    is_series = len(names) == axes >= 3 and names[-3] in ("t", "time", "c", "channel", "ch")
    return 2 if axes < 3 or is_series else 3


def checksum(data: np.ndarray) -> int:
    """A number that changes with the values of an array."""
    return zlib.adler32(np.ascontiguousarray(data).reshape(-1).view(np.uint8)) if data.size else 0


class AttributeFilter:
    """The trees of an image, of a volume, or of each of the images or volumes of a stack, and their filters."""

    def __init__(self, image: np.ndarray, kind: str = "max", connectivity: int = 1, device: str = "auto",
                 sides: Optional[Sequence[float]] = None, axes: Optional[int] = None):
        """Builds the trees.

        Parameters
        ----------
        image : array of 2 or more axes
        kind, connectivity, device
            As of :func:`pollard_morphology.max_tree`.
        sides : (z, y, x), optional
            Of a voxel.
        axes : {2, 3}, optional
            The last axes that make an image or a volume; the others count them. By default all axes.

        Raises
        ------
        ValueError
            For an image that :func:`pollard_morphology.max_tree` does not take.
        """
        image = np.asarray(image)
        self.shape, axes = image.shape, min(axes or image.ndim, image.ndim)
        parts = image.reshape((-1, *image.shape[image.ndim - axes:]))
        self.trees = [pollard.max_tree(part, connectivity, kind, device, copy=True, spacing=sides if axes == 3 else None)
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

    def layer(self, choice: Choice, name: str) -> LayerData:
        """The layer of a filter that keeps low <= attribute <= high: Image, or Labels with their features.

        A residue has its contrast limits, from 0 to its largest value.

        Parameters
        ----------
        name : str
            Of the image's layer.
        """
        meta: Dict[str, Any] = {"name": f"{name} {choice.attribute} {choice.output}"}
        if choice.output == "labels":
            labels, features = self._labels(choice)
            return labels, {**meta, "features": features}, "labels"
        criteria = [f"{choice.attribute} {sign} {bound!r}" for sign, bound in ((">=", choice.low), ("<=", choice.high))
                    if bound is not None]
        filtered = self._stacked([tree.filter(criteria, choice.rule, choice.output) for tree in self.trees])
        if choice.output == "mask":
            return filtered.astype(np.uint8), meta, "labels"
        if choice.output == "residue" and filtered.dtype != bool:
            meta["contrast_limits"] = (0.0, float(filtered.max()) or 1.0)
        return filtered, meta, "image"

    def _stacked(self, parts: List[np.ndarray]) -> np.ndarray:
        return parts[0].reshape(self.shape) if len(parts) == 1 else np.stack(parts).reshape(self.shape)

    def _labels(self, choice: Choice) -> Tuple[np.ndarray, Dict[str, np.ndarray]]:
        """Labels, which go on from one part to the next, and their features."""
        parts: List[np.ndarray] = []
        rows: List[Dict[str, np.ndarray]] = []
        count = 0
        for tree in self.trees:
            labels = tree.labels(_kept(tree, choice), choice.rule)
            features = features_of(tree, labels)
            features["index"] = features["index"] + count
            rows.append(features)
            parts.append(np.where(labels != 0, labels + np.uint32(count), labels) if count else labels)
            count += len(features["index"])
        return self._stacked(parts), {key: np.concatenate([row[key] for row in rows]) for key in rows[0]}


def _kept(tree: pollard.MaxTree, choice: Choice) -> np.ndarray:
    """(nodes,) bool: whether a node's attribute is in the range."""
    values = tree[choice.attribute]
    keep = np.ones(len(tree), bool)
    if choice.low is not None:
        keep &= values >= choice.low
    if choice.high is not None:
        keep &= values <= choice.high
    return keep


def features_of(tree: pollard.MaxTree, labels: np.ndarray) -> Dict[str, np.ndarray]:
    """A row of FEATURES per label, with the label in `index`: the attributes of the label's component."""
    found, node = np.unique(labels.ravel()[tree.canonical], return_index=True)  # the component's first node
    node, found = node[found > 0], found[found > 0]
    return {"index": found, **{name: tree[name][node] for name in FEATURES}}
