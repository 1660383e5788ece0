"""Widgets for napari: a thin layer over :mod:`napari_pollard.filtering` and :mod:`napari_pollard.files`.

napari and magicgui compare annotations with the names of types, so this file evaluates its annotations.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, List, Literal, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import pollard_morphology as pollard
from qtpy.QtCore import Qt, QTimer, Signal
from qtpy.QtGui import QPainter
from qtpy.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QPushButton, QWidget
from superqt import QRangeSlider

from .files import layers_of_recipe, look_of, place_of
from .filtering import (BINS, OUTPUTS, RULES, AttributeFilter, Choice, LayerData, attribute_names, axes_of, checksum,
                        pixels_of, sides_of)

PAUSE = 60  #: ms between a change and a live filter
Preset = Literal[("", *pollard.presets())]  #: magicgui makes a list of it


def fill(box: QComboBox, texts: Sequence[str]) -> None:
    """Sets the texts of a box, without a signal; the chosen one stays if it is among them."""
    chosen = box.currentText()
    box.blockSignals(True)
    box.clear()
    box.addItems(texts)
    box.setCurrentText(chosen)
    box.blockSignals(False)


class Bars(QWidget):
    """A histogram; the kept bins have the colour of texts, the others are paler."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(60)
        self.counts, self.kept = [0] * BINS, (0, BINS)

    def paintEvent(self, _event) -> None:  # noqa: N802  # pylint: disable=invalid-name
        painter = QPainter(self)
        most, width = max(*self.counts, 1), self.width() / BINS
        for i, count in enumerate(self.counts):
            colour = self.palette().color(self.foregroundRole())
            colour.setAlpha(255 if self.kept[0] <= i < self.kept[1] else 70)
            height = int((count / most) ** 0.5 * self.height())  # square roots, so that rare values are visible
            painter.fillRect(int(i * width), self.height() - height, max(int(width), 1), height, colour)
        painter.end()


SLIDER = "slider"
Bound = Union[None, float, str]  #: no bound, a typed one, or SLIDER: that of the slider


class Request(NamedTuple):
    """A filter of a layer: the tree, and the part of the attribute's range to keep."""

    layer: Any
    data: Any
    axes: int  #: the last ones, which make an image (2) or a volume (3)
    kind: str
    connectivity: int
    attribute: str
    kept: Tuple[int, int]  #: bins of the histogram
    typed: Tuple[Bound, Bound]  #: in place of the bins
    rule: str
    output: str


class Answer(NamedTuple):
    """The result of a filter, with the histogram and the kept range."""

    counts: List[int]
    kept: Tuple[int, int]
    low: float
    high: float
    layer: LayerData


class Shown(NamedTuple):
    """A layer with a result, as this widget left it: what a person changes is theirs."""

    layer: Any
    name: str
    checksum: int

    def is_ours(self, layers: Any) -> bool:
        """Whether the layer is still among these, with its name and values."""
        return any(each is self.layer for each in layers) and self.layer.name == self.name and (
            checksum(self.layer.data) == self.checksum)


