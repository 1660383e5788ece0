"""Recipes, objects and contours: the module and pollard-cli give the same."""
import csv
import io
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import pollard_morphology as pollard

CLI = os.environ.get("POLLARD_CLI", "")
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"

needs_cli = pytest.mark.skipif(not CLI, reason="POLLARD_CLI names no program")

RECIPE = {"pollard_recipe": 1, "name": "bright spots",
          "steps": [{"id": "tree", "version": 1, "parameters": {"kind": "max", "connectivity": 8}},
                    {"id": "filter", "version": 1, "parameters": {"criteria": ["area>=30"]}}]}


def cli(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def stored(path):
    return pytest.importorskip("tifffile").imread(path)


def recipe_file(folder, recipe):
    path = folder / "recipe.json"
    path.write_text(json.dumps(recipe), encoding="utf-8")
    return path


def images():
    return sorted(SAMPLES.glob("*.tif"))[:4]


@needs_cli
@pytest.mark.parametrize("image", images(), ids=lambda path: path.name)
@pytest.mark.parametrize("output", ["filtered", "residue", "mask", "labels"])
def test_recipes_give_the_bytes_of_the_program(tmp_path, image, output):
    recipe = json.loads(json.dumps(RECIPE))
    recipe["steps"][1]["parameters"]["output"] = output
    path = recipe_file(tmp_path, recipe)
    cli("run", path, image, "-o", tmp_path / "out")
    expected = stored(tmp_path / "out" / image.name)
    loaded = pollard.Recipe.load(path)
    result = loaded(image)
    assert result.dtype == expected.dtype and result.shape == expected.shape
    assert result.tobytes() == expected.tobytes()
    levels = stored(image)
    if levels.ndim == 2 and levels.dtype in (np.uint8, np.uint16):
        assert loaded(levels).tobytes() == expected.tobytes()


@needs_cli
def test_objects_are_those_of_the_program(tmp_path):
    file = SAMPLES / "coins_384x303_u8.tif"
    image = stored(file)
    for connectivity, neighbours in ((1, 4), (2, 8)):
        cli("components", file, "--threshold", "100", "--connectivity", neighbours, "--csv", tmp_path / "o.csv",
            "--labels", tmp_path / "l.tif")
        found = pollard.objects(image >= 100, image, connectivity)
        np.testing.assert_array_equal(found.labels, stored(tmp_path / "l.tif"))
        rows = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text(encoding="utf-8"))))
        assert set(found.table) - set(rows[0]) == {"border", "perimeter_imagej", "circularity_imagej"}
        for name in set(found.table) & set(rows[0]):
            column = found.table[name]
            expected = np.array([float(row[name]) if row[name] else np.nan for row in rows])
            np.testing.assert_allclose(column, expected, rtol=1e-6, atol=1e-9, err_msg=name)


REGIONS = [  # options of the program, the threshold's first; arguments of the module; the same in a recipe
    (("--threshold", "100", "--watershed", "levels", "--seeds", "h=10"), {"watershed": {"least": 10}}),
    (("--threshold", "100", "--watershed", "distance", "--seeds", "h=1", "--lines"),
     {"watershed": {"relief": "distance", "least": 1, "lines": True}}),
    (("--threshold", "100", "--watershed", "gradient", "--seeds", "area>=20", "--seeds-of", "distance"),
     {"watershed": {"relief": "gradient", "seeds": "area", "least": 20, "seeds_of": "distance"}}),
    (("--watershed", "levels", "--seeds", "dynamics>=30", "--dark"),
     {"watershed": {"seeds": "dynamics", "least": 30, "everywhere": True}, "dark": True}),
    (("--hierarchy", "area", "--above", "50"), {"hierarchy": {"above": 50}}),
    (("--hierarchy", "altitude", "--weight", "maximum", "--above", "100"),
     {"hierarchy": {"by": "altitude", "weight": "maximum", "above": 100}}),
    (("--hierarchy", "volume", "--regions", "90", "--sizes", "60:3000"),
     {"hierarchy": {"by": "volume", "regions": np.int64(90), "sizes": {"least": 60.0, "most": 3000}}})]


