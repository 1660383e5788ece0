"""napari opens both widgets of the plugin by its menu, a person uses them by mouse and keys, and results are right.

usage: napari_widgets.py FOLDER_OF_PROGRAMS; exit status 77: napari, the plugin, or a virtual display is missing
"""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time

from support.facts import IMAGES, ROOT, Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import napari
    import numpy
    import pollard_morphology as pollard

    import napari_pollard
    from support import images
    from support.napari_window import Window, with_display
except ImportError as problem:
    skip(problem)

PRESET = "uneven-background"
LABELS = {"pollard_recipe": 1, "name": "spots", "steps": [
    {"id": "tree", "version": 2, "parameters": {"kind": "max", "connectivity": 4}},
    {"id": "filter", "version": 2, "parameters": {"criteria": ["20<=area<=400"], "output": "labels"}}]}


def check_filter(table, window):
    """The filter on the sample of the plugin."""
    layers = window.viewer.layers
    for name in ("Attribute filter", "Recipe"):
        window.choose("Plugins", "Pollard", name)
        table.fact(f"Plugins > Pollard > {name}", "napari", "opens", window.widget(name) is not None, True)
    window.choose("File", "Open Sample", "Grains on an uneven background")
    image = layers["grains"].data
    layers["grains"].scale, layers["grains"].translate, layers["grains"].rotate = (0.5, 0.5), (5, 7), 10
    filters = window.widget("Attribute filter")
    window.finish(filters)
    window.pick(filters.attribute, "area")
    window.click(filters.button)
    window.finish(filters)
    updates = []
    layers["grains area filtered"].events.data.connect(lambda _event: updates.append(1))
    window.drag(filters.range, 0, 20)
    window.finish(filters)
    low = float(filters._filter.edges("area")[filters.range.value()[0]])
    table.fact("dragged slider", "napari", "updates", len(updates) >= 6, True)
    table.samples("dragged slider", "napari", layers["grains area filtered"].data, pollard.max_tree(image).filter(f"area >= {low!r}"))
    window.enter(filters.high, "500")
    window.finish(filters)
    table.samples("typed bound", "napari", layers["grains area filtered"].data,
                  pollard.max_tree(image).filter(f"{low!r} <= area <= 500"))
    window.draw(IMAGES / f"napari-{napari.__version__}-dark.png")
    window.viewer.theme = "light"
    window.draw(IMAGES / f"napari-{napari.__version__}-light.png")
    window.viewer.theme = "dark"

    layers["grains area filtered"].name = "kept"
    kept = layers["kept"].data
    layers["grains"].name = "seeds"
    table.fact("renamed layer", "napari", "list", [filters.image.itemText(i) for i in range(filters.image.count())],
               ["seeds", "kept"])
    window.pick(filters.output, "labels")
    window.finish(filters)
    shown = layers["seeds area labels"]
    table.fact("layer of the filter", "napari", "place", [shown.translate.tolist(), numpy.round(shown.rotate, 9).tolist()],
               [[5.0, 7.0], numpy.round(layers["seeds"].rotate, 9).tolist()])
    shown.paint((9, 9), 1234)
    window.enter(filters.low, "30")
    window.finish(filters)
    table.fact("painted labels", "napari", "stay", bool((layers["seeds area labels"].data == 1234).any()), True)
    table.samples("labels", "napari", layers["seeds area labels [1]"].data, pollard.max_tree(image).labels("30 <= area <= 500"))
    table.fact("renamed result", "napari", "stays", layers["kept"].data is kept, True)
    layers["seeds"].name = "grains"
    table.fact("filter", "napari", "errors", window.errors(), [])
    window.enter(filters.low, "many")
    table.fact("wrong bound", "napari", "notification", window.errors(), ["'many' is not a number"])
    if hasattr(layers["grains"], "units"):
        check_units(table, window, filters)


