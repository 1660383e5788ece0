"""Scripts of `pollard-cli run --as python`, run by Python, write the bytes of `pollard-cli run`."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pollard_morphology as pollard

CLI = os.environ.get("POLLARD_CLI", "")
SOURCE = Path(__file__).parents[2]
SAMPLES = SOURCE / "resources" / "samples"
RECIPES = sorted((SOURCE / "tests" / "recipes").glob("*.json")) + sorted((SOURCE / "resources" / "presets").glob("*.json"))

pytestmark = pytest.mark.skipif(not CLI, reason="POLLARD_CLI names no program")

FILTER = {"id": "filter", "version": 1, "parameters": {"criteria": ["area>=4"]}}


def cli(*arguments):
    return subprocess.run([CLI, *arguments], check=True, capture_output=True).stdout


def files_of(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name != ".pollard-options"}


def expect_same(folder, recipe, images, *options):
    """Runs a recipe and its script, and compares the files."""
    cli("run", recipe, *images, "-o", folder / "expected", *options)
    script = cli("run", recipe, *images, "--as", "python", *options)
    (folder / "script.py").write_bytes(script)
    (folder / "work").mkdir()
    subprocess.run([sys.executable, folder / "script.py"], check=True, cwd=folder / "work",
                   env={**os.environ, "PYTHONPATH": str(Path(pollard.__file__).resolve().parents[1])})
    found = files_of(folder / "work" / "results")
    assert found and found == files_of(folder / "expected")
    return script


def written(folder, steps, **keys):
    path = folder / "recipe.json"
    path.write_text(json.dumps({"pollard_recipe": 1, "name": 'A "name" of \\ and """ and \'\'\'', **keys, "steps": steps}),
                    encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    """A small image."""
    path = tmp_path_factory.mktemp("part") / "part.tif"
    cli("filter", SAMPLES / "coins_384x303_u8.tif", "--region", "60,40,50,40", "--keep", "area>=2", "-o", path)
    return path


def copied(part, folder, name="a.tif"):
    """A copy of an image under this name, which may be bytes."""
    return shutil.copy(os.fsencode(part), os.path.join(os.fsencode(folder), os.fsencode(name)))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_tutorials_and_presets(tmp_path, recipe):
    sample = json.loads(recipe.read_text(encoding="utf-8"))["sample"]
    expect_same(tmp_path, recipe, [SAMPLES / sample])


def test_hostile_names(tmp_path, part):
    names = ["a b", "it's", "$HOME `id`", "back\\slash", "\"quoted\"", '"""', "-leading", "new\nline", "Zähne 歯", "\\n\\x41",
             "tab\t", "{x}", "# no comment", b"latin \xe9", b"\xed\xa0\x80 \xf0\x9f\x8c\xb2"]
    paths = [copied(part, tmp_path, os.fsencode(name) + b".tif") for name in names]
    script = expect_same(tmp_path, written(tmp_path, [FILTER, {"id": "objects", "version": 1, "parameters": {}}]), paths)
    script.decode("utf-8")
    assert len(files_of(tmp_path / "expected")) == 2 * len(names)


def test_several_images_and_pages(tmp_path, part):
    pages = SAMPLES / "head_mri_128x96x24_u16.tif"
    expect_same(tmp_path, written(tmp_path, [FILTER]), [copied(part, tmp_path), str(pages) + "[3]"])


def test_picks_regions_sizes_and_files(tmp_path, part):
    steps = [{"id": "read", "version": 2, "parameters": {"part": {"x": 1, "y": 2, "width": 40, "height": 30}, "shrink": 2}},
             {"id": "region", "version": 1, "parameters": {"shapes": [{"kind": "ellipse", "points": [2, 2, 15, 12]}],
                                                           "inverted": True}},
             {"id": "filter", "version": 2, "parameters": {"criteria": ["area>=2um2", "height>=3"], "removed": [25],
                                                           "output": "residue"}},
             {"id": "objects", "version": 4, "parameters": {"files": ["csv", "labels", "geojson", "rois"]}}]
    script = expect_same(tmp_path, written(tmp_path, steps, grey="values"), [copied(part, tmp_path)], "--pixel-size", "0.5x0.625um")
    assert b'"pixel_size"' in script


def test_write_takes_a_page_and_refuses_what_is_wrong(tmp_path):
    recipe = pollard.Recipe.load(written(tmp_path, [FILTER]))
    pages = SAMPLES / "head_mri_128x96x24_u16.tif"
    (path,) = recipe.write(pages, tmp_path / "out", page=3, device="cpu")
    assert Path(path) == tmp_path / "out" / "head_mri_128x96x24_u16_page3.tif" and Path(path).stat().st_size > 0
    with pytest.raises(ValueError, match="no-such.tif"):
        recipe.write(tmp_path / "no-such.tif", tmp_path / "out")
    with pytest.raises(TypeError, match="path of a file"):
        recipe.write(np.zeros((3, 3), np.uint8), tmp_path)
    with pytest.raises(ValueError, match="page: -1"):
        recipe.write(pages, tmp_path, page=-1)
    with pytest.raises(ValueError, match="device"):
        recipe.write(pages, tmp_path, device="tpu")
