"""The widget of attribute filters, over :mod:`napari_pollard.filtering`.

napari compares annotations of viewers with a text, so this file evaluates its annotations.
"""

import math
import weakref
from typing import Any, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from qtpy.QtCore import Qt, QTimer
from qtpy.QtGui import QPainter
from qtpy.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget
from superqt import QRangeSlider

from .files import look_of, place_of
from .filtering import (BINS, OUTPUTS, RULES, AttributeFilter, Choice, LayerData, Progress, attribute_names, checksum,
                        number_of, pixels_of, spacing_of, unit_of)
from .panel import LayerPanel, fill, layer_of


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
    axes: Tuple[int, ...]  #: those that make an image (2) or a volume (3)
    spacing: Optional[Tuple[float, ...]]
    unit: Optional[str]
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

    source: "weakref.ref[Any]"  #: the filtered layer
    what: Tuple[str, str]  #: attribute and output
    layer: "weakref.ref[Any]"
    name: str
    checksum: int

    def is_ours(self) -> bool:
        """Whether the layer has the name and the values that this widget gave it."""
        layer = self.layer()
        return layer is not None and layer.name == self.name and checksum(layer.data) == self.checksum


class FilterWidget(LayerPanel):
    """Filters an image layer by the range of an attribute."""

    def __init__(self, viewer: "napari.viewer.Viewer"):  # noqa: F821
        super().__init__(viewer, "Filter")
        self._filter: Optional[AttributeFilter] = None
        self._built: Any = None
        self._shown: List[Shown] = []
        self._typed: Tuple[Bound, Bound] = (SLIDER, SLIDER)
        self._dimensions = 2
        self.kind, self.connectivity, self.attribute, self.rule, self.output = (QComboBox() for _ in range(5))
        self.bars, self.range, self.low, self.high = Bars(), QRangeSlider(Qt.Orientation.Horizontal), QLineEdit(), QLineEdit()
        self.live = QCheckBox("live")
        for box, texts in ((self.kind, ("max", "min")), (self.connectivity, ("1", "2")), (self.rule, RULES),
                           (self.output, OUTPUTS), (self.attribute, attribute_names(2))):
            fill(box, texts)
        self.range.setRange(0, BINS)
        self.range.setValue((0, BINS))
        self.live.setChecked(True)
        self.add_image_rows()
        for name, control, tip in (
                ("tree", self.kind, "max: bright components on dark; min: dark components on bright"),
                ("connectivity", self.connectivity, "Largest number of steps along axes to a neighbour: 1 is 4 neighbours "
                 "in an image and 6 in a volume"),
                ("attribute", self.attribute, "The measurement of components by which they are kept"),
                ("", self.bars, "Number of components by the attribute, as square roots"),
                ("keep", self.range, "The range of the attribute that is kept"),
                ("from", self.low, "Smallest kept value, with or without a unit (50, 50 um2); empty for no bound"),
                ("to", self.high, "Largest kept value, with or without a unit (50, 50 um2); empty for no bound"),
                ("rule", self.rule, "How the removal of a component affects those inside and around it"),
                ("output", self.output, "filtered: the image without the removed components; residue: its difference to the "
                 "image; mask: the kept pixels; labels: a number for each kept component, with its features"),
                ("", self.live, "Filters with every change")):
            self.add_row(name, control, tip)
        self._timer = QTimer(self)  # so that several changes of one event are one filter
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.run)
        for box in (self.image, self.axes, self.kind, self.attribute):
            box.currentTextChanged.connect(self._forget_bounds)
        for box in (self.image, self.axes, self.kind, self.connectivity, self.attribute, self.rule, self.output):
            box.currentTextChanged.connect(self._later)
        self.range.valueChanged.connect(self._forget_bounds)
        self.range.valueChanged.connect(self._later)
        for edit in (self.low, self.high):
            edit.editingFinished.connect(self._take_bounds)
        self.add_job_rows("Filters now")

    def _list_images(self, event: Any = None) -> None:
        chosen = self.source()
        super()._list_images(event)
        if self.source() is not chosen:
            self._forget_bounds()
        self._shown = [each for each in self._shown if self.is_open(each.source()) and self.is_open(each.layer())]

    def _edited(self, event: Any = None) -> None:
        super()._edited(event)
        if getattr(event, "source", None) is self.source() is not None:
            self._later()

    def _fit_axes(self, _index: Any = None) -> None:
        axes = len(self.chosen_axes())
        if axes != self._dimensions:
            self._dimensions = axes
            fill(self.attribute, attribute_names(axes))
            fill(self.connectivity, [str(each + 1) for each in range(axes)])

    def _forget_bounds(self, _value: Any = None) -> None:
        """The slider has the bounds again."""
        self._typed = (SLIDER, SLIDER)

    def _take_bounds(self) -> None:
        """Filters by the typed bounds."""
        layer, bounds = self.source(), list(self._typed)
        if layer is None:
            return
        _, unit = spacing_of(layer, self.chosen_axes())
        for i, edit in enumerate((self.low, self.high)):
            if not edit.isModified():
                continue  # the focus went through the field
            edit.setModified(False)
            try:
                bounds[i] = number_of(edit.text(), unit_of(self.attribute.currentText(), unit, self._dimensions))
            except ValueError as problem:
                self.fail(problem)
                return
        if tuple(bounds) != self._typed:
            self._typed = (bounds[0], bounds[1])
            self._later()

    def _later(self, _value: Any = None) -> None:
        if self.live.isChecked() and not self._timer.isActive():
            self._timer.start(0)

    def request(self) -> Request:
        layer = self.source()
        if layer is None:
            raise ValueError("open an image of one channel")
        axes = self.chosen_axes()
        return Request(layer, pixels_of(layer), axes, *spacing_of(layer, axes), self.kind.currentText(),
                       int(self.connectivity.currentText()), self.attribute.currentText(), self.range.value(), self._typed,
                       self.rule.currentText(), self.output.currentText())

    def answer(self, request: Request, progress: Progress) -> Answer:
        pixels = np.asarray(request.data)
        built = (checksum(pixels), pixels.shape, pixels.dtype, request.kind, request.connectivity, request.axes,
                 request.spacing, request.unit)
        if self._filter is None or built != self._built:
            self._filter, self._built = None, built
            self._filter = AttributeFilter(pixels, request.kind, request.connectivity, axes=request.axes,
                                           spacing=request.spacing, unit=request.unit, progress=progress)
        edges = self._filter.edges(request.attribute)
        ends = [None if at == end else float(edges[at]) for at, end in zip(request.kept, (0, BINS))]
        low, high = (end if bound == SLIDER else bound for bound, end in zip(request.typed, ends))
        first = 0 if low is None else int(np.searchsorted(edges, low, "right")) - 1
        last = BINS if high is None else int(np.searchsorted(edges, high, "left"))
        choice = Choice(request.attribute, low, high, request.rule, request.output)
        return Answer(self._filter.histogram(request.attribute).tolist(), (min(max(first, 0), BINS), min(max(last, 0), BINS)),
                      float(edges[0]) if low is None else low, float(edges[-1]) if high is None else high,
                      self._filter.layer(choice, request.layer.name, progress))

    def accept(self, request: Request, answer: Answer) -> None:
        if not self.is_open(request.layer):
            self.message.setText("the image is no longer open")
            return
        unit = unit_of(request.attribute, request.unit, len(request.axes))
        self.bars.counts, self.bars.kept = answer.counts, answer.kept
        self.bars.update()
        for edit, bound in ((self.low, answer.low), (self.high, answer.high)):
            if not edit.isModified():
                edit.setText(f"{bound:.12g} {unit}".rstrip())
        if request.typed == self._typed != (SLIDER, SLIDER):
            self.range.blockSignals(True)
            self.range.setValue((min(answer.kept), max(answer.kept)))
            self.range.blockSignals(False)
        self._show(*answer.layer, request)
        parts = math.prod(request.data.shape) // math.prod(request.data.shape[i] for i in request.axes)
        is_volume = len(request.axes) == 3
        volume = f", {request.data.shape[request.axes[0]]} slices as one volume" if is_volume else ""
        each = f", each of {parts} {'volumes' if is_volume else 'images'}" if parts > 1 else ""
        whole = "; the whole image is one component: lower the upper bound" if (
            request.output == "labels" and parts == 1 and answer.layer[0].min() > 0) else ""
        self.message.setText(f"{answer.low:.12g} to {answer.high:.12g} {unit}".rstrip() + volume + each + whole)

    def _show(self, data: np.ndarray, meta: dict, kind: str, request: Request) -> None:
        """Updates the layer of the last result if it is unchanged, else adds a new layer."""
        source, what = request.layer, (request.attribute, request.output)
        last = next((each for each in self._shown if each.source() is source and each.what == what), None)
        if last is not None and self.is_open(last.layer()) and last.is_ours():
            layer = last.layer()
            layer.data = data
            for name in ("features", "contrast_limits"):
                if name in meta:
                    setattr(layer, name, meta[name])
        else:
            meta = {**meta, **place_of(source)}
            if kind == "image":
                meta = {**look_of(source, request.output), **meta}
            layer = layer_of(self._viewer, data, meta, kind)
        self._shown = [each for each in self._shown if each is not last]
        self._shown.append(Shown(weakref.ref(source), what, weakref.ref(layer), layer.name, checksum(data)))