def check_units(table, window, filters):
    """Bounds in the unit of the layer."""
    layer = window.viewer.layers["grains"]
    layer.units = ("um", "um")
    window.pick(filters.output, "filtered")
    for text in ("20", "20 um2", "2e-5 mm2"):
        window.enter(filters.low, text)
        window.enter(filters.high, "")
        window.finish(filters)
        expected = pollard.max_tree(layer.data, spacing=(0.5, 0.5), unit="um").filter("area >= 20um2")
        table.samples("bound with a unit", "napari", window.viewer.layers["grains area filtered"].data, expected)
    window.enter(filters.low, "20 um")
    table.fact("wrong unit", "napari", "notification", [text[:11] for text in window.errors()], ["'20 um': is"])
    layer.units = ("pixel", "pixel")


def check_recipes(table, window):
    """The widget of recipes."""
    layers, recipes = window.viewer.layers, window.widget("Recipe")
    image = layers["grains"].data
    window.pick(recipes.image, "grains")
    window.pick(recipes.preset, PRESET)
    window.click(recipes.button)
    window.finish(recipes)
    result = pollard.Recipe.preset(PRESET)
    shown = layers[f"grains {result.name}"]
    table.samples("layer of the recipe", "napari", shown.data, result(image))
    table.fact("layer of the recipe", "napari", "place", [shown.scale.tolist(), shown.translate.tolist()],
               [[0.5, 0.5], [5.0, 7.0]])
    files = [ROOT / "resources" / "samples" / name for name in ("coins_384x303_u8.tif", "page_480x320_u8.tif")]
    result.save("recipe.json")
    window.enter(recipes.file, "recipe.json")
    window.enter(recipes.images, ";".join(map(str, files)))
    window.click(recipes.button)
    window.finish(recipes)
    for file in files:
        table.samples("layers of image files", "napari", layers[f"{file.stem} {result.name}"].data, result(file))
    pathlib.Path("labels.json").write_text(json.dumps(LABELS), encoding="utf-8")
    window.enter(recipes.file, "labels.json")
    window.enter(recipes.images, "")
    window.click(recipes.button)
    window.finish(recipes)
    shown = layers["grains spots"]
    table.samples("layer of labels", "napari", shown.data, pollard.max_tree(image).labels("20 <= area <= 400"))
    table.fact("layer of labels", "napari", "kind", type(shown).__name__, "Labels")
    table.fact("recipes", "napari", "errors", window.errors(), [])
    window.enter(recipes.file, "")
    window.click(recipes.button)
    window.finish(recipes)
    table.fact("Recipe without a recipe", "napari", "notification", [text[:15] for text in window.errors()],
               ["choose a preset,"[:15]])


def check_stacks(table, window):
    """A stack of times, channels and slices, whose axes a person picks."""
    layers, filters = window.viewer.layers, window.widget("Attribute filter")
    stack = numpy.random.default_rng(0).integers(0, 99, (2, 5, 3, 20, 30)).astype(numpy.uint8)
    layer = window.viewer.add_image(stack, name="stack", scale=(1, 3, 1, 2, 2), shear=(0.1,) * 10)
    if hasattr(layer, "axis_labels"):
        layer.axis_labels = ("t", "z", "c", "y", "x")
    volume = filters.axes.itemText(0) if hasattr(layer, "axis_labels") else None
    window.pick(filters.image, "stack")
    window.pick(filters.output, "filtered")
    for text, axes in [(volume or "z y x", (1, 3, 4) if volume else (2, 3, 4)), ("y x", (3, 4))]:
        window.pick(filters.axes, "z y x" if len(axes) == 3 else text)
        window.enter(filters.low, "3")
        window.enter(filters.high, "")
        window.finish(filters)
        found = layers["stack area filtered"].data
        spacing = tuple(float(layer.scale[i]) for i in axes) if len(axes) == 3 and axes[0] == 1 else None
        moved, shown = (numpy.moveaxis(each, axes, range(-len(axes), 0)) for each in (stack, found))
        parts = moved.reshape(-1, *moved.shape[moved.ndim - len(axes):])
        expected = [pollard.max_tree(part, spacing=spacing).filter("area >= 3") for part in parts]
        table.samples(f"stack, {text}", "napari", shown.reshape(parts.shape), numpy.stack(expected))
    table.fact("stack", "napari", "shear", layers["stack area filtered"].shear.tolist(), layer.shear.tolist())
    pyramid = [stack[0, 0, 0], stack[0, 0, 0][::2, ::2]]
    window.viewer.add_image(pyramid, name="pyramid", multiscale=True)
    window.pick(filters.image, "pyramid")
    window.finish(filters)
    table.fact("pyramid", "napari", "shape", list(layers["pyramid area filtered"].data.shape), [20, 30])
    for name in [each.name for each in layers if each.name.startswith(("stack", "pyramid"))]:
        del layers[name]


