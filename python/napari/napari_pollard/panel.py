"""What the widgets have in common: the chosen image and its axes, a job on a thread of its own, progress, errors."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, List, Sequence, Tuple, Union

import pollard_morphology as pollard
from qtpy.QtCore import QEvent, QTimer, Signal
from qtpy.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from .filtering import Progress, axes_choices, pixels_of

LOOK = 100  #: ms between two looks at the progress of a job


def fill(box: QComboBox, texts: Sequence[str]) -> None:
    """Sets the texts of a box, without a signal; the chosen one stays if it is among them."""
    chosen = box.currentText()
    box.blockSignals(True)
    box.clear()
    box.addItems(texts)
    box.setCurrentText(chosen)
    box.blockSignals(False)


def notify(text: str) -> None:
    """Shows an error as napari does."""
    try:
        from napari.utils.notifications import show_error  # pylint: disable=import-outside-toplevel
    except ImportError:  # in tests, which have no napari
        return
    show_error(text)


class LayerPanel(QWidget):
    """A form that works on an image layer. Of several requests during a job the newest one is done."""

    _ended = Signal(object, object)  # a request, and its answer or the problem; emitted by the thread of jobs

    def __init__(self, viewer: Any, verb: str):
        super().__init__()
        self._viewer, self._thread, self.is_busy, self._next = viewer, ThreadPoolExecutor(1), False, None
        self._images: List[Any] = []
        self._choices: List[Tuple[str, Tuple[int, ...]]] = []
        self._progress = Progress()
        self._closed = False
        self._ended.connect(self._take)
        self.image, self.axes = QComboBox(), QComboBox()
        self.button, self.stop, self.bar, self.message = QPushButton(verb), QPushButton("Stop"), QProgressBar(), QLabel()
        self.rows = QFormLayout(self)
        self.stop.setEnabled(False)
        self.bar.setTextVisible(False)
        self.message.setWordWrap(True)
        self._watch = QTimer(self)
        self._watch.timeout.connect(self._show_progress)
        self.button.clicked.connect(self.run)
        self.stop.clicked.connect(self.cancel)
        self.image.currentIndexChanged.connect(self._fit_image)
        self.axes.currentIndexChanged.connect(self._fit_axes)
        for event in (viewer.layers.events.inserted, viewer.layers.events.removed):
            event.connect(self._list_images)

    def add_row(self, name: str, control: QWidget, tip: str) -> None:
        """Adds a control with its name and tooltip to the form."""
        control.setToolTip(tip)
        self.rows.addRow(name, control)

    def add_image_rows(self) -> None:
        """Adds the choice of the image and of its axes."""
        self.add_row("image", self.image, "The image or volume to work on; of a pyramid its finest level")
        self.add_row("axes", self.axes, "Three axes: these make a volume. Two axes: each slice is an image of its own, as "
                     "times and channels are. All other axes count images or volumes")

    def add_job_rows(self, tip: str) -> None:
        """Adds the buttons, the progress and the message."""
        self.button.setToolTip(tip)
        self.stop.setToolTip("Stops the work; the layers stay as they are")
        buttons = QHBoxLayout()
        buttons.addWidget(self.button)
        buttons.addWidget(self.stop)
        self.rows.addRow("", buttons)
        self.add_row("", self.bar, "How much of the work is done, if that is known")
        self.rows.addRow("", self.message)
        self._list_images()

    # The image ------------------------------------------------------------------------------------------------------

    def _list_images(self, _event: Any = None) -> None:
        """Lists the image layers of one channel; the chosen layer stays, whatever its name is now."""
        chosen = self.source()
        self._images = [layer for layer in self._viewer.layers if type(layer).__name__ == "Image" and not layer.rgb]
        for layer in self._images:
            for name, call in (("name", self._list_images), ("axis_labels", self._list_images), ("data", self._edited),
                               ("scale", self._edited), ("units", self._edited)):
                if hasattr(layer.events, name):
                    getattr(layer.events, name).connect(call)  # once, however often it is connected
        self.image.blockSignals(True)
        self.image.clear()
        self.image.addItems([layer.name for layer in self._images])
        place = next((i for i, layer in enumerate(self._images) if layer is chosen), -1)
        self.image.setCurrentIndex(max(place, 0) if self._images else -1)
        self.image.blockSignals(False)
        layer = self.source()
        if layer is not chosen or layer is not None and axes_choices(layer) != self._choices:
            self._fit_image()

    def _edited(self, event: Any = None) -> None:
        """Follows other pixels, sides or units of a layer."""
        self._list_images(event)

    def source(self) -> Any:
        """The chosen layer; None without an image."""
        at = self.image.currentIndex()
        return self._images[at] if 0 <= at < len(self._images) else None

    def is_open(self, layer: Any) -> bool:
        """Whether the viewer has the layer."""
        return any(each is layer for each in self._viewer.layers)

    def chosen_axes(self) -> Tuple[int, ...]:
        """The axes of the layer that make an image or a volume."""
        return self._choices[max(self.axes.currentIndex(), 0)][1]

    def _fit_image(self, _index: Any = None) -> None:
        """Offers the axes that the image has, the likely ones first."""
        layer = self.source()
        self._choices = [("y x", (0, 1))] if layer is None or pixels_of(layer).ndim < 2 else axes_choices(layer)
        self.axes.blockSignals(True)
        self.axes.clear()
        self.axes.addItems([name for name, _ in self._choices])
        self.axes.blockSignals(False)
        self._fit_axes()

    def _fit_axes(self, _index: Any = None) -> None:
        """Offers what images, or volumes, have."""

    # The job --------------------------------------------------------------------------------------------------------

    def run(self, _checked: bool = False) -> None:
        """Starts the work, or lets it wait for the end of the work in progress."""
        try:
            request = self.request()
        except (ValueError, OSError) as problem:
            self.fail(problem)
            return
        if self.is_busy:
            self._next = request
        else:
            self._start(request)

    def request(self) -> Any:
        """What the form asks for. Raises ValueError if it is not complete."""
        raise NotImplementedError

    def answer(self, request: Any, progress: Progress) -> Any:
        """Does the work, on the thread of jobs."""
        raise NotImplementedError

    def accept(self, request: Any, answer: Any) -> None:
        """Shows the result."""
        raise NotImplementedError

    def fail(self, problem: Exception) -> None:
        """Shows a problem."""
        self.message.setText(str(problem))
        notify(str(problem))

    def cancel(self, _checked: bool = False) -> None:
        """Stops the work, and forgets the request that waits."""
        self._next = None
        self._progress.job.cancel()

    def _start(self, request: Any) -> None:
        self.is_busy, self._progress = True, Progress()
        self.stop.setEnabled(True)
        self._watch.start(LOOK)
        self.message.setText("computing ...")
        self._thread.submit(self._work, request, self._progress)

    def _work(self, request: Any, progress: Progress) -> None:
        answer: Union[Any, Exception]
        try:
            with progress.job:
                answer = self.answer(request, progress)
        except Exception as problem:  # pylint: disable=broad-except
            answer = problem
        try:
            self._ended.emit(request, answer)
        except RuntimeError:  # the widget is gone
            pass

    def _show_progress(self) -> None:
        fraction = self._progress.fraction if self.is_busy else 0.0
        self.bar.setRange(0, 0 if self.is_busy and fraction == 0 else 100)
        self.bar.setValue(int(100 * fraction))

    def _take(self, request: Any, answer: Union[Any, Exception]) -> None:
        self.is_busy = False
        if self._closed:
            self._next = None
        elif isinstance(answer, pollard.Cancelled):
            self.message.setText("stopped")
        elif isinstance(answer, Exception):
            self.fail(answer)
        else:
            self.accept(request, answer)
        waiting, self._next = self._next, None
        if waiting is not None and not self.is_busy:  # a new layer may have started another one
            self._start(waiting)
        if not self.is_busy:
            self._watch.stop()
            self.stop.setEnabled(False)
            self._show_progress()

    def event(self, event: QEvent) -> bool:
        """Stops the work when napari takes the widget out of its window."""
        if event.type() == QEvent.Type.ParentChange:
            self._closed = self.parent() is None
            if self._closed:
                self.cancel()
        return super().event(event)


def layer_of(viewer: Any, data: Any, meta: dict, kind: str) -> Any:
    """Adds a layer of images or labels."""
    added = (viewer.add_labels if kind == "labels" else viewer.add_image)(data, **meta)
    return getattr(added, "__wrapped__", added)  # viewers of plugins return proxies of layers
