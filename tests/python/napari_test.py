"""The napari plugin: its manifest, its filters, and the widget with a viewer that stands in for napari's."""
import importlib
import json
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import pollard

PLUGIN = Path(__file__).parents[2] / "python" / "napari"
sys.path.insert(0, str(PLUGIN))

from pollard_napari.filtering import ComponentFilter, Histogram, plane_of  # noqa: E402
from pollard_napari.samples import blobs  # noqa: E402


def test_manifest_names_what_exists():
    manifest = json.loads((PLUGIN / "pollard_napari" / "napari.json").read_text(encoding="utf-8"))
    assert set(manifest) == {"name", "display_name", "contributions"}
    assert manifest["name"] == "pollard-napari"
    assert 'pollard-napari = "pollard_napari:napari.json"' in (PLUGIN / "pyproject.toml").read_text(encoding="utf-8")
    contributions = manifest["contributions"]
    commands = {each["id"]: each["python_name"] for each in contributions["commands"]}
    assert all(set(each) == {"id", "title", "python_name"} for each in contributions["commands"])
    assert all(each.startswith("pollard-napari.") for each in commands)
    used = {each["command"] for part in ("widgets", "sample_data") for each in contributions[part]}
    assert used == set(commands)
    assert all({"key", "display_name"} <= set(each) for each in contributions["sample_data"])
    for name in commands.values():
        module, member = name.split(":")
        source = PLUGIN / (module.replace(".", "/") + ".py")
        assert f"def {member}(" in source.read_text(encoding="utf-8") or f"class {member}(" in source.read_text(
            encoding="utf-8")


def image():
    return blobs()[0][0]


@pytest.mark.parametrize("kind", ["max", "min"])
def test_filters_are_those_of_the_criteria(kind):
    filter_ = ComponentFilter(image(), kind)
    tree = pollard.max_tree(image(), kind=kind)
    np.testing.assert_array_equal(filter_.filtered("area", 20, 500), tree.filter("20 <= area <= 500"))
    np.testing.assert_array_equal(filter_.filtered("height", 30, 255, "min"), tree.filter("height >= 30", "min"))


def test_labels_have_the_features_of_their_components():
    filter_ = ComponentFilter(image())
    labels, features = filter_.labels("height", 40, 200)
    assert labels.max() > 10 and labels.dtype == np.uint32
    np.testing.assert_array_equal(features["index"], np.arange(1, labels.max() + 1))
    np.testing.assert_array_equal(features["area"], np.bincount(labels.ravel())[1:])
    assert (features["height"] >= 40).all() and (features["height"] <= 200).all()
    none, columns = filter_.labels("area", -2, -1)
    assert not none.any() and len(columns["index"]) == 0


@pytest.mark.parametrize("attribute", [each["name"] for each in pollard.attributes()])
def test_histograms_hold_all_nodes(attribute):
    filter_ = ComponentFilter(image())
    histogram = filter_.histogram(attribute)
    values = pollard.max_tree(image())[attribute].astype(float)
    assert histogram.counts.sum() == np.isfinite(values).sum()
    assert filter_.keep(attribute, histogram.edges[0], histogram.edges[-1]).sum() == np.isfinite(values).sum()
    for place in (0, 0.25, 1):
        assert histogram.position(histogram.value(place)) == pytest.approx(place)


def test_axis_is_logarithmic_over_two_decades():
    filter_ = ComponentFilter(image())
    assert filter_.histogram("area").logarithmic
    assert not filter_.histogram("level").logarithmic or filter_.histogram("level").edges[0] > 0
    flat = ComponentFilter(np.zeros((3, 3), np.uint8)).histogram("level")
    assert flat.counts.sum() == 1 and flat.edges[0] < flat.edges[-1]
    assert Histogram(np.array([0.0, 1.0]), np.array([1]), False, True).value(2) == 1


