"""The widget that runs recipes."""

from typing import Any, NamedTuple, Tuple

import pollard_morphology as pollard
from qtpy.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from .files import chosen_recipe, layer_of_image, layer_of_recipe
from .filtering import LayerData, Progress
from .panel import LayerPanel, fill, layer_of


class RecipeRequest(NamedTuple):
    """A recipe for a layer, or for the files of images."""

    recipe: pollard.Recipe
    layer: Any
    axes: Tuple[int, ...]
    images: Tuple[str, ...]


class RecipeWidget(LayerPanel):
    """Runs a recipe file, the filters of a session, or a preset on an image layer or on image files."""

    def __init__(self, viewer: "napari.viewer.Viewer"):  # noqa: F821
        super().__init__(viewer, "Run")
        self.preset, self.file, self.images = QComboBox(), QLineEdit(), QLineEdit()
        fill(self.preset, ("", *pollard.presets()))
        self.add_image_rows()
        self.add_row("preset", self.preset, "A recipe that comes with the program; empty for a file")
        self._add_file_row("file", self.file, "A recipe (.json) or a session (.pollard), as the window of the program saves "
                           "them; of a session its filters", self._choose_file)
        self._add_file_row("images", self.images, "Files to run the recipe on in place of the image, separated by ';'; "
                           "they are read as the recipe says, in all formats of the program", self._choose_images)
        self.file.textChanged.connect(lambda text: self.preset.setCurrentIndex(0) if text else None)
        self.preset.currentTextChanged.connect(lambda text: self.file.clear() if text else None)
        self.add_job_rows("Runs the recipe, and adds the result as a layer")

    def _add_file_row(self, name: str, edit: QLineEdit, tip: str, choose: Any) -> None:
        row, browse = QWidget(), QPushButton("...")
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        browse.setToolTip(f"Chooses: {name}")
        browse.setMaximumWidth(36)
        browse.clicked.connect(choose)
        edit.setToolTip(tip)
        layout.addWidget(edit)
        layout.addWidget(browse)
        self.add_row(name, row, tip)

    def _choose_file(self, _checked: bool = False) -> None:
        path, _ = QFileDialog.getOpenFileName(self, "Recipe or session", "", "Recipes and sessions (*.json *.pollard)")
        if path:
            self.file.setText(path)

    def _choose_images(self, _checked: bool = False) -> None:
        paths, _ = QFileDialog.getOpenFileNames(self, "Images")
        if paths:
            self.images.setText(";".join(paths))

    def request(self) -> RecipeRequest:
        recipe = chosen_recipe(self.file.text().strip(), self.preset.currentText())
        images = tuple(each.strip() for each in self.images.text().split(";") if each.strip())
        layer = self.source()
        if layer is None and not images:
            raise ValueError("open an image of one channel, or choose image files")
        return RecipeRequest(recipe, layer, self.chosen_axes(), images)

    def answer(self, request: RecipeRequest, progress: Progress) -> Tuple[LayerData, ...]:
        if request.images:
            return tuple(layer_of_image(request.recipe, each) for each in progress.each(request.images))
        return (layer_of_recipe(request.recipe, request.layer, request.axes, progress),)

    def accept(self, request: RecipeRequest, answer: Tuple[LayerData, ...]) -> None:
        if not request.images and not self.is_open(request.layer):
            self.message.setText("the image is no longer open")
            return
        for data, meta, kind in answer:
            layer_of(self._viewer, data, meta, kind)
        self.message.setText(", ".join(meta["name"] for _, meta, _ in answer))