@needs_cli
@pytest.mark.parametrize("options, ways", REGIONS, ids=lambda each: " ".join(each) if isinstance(each, tuple) else "")
def test_regions_are_those_of_the_program_and_of_recipes(tmp_path, options, ways):
    file = SAMPLES / "coins_384x303_u8.tif"
    image = stored(file)
    for connectivity, neighbours in ((1, 4), (2, 8)):
        cli("components", file, *options, "--connectivity", neighbours, "--csv", tmp_path / "o.csv", "--labels",
            tmp_path / "l.tif")
        found = pollard.objects(image >= 100 if options[0] == "--threshold" else None, image, connectivity, **ways)
        np.testing.assert_array_equal(found.labels, stored(tmp_path / "l.tif"))
        rows = list(csv.DictReader(io.StringIO((tmp_path / "o.csv").read_text(encoding="utf-8"))))
        assert len(rows) > 5
        step = json.loads(json.dumps({"threshold": "hand", "levels": [100, 255], "connectivity": neighbours,
                                      **{name: way for name, way in ways.items() if name != "dark"}}, default=int))
        if "dark" in ways:
            step.update(threshold="otsu", dark=True)
            del step["levels"]
        recipe = pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "regions", "steps": [
            {"id": "objects", "version": 7, "parameters": step}]}))
        table = recipe.run(image).objects[0]
        for name in set(found.table) & set(rows[0]):
            expected = np.array([float(row[name]) if row[name] else np.nan for row in rows])
            np.testing.assert_allclose(found.table[name], expected, rtol=1e-6, atol=1e-9, err_msg=name)
            np.testing.assert_allclose(found.table[name], table[name], rtol=1e-12, err_msg=name)


@needs_cli
def test_snakes_are_those_of_the_program(tmp_path):
    image = SAMPLES / "coins_384x303_u8.tif"
    cli("snake", image, "--init", "20,30,60,50", "--mask", tmp_path / "mask.tif")
    result = json.loads(cli("snake", image, "--init", "20,30,60,50", "--mask", tmp_path / "mask.tif", "--json"))
    found = pollard.snake(stored(image), (30, 20, 80, 80), states=True)
    (contour,) = found.contours
    assert contour.pixels == np.count_nonzero(stored(tmp_path / "mask.tif"))
    assert str(round(contour.energy, 3)) in json.dumps(result) or found.energy == pytest.approx(contour.energy)
    (states,) = found.states
    assert states[0].step == "start" and states[0].contour.tolist()[0] in [[30, 20], [30, 80], [80, 20], [80, 80]]
    last = iter(map(tuple, states[-1].contour.tolist()))  # with parts that enclose no pixel
    assert all(tuple(node) in last for node in contour.contour.tolist()), "the same nodes in the same order"
    assert states[-1].energy < states[0].energy
    priced = json.loads(cli("snake", image, "--init", "20,30,60,50", "--length-price", "3", "--json"))
    dear = pollard.snake(stored(image), (30, 20, 80, 80), length_price=3)
    assert dear.energy == pytest.approx(priced["energy"]) and dear.energy != pytest.approx(found.energy)
    assert dear.contours[0].pixels == priced["area"]
    with pytest.raises(ValueError, match="price on length"):
        pollard.snake(stored(image), (30, 20, 80, 80), length_price=-1)


def test_labels_equal_those_of_skimage():
    measure = pytest.importorskip("skimage.measure")
    rng = np.random.default_rng(4)
    for _ in range(200):
        axes = int(rng.integers(1, 4))
        mask = rng.random(tuple(rng.integers(1, 9, axes))) < 0.5
        for connectivity in range(1, axes + 1):
            labels, count = pollard.label(mask, connectivity=connectivity, return_num=True)
            expected, number = measure.label(mask, connectivity=connectivity, return_num=True)
            np.testing.assert_array_equal(labels, expected)
            assert count == number
        np.testing.assert_array_equal(pollard.label(mask), measure.label(mask))
        for background in (0, 1, -1):  # the second parameter is scikit-image's
            for flags in (mask, mask.astype(np.uint8), mask.astype(np.int64)):
                labels, count = pollard.label(flags, background, True, 1)
                expected, number = measure.label(flags.astype(int), background, True, 1)
                values, first = np.unique(expected, return_index=True)  # in thin volumes scikit-image has another order
                order = values[values > 0][np.argsort(first[values > 0])]
                renumbered = np.zeros(number + 1, int)
                renumbered[order] = np.arange(1, number + 1)
                np.testing.assert_array_equal(labels, renumbered[expected])
                assert count == number and labels.dtype == np.uint32


def test_tables_equal_those_of_skimage():
    measure = pytest.importorskip("skimage.measure")
    rng = np.random.default_rng(5)
    for shift, dtype in ((0, "u2"), (-500, "i2")):
        image = (rng.integers(0, 1000, (40, 50)) + shift).astype(dtype)
        labels, table = pollard.objects(image > 300 + shift, image, 1)
        expected = measure.regionprops_table(labels.astype(int), image, properties=(
            "label", "area", "centroid", "mean_intensity", "min_intensity", "max_intensity"))
        for ours, theirs in (("label", "label"), ("area", "area"), ("centroid_y", "centroid-0"),
                             ("centroid_x", "centroid-1"), ("grey_mean", "mean_intensity"),
                             ("grey_min", "min_intensity"), ("grey_max", "max_intensity")):
            np.testing.assert_allclose(table[ours], expected[theirs], err_msg=ours)
        np.testing.assert_allclose(table["grey_sum"], table["grey_mean"] * table["area"])
    volume = pollard.objects(rng.random((4, 5, 6)) < 0.5, connectivity=2, spacing=(2, 1, 1))
    assert volume.table["area"].sum() == 2 * (volume.labels > 0).sum()
    assert "euler" not in volume.table and "centroid_z" in volume.table


