"""Widgets for napari: a thin layer over :mod:`pollard_napari.filtering` and :mod:`pollard_napari.files`."""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Sequence

from qtpy.QtCore import Qt, QTimer
from qtpy.QtGui import QPainter
from qtpy.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QPushButton, QWidget
from superqt import QRangeSlider

import pollard

from .files import layer_of
from .filtering import BINS, OUTPUTS, RULES, AttributeFilter, Choice, attribute_names

PAUSE = 60  #: ms between the last change and a live filter


def fill(box: QComboBox, texts: Sequence[str]) -> None:
    """Sets the texts of a box, without a signal; the chosen one stays if it is among them."""
    chosen = box.currentText()
    box.blockSignals(True)
    box.clear()
    box.addItems(texts)
    box.setCurrentText(chosen)
    box.blockSignals(False)


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
            height = int((count / most) ** 0.5 * self.height())  # square roots, so that rare values are visible
            painter.fillRect(int(i * width), self.height() - height, max(int(width), 1), height, colour)
        painter.end()


class FilterWidget(QWidget):
    """Filters an image layer by the range of an attribute."""

    def __init__(self, viewer: "napari.viewer.Viewer"):  # noqa: F821
        super().__init__()
        self._viewer, self._filter, self._built = viewer, None, None
        self.image, self.kind, self.connectivity, self.attribute = (QComboBox() for _ in range(4))
        self.rule, self.output, self.bars, self.range = QComboBox(), QComboBox(), Bars(), QRangeSlider(Qt.Horizontal)
        self.live, self.message, button = QCheckBox("live"), QLabel(), QPushButton("Filter")
        for box, texts in ((self.kind, ("max", "min")), (self.connectivity, ("1", "2", "3")), (self.rule, RULES),
                           (self.output, OUTPUTS), (self.attribute, attribute_names(2))):
            fill(box, texts)
        self.range.setRange(0, BINS)
        self.range.setValue((0, BINS))
        self.live.setChecked(True)
        self.message.setWordWrap(True)
        rows = QFormLayout(self)
        for name, control in (("image", self.image), ("tree", self.kind), ("connectivity", self.connectivity),
                              ("attribute", self.attribute), ("", self.bars), ("keep", self.range), ("rule", self.rule),
                              ("output", self.output), ("", self.live), ("", button), ("", self.message)):
            rows.addRow(name, control)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.run)
        self._list_images()
        for event in (viewer.layers.events.inserted, viewer.layers.events.removed):
            event.connect(self._list_images)
        for box in (self.image, self.kind, self.connectivity, self.attribute, self.rule, self.output):
            box.currentTextChanged.connect(self._later)
        self.range.valueChanged.connect(self._later)
        button.clicked.connect(self.run)

    def _list_images(self, _event=None) -> None:
        fill(self.image, [layer.name for layer in self._viewer.layers
                          if type(layer).__name__ == "Image" and not layer.rgb])

    def _later(self, _value=None) -> None:
        if self.live.isChecked():
            self._timer.start(PAUSE)

    def _tree(self, data) -> AttributeFilter:
        built = (data, self.kind.currentText(), int(self.connectivity.currentText()))
        if self._built is None or built[0] is not self._built[0] or built[1:] != self._built[1:]:
            self._filter, self._built = AttributeFilter(*built), built
            fill(self.attribute, attribute_names(data.ndim))
        return self._filter

    def run(self, _checked: bool = False) -> None:
        """Filters, and puts the result into a layer of its name."""
        if not self.image.currentText():
            self.message.setText("open an image of one channel")
            return
        layer = self._viewer.layers[self.image.currentText()]
        try:
            trees, attribute, (low, high) = self._tree(layer.data), self.attribute.currentText(), self.range.value()
            edges = trees.edges(attribute)
            self.bars.counts, self.bars.kept = trees.histogram(attribute).tolist(), (low, high)
            self.bars.update()
            choice = Choice(attribute, float(edges[low]), float(edges[high]), self.rule.currentText(),
                            self.output.currentText())
            self._show(*trees.layer(choice, layer.name), layer)
            self.message.setText(f"{edges[low]:.5g} to {edges[high]:.5g}")
        except (ValueError, MemoryError, RuntimeError) as problem:
            self.message.setText(str(problem))

    def _show(self, data, meta, kind: str, source) -> None:
        if meta["name"] not in self._viewer.layers:
            meta = {**meta, "scale": source.scale, "translate": source.translate}
            (self._viewer.add_labels if kind == "labels" else self._viewer.add_image)(data, **meta)
            return
        shown = self._viewer.layers[meta["name"]]
        shown.data = data
        if "features" in meta:
            shown.features = meta["features"]


def run_recipe(image: "napari.layers.Image", recipe: Path,  # noqa: F821
               preset: str = "") -> Optional["napari.types.LayerDataTuple"]:  # noqa: F821
    """Runs a recipe file, or a preset, on an image layer."""
    if image is None:
        return None
    chosen = pollard.Recipe.preset(preset) if preset else pollard.Recipe.load(recipe)
    return layer_of(chosen, image.data, image.name)
