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
