"""Widgets for napari: a thin layer over :mod:`pollard_napari.filtering` and :mod:`pollard_napari.files`."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from magicgui.widgets import CheckBox, ComboBox, Container, FloatRangeSlider, PushButton, create_widget
from qtpy.QtCore import QTimer
from qtpy.QtGui import QPainter
from qtpy.QtWidgets import QWidget

import pollard

from .files import layer_of
from .filtering import BINS, OUTPUTS, RULES, AttributeFilter, Choice, attribute_names

PAUSE = 60  #: ms between the last change and a live filter


class Bars(QWidget):
    """A histogram; the kept bins are dark."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(60)
        self.counts, self.kept = [0] * BINS, (0, BINS)

    def paintEvent(self, _event) -> None:  # noqa: N802  # pylint: disable=invalid-name
        painter = QPainter(self)
        most, width = max(*self.counts, 1), self.width() / BINS
        for i, count in enumerate(self.counts):
            colour = self.palette().highlight() if self.kept[0] <= i < self.kept[1] else self.palette().mid()
            height = (count / most) ** 0.5 * self.height()  # square roots, so that rare values are visible
            painter.fillRect(int(i * width), int(self.height() - height), max(int(width), 1), int(height) + 1, colour)


class FilterWidget(Container):
    """Filters an image layer by the range of an attribute."""

    def __init__(self, viewer: "napari.viewer.Viewer"):  # noqa: F821
        super().__init__()
        self._viewer, self._filter, self._built = viewer, None, None
        self._image = create_widget(annotation="napari.layers.Image", label="image")
        self._kind = ComboBox(label="tree", choices=["max", "min"])
        self._connectivity = ComboBox(label="connectivity", choices=[1, 2, 3])
        self._attribute = ComboBox(label="attribute", choices=attribute_names(2))
        self._range = FloatRangeSlider(label="bins", min=0, max=BINS, step=1, value=(0, BINS))
        self._rule = ComboBox(label="rule", choices=RULES)
        self._output = ComboBox(label="output", choices=OUTPUTS)
        self._live = CheckBox(label="live", value=True)
        self._run = PushButton(text="Filter")
        self.extend([self._image, self._kind, self._connectivity, self._attribute, self._range, self._rule, self._output,
                     self._live, self._run])
        self._bars = Bars()
        self.native.layout().addWidget(self._bars)
        self._timer = QTimer(self.native)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.run)
        for control in (self._image, self._kind, self._connectivity, self._attribute, self._range, self._rule,
                        self._output):
            control.changed.connect(self._later)
        self._run.changed.connect(self.run)

    def _later(self) -> None:
        if self._live.value:
            self._timer.start(PAUSE)

    def _tree(self, layer) -> AttributeFilter:
        built = (layer.data, self._kind.value, self._connectivity.value)
        if self._built is None or built[0] is not self._built[0] or built[1:] != self._built[1:]:
            self._filter, self._built = AttributeFilter(*built), built
            self._attribute.choices = attribute_names(layer.data.ndim)
        return self._filter

    def run(self) -> None:
        """Filters, and puts the result into a layer of its name."""
        layer = self._image.value
        if layer is None or layer.rgb:
            self._viewer.status = "choose an image of one channel"
            return
        try:
            trees, attribute = self._tree(layer), self._attribute.value
            low, high = (int(each) for each in self._range.value)
            edges = trees.edges(attribute)
            self._bars.counts, self._bars.kept = trees.histogram(attribute).tolist(), (low, high)
            data, meta, kind = trees.layer(Choice(attribute, float(edges[low]), float(edges[high]), self._rule.value,
                                                  self._output.value), layer.name)
        except (ValueError, MemoryError, RuntimeError) as problem:
            self._viewer.status = str(problem)
            return
        self._bars.update()
        self._show(data, meta, kind, layer)

    def _show(self, data, meta, kind: str, source) -> None:
        if meta["name"] in self._viewer.layers:
            shown = self._viewer.layers[meta["name"]]
            shown.data = data
            if "features" in meta:
                shown.features = meta["features"]
            return
        meta = {**meta, "scale": source.scale, "translate": source.translate}
        (self._viewer.add_labels if kind == "labels" else self._viewer.add_image)(data, **meta)


def run_recipe(image: "napari.layers.Image", recipe: Path,  # noqa: F821
               preset: str = "") -> Optional["napari.types.LayerDataTuple"]:  # noqa: F821
    """Runs a recipe file, or a preset, on an image layer."""
    if image is None:
        return None
    chosen = pollard.Recipe.preset(preset) if preset else pollard.Recipe.load(recipe)
    return layer_of(chosen, image.data, image.name)
