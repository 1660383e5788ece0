"""Filters of one image by a range of one attribute, without napari and Qt."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

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
    low: float
    high: float
    rule: str = "direct"
    output: str = "filtered"


def attribute_names(axes: int) -> List[str]:
    """Attributes of pictures (2 axes) or volumes (3)."""
    return [entry["name"] for entry in pollard.attributes(axes == 3)]


class AttributeFilter:
    """The tree of an image and its filters."""

    def __init__(self, image: np.ndarray, kind: str = "max", connectivity: int = 1, device: str = "auto"):
        """Builds the tree.

        Raises
        ------
        ValueError
            For an image that :func:`pollard_morphology.max_tree` does not take.
        """
        self.tree = pollard.max_tree(np.asarray(image), connectivity, kind, device, copy=True)

    def _finite(self, attribute: str) -> np.ndarray:
        values = self.tree[attribute].astype(float)
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

        Parameters
        ----------
        name : str
            Of the image's layer.
        """
        meta: Dict[str, Any] = {"name": f"{name} {choice.attribute} {choice.output}"}
        if choice.output == "labels":
            values = self.tree[choice.attribute]
            labels = self.tree.labels((values >= choice.low) & (values <= choice.high), choice.rule)
            return labels, {**meta, "features": self.features(labels)}, "labels"
        criterion = f"{choice.low!r} <= {choice.attribute} <= {choice.high!r}"
        filtered = self.tree.filter(criterion, choice.rule, choice.output)
        if choice.output == "mask":
            return filtered.astype(np.uint8), meta, "labels"
        return filtered, meta, "image"

    def features(self, labels: np.ndarray) -> Dict[str, np.ndarray]:
        """A row of FEATURES per label, with the label in `index`: the attributes of the label's component."""
        found, node = np.unique(labels.ravel()[self.tree.canonical], return_index=True)  # the component's first node
        node, found = node[found > 0], found[found > 0]
        return {"index": found, **{name: self.tree[name][node] for name in FEATURES}}
