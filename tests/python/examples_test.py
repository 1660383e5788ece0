"""The examples in docstrings run, and every public function, method and class of the package has one."""
import doctest
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pollard_morphology as pollard
from pollard_morphology import morphology

ROOT = Path(__file__).parents[2]
NEEDS_A_GPU = {"DeviceArray"}
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def with_members(name, thing):
    """A function, or a class with its methods."""
    yield name, thing
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            is_public = not member.startswith("_") or member == "__getitem__"
            if is_public and (inspect.isfunction(value) or isinstance(value, (classmethod, staticmethod))):
                yield f"{name}.{member}", getattr(thing, member)


def public_things():
    named = [(name, getattr(pollard, name)) for name in pollard.__all__ if not name.startswith("_")]
    named += [(f"morphology.{name}", getattr(morphology, name)) for name in morphology.__all__]
    return {found: thing for name, each in named if callable(each) for found, thing in with_members(name, each)}


def examples_of(name, thing):
    space = {"json": json, "np": np, "pollard": pollard, "morphology": morphology}
    return doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", space, name, None, None)


THINGS = {"the package": pollard, **public_things()}


def test_everything_public_has_an_example():
    without = [name for name, thing in THINGS.items()
               if name not in NEEDS_A_GPU and not (inspect.isclass(thing) and issubclass(thing, Exception))
               and not any(each.want for each in examples_of(name, thing).examples)]
    assert not without, f"no example with a result in the docstring of {', '.join(without)}"
    assert {"max_tree", "MaxTree.filter", "MaxTree.__getitem__", "Objects.columns", "Recipe.load", "morphology.label",
            "morphology.white_tophat"} <= set(THINGS)


def test_docstrings_name_every_parameter():
    """Or refer to the function that has them."""
    missing = [f"{name}: {parameter}" for name, thing in THINGS.items() if inspect.isroutine(thing)
               for parameter in inspect.signature(thing).parameters
               if parameter != "self" and not re.search(rf"\b{parameter}\b", inspect.getdoc(thing))
               and not re.search(r"are (those of|as in)|the dual of", inspect.getdoc(thing))]
    assert not missing


@pytest.mark.parametrize("name", THINGS)
def test_examples_have_these_results(name, tmp_path, monkeypatch):
    if name == "Objects.to_dataframe":
        pytest.importorskip("pandas", reason="no pandas; Debian has python3-pandas")
    if name.startswith("ChunkedTree"):
        pytest.importorskip("dask.array", reason="no dask; Debian has python3-dask")
    monkeypatch.chdir(tmp_path)
    report = []
    test = examples_of(name, THINGS[name])
    found = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert found.failed == 0, "".join(report)


def test_code_of_the_gallery_gives_its_images():
    pytest.importorskip("tifffile", reason="no tifffile; Debian has python3-tifffile")
    pytest.importorskip("PIL", reason="no Pillow; Debian has python3-pil")
    done = subprocess.run([sys.executable, ROOT / "scripts" / "gallery.py", "--check"], capture_output=True, text=True,
                          timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    sizes = [path.stat().st_size for path in (ROOT / "docs").glob("gallery-*.png")]
    assert len(sizes) == 12 and max(sizes) <= 40_000


def test_the_height_of_the_root_starts_at_its_own_level(rng):
    """As docs/attributes.md says; of other nodes at the level of the parent."""
    for dtype in ("u1", "u2", "i2", "i8", "f4"):
        image = rng.integers(20, 100, (9, 11)).astype(dtype)
        for kind, far in (("max", np.max), ("min", np.min)):
            tree = pollard.max_tree(image, kind=kind)
            assert tree["height"][0] == abs(float(far(image)) - float(tree.level[0]))
            for node in range(1, tree.num_nodes):
                inside = (tree.nodes >= node) & (tree.nodes < tree.subtree_end[node])
                assert tree["height"][node] == abs(float(far(image[inside])) - float(tree.level[tree.parent[node]]))


def test_the_default_delta_of_mser_is_that_of_its_docstring(rng):
    coarse = sum(np.kron(rng.random((64 // side, 64 // side)), np.ones((side, side))) * side for side in (4, 8, 16))
    values = (coarse - coarse.min()) / np.ptp(coarse)
    for dtype, scale, delta in ((np.uint8, 255, 5), (np.uint8, 100, 5), (np.uint16, 65535, 1285), (np.uint16, 20000, 1285),
                                (np.int16, 255 * 20, 100), (np.int32, 255 * 200, 1000)):
        image = np.rint(values * scale).astype(dtype)
        found, equal, other = (pollard.mser(image, min_area=4, delta=each).table for each in (None, delta, 4 * delta))
        assert all(np.array_equal(found[name], equal[name], equal_nan=True) for name in found)
        assert found["node"].size != other["node"].size or (found["variation"] != other["variation"]).any()