class FilterWidget(QWidget):
    """Filters an image layer by the range of an attribute. Trees and filters are computed on a thread of its own."""

    _ended = Signal(object, object)  # Request, and Answer or the problem; emitted by that thread

    def __init__(self, viewer: "napari.viewer.Viewer"):  # noqa: F821
        super().__init__()
        self._viewer, self._filter, self._built = viewer, None, None
        self._thread, self.is_busy, self._next = ThreadPoolExecutor(1), False, None
        self._images, self._shown, self._typed, self._axes = [], {}, (SLIDER, SLIDER), 2
        self._ended.connect(self._take)
        self.image, self.axes, self.kind, self.connectivity, self.attribute = (QComboBox() for _ in range(5))
        self.rule, self.output, self.bars, self.range = QComboBox(), QComboBox(), Bars(), QRangeSlider(Qt.Horizontal)
        self.low, self.high = QLineEdit(), QLineEdit()
        self.live, self.message, self.button = QCheckBox("live"), QLabel(), QPushButton("Filter")
        for box, texts in ((self.kind, ("max", "min")), (self.connectivity, ("1", "2")), (self.rule, RULES),
                           (self.output, OUTPUTS), (self.attribute, attribute_names(2))):
            fill(box, texts)
        self.range.setRange(0, BINS)
        self.range.setValue((0, BINS))
        self.live.setChecked(True)
        self.message.setWordWrap(True)
        rows = QFormLayout(self)
        for name, control, tip in (
                ("image", self.image, "The image or volume to filter; of a pyramid its finest level"),
                ("axes", self.axes, "z y x: the last three axes are a volume; y x: each slice is an image of its own, as times "
                 "and channels are; all other axes count them"),
                ("tree", self.kind, "max: bright components on dark; min: dark components on bright"),
                ("connectivity", self.connectivity, "Largest number of steps along axes to a neighbour: 1 is 4 neighbours "
                 "in an image and 6 in a volume"),
                ("attribute", self.attribute, "The measurement of components by which they are kept"),
                ("", self.bars, "Number of components by the attribute, as square roots"),
                ("keep", self.range, "The range of the attribute that is kept"),
                ("from", self.low, "Smallest kept value; empty for no bound"),
                ("to", self.high, "Largest kept value; empty for no bound"),
                ("rule", self.rule, "How the removal of a component affects those inside and around it"),
                ("output", self.output, "filtered: the image without the removed components; residue: its difference to the "
                 "image; mask: the kept pixels; labels: a number for each kept component, with its features"),
                ("", self.live, "Filters with every change"), ("", self.button, "Filters now"), ("", self.message, "")):
            control.setToolTip(tip)
            rows.addRow(name, control)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.run)
        self._list_images()
        for event in (viewer.layers.events.inserted, viewer.layers.events.removed):
            event.connect(self._list_images)
        for box in (self.image, self.axes, self.kind, self.attribute):
            box.currentTextChanged.connect(self._forget_bounds)
        self.image.currentIndexChanged.connect(self._fit_image)
        self.axes.currentIndexChanged.connect(self._fit_axes)
        for box in (self.image, self.axes, self.kind, self.connectivity, self.attribute, self.rule, self.output):
            box.currentTextChanged.connect(self._later)
        self.range.valueChanged.connect(self._forget_bounds)
        self.range.valueChanged.connect(self._later)
        for edit in (self.low, self.high):
            edit.editingFinished.connect(self._take_bounds)
        self.button.clicked.connect(self.run)

    def _list_images(self, _event=None) -> None:
        """Lists the image layers of one channel; the chosen layer stays, whatever its name is now."""
        chosen = self._source()
        self._images = [layer for layer in self._viewer.layers if type(layer).__name__ == "Image" and not layer.rgb]
        for layer in self._images:
            layer.events.name.connect(self._list_images)  # once, however often it is connected
        self.image.blockSignals(True)
        self.image.clear()
        self.image.addItems([layer.name for layer in self._images])
        place = next((i for i, layer in enumerate(self._images) if layer is chosen), -1)
        self.image.setCurrentIndex(max(place, 0) if self._images else -1)
        self.image.blockSignals(False)
        if self._source() is not chosen:
            self._forget_bounds()
            self._fit_image()
        there = {id(layer) for layer in self._viewer.layers}
        self._shown = {key: each for key, each in self._shown.items() if key[0] in there and id(each.layer) in there}

    def _source(self) -> Any:
        """The chosen layer; None without an image."""
        at = self.image.currentIndex()
        return self._images[at] if 0 <= at < len(self._images) else None

    def _fit_image(self, _index=None) -> None:
        """Offers the axes that the image has."""
        layer = self._source()
        texts = ("z y x", "y x") if layer is not None and pixels_of(layer).ndim > 2 else ("y x",)
        if [self.axes.itemText(i) for i in range(self.axes.count())] != list(texts):
            fill(self.axes, texts)
        if layer is not None:
            self.axes.blockSignals(True)
            self.axes.setCurrentText("z y x" if axes_of(layer) == 3 else "y x")
            self.axes.blockSignals(False)
        self._fit_axes()

    def _fit_axes(self, _index=None) -> None:
        """Offers the attributes and neighbours that images, or volumes, have."""
        axes = 3 if self.axes.currentText() == "z y x" else 2
        if axes != self._axes:
            self._axes = axes
            fill(self.attribute, attribute_names(axes))
            fill(self.connectivity, [str(each + 1) for each in range(axes)])

    def _forget_bounds(self, _value=None) -> None:
        """The slider has the bounds again."""
        self._typed = (SLIDER, SLIDER)

    def _take_bounds(self) -> None:
        """Filters by the typed bounds."""
        bounds = list(self._typed)
        for i, edit in enumerate((self.low, self.high)):
            if not edit.isModified():
                continue  # the focus went through the field
            text = edit.text().strip()
            try:
                bound = float(text.replace(",", ".")) if text else None
            except ValueError:
                bound = float("nan")
            if bound is not None and not math.isfinite(bound):
                self.message.setText(f"'{text}' is not a number")
                return
            bounds[i] = bound
        if self.low.isModified() or self.high.isModified():
            self.low.setModified(False)
            self.high.setModified(False)
            self._typed = (bounds[0], bounds[1])
            self._later()

    def _later(self, _value=None) -> None:
        if self.live.isChecked() and not self._timer.isActive():
            self._timer.start(PAUSE)

    def run(self, _checked: bool = False) -> None:
        """Filters, and shows the result in a layer. The newest of several waiting calls is done."""
        layer = self._source()
        if layer is None:
            self.message.setText("open an image of one channel")
            return
        if (pixels_of(layer).ndim > 2) != (self.axes.count() == 2):  # other data in the same layer
            self._fit_image()
        request = Request(layer, pixels_of(layer), self._axes, self.kind.currentText(), int(self.connectivity.currentText()),
                          self.attribute.currentText(), self.range.value(), self._typed, self.rule.currentText(),
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
        pixels, sides, axes = np.asarray(request.data), sides_of(request.layer), request.axes
        built = (checksum(pixels), pixels.shape, pixels.dtype, request.kind, request.connectivity, sides, axes)
        if built != self._built:
            self._filter = AttributeFilter(pixels, request.kind, request.connectivity, sides=sides, axes=axes)
            self._built = built
        edges = self._filter.edges(request.attribute)
        ends = [None if at == end else float(edges[at]) for at, end in zip(request.kept, (0, BINS))]
        low, high = (end if bound == SLIDER else bound for bound, end in zip(request.typed, ends))
        first = 0 if low is None else int(np.searchsorted(edges, low, "right")) - 1
        last = BINS if high is None else int(np.searchsorted(edges, high, "left"))
        choice = Choice(request.attribute, low, high, request.rule, request.output)
        return Answer(self._filter.histogram(request.attribute).tolist(), (min(max(first, 0), BINS), min(max(last, 0), BINS)),
                      float(edges[0]) if low is None else low, float(edges[-1]) if high is None else high,
                      self._filter.layer(choice, request.layer.name))

    def _take(self, request: Request, answer: Union[Answer, Exception]) -> None:
        self.is_busy = False
        if isinstance(answer, Exception):
            self.message.setText(str(answer))
        elif not any(each is request.layer for each in self._viewer.layers):
            self.message.setText("the image is no longer open")
        else:
            self.bars.counts, self.bars.kept = answer.counts, answer.kept
            self.bars.update()
            for edit, bound in ((self.low, answer.low), (self.high, answer.high)):
                if not edit.isModified():
                    edit.setText(f"{bound:.12g}")
            if request.typed == self._typed != (SLIDER, SLIDER):
                self.range.blockSignals(True)
                self.range.setValue((min(answer.kept), max(answer.kept)))
                self.range.blockSignals(False)
            self._show(*answer.layer, request)
            shape = request.data.shape
            parts = math.prod(shape[:-request.axes])
            volume = f", {shape[-3]} slices as one volume" if request.axes == 3 else ""
            each = f", each of {parts} {'volumes' if request.axes == 3 else 'images'}" if parts > 1 else ""
            self.message.setText(f"{answer.low:.12g} to {answer.high:.12g}{volume}{each}")
        if self._next is not None and not self.is_busy:  # a new layer may have started another one
            request, self._next = self._next, None
            self._start(request)

    def _show(self, data, meta, kind: str, request: Request) -> None:
        """Updates the layer of the last result if it is unchanged, else adds a new layer."""
        source, key = request.layer, (id(request.layer), request.attribute, request.output)
        last = self._shown.get(key)
        if last is None or not last.is_ours(self._viewer.layers):
            meta = {**meta, **place_of(source)}
            if kind == "image":
                meta = {**look_of(source, request.output), **meta}
            layer = (self._viewer.add_labels if kind == "labels" else self._viewer.add_image)(data, **meta)
        else:
            layer = last.layer
            layer.data = data
            for name in ("features", "contrast_limits"):
                if name in meta:
                    setattr(layer, name, meta[name])
        self._shown[key] = Shown(layer, layer.name, checksum(data))


def run_recipe(image: "napari.layers.Image", recipe: Path, preset: Preset = "",  # noqa: F821
               pictures: Sequence[Path] = ()) -> List["napari.types.LayerDataTuple"]:  # noqa: F821
    """Runs a recipe file, or a preset, on an image layer, or on picture files, which are read as the recipe says."""
    try:
        return layers_of_recipe(image, recipe, preset, pictures)
    except Exception as problem:  # pylint: disable=broad-except
        from napari.utils.notifications import show_error  # pylint: disable=import-outside-toplevel
        show_error(str(problem))  # the traceback of magicgui begins with an empty line
        return []
