"""Draws the images of docs/napari.md in napari: napari_images.py FOLDER_OF_PROGRAMS FOLDER"""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "peers"))

from support.facts import use_module_beside  # noqa: E402  # pylint: disable=wrong-import-position

use_module_beside(sys.argv[1])

from support.napari_window import Window, with_display  # noqa: E402  # pylint: disable=wrong-import-position

SIZE = 1180, 780


def main(folder):
    """The steps of the tutorial."""
    window = Window()
    layers = window.viewer.layers
    window.viewer.theme = "light"
    window.choose("File", "Open Sample", "Grains on an uneven background")
    window.choose("Plugins", "Pollard", "Attribute filter")
    filters = window.widget("Attribute filter")
    window.viewer.window._qt_window.resize(*SIZE)
    layers["grains"].scale = (0.5, 0.5)
    layers["grains"].units = ("um", "um")

    window.pick(filters.output, "residue")
    window.enter(filters.low, "500 um2")
    window.finish(filters)
    window.draw(folder / "napari-residue.png", *SIZE)

    window.pick(filters.image, "grains area residue")
    window.pick(filters.attribute, "level")
    window.pick(filters.output, "labels")
    window.enter(filters.low, "45")
    window.enter(filters.high, "")
    window.finish(filters)
    window.draw(folder / "napari-labels.png", *SIZE)
    shown = layers["grains area residue level labels"]
    print(f"{shown.data.max()} grains, mean area {shown.features['area_um2'].mean():.1f} um2")

    window.viewer.window.remove_dock_widget(filters)
    window.choose("Plugins", "Pollard", "Recipe")
    recipes = window.widget("Recipe")
    window.pick(recipes.image, "grains")
    window.pick(recipes.preset, "uneven-background")
    window.click(recipes.button)
    window.finish(recipes)
    layers["grains area residue level labels"].visible = False
    window.draw(folder / "napari-recipe.png", *SIZE)


if __name__ == "__main__":
    if "POLLARD_PEERS_DISPLAY" not in os.environ:
        sys.exit(with_display())
    main(Path(sys.argv[2]))
    sys.stdout.flush()
    os._exit(0)  # without the end of the event loop that napari never began
