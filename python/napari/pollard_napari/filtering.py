"""Filters of images by a range of an attribute, without Qt and napari."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy as np

import pollard

RULES = ("direct", "min", "max", "viterbi", "subtractive")


class Histogram(NamedTuple):
    """Numbers of nodes by an attribute."""

    edges: np.ndarray  #: (bins + 1,) values
    counts: np.ndarray  #: (bins,)
    logarithmic: bool  #: whether bins have equal ratios instead of equal widths
    integral: bool  #: whether the values are integers

    def position(self, value: float) -> float:
        """Place of a value on the axis, 0 at the first edge and 1 at the last."""
        low, high, value = self._scaled(np.array([self.edges[0], self.edges[-1], value]))
        return float(np.clip((value - low) / (high - low), 0, 1))

    def value(self, position: float) -> float:
        """The value at a place of the axis."""
        low, high = self._scaled(self.edges[[0, -1]])
        value = low + np.clip(position, 0, 1) * (high - low)
        return float(np.clip(10**value if self.logarithmic else value, self.edges[0], self.edges[-1]))

    def _scaled(self, values: np.ndarray) -> np.ndarray:
        return np.log10(np.maximum(values, self.edges[0])) if self.logarithmic else values


def plane_of(data: Any, step: Sequence[int], shown: int) -> np.ndarray:
    """The grey picture (2 axes shown) or volume (3) that napari shows of a layer.

    Parameters
    ----------
    data : array, or a list of arrays, of which the first has full resolution
    step : position of the viewer on each axis of the data
    shown : number of axes

    Raises
    ------
    ValueError
        For data with fewer axes.
    """
    array = data[0] if isinstance(data, (list, tuple)) or type(data).__name__ == "MultiScaleData" else data
    if array.ndim < shown:
        raise ValueError(f"the layer has {array.ndim} axes, {shown} are needed")
    return np.asarray(array[tuple(int(each) for each in step[:array.ndim - shown])])


class ComponentFilter:
    """The tree of an image, and filters by a range of one attribute."""

    def __init__(self, image: np.ndarray, kind: str = "max", connectivity: int = 1):
        self._tree = pollard.max_tree(image, connectivity, kind)

    def attributes(self) -> List[Tuple[str, str]]:
        """Names and titles of the attributes of such an image."""
        return [(each["name"], each["title"]) for each in pollard.attributes(len(self._tree.shape) == 3)]

    def histogram(self, attribute: str, bins: int = 80) -> Histogram:
        """Numbers of nodes; on a logarithmic axis if the values are above 0 and span two decades."""
        column = self._tree[attribute]
        values = column.astype(float)
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
        high = high if high > low else low + 1
        logarithmic = low > 0 and high >= 100 * low
        edges = np.geomspace(low, high, bins + 1) if logarithmic else np.linspace(low, high, bins + 1)
        edges[[0, -1]] = low, high  # without rounding
        return Histogram(edges, np.histogram(values, edges)[0], logarithmic, column.dtype.kind in "iu")

    def keep(self, attribute: str, low: float, high: float) -> np.ndarray:
        """(nodes,) bool: whether the value is in [low, high]."""
        values = self._tree[attribute]
        return (values >= low) & (values <= high)

    def filtered(self, attribute: str, low: float, high: float, rule: str = "direct") -> np.ndarray:
        """The image without the components outside of the range."""
        return self._tree.reconstruct(self.keep(attribute, low, high), rule)

    def labels(self, attribute: str, low: float, high: float,
               rule: str = "direct") -> Tuple[np.ndarray, Dict[str, np.ndarray]]:
        """The largest kept components as labels, and their features: columns with a row for each label.

        The columns are `index`, the label, as napari wants it, the area in pixels and the attribute.
        """
        labels = self._tree.labels(self.keep(attribute, low, high), rule)
        # Nodes are in depth-first order: the first one of a label is its component.
        found, first = np.unique(labels.ravel()[self._tree.canonical], return_index=True)
        nodes = first[found > 0]
        features = {"index": found[found > 0], "area": self._tree["area"][nodes]}
        features[attribute] = self._tree[attribute][nodes]
        return labels, features