def test_presets_run(tmp_path):
    image = np.random.default_rng(6).integers(0, 255, (60, 70), dtype=np.uint8)
    for name in pollard.presets():
        recipe = pollard.Recipe.preset(name)
        assert recipe.name and recipe.description is not None
        assert recipe.run(image).image.shape[-2:] == image.shape
        recipe.save(tmp_path / "recipe.json")
        assert pollard.Recipe.load(tmp_path / "recipe.json").json() == recipe.json()


def test_recipes_have_tables_and_contours():
    steps = [{"id": "objects", "version": 1, "parameters": {}},
             {"id": "contour", "version": 1, "parameters": {"starts": "objects"}}]
    image = np.zeros((60, 60), np.uint8)
    image[10:30, 10:30], image[40:55, 35:55] = 200, 180
    image += np.random.default_rng(7).integers(0, 20, image.shape, dtype=np.uint8)
    recipe = pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "two", "steps": steps}))
    result = recipe.run(image)
    np.testing.assert_array_equal(result.image, image)
    assert sorted(result.objects[0]["area"].tolist()) == [300, 400]
    assert len(result.contours[0]) == 2 and result.contours[0][0].contour.shape[1] == 2


def test_a_part_of_a_file_is_selected_by_its_axes(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    planes = np.random.default_rng(3).integers(0, 200, (3, 4, 2, 20, 30), dtype=np.uint8)  # t, z, c, y, x
    path = tmp_path / "stack.ome.tif"
    tifffile.imwrite(path, planes, ome=True, photometric="minisblack",
                     metadata={"axes": "TZCYX", "Channel": {"Name": ["DAPI", "GFP"]}})
    recipe = pollard.Recipe(json.dumps(RECIPE))
    for at, expected in [(dict(channel="GFP", z=2, t=1), planes[1, 2, 1]),
                         ("channel=DAPI,z=max,t=last", planes[2, :, 0].max(axis=0)),
                         (dict(channel="GFP", z="min", t=0), planes[0, :, 1].min(axis=0))]:
        np.testing.assert_array_equal(recipe.run(path, at=at).image, recipe.run(expected).image)
    with pytest.raises(ValueError, match=r"no channel RFP \(has DAPI, GFP\)"):
        recipe.run(path, at=dict(channel="RFP"))
    with pytest.raises(ValueError, match="several images"):
        recipe.run(path, at=dict(channel="GFP", t="each"))
    with pytest.raises(ValueError, match="at: is for files"):
        recipe.run(planes[0, 0, 0], at="z=1")
    with pytest.raises(ValueError, match="z: 'most'"):
        recipe.run(path, at="z=most")


def test_errors_of_recipes_and_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.json"):
        pollard.Recipe.load(tmp_path / "none.json")
    with pytest.raises(ValueError, match="recipe"):
        pollard.Recipe("{}")
    with pytest.raises(ValueError, match="preset: 'none'"):
        pollard.Recipe.preset("none")
    recipe = pollard.Recipe(json.dumps(RECIPE))
    with pytest.raises(FileNotFoundError, match="none.tif"):
        recipe(tmp_path / "none.tif")
    with pytest.raises(OSError):
        recipe.save(tmp_path / "no" / "recipe.json")
    with pytest.raises(ValueError, match="recipes"):
        recipe(np.full((3, 3), 2**60))
    assert recipe(np.ones((3, 3), bool)).tolist() == [[1] * 3] * 3
    with pytest.raises(ValueError, match="mask"):
        recipe(tmp_path / "none.tif", mask=np.ones((2, 2), bool))
    with pytest.raises(ValueError, match="not bool"):
        pollard.label(np.array([[0, 2]]))
    with pytest.raises(ValueError, match="another shape"):
        pollard.objects(np.ones((2, 2), bool), np.ones((3, 3), np.uint8))
    with pytest.raises(ValueError, match="no pixels"):
        pollard.objects(np.ones((2, 0), bool))
    with pytest.raises(ValueError, match="law"):
        pollard.snake(np.zeros((9, 9), np.uint8), (1, 1, 5, 5), law="normal")
    with pytest.raises(ValueError, match="snake"):
        pollard.snake(np.zeros((9, 9), np.uint8), (1, 1, 50, 50))
    with pytest.raises(ValueError, match="snake"):
        pollard.snake(np.zeros((9, 9), np.uint8), [(1, 2, 3), (4, 5, 6)])
