"""napari opens both widgets of the plugin by its menu, and their results, a session and results of files are right.

usage: napari_widgets.py FOLDER_OF_PROGRAMS; exit status 77: napari, the plugin, or a virtual display is missing
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from support.facts import PICTURES, ROOT, Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import napari
    import numpy
    import pollard_morphology as pollard
    from napari.utils.notifications import notification_manager
    from qtpy.QtWidgets import QApplication

    import napari_pollard
    from support import pictures
except ImportError as problem:
    skip(problem)

PRESET = "uneven-background"
LABELS = {"pollard_recipe": 1, "name": "spots", "steps": [
    {"id": "tree", "version": 2, "parameters": {"kind": "max", "connectivity": 4}},
    {"id": "filter", "version": 2, "parameters": {"criteria": ["20<=area<=400"], "output": "labels"}}]}


def action_of(menu, name, *more):
    """The action with these names along menus, as a user finds it."""
    if hasattr(menu, "aboutToShow"):
        menu.aboutToShow.emit()
    action = next(each for each in menu.actions() if each.text().replace("&", "").startswith(name))
    return action_of(action.menu(), *more) if more else action


class Window:
    """A viewer with its menus."""

    def __init__(self):
        self.viewer = napari.Viewer()
        self.application = QApplication.instance()

    def choose(self, *names):
        """Chooses an entry of the menu bar."""
        action_of(self.viewer.window._qt_window.menuBar(), *names).trigger()
        self.application.processEvents()

    def wait_for(self, condition, seconds=60):
        """Handles events until a condition holds."""
        end = time.monotonic() + seconds
        while not condition() and time.monotonic() < end:
            self.application.processEvents()

    def widget(self, name):
        """The widget of the plugin with this name; nothing if it did not open."""
        return next((each for title, each in self.viewer.window.dock_widgets.items() if title.startswith(name)), None)

    def draw(self, name):
        """Saves a picture of the window."""
        self.viewer.reset_view()
        self.viewer.window._qt_window.resize(1600, 1000)
        self.wait_for(lambda: False, 0.5)
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.viewer.window.screenshot(str(PICTURES / name), canvas_only=False, flash=False)

    def errors(self):
        """Texts of the notifications, which this forgets."""
        texts = [record.message for record in notification_manager.records]
        notification_manager.records.clear()
        return texts


def check_widgets(table, window):
    """Both widgets on the sample of the plugin."""
    layers = window.viewer.layers
    for name in ("Attribute filter", "Recipe"):
        window.choose("Plugins", "Pollard", name)
        table.fact(f"Plugins > Pollard > {name}", "napari", "opens", window.widget(name) is not None, True)
    window.choose("File", "Open Sample", "Grains on an uneven background")
    image = layers["grains"].data
    layers["grains"].scale, layers["grains"].translate = (2, 3), (5, 7)
    filters, recipes = window.widget("Attribute filter"), window.widget("Recipe")

    filters.attribute.setCurrentText("area")
    filters.range.setValue((20, 50))
    window.wait_for(lambda: "grains area filtered" in layers and not filters.is_busy and not filters._timer.isActive())
    low, high = map(float, filters._filter.edges("area")[[20, 50]])
    table.samples("layer of the filter", "napari", layers["grains area filtered"].data,
                  pollard.max_tree(image).filter(f"{low!r} <= area <= {high!r}"))

    layers["grains area filtered"].name = "kept"
    kept = layers["kept"].data
    layers["grains"].name = "seeds"
    table.fact("renamed layer", "napari", "list", [filters.image.itemText(i) for i in range(filters.image.count())],
               ["seeds", "kept"])
    filters.output.setCurrentText("labels")
    window.wait_for(lambda: "seeds area labels" in layers and not filters.is_busy and not filters._timer.isActive())
    layers["seeds area labels"].paint((9, 9), 1234)
    filters.low.setFocus()
    filters.low.setText("30")
    filters.low.setModified(True)
    filters.low.editingFinished.emit()
    window.wait_for(lambda: "seeds area labels [1]" in layers and not filters.is_busy)
    table.fact("painted labels", "napari", "stay", bool((layers["seeds area labels"].data == 1234).any()), True)
    table.samples("typed bound", "napari", layers["seeds area labels [1]"].data,
                  pollard.max_tree(image).labels(f"30 <= area <= {high!r}"))
    table.fact("renamed result", "napari", "stays", layers["kept"].data is kept, True)
    layers["seeds"].name = "grains"

    recipes["preset"].value = PRESET
    recipes.call_button.native.click()
    result = pollard.Recipe.preset(PRESET)
    shown = layers[f"grains {result.name}"]
    table.samples("layer of the recipe", "napari", shown.data, result(image))
    table.fact("layer of the recipe", "napari", "place", [shown.scale.tolist(), shown.translate.tolist()],
               [[2.0, 3.0], [5.0, 7.0]])
    window.draw("napari.png")
    files = [ROOT / "resources" / "samples" / name for name in ("coins_384x303_u8.tif", "page_480x320_u8.tif")]
    result.save("recipe.json")
    recipes["recipe"].value, recipes["preset"].value, recipes["pictures"].value = "recipe.json", "", files
    recipes.call_button.native.click()
    for file in files:
        table.samples("layers of picture files", "napari", layers[f"{file.stem} {result.name}"].data, result(file))
    pathlib.Path("labels.json").write_text(json.dumps(LABELS), encoding="utf-8")
    recipes["recipe"].value, recipes["pictures"].value = "labels.json", ()
    recipes.call_button.native.click()
    shown = layers["grains spots"]
    table.samples("layer of labels", "napari", shown.data, pollard.max_tree(image).labels("20 <= area <= 400"))
    table.fact("layer of labels", "napari", "kind", type(shown).__name__, "Labels")
    table.fact("both widgets", "napari", "errors", window.errors(), [])
    recipes["recipe"].value, recipes["pictures"].value = pathlib.Path(), ()
    recipes.call_button.native.click()
    table.fact("Recipe without a recipe", "napari", "notification", [text[:20] for text in window.errors()],
               ["choose a recipe file"])


def check_readers(table, window):
    """Sessions are read, and other files left to other readers."""
    shutil.copy(ROOT / "resources" / "samples" / "coins_384x303_u8.tif", "coins.tif")
    criterion = {"attribute": "area", "bounds": {"area": [30, None]}, "enabled": True}
    session = {"pollard_session": 1, "image": {"relative": "coins.tif", "absolute": "", "read": {}}, "region": {},
               "tree": {"kind": "max", "connectivity": 8},
               "filter": {"enabled": True, "criteria": [criterion], "current": 0, "match": "all", "rule": "direct",
                          "output": "filtered", "prominent": {"only": False, "measure": "dynamics", "count": 5},
                          "picks": []}}
    for name, content in (("coins.pollard", session), ("other.json", {"a": 1})):
        pathlib.Path(name).write_text(json.dumps(content), encoding="utf-8")
    (layer,) = window.viewer.open("coins.tif", plugin=None)
    image = layer.data
    (layer,) = window.viewer.open("coins.pollard", plugin=None)
    table.samples("coins.pollard", "napari", layer.data, pollard.max_tree(image, 2).filter("area >= 30"))
    try:
        window.viewer.open("other.json", plugin=None)
        text = "opened"
    except Exception as problem:  # pylint: disable=broad-except
        text = str(problem)
    table.fact("other.json", "napari", "names the plugin", "pollard" in text.lower(), False)


def check_results(table, window):
    """Results of pollard-cli as layers."""
    source = pictures.relief((3, 60, 80))
    pictures.write_ome("source.ome.tif", source, "ZYX")
    for out in ("volume.tif", "volume.zarr"):
        table.run("filter", "source.ome.tif", "--volume", "--keep", "area>=1", "-o", out)
    (layer,) = window.viewer.open("volume.tif", plugin=None)
    table.samples("volume.tif", "napari", numpy.asarray(layer.data), source)


def main(table):
    """Runs all checks in one window."""
    window = Window()
    notification_manager.records.clear()
    check_widgets(table, window)
    check_readers(table, window)
    check_results(table, window)


def with_display():
    """Runs this script on a virtual display, with settings of its own."""
    if shutil.which("xvfb-run") is None:
        skip("no xvfb-run; Debian has xvfb and xauth")
    with tempfile.TemporaryDirectory() as settings:
        environment = os.environ | {"POLLARD_PEERS_DISPLAY": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "QT_QPA_PLATFORM": "xcb",
                                    "NAPARI_CONFIG": os.path.join(settings, "napari.yaml"), "XDG_RUNTIME_DIR": settings}
        return subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1920x1200x24 +extension GLX", sys.executable, "-B",
                               *sys.argv], check=False, env=environment).returncode


if __name__ == "__main__":
    if "POLLARD_PEERS_DISPLAY" not in os.environ:
        sys.exit(with_display())
    facts = Table(program_in(sys.argv[1]))
    print(f"napari {napari.__version__}, plugin in {pathlib.Path(napari_pollard.__file__).parent.name}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(facts)
        os.chdir("/")
    status = facts.end()
    sys.stdout.flush()
    os._exit(status)  # without the end of the event loop that napari never began
