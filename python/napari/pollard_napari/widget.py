"""The widget that filters an image layer."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np
from qtpy.QtCore import QObject, QPointF, QRectF, QRunnable, Qt, QThreadPool, Signal
from qtpy.QtGui import QColor, QPainter, QPalette
from qtpy.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFormLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from .filtering import RULES, ComponentFilter, Histogram, plane_of


class RangeHistogram(QWidget):
    """A histogram with two handles at the ends of a range."""

    rangeChanged = Signal(float, float)

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(70)
        self._histogram: Optional[Histogram] = None
        self._range = (0.0, 1.0)
        self._handle = 0

    def show_histogram(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self.update()

    def set_range(self, low: float, high: float) -> None:
        self._range = (low, high)
        self.update()

    def paintEvent(self, event: Any) -> None:  # noqa: N802
        if self._histogram is None:
            return
        painter = QPainter(self)
        palette = self.palette()
        heights = np.sqrt(self._histogram.counts / max(1, self._histogram.counts.max()))
        ends = [self._histogram.position(each) for each in self._range]
        step = self.width() / len(heights)
        for i, height in enumerate(heights):
            inside = ends[0] <= (i + 1) / len(heights) and i / len(heights) <= ends[1]
            role = QPalette.Highlight if inside else QPalette.Mid
            top = self.height() * (1 - height)
            painter.fillRect(QRectF(i * step, top, max(1.0, step - 1), self.height() - top), palette.color(role))
        painter.setPen(QColor(palette.color(QPalette.WindowText)))
        for end in ends:
            x = end * (self.width() - 1)
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    def mousePressEvent(self, event: Any) -> None:  # noqa: N802
        if self._histogram is not None:
            place = self._place(event)
            distances = [abs(self._histogram.position(each) - place) for each in self._range]
            self._handle = int(distances[1] < distances[0] or (distances[0] == distances[1] and place > 0.5))
            self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: Any) -> None:  # noqa: N802
        if self._histogram is not None:
            value = self._histogram.value(self._place(event))
            low, high = self._range
            self._range = (min(value, high), high) if self._handle == 0 else (low, max(value, low))
            self.update()
            self.rangeChanged.emit(*self._range)

    def _place(self, event: Any) -> float:
        return (event.position() if hasattr(event, "position") else event.localPos()).x() / max(1, self.width() - 1)


class _Results(QObject):
    done = Signal(int, object, object)  # number of the job, result, error


class _Job(QRunnable):
    def __init__(self, number: int, work: Callable[[], Any], results: _Results):
        super().__init__()
        self._number, self._work, self._results = number, work, results

    def run(self) -> None:
        try:
            self._results.done.emit(self._number, self._work(), None)
        except Exception as error:  # noqa: BLE001 - shown to the user
            self._results.done.emit(self._number, None, error)


class FilterWidget(QWidget):
    """Filters an image layer by a range of an attribute of its components, into an image or labels layer."""

    def __init__(self, napari_viewer: Any):
        super().__init__()
        self._viewer = napari_viewer
        self._source: Optional[Tuple[Any, ...]] = None  # of the tree
        self._filter: Optional[ComponentFilter] = None
        self._number = 0
        self._results = _Results()
        self._results.done.connect(self._take)

        self.layer = QComboBox()
        self.kind = QComboBox()
        self.kind.addItem("bright components", "max")
        self.kind.addItem("dark components", "min")
        self.attribute = QComboBox()
        self.histogram = RangeHistogram()
        self.low, self.high = QDoubleSpinBox(), QDoubleSpinBox()
        self.rule = QComboBox()
        self.rule.addItems(RULES)
        self.output = QComboBox()
        self.output.addItems(["Image", "Labels"])
        self.live = QCheckBox("Live")
        self.live.setChecked(True)
        self.apply = QPushButton("Apply")
        self.state = QLabel()
        self.state.setWordWrap(True)

        form = QFormLayout()
        for name, control in (("Layer", self.layer), ("Components", self.kind), ("Attribute", self.attribute)):
            form.addRow(name, control)
        form.addRow(self.histogram)
        for name, control in (("From", self.low), ("To", self.high), ("Rule", self.rule), ("Output", self.output)):
            form.addRow(name, control)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        for control in (self.live, self.apply, self.state):
            layout.addWidget(control)
        layout.addStretch()

        for combo in (self.layer, self.kind):
            combo.currentIndexChanged.connect(self._build)
        self.attribute.currentIndexChanged.connect(self._show_attribute)
        self.histogram.rangeChanged.connect(self._take_range)
        for box in (self.low, self.high):
            box.setKeyboardTracking(False)
            box.valueChanged.connect(self._take_numbers)
        for combo in (self.rule, self.output):
            combo.currentIndexChanged.connect(self._changed)
        self.live.toggled.connect(self._changed)
        self.apply.clicked.connect(self._run)
        for event in (napari_viewer.layers.events.inserted, napari_viewer.layers.events.removed):
            event.connect(self._list_layers)
        napari_viewer.dims.events.current_step.connect(self._build)
        self._list_layers()

    def _list_layers(self, event: Any = None) -> None:
        """Lists the grey image layers, without the results of this widget."""
        names = [each.name for each in self._viewer.layers if type(each).__name__ == "Image"
                 and not getattr(each, "rgb", False) and "pollard" not in each.metadata]
        if names != [self.layer.itemText(i) for i in range(self.layer.count())]:
            chosen = self.layer.currentText()
            self.layer.blockSignals(True)
            self.layer.clear()
            self.layer.addItems(names)
            self.layer.setCurrentIndex(max(0, self.layer.findText(chosen)) if names else -1)
            self.layer.blockSignals(False)
        self._build()

    def _build(self, *_: Any) -> None:
        """Builds the tree of the shown picture or volume, unless it is there."""
        name, kind = self.layer.currentText(), self.kind.currentData()
        if not name:
            self._filter = self._source = None
            self.state.setText("Open a grey image.")
            return
        layer = self._viewer.layers[name]
        shown = min(3, self._viewer.dims.ndisplay)
        try:
            first = layer.data[0] if isinstance(layer.data, (list, tuple)) else layer.data
            leading = max(0, first.ndim - shown)
            step = tuple(self._viewer.dims.current_step[-first.ndim:][:leading])
            source = (name, id(layer.data), step, shown, kind)
            if source == self._source:
                return
            image = plane_of(layer.data, step, shown)
        except ValueError as error:
            self.state.setText(str(error))
            return
        self._source = source
        self._start("building the tree", lambda: ("tree", ComponentFilter(image, kind)))

    def _start(self, state: str, work: Callable[[], Any]) -> None:
        self._number += 1  # results of earlier jobs are dropped
        self.state.setText(state)
        QThreadPool.globalInstance().start(_Job(self._number, work, self._results))

    def _take(self, number: int, result: Any, error: Optional[Exception]) -> None:
        if number != self._number:
            return
        self.state.setText("" if error is None else str(error))
        if error is not None:
            return
        what, value = result
        if what == "tree":
            self._filter = value
            self._list_attributes()
        else:
            self._show(what, *value)

    def _list_attributes(self) -> None:
        chosen = self.attribute.currentData() or "area"
        self.attribute.blockSignals(True)
        self.attribute.clear()
        for name, title in self._filter.attributes():
            self.attribute.addItem(title, name)
        self.attribute.setCurrentIndex(max(0, self.attribute.findData(chosen)))
        self.attribute.blockSignals(False)
        self._show_attribute()

    def _show_attribute(self, *_: Any) -> None:
        if self._filter is None:
            return
        histogram = self._filter.histogram(self.attribute.currentData())
        self.histogram.show_histogram(histogram)
        for box, value in ((self.low, histogram.edges[0]), (self.high, histogram.edges[-1])):
            box.blockSignals(True)
            box.setDecimals(0 if histogram.integral else 3)
            box.setRange(float(histogram.edges[0]), float(histogram.edges[-1]))
            box.setValue(float(value))
            box.blockSignals(False)
        self.histogram.set_range(float(histogram.edges[0]), float(histogram.edges[-1]))
        self._changed()

    def _take_range(self, low: float, high: float) -> None:
        for box, value in ((self.low, low), (self.high, high)):
            box.blockSignals(True)
            box.setValue(value)
            box.blockSignals(False)
        self._changed()

    def _take_numbers(self, *_: Any) -> None:
        self.histogram.set_range(self.low.value(), self.high.value())
        self._changed()

    def _changed(self, *_: Any) -> None:
        if self.live.isChecked():
            self._run()

    def _run(self, *_: Any) -> None:
        if self._filter is None:
            return
        chosen, tree = (self.attribute.currentData(), self.low.value(), self.high.value(),
                        self.rule.currentText()), self._filter
        if self.output.currentText() == "Labels":
            self._start("labelling", lambda: ("labels", tree.labels(*chosen)))
        else:
            self._start("filtering", lambda: ("image", (tree.filtered(*chosen),)))

    def _show(self, what: str, data: np.ndarray, features: Any = None) -> None:
        """Shows a result in its layer, which is added at first."""
        source = self._viewer.layers[self.layer.currentText()]
        name = f"{source.name} {'labels' if what == 'labels' else 'filtered'}"
        if name in [each.name for each in self._viewer.layers]:
            layer = self._viewer.layers[name]
            layer.data = data
        else:
            place = {"name": name, "metadata": {"pollard": True}, "scale": source.scale[-data.ndim:],
                     "translate": source.translate[-data.ndim:]}
            if what == "labels":
                layer = self._viewer.add_labels(data, **place)
            else:
                layer = self._viewer.add_image(data, contrast_limits=source.contrast_limits, **place)
        if features is not None:
            layer.features = features
            count = len(features["index"])
            self.state.setText("1 component" if count == 1 else f"{count:,} components")
