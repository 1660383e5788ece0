"""Widgets for napari: a thin layer over :mod:`napari_pollard.filtering` and :mod:`napari_pollard.files`.

napari and magicgui compare annotations with the names of types, so this file evaluates its annotations.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, List, NamedTuple, Sequence, Tuple, Union

from qtpy.QtCore import Qt, QTimer, Signal
from qtpy.QtGui import QPainter
from qtpy.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QPushButton, QWidget
from superqt import QRangeSlider

from .files import layers_of_recipe, place_of
from .filtering import BINS, OUTPUTS, RULES, AttributeFilter, Choice, LayerData, attribute_names

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


class Request(NamedTuple):
    """A filter of a layer: the tree, and bins of the attribute's histogram to keep."""

    layer: Any
    data: Any
    kind: str
    connectivity: int
    attribute: str
    kept: Tuple[int, int]
    rule: str
    output: str


class Answer(NamedTuple):
    """The result of a filter, with the histogram and the kept range."""

    counts: List[int]
    low: float
    high: float
    layer: LayerData


class FilterWidget(QWidget):
    """Filters an image layer by the range of an attribute. Trees and filters are computed on a thread of its own."""

    _ended = Signal(object, object)  # Request, and Answer or the problem; emitted by that thread

    def __init__(self, viewer: "napari.viewer.Viewer"):  # noqa: F821
        super().__init__()
        self._viewer, self._filter, self._built = viewer, None, None
        self._thread, self.is_busy, self._next, self._axes = ThreadPoolExecutor(1), False, None, 2
        self._ended.connect(self._take)
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

    def run(self, _checked: bool = False) -> None:
        """Filters, and puts the result into a layer of its name. The newest of several waiting calls is done."""
        if not self.image.currentText():
            self.message.setText("open an image of one channel")
            return
        layer = self._viewer.layers[self.image.currentText()]
        data = layer.data
        if data.ndim != self._axes:
            self._axes = data.ndim
            fill(self.attribute, attribute_names(data.ndim))
        request = Request(layer, data, self.kind.currentText(), int(self.connectivity.currentText()),
                          self.attribute.currentText(), self.range.value(), self.rule.currentText(),
                          self.output.currentText())
        if self.is_busy:
            self._next = request
        else:
            self._start(request)

    def _start(self, request: Request) -> None:
        self.is_busy = True
        self.message.setText("computing ...")
        self._thread.submit(self._work, request)

    def _work(self, request: Request) -> None:
        answer: Union[Answer, Exception]
        try:
            answer = self._answer(request)
        except Exception as problem:  # pylint: disable=broad-except
            answer = problem
        try:
            self._ended.emit(request, answer)
        except RuntimeError:  # the widget is gone
            pass

    def _answer(self, request: Request) -> Answer:
        built = (request.data, request.kind, request.connectivity)
        if self._built is None or built[0] is not self._built[0] or built[1:] != self._built[1:]:
            self._filter, self._built = AttributeFilter(*built), built
        edges = self._filter.edges(request.attribute)
        low, high = (float(edges[end]) for end in request.kept)
        choice = Choice(request.attribute, low, high, request.rule, request.output)
        return Answer(self._filter.histogram(request.attribute).tolist(), low, high,
                      self._filter.layer(choice, request.layer.name))

    def _take(self, request: Request, answer: Union[Answer, Exception]) -> None:
        self.is_busy = False
        if isinstance(answer, Exception):
            self.message.setText(str(answer))
        else:
            self.bars.counts, self.bars.kept = answer.counts, request.kept
            self.bars.update()
            self._show(*answer.layer, request.layer)
            self.message.setText(f"{answer.low:.5g} to {answer.high:.5g}")
        if self._next is not None and not self.is_busy:  # a new layer may have started another one
            request, self._next = self._next, None
            self._start(request)

    def _show(self, data, meta, kind: str, source) -> None:
        if meta["name"] not in self._viewer.layers:
            meta = {**meta, **place_of(source)}
            (self._viewer.add_labels if kind == "labels" else self._viewer.add_image)(data, **meta)
            return
        shown = self._viewer.layers[meta["name"]]
        shown.data = data
        if "features" in meta:
            shown.features = meta["features"]


def run_recipe(image: "napari.layers.Image", recipe: Path, preset: str = "",  # noqa: F821
               pictures: Sequence[Path] = ()) -> List["napari.types.LayerDataTuple"]:  # noqa: F821
    """Runs a recipe file, or a preset, on an image layer, or on picture files, which are read as the recipe says."""
    try:
        return layers_of_recipe(image, recipe, preset, pictures)
    except Exception as problem:  # pylint: disable=broad-except
        from napari.utils.notifications import show_error  # pylint: disable=import-outside-toplevel
        show_error(str(problem))  # the traceback of magicgui begins with an empty line
        return []