def check_jobs(table, window):
    """Work is stopped, and dropped when its widget is closed."""
    layers, recipes, filters = window.viewer.layers, window.widget("Recipe"), window.widget("Attribute filter")
    noise = numpy.random.default_rng(0).integers(0, 65535, (4000, 4000), dtype=numpy.uint16)
    filters.live.setChecked(False)
    window.viewer.add_image(noise, name="noise")
    window.pick(recipes.image, "noise")
    window.pick(recipes.preset, PRESET)
    ticks = []
    count = len(layers)
    window.click(recipes.button)
    window.wait_for(lambda: ticks.append(recipes.bar.isVisible()) or len(ticks) > 4, 30)
    table.fact("stopped recipe", "napari", "the window goes on", len(ticks) > 4 and recipes.is_busy, True)
    window.click(recipes.stop)
    begin = time.monotonic()
    window.finish(recipes)
    table.fact("stopped recipe", "napari", "ends", time.monotonic() - begin < 2 and recipes.message.text() == "stopped", True)
    window.pick(filters.image, "noise")
    window.click(filters.button)
    window.wait_for(lambda: False, 0.1)
    window.viewer.window.remove_dock_widget(filters)
    window.wait_for(lambda: not filters.is_busy)
    table.fact("closed widget", "napari", "layers", len(layers), count)
    del layers["noise"]
    table.fact("jobs", "napari", "errors", window.errors(), [])


def check_saving(table, window):
    """Features, place and units come back from a file."""
    layers = window.viewer.layers
    shown = layers["grains area labels"] if "grains area labels" in layers else layers["seeds area labels [1]"]
    for layer in (shown, layers["grains"]):
        if hasattr(layer, "units"):
            layer.units = ("um", "um")
        name = f"{type(layer).__name__}.pollard-layer"
        layer.save(name)
        (found,) = window.viewer.open(name, plugin=None)
        table.samples(name, "napari", found.data, layer.data)
        place = [[numpy.asarray(getattr(each, key)).tolist() for key in ("scale", "translate", "rotate", "shear")] +
                 [type(each).__name__, each.name[:5], list(map(str, getattr(each, "units", ())))] for each in (found, layer)]
        table.fact(name, "napari", "place", *place)
        features = [{key: list(each.features[key]) for key in each.features} for each in (found, layer)
                    ] if hasattr(layer, "features") else [0, 0]
        table.fact(name, "napari", "features", *features)


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
    recipes = window.widget("Recipe")
    window.pick(recipes.image, "grains")
    window.enter(recipes.file, "coins.pollard")
    window.click(recipes.button)
    window.finish(recipes)
    table.samples("session on an open layer", "napari", window.viewer.layers["grains session"].data,
                  pollard.max_tree(window.viewer.layers["grains"].data, 2).filter("area >= 30"))
    try:
        window.viewer.open("other.json", plugin=None)
        text = "opened"
    except Exception as problem:  # pylint: disable=broad-except
        text = str(problem)
    table.fact("other.json", "napari", "names the plugin", "pollard" in text.lower(), False)


def check_results(table, window):
    """Results of pollard-cli as layers."""
    source = images.relief((3, 60, 80))
    images.write_ome("source.ome.tif", source, "ZYX")
    for out in ("volume.tif", "volume.zarr"):
        table.run("filter", "source.ome.tif", "--volume", "--keep", "area>=1", "-o", out)
    (layer,) = window.viewer.open("volume.tif", plugin=None)
    table.samples("volume.tif", "napari", numpy.asarray(layer.data), source)


def main(table):
    """Runs all checks in one window."""
    window = Window()
    window.errors()
    for check in (check_filter, check_recipes, check_readers, check_stacks, check_saving, check_jobs, check_results):
        begin = time.monotonic()
        check(table, window)
        print(f"{time.monotonic() - begin:5.1f} s  {check.__name__}")


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
