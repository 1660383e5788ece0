"""The plugin of napari: its manifest, and its logic without napari and Qt."""
import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
import threading
import time
import tomllib
import types
import typing
from pathlib import Path

import numpy as np
import pytest

import pollard_morphology as pollard

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "python" / "napari"
SAMPLES = ROOT / "resources" / "samples"
WINDOWS = {f"napari_pollard.{name}" for name in ("panel", "recipe_widget", "widget")}  #: modules that use Qt
sys.path.insert(0, str(PLUGIN))

from napari_pollard import files, filtering, samples, saving  # noqa: E402  # pylint: disable=wrong-import-position


def manifest():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((PLUGIN / "napari_pollard" / "napari.yaml").read_text(encoding="utf-8"))


def test_the_manifest_fits_the_project():
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    content = manifest()
    assert set(content) == {"name", "display_name", "contributions"}
    assert content["name"] == project["name"] and 3 <= len(content["display_name"]) <= 90
    package, file = project["entry-points"]["napari.manifest"][content["name"]].split(":")
    assert (PLUGIN / package / file).is_file()
    assert set(content["contributions"]) == {"commands", "widgets", "readers", "writers", "sample_data"}


def test_commands_can_be_imported_and_contributions_name_them():
    """npe2: ids begin with the plugin's name, python_name is MODULE:NAME, every contribution has a command."""
    content = manifest()
    parts = content["contributions"]
    commands = {command["id"]: command["python_name"] for command in parts["commands"]}
    assert len(commands) == len(parts["commands"])
    for command in parts["commands"]:
        assert set(command) == {"id", "title", "python_name"}
        assert re.fullmatch(re.escape(content["name"]) + r"\.\w+", command["id"])  # as npe2 wants it
        module, name = command["python_name"].split(":")
        source = (PLUGIN / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
        assert name in {node.name for node in ast.parse(source).body if hasattr(node, "name")}
        if module not in WINDOWS:
            assert callable(getattr(importlib.import_module(module), name))
    used = [part["command"] for kind in ("widgets", "readers", "writers", "sample_data") for part in parts[kind]]
    assert sorted(used) == sorted(commands)
    for reader in parts["readers"]:
        assert set(reader) == {"command", "filename_patterns", "accepts_directories"}
        assert all(pattern.startswith("*.") for pattern in reader["filename_patterns"])
    assert all(part["display_name"] for part in parts["widgets"] + parts["sample_data"])
    assert all(part["key"] for part in parts["sample_data"])


def test_annotations_are_those_that_napari_looks_for():
    """napari compares an annotation with a text."""
    pytest.importorskip("qtpy.QtWidgets", reason="no Qt; Debian has python3-pyqt5 and python3-qtpy")
    pytest.importorskip("superqt", reason="no superqt; Debian has python3-superqt")
    from napari_pollard import recipe_widget, widget as module  # pylint: disable=import-outside-toplevel
    for made in (module.FilterWidget, recipe_widget.RecipeWidget):
        assert inspect.signature(made).parameters["viewer"].annotation == "napari.viewer.Viewer"


def test_the_readers_take_files_of_pollard_alone():
    patterns = [reader["filename_patterns"] for reader in manifest()["contributions"]["readers"]]
    assert patterns == [["*.pollard"], ["*" + saving.SUFFIX]]
    assert all(each["filename_extensions"] == [saving.SUFFIX] for each in manifest()["contributions"]["writers"])


def test_no_project_of_others_is_installed_with_the_plugin():
    """The distribution `pollard` is another project."""
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module = tomllib.loads((PLUGIN.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [re.match(r"[\w-]+", each)[0] for each in project["dependencies"]]
    assert [each for each in needed if "pollard" in each] == [module["name"]] == ["pollard-morphology"]


def test_a_missing_module_is_named(tmp_path):
    """A project of others that has the name `pollard` is not imported."""
    (tmp_path / "pollard.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    script = f"import sys; sys.path[:0] = {[str(tmp_path), str(PLUGIN)]}; import napari_pollard.files"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "needs the package `pollard_morphology`: run `pip install ./python`" in done.stderr.splitlines()[-1]


def test_only_the_widgets_use_napari_and_qt():
    for path in (PLUGIN / "napari_pollard").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else \
                [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for module in modules:
                assert module.split(".")[0] not in ("napari", "qtpy", "superqt") or f"napari_pollard.{path.stem}" in WINDOWS


@pytest.mark.parametrize("kind", ["max", "min"])
@pytest.mark.parametrize("shape", [(40, 50), (6, 20, 30)])
def test_layers_are_filters_of_the_tree(kind, shape):
    image = np.random.default_rng(8).integers(0, 60, shape).astype(np.uint8)
    trees = filtering.AttributeFilter(image, kind)
    for attribute in ("area", "mean", "elongation"):
        edges = trees.edges(attribute)
        assert edges.shape == (filtering.BINS + 1,) and (np.diff(edges) > 0).all()
        values = trees.tree[attribute][np.isfinite(trees.tree[attribute].astype(float))]
        assert edges[0] == values.min() and edges[-1] >= values.max()
        assert trees.histogram(attribute).sum() == values.size
        for low, high in ((edges[0], edges[-1]), (edges[10], edges[50])):
            keep = (trees.tree[attribute] >= low) & (trees.tree[attribute] <= high)
            for rule in filtering.RULES[:3]:
                choice = filtering.Choice(attribute, float(low), float(high), rule)
                data, meta, layer = trees.layer(choice, "cells")
                assert layer == "image" and meta["name"] == f"cells {attribute} filtered"
                np.testing.assert_array_equal(data, trees.tree.reconstruct(keep, rule))
                labels, meta, layer = trees.layer(choice._replace(output="labels"), "cells")
                assert layer == "labels"
                np.testing.assert_array_equal(labels, trees.tree.labels(keep, rule))
                features = meta["features"]
                np.testing.assert_array_equal(features["index"], np.arange(1, labels.max() + 1))
                np.testing.assert_array_equal(features["area"], np.bincount(labels.ravel())[1:])
                mask, _, layer = trees.layer(choice._replace(output="mask"), "cells")
                assert layer == "labels"
                np.testing.assert_array_equal(mask != 0, labels != 0)


def test_constant_images_have_bins():
    trees = filtering.AttributeFilter(np.full((4, 5), 7, np.uint8))
    for attribute in filtering.attribute_names(2):
        assert (np.diff(trees.edges(attribute)) > 0).all()
        assert trees.histogram(attribute).sum() in (0, 1)


class Event:
    def __init__(self):
        self.calls = []

    def connect(self, call):
        if call not in self.calls:
            self.calls.append(call)


class Layers(dict):
    """The list of layers of a stand-in for napari's viewer."""

    def __init__(self):
        super().__init__()
        self.events = types.SimpleNamespace(inserted=Event(), removed=Event())

    def take_out(self, name):
        """Removes a layer, as a person does."""
        del self[name]
        for call in self.events.removed.calls:
            call(None)

    def rename(self, name, other):
        """Renames a layer, as a person does."""
        layer = self[other] = self.pop(name)
        layer.name = other
        for call in layer.events.name.calls:
            call(None)

    def __iter__(self):
        return iter(self.values())


class Image(types.SimpleNamespace):
    pass


class Labels(types.SimpleNamespace):
    pass


class Viewer:
    """A stand-in for napari's viewer, with the members that the widget uses."""

    def __init__(self):
        self.layers = Layers()

    def _add(self, kind, data, name, **fields):
        if name in self.layers:  # as napari does
            name = next(f"{name} [{i}]" for i in range(1, 99) if f"{name} [{i}]" not in self.layers)
        layer = kind(data=data, name=name, rgb=False, events=types.SimpleNamespace(name=Event()),
                     **{"scale": (1, 1), "translate": (0, 0), **fields})
        self.layers[name] = layer
        for call in self.layers.events.inserted.calls:
            call(None)
        return layer

    def add_image(self, data, **fields):
        return self._add(Image, data, **{"colormap": "gray", "contrast_limits": (0, 255), "gamma": 1, **fields})

    def add_labels(self, data, **fields):
        return self._add(Labels, data, **fields)


@pytest.fixture
def widget(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    widgets = pytest.importorskip("qtpy.QtWidgets", reason="no Qt; Debian has python3-pyqt5 and python3-qtpy")
    pytest.importorskip("superqt", reason="no superqt; Debian has python3-superqt")
    application = widgets.QApplication.instance() or widgets.QApplication(["test"])
    from napari_pollard.widget import FilterWidget  # pylint: disable=import-outside-toplevel
    made = FilterWidget(Viewer())
    made.application = application
    return made


def run(widget):
    """Runs the filter to its end."""
    widget.run()
    finish(widget)


def finish(widget):
    deadline = time.monotonic() + 30
    while widget.is_busy and time.monotonic() < deadline:
        widget.application.processEvents()
    assert not widget.is_busy


def test_the_widget_filters_and_shows_layers(widget):
    layers, image = widget._viewer.layers, samples.grains()[0][0]
    run(widget)
    assert "open an image" in widget.message.text()
    widget._viewer.add_image(image, name="grains", scale=(2, 3))
    assert widget.image.currentText() == "grains"
    widget.attribute.setCurrentText("area")
    widget.range.setValue((20, 50))
    run(widget)
    trees = filtering.AttributeFilter(image)
    low, high = trees.edges("area")[[20, 50]]
    keep = (trees.tree["area"] >= low) & (trees.tree["area"] <= high)
    shown = layers["grains area filtered"]
    np.testing.assert_array_equal(shown.data, trees.tree.reconstruct(keep))
    assert shown.scale == (2, 3) and widget.image.currentText() == "grains"
    built = widget._filter
    widget.output.setCurrentText("labels")
    widget.rule.setCurrentText("min")
    run(widget)
    np.testing.assert_array_equal(layers["grains area labels"].data, trees.tree.labels(keep, "min"))
    assert len(layers["grains area labels"].features["area"]) == trees.tree.labels(keep, "min").max()
    assert widget._filter is built
    widget.range.setValue((60, 64))
    run(widget)
    assert len(layers) == 3 and layers["grains area labels"].data.max() == len(
        layers["grains area labels"].features["index"])
    assert sum(widget.bars.counts) == trees.tree.num_nodes and widget.bars.kept == (60, 64)
    widget.kind.setCurrentText("min")
    run(widget)
    assert widget._filter is not built and widget._filter.tree.kind == "min"
    assert [widget.connectivity.itemText(i) for i in range(widget.connectivity.count())] == ["1", "2"]
    widget._viewer.add_image(np.arange(60, dtype=np.uint8).reshape(3, 4, 5), name="volume")
    widget.image.setCurrentText("volume")
    widget.attribute.setCurrentText("height")
    run(widget)
    names = [widget.attribute.itemText(i) for i in range(widget.attribute.count())]
    assert [widget.connectivity.itemText(i) for i in range(widget.connectivity.count())] == ["1", "2", "3"]
    assert names == filtering.attribute_names(3) and widget.attribute.currentText() == "height"
    assert "volume height labels" in layers
    widget.resize(300, 500)
    assert not widget.grab().isNull()


def test_the_widget_computes_in_the_background(widget, monkeypatch):
    """The newest of the calls while a tree is built is done, the others are not."""
    gate, layers = threading.Event(), []
    build = filtering.AttributeFilter.__init__

    def wait(self, *arguments, **options):
        gate.wait(30)
        build(self, *arguments, **options)

    monkeypatch.setattr(filtering.AttributeFilter, "__init__", wait)
    monkeypatch.setattr(widget, "_show", lambda data, meta, kind, request: layers.append(meta["name"]))
    widget._viewer.add_image(np.arange(60, dtype=np.uint8).reshape(6, 10), name="ramp")
    widget.live.setChecked(False)
    widget.run()
    for output in ("residue", "mask", "labels"):
        widget.output.setCurrentText(output)
        widget.run()
    assert widget.is_busy and not layers and widget.message.text() == "computing ..."
    gate.set()
    finish(widget)
    assert layers == ["ramp area filtered", "ramp area labels"]
    widget._viewer.add_image(np.zeros((2, 2), complex), name="waves")
    widget.image.setCurrentText("waves")
    run(widget)
    assert "complex128" in widget.message.text() and len(layers) == 2


def test_renamed_and_removed_layers_are_followed(widget):
    layers, (image, *_) = widget._viewer.layers, samples.grains()[0]
    widget.live.setChecked(False)
    for name in ("one", "two"):
        widget._viewer.add_image(image, name=name)
    widget.image.setCurrentText("two")
    layers.rename("two", "three")
    assert [widget.image.itemText(i) for i in range(2)] == ["one", "three"] and widget.image.currentText() == "three"
    run(widget)
    assert "three area filtered" in layers
    widget.image.setCurrentText("three")
    layers.take_out("three")
    assert widget.image.currentText() == "one" and widget.image.findText("three") == -1
    widget.run()
    layers.take_out("one")
    finish(widget)
    assert widget.message.text() == "the image is no longer open" and "one area filtered" not in layers


def test_layers_of_the_user_stay(widget):
    """A layer of a result's name, and results that were painted, replaced or renamed, are not written into."""
    layers, image = widget._viewer.layers, samples.grains()[0][0]
    widget.live.setChecked(False)
    widget._viewer.add_image(image, name="grains")
    mine = widget._viewer.add_labels(np.ones((2, 2), int), name="grains area labels").data
    widget.output.setCurrentText("labels")
    run(widget)
    assert layers["grains area labels"].data is mine
    shown = layers["grains area labels [1]"]
    before = shown.data
    widget.range.setValue((10, 64))
    run(widget)
    assert len(layers) == 3 and shown.data is not before  # the layer is unchanged
    shown.data[3, 4] = 77  # painted
    painted = shown.data
    run(widget)
    assert shown.data is painted and painted[3, 4] == 77 and "grains area labels [2]" in layers
    layers.rename("grains area labels [2]", "kept")
    kept = layers["kept"].data
    widget.range.setValue((30, 64))
    run(widget)
    assert layers["kept"].data is kept and len(layers) == 5
    layers.take_out("grains area labels [2]")
    run(widget)
    assert len(layers) == 5


def test_pixels_that_change_in_place_are_followed(widget):
    image = samples.grains()[0][0].copy()
    widget._viewer.add_image(image, name="grains")
    run(widget)
    np.testing.assert_array_equal(widget._viewer.layers["grains area filtered"].data, image)
    built = widget._filter
    run(widget)
    assert widget._filter is built
    image[...] = 7
    run(widget)
    assert widget._filter is not built and (widget._viewer.layers["grains area filtered"].data == 7).all()


def test_bounds_are_typed(widget):
    image = samples.grains()[0][0]
    widget._viewer.add_image(image, name="grains")
    tree = pollard.max_tree(image)

    def enter(edit, text):
        edit.setText(text)
        edit.setModified(True)  # as a key does
        edit.editingFinished.emit()
        run(widget)
        return widget._viewer.layers["grains area filtered"].data

    run(widget)
    assert widget.high.text() == "65536"
    np.testing.assert_array_equal(enter(widget.low, "37"), tree.filter("area >= 37"))
    np.testing.assert_array_equal(enter(widget.high, "412.5"), tree.filter("37 <= area <= 412.5"))
    assert widget.low.text() == "37" and widget.high.text() == "412.5" and widget.message.text() == "37 to 412.5"
    first, last = widget.range.value()
    edges = widget._filter.edges("area")
    assert edges[first] <= 37 < edges[first + 1] and edges[last - 1] < 412.5 <= edges[last]
    np.testing.assert_array_equal(enter(widget.low, ""), tree.filter("area <= 412.5"))
    enter(widget.low, "many")
    assert widget.low.text() == "many" or "37" not in widget.message.text()
    widget.low.setModified(False)
    widget.range.setValue((20, 50))
    run(widget)
    np.testing.assert_array_equal(widget._viewer.layers["grains area filtered"].data, tree.filter(
        f"{float(edges[20])!r} <= area <= {float(edges[50])!r}"))


def test_the_full_range_changes_nothing(widget):
    image = samples.grains()[0][0]
    widget._viewer.add_image(image, name="grains")
    widget.attribute.setCurrentText("stability")  # undefined for the root
    run(widget)
    np.testing.assert_array_equal(widget._viewer.layers["grains stability filtered"].data, image)


def test_results_take_over_colours_and_contrast(widget):
    layers, image = widget._viewer.layers, samples.grains()[0][0].astype(np.uint16) * 50
    widget._viewer.add_image(image, name="grains", colormap="magma", contrast_limits=(500, 9000), gamma=0.5)
    widget.range.setValue((20, 64))
    run(widget)
    shown = layers["grains area filtered"]
    assert (shown.colormap, shown.contrast_limits, shown.gamma) == ("magma", (500, 9000), 0.5)
    for first in (20, 50):
        widget.range.setValue((first, 64))
        widget.output.setCurrentText("residue")
        run(widget)
        shown = layers["grains area residue"]
        assert shown.colormap == "magma" and shown.contrast_limits == (0, shown.data.max()) and shown.data.max() > 0


def test_pyramids_and_voxels_are_those_of_the_layer(widget):
    rng = np.random.default_rng(2)
    image = rng.integers(0, 99, (40, 60)).astype(np.uint8)
    widget._viewer.add_image([image, image[::2, ::2]], name="pyramid", multiscale=True)
    widget.range.setValue((20, 64))
    run(widget)
    assert widget._viewer.layers["pyramid area filtered"].data.shape == image.shape
    data, _, _ = files.layer_of_recipe(pollard.Recipe.preset(pollard.presets()[0]), widget._viewer.layers["pyramid"], (0, 1))
    assert data.shape == image.shape
    volume = rng.integers(0, 9, (5, 12, 14)).astype(np.uint8)
    widget._viewer.add_image(volume, name="volume", scale=(3, 1, 1))
    widget.image.setCurrentText("volume")
    widget.attribute.setCurrentText("elongation")
    run(widget)
    tree = pollard.max_tree(volume, spacing=(3, 1, 1))
    np.testing.assert_array_equal(widget._filter.tree["elongation"], tree["elongation"])
    assert "5 slices as one volume" in widget.message.text()


@pytest.mark.parametrize("shape, axes", [((3, 20, 30), 2), ((2, 4, 10, 12), 3), ((2, 2, 10, 12), 2)])
def test_stacks_are_filtered_part_by_part(widget, shape, axes):
    rng = np.random.default_rng(4)
    stack = rng.integers(0, 30, shape).astype(np.uint8)
    widget._viewer.add_image(stack, name="stack")
    assert widget.axes.currentText() == "z y x"
    widget.axes.setCurrentText({2: "y x", 3: "z y x"}[axes])
    names = [widget.attribute.itemText(i) for i in range(widget.attribute.count())]
    assert names == filtering.attribute_names(axes)
    widget.range.setValue((10, 50))
    parts = stack.reshape((-1, *shape[-axes:]))
    for output in ("filtered", "residue", "mask", "labels"):
        widget.output.setCurrentText(output)
        run(widget)
        edges = widget._filter.edges("area")
        low, high = float(edges[10]), float(edges[50])
        found = widget._viewer.layers[f"stack area {output}"]
        assert found.data.shape == shape
        count = 0
        for part, data in zip(parts, found.data.reshape(parts.shape)):
            tree = pollard.max_tree(part)
            if output == "labels":
                labels, more = tree.labels(f"{low!r} <= area <= {high!r}", return_num=True)
                np.testing.assert_array_equal(data, np.where(labels != 0, labels + count, 0))
                count += more
            else:
                np.testing.assert_array_equal(data, tree.filter(f"{low!r} <= area <= {high!r}", output=output))
        if output == "labels":
            assert found.features["index"].tolist() == list(range(1, count + 1))
            np.testing.assert_array_equal(found.features["area"], np.bincount(found.data.ravel())[1:])
    assert f"each of {len(parts)}" in widget.message.text()


def test_names_of_axes_choose_the_axes(widget):
    stack = np.zeros((3, 4, 5), np.uint8)
    for names, text in ((("t", "y", "x"), "y x"), (("z", "y", "x"), "z y x"), (("Channel", "y", "x"), "y x")):
        widget._viewer.add_image(stack, name=names[0], axis_labels=names)
        widget.image.setCurrentText(names[0])
        assert widget.axes.currentText() == text


def test_controls_say_what_they_are(widget):
    for control in (widget.image, widget.axes, widget.kind, widget.connectivity, widget.attribute, widget.range, widget.low, widget.high,
                    widget.rule, widget.output, widget.live, widget.button):
        assert len(control.toolTip()) > 10


def test_live_filters_follow_changes(widget):
    widget._viewer.add_image(np.arange(60, dtype=np.uint8).reshape(6, 10), name="ramp")
    widget.live.setChecked(False)
    widget.attribute.setCurrentText("height")
    assert not widget._timer.isActive()
    widget.live.setChecked(True)
    widget.range.setValue((1, 9))
    assert widget._timer.isActive()
    deadline = time.monotonic() + 10
    while "ramp height filtered" not in widget._viewer.layers and time.monotonic() < deadline:
        widget.application.processEvents()
    assert "ramp height filtered" in widget._viewer.layers


def session(image, **changes):
    criteria = [{"attribute": "area", "bounds": {"area": [30, None], "height": [1, 2]}, "enabled": True},
                {"attribute": "elongation", "bounds": {"elongation": [None, 1]}, "enabled": False}]
    content = {"pollard_session": 1, "image": {"relative": image.name, "absolute": str(image), "read": {}},
               "region": {}, "tree": {"kind": "max", "connectivity": 8}, "filter": {
                   "enabled": True, "criteria": criteria, "current": 0, "match": "all", "rule": "direct",
                   "output": "filtered", "prominent": {"only": False, "measure": "dynamics", "count": 5}, "picks": []}}
    return {**content, **changes}


def test_sessions_are_read_as_their_filters_leave_the_image(tmp_path):
    file = SAMPLES / "coins_384x303_u8.tif"
    image = pytest.importorskip("tifffile").imread(file)
    path = tmp_path / "coins.pollard"
    expected = pollard.max_tree(image, 2).filter("area >= 30")
    stage = {"on": True, "region_on": False, "region": {}, "tree": {"kind": "min", "connectivity": 4},
             "filter": {"criteria": ["area>=9"]}}
    both = pollard.max_tree(pollard.max_tree(image, 1, "min").filter("area >= 9"), 2).filter("area >= 30")
    off = dict(session(file)["filter"], enabled=False)
    for changes, result in (({}, expected), ({"earlier": [stage]}, both), ({"filter": off}, image),
                            ({"earlier": [dict(stage, on=False)]}, expected)):
        path.write_text(json.dumps(session(file, **changes)), encoding="utf-8")
        reader = files.get_reader(str(path))
        ((data, meta, layer),) = reader(str(path))
        np.testing.assert_array_equal(data, result)
        assert layer == "image" and meta["name"].startswith("coins_384x303_u8")
    assert len(files.get_reader([str(path)] * 2)([str(path)] * 2)) == 2
    assert files.get_reader([str(path), str(file)]) is None
    picks = dict(session(file)["filter"], picks=[{"component": 1, "fate": "kept"}])
    path.write_text(json.dumps(session(file, filter=picks)), encoding="utf-8")
    with pytest.raises(ValueError, match="picked by hand"):
        files.read_sessions(str(path))


def test_recipes_run_on_layers_and_on_image_files(tmp_path):
    recipe = pollard.Recipe.preset(pollard.presets()[0])
    path = tmp_path / "recipe.json"
    recipe.save(path)
    for file in (SAMPLES / "coins_384x303_u8.tif", SAMPLES / "page_480x320_u8.tif"):
        data, _, kind = files.layer_of_image(recipe, str(file))
        np.testing.assert_array_equal(data, recipe(file))
        assert kind == "image"
    image = types.SimpleNamespace(data=samples.grains()[0][0], name="grains", scale=(2, 3), translate=(1, 0),
                                  rotate=30, affine="turned")
    for arguments in ((str(path), ""), ("", pollard.presets()[0])):
        data, meta, kind = files.layer_of_recipe(files.chosen_recipe(*arguments), image, (0, 1))
        np.testing.assert_array_equal(data, recipe(image.data))
        assert kind == "image" and meta["scale"] == (2, 3) and meta["translate"] == (1, 0)
        assert meta["rotate"] == 30 and meta["affine"] == "turned" and "shear" not in meta
    for arguments, sentence in ((("", ""), "choose a preset, or"), (("", "none"), "preset: 'none'")):
        with pytest.raises(ValueError, match=sentence):
            files.chosen_recipe(*arguments)
    with pytest.raises(FileNotFoundError):
        files.chosen_recipe(str(tmp_path / "none.json"), "")
    content = session(SAMPLES / "coins_384x303_u8.tif")
    (tmp_path / "coins.pollard").write_text(json.dumps(content), encoding="utf-8")
    data, _, _ = files.layer_of_recipe(files.chosen_recipe(str(tmp_path / "coins.pollard"), ""), image, (0, 1))
    np.testing.assert_array_equal(data, pollard.max_tree(image.data, 2).filter("area >= 30"))


def recipe_of(*steps):
    return pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "spots", "steps": [
        {"id": name, "version": version, "parameters": parameters} for name, version, parameters in steps]}))


def test_recipes_run_on_each_image_of_a_stack_and_in_units():
    stack = np.random.default_rng(4).integers(0, 30, (3, 12, 2, 14)).astype(np.uint8)
    layer = types.SimpleNamespace(data=stack, name="stack", scale=(1, 2, 1, 2), units=("pixel", "um", "pixel", "um"))
    tree = ("tree", 2, {"kind": "max", "connectivity": 4})
    data, _, kind = files.layer_of_recipe(recipe_of(tree, ("filter", 2, {"criteria": ["12um2<=area<=100um2"],
                                                                          "output": "labels"})), layer, (1, 3))
    assert kind == "labels" and data.shape == stack.shape
    count = 0
    for i in range(3):
        for j in range(2):
            labels, more = pollard.max_tree(stack[i, :, j]).labels("3 <= area <= 25", return_num=True)
            np.testing.assert_array_equal(data[i, :, j], np.where(labels != 0, labels + count, 0))
            count += more
    assert count > 6


@pytest.fixture
def recipes(widget):
    from napari_pollard.recipe_widget import RecipeWidget  # pylint: disable=import-outside-toplevel
    made = RecipeWidget(widget._viewer)
    made.application = widget.application
    return made


def test_errors_are_notifications(widget, recipes, monkeypatch):
    shown = []
    for name in ("napari", "napari.utils", "napari.utils.notifications"):
        monkeypatch.setitem(sys.modules, name, types.SimpleNamespace(show_error=shown.append))
    recipes.preset.setCurrentText(pollard.presets()[0])
    recipes.run()
    recipes.preset.setCurrentText("")
    run(recipes)
    widget._viewer.add_image(np.zeros((2, 2), complex), name="waves")
    run(widget)
    assert [each[:20] for each in shown] == ["open an image of one", "choose a preset, or ", "image: the values ar"]


def test_recipes_run_in_the_background_and_are_stopped(recipes):
    recipes._viewer.add_image(np.random.default_rng(1).integers(0, 65535, (2500, 2500), dtype=np.uint16), name="noise")
    recipes.preset.setCurrentText(pollard.presets()[0])
    recipes.run()
    assert recipes.is_busy and recipes.stop.isEnabled()
    recipes.run()  # waits, and is forgotten
    recipes.stop.click()
    begin = time.monotonic()
    finish(recipes)
    assert recipes.message.text() == "stopped" and time.monotonic() - begin < 5 and len(recipes._viewer.layers) == 1
    assert not recipes.stop.isEnabled()


def test_results_for_a_closed_widget_are_dropped(widget):
    widgets = pytest.importorskip("qtpy.QtWidgets")
    dock = widgets.QDockWidget()
    dock.setWidget(widget)
    widget._viewer.add_image(np.random.default_rng(1).integers(0, 255, (900, 900), dtype=np.uint8), name="noise")
    widget.run()
    widget.setParent(None)
    finish(widget)
    assert len(widget._viewer.layers) == 1


@pytest.mark.parametrize("names, shape, expected", [
    (("t", "z", "y", "x"), (2, 3, 4, 5), [("z y x", (1, 2, 3)), ("t y x", (0, 2, 3)), ("y x", (2, 3))]),
    (("z", "c", "y", "x"), (2, 3, 4, 5), [("z y x", (0, 2, 3)), ("c y x", (1, 2, 3)), ("y x", (2, 3))]),
    (("y", "x", "c"), (4, 5, 3), [("y x", (0, 1)), ("c y x", (2, 0, 1))]),
    (("-3", "-2", "-1"), (4, 5, 3), [("z y x", (0, 1, 2)), ("y x", (1, 2))]),
    (None, (1, 2, 3, 4, 5), [("z y x", (2, 3, 4)), ("t y x", (1, 3, 4)), ("axis 0 y x", (0, 3, 4)), ("y x", (3, 4))]),
    (("-2", "-1"), (4, 5), [("y x", (0, 1))])])
def test_axes_are_picked(names, shape, expected):
    layer = types.SimpleNamespace(data=np.zeros(shape, np.uint8), **({} if names is None else {"axis_labels": names}))
    assert filtering.axes_choices(layer) == expected


@pytest.mark.parametrize("text, unit, number", [
    ("", "um2", None), ("50", "um2", 50), ("1,5", "", 1.5), ("-2e3", "", -2000), ("50 um2", "um2", 50),
    ("50 \u00b5m\u00b2", "um2", 50), ("2 mm", "um", 2000), ("1 mm3", "um3", 1e9), ("1e-3 mm2", "um2", 1e3)])
def test_bounds_have_units(text, unit, number):
    assert filtering.number_of(text, unit) == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize("text, unit", [("many", ""), ("1 um", "um2"), ("1 um2", ""), ("1 ly", "um"), ("nan", ""), ("1e999", ""),
                                        ("1 2", ""), ("-", "")])
def test_wrong_bounds_get_a_sentence(text, unit):
    with pytest.raises(ValueError, match=re.escape(f"'{text}'")):
        filtering.number_of(text, unit)


def test_layers_with_units_are_filtered_in_them(widget):
    image = samples.grains()[0][0]
    widget._viewer.add_image(image, name="grains", scale=(0.5, 0.5), units=("micrometer", "micrometer"))
    widget.output.setCurrentText("labels")
    widget.low.setText("20 um2")
    widget.high.setText("2e-4 mm2")
    for edit in (widget.low, widget.high):
        edit.setModified(True)
    widget.low.editingFinished.emit()
    run(widget)
    shown = widget._viewer.layers["grains area labels"]
    np.testing.assert_array_equal(shown.data, pollard.max_tree(image).labels("80 <= area <= 800"))
    np.testing.assert_allclose(shown.features["area_um2"], np.bincount(shown.data.ravel())[1:] / 4)
    assert widget.message.text() == "20 to 200 um2" and widget.low.text() == "20 um2"


@pytest.mark.parametrize("kind", ["image", "labels"])
@pytest.mark.parametrize("dtype", ["u1", "u2", "i4", "i8", "f4", "f8", "?"])
def test_files_keep_what_layers_are(tmp_path, kind, dtype):
    tifffile = pytest.importorskip("tifffile")
    path = str(tmp_path / f"one{saving.SUFFIX}")
    data = np.random.default_rng(1).integers(0, 9, (3, 5, 6)).astype(dtype)
    meta = {"name": "\u00b5 one", "scale": [3.0, 0.5, 0.5], "units": ("micrometer",) * 3, "rotate": np.eye(3), "gamma": 0.5,
            "axis_labels": ("z", "y", "x")}
    more = {"colormap": {"name": "magma"}} if kind == "image" else {"features": {"index": [1, 2], "a": np.array([0.5, np.nan])}}
    write = saving.write_image if kind == "image" else saving.write_labels
    assert write(path, data, {**meta, **more}) == [path] and list(tmp_path.iterdir()) == [Path(path)]
    ((found, facts, layer),) = saving.get_layer_reader(path)(path)
    np.testing.assert_array_equal(found, data)
    assert layer == kind and found.dtype == data.dtype and facts["name"] == meta["name"]
    assert facts["scale"] == meta["scale"] and facts["units"] == list(meta["units"]) and facts["rotate"] == np.eye(3).tolist()
    if kind == "image":
        assert facts["colormap"] == "magma"
    else:
        assert facts["features"]["index"] == [1, 2] and np.isnan(facts["features"]["a"][1])
    if dtype != "i8":
        with tifffile.TiffFile(path) as tiff:
            assert tiff.is_ome and 'PhysicalSizeX="0.5"' in tiff.ome_metadata and tiff.series[0].axes == "ZYX"
    Path(path).write_bytes(Path(path).read_bytes()[:100])
    assert saving.get_layer_reader(path) is None
    assert saving.get_layer_reader(str(SAMPLES / "coins_384x303_u8.tif")) is None


@pytest.mark.parametrize("content", ["", "{", "[1]", "{}", '{"pollard": 1}', "[" * 100000])
def test_other_files_are_left_to_other_readers(tmp_path, content):
    path = tmp_path / "other.pollard"
    path.write_text(content, encoding="utf-8")
    assert files.get_reader(str(path)) is None
    assert files.get_reader(str(tmp_path / "none.pollard")) is None


def test_samples_have_grains():
    ((image, meta, layer),) = samples.grains()
    assert image.dtype == np.uint8 and layer == "image" and meta["name"]
    assert pollard.max_tree(image).labels("20 <= area <= 600 and height >= 40").max() > 10