def test_planes_of_stacks():
    data = np.arange(2 * 3 * 4 * 5, dtype=np.uint8).reshape(2, 3, 4, 5)
    np.testing.assert_array_equal(plane_of(data, (1, 2), 2), data[1, 2])
    np.testing.assert_array_equal(plane_of(data, (1,), 3), data[1])
    np.testing.assert_array_equal(plane_of([data[0, 0], data[0, 0, ::2]], (), 2), data[0, 0])
    with pytest.raises(ValueError, match="3 are needed"):
        plane_of(data[0, 0], (), 3)
    assert {name for name, _ in ComponentFilter(data[0]).attributes()} == {
        each["name"] for each in pollard.attributes(True)}


class Event:
    def __init__(self):
        self.slots = []

    def connect(self, slot):
        self.slots.append(slot)

    def emit(self):
        for slot in self.slots:
            slot(None)


class Image:
    def __init__(self, data, name, **rest):
        self.data, self.name, self.metadata = data, name, rest.get("metadata", {})
        self.scale = self.translate = np.ones(data.ndim)
        self.contrast_limits, self.rgb = (0, 255), rest.get("rgb", False)


class Labels(Image):
    pass


class Layers(list):
    def __init__(self):
        super().__init__()
        self.events = SimpleNamespace(inserted=Event(), removed=Event())

    def __getitem__(self, name):
        return next(each for each in self if each.name == name) if isinstance(name, str) else super().__getitem__(name)


class Viewer:
    def __init__(self):
        self.layers = Layers()
        self.dims = SimpleNamespace(ndisplay=2, current_step=(0, 0, 0), events=SimpleNamespace(current_step=Event()))

    def _add(self, layer):
        self.layers.append(layer)
        self.layers.events.inserted.emit()
        return layer

    def add_image(self, data, **rest):
        return self._add(Image(data, **rest))

    def add_labels(self, data, **rest):
        return self._add(Labels(data, **rest))


@pytest.fixture
def application():
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    widgets = pytest.importorskip("qtpy.QtWidgets")
    yield widgets.QApplication.instance() or widgets.QApplication([])


def wait_for(application, condition):
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "no result within 20 s"
        application.processEvents()
        time.sleep(0.005)


def test_widget_filters_and_labels(application):
    widget_module = importlib.import_module("pollard_napari.widget")
    viewer = Viewer()
    widget = widget_module.FilterWidget(viewer)
    assert "grey image" in widget.state.text()
    viewer.add_image(np.zeros((4, 4, 3), np.uint8), name="colours", rgb=True)
    viewer.add_image(image(), name="blobs")
    names = lambda: [each.name for each in viewer.layers]  # noqa: E731
    wait_for(application, lambda: "blobs filtered" in names())
    np.testing.assert_array_equal(viewer.layers["blobs filtered"].data, image())
    assert [widget.layer.itemText(i) for i in range(widget.layer.count())] == ["blobs"], "no results, no colours"

    widget.low.setValue(50)
    expected = pollard.max_tree(image()).filter("area >= 50")
    wait_for(application, lambda: (viewer.layers["blobs filtered"].data == expected).all())

    widget.output.setCurrentText("Labels")
    wait_for(application, lambda: "blobs labels" in names())
    labels = viewer.layers["blobs labels"]
    np.testing.assert_array_equal(labels.features["index"], np.arange(1, labels.data.max() + 1))

    widget.live.setChecked(False)
    before = labels.data
    widget.low.setValue(5000)
    application.processEvents()
    assert viewer.layers["blobs labels"].data is before
    widget.apply.click()
    wait_for(application, lambda: viewer.layers["blobs labels"].data is not before)
    assert (viewer.layers["blobs labels"].features["area"] >= 5000).all()


def test_widget_follows_the_step_of_a_stack(application):
    widget_module = importlib.import_module("pollard_napari.widget")
    viewer = Viewer()
    stack = np.stack([image(), image()[::-1]])
    widget = widget_module.FilterWidget(viewer)
    viewer.add_image(stack, name="stack")
    wait_for(application, lambda: "stack filtered" in [each.name for each in viewer.layers])
    viewer.dims.current_step = (1, 0, 0)
    viewer.dims.events.current_step.emit()
    wait_for(application, lambda: (viewer.layers["stack filtered"].data == stack[1]).all())
    assert widget.state.text() == ""
