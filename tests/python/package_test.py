"""The package: its examples run, its docstrings and stubs are whole."""
import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pollard_morphology as pollard

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "pollard_morphology"


@pytest.mark.parametrize("script", sorted((ROOT / "python" / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(script):
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_example_of_a_forest_runs(tmp_path):
    pytest.importorskip("sklearn", reason="no scikit-learn; Debian has python3-sklearn")
    tifffile = pytest.importorskip("tifffile")
    rng = np.random.default_rng(1)
    coarse = np.repeat(np.repeat(rng.integers(0, 200, (16, 16)), 8, axis=0), 8, axis=1)
    is_coarse = np.indices((128, 128))[0] < 64  # so that both halves, left and right, have both classes
    image = np.where(is_coarse, coarse, rng.integers(0, 200, (128, 128))).astype(np.uint8)
    training = np.where(rng.random(image.shape) < 0.1, np.where(is_coarse, 2, 1), 0).astype(np.uint8)
    changes = [pollard.profile(image, "area", [4, 16, 64], kind=kind, differential=True) for kind in ("max", "min")]
    np.save(tmp_path / "features.npy", np.concatenate(changes))
    tifffile.imwrite(tmp_path / "training.tif", training)
    done = subprocess.run([sys.executable, ROOT / "docs" / "examples" / "profile_forest.py", "features.npy",
                           "training.tif", "classes.tif"], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert float(re.fullmatch(r"right half: ([\d.]+)\n", done.stdout)[1]) > 0.8
    classes = tifffile.imread(tmp_path / "classes.tif")
    assert classes.shape == image.shape and (classes == np.where(is_coarse, 2, 1)).mean() > 0.8


def test_the_page_of_the_api_is_up_to_date():
    subprocess.run([sys.executable, ROOT / "scripts" / "python_api.py", "--check"], check=True)


def public_things():
    for name in pollard.__all__:
        thing = getattr(pollard, name)
        if callable(thing):
            yield name, thing
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                        yield f"{name}.{member}", value


def test_all_that_is_public_is_documented():
    assert not [name for name, thing in public_things() if not inspect.getdoc(thing)]


def test_stubs_have_what_the_extension_has():
    text = (PACKAGE / "_core.pyi").read_text(encoding="utf-8")
    stub = ast.parse(text)
    core = pollard.tree._core

    def names(body):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, ast.AnnAssign):
                yield node.target.id

    listed = set(names(stub.body)) - {"__version__"}
    assert listed == {name for name in vars(core) if not name.startswith("_")}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            there = {name for name in vars(getattr(core, node.name)) if not name.startswith("_")}
            assert {name for name in names(node.body) if not name.startswith("_")} == there
            for function in node.body:
                if isinstance(function, ast.FunctionDef) and not function.decorator_list:
                    doc = getattr(core, node.name).__dict__[function.name].__doc__
                    arguments = [each.arg for each in function.args.args[1:]]
                    assert re.findall(r"(\w+): ", doc.split("->")[0])[1:] == arguments or not arguments


def test_the_old_name_says_the_new_one():
    """`pollard` is another project, so no package of ours has or imports this name."""
    done = subprocess.run([sys.executable, "-c", "import pollard; from pollard import morphology; print(pollard.__name__)"],
                          env={"PYTHONPATH": str(Path(pollard.__file__).parents[1])}, capture_output=True, text=True, check=False)
    assert done.stdout == "pollard_morphology\n", done.stderr
    assert "FutureWarning" in done.stderr and "write `import pollard_morphology as pollard`" in done.stderr
    for path in [*PACKAGE.glob("*.py*"), *(ROOT / "python" / "napari").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else \
                [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert "pollard" not in [name.split(".")[0] for name in names], path


def test_types_are_marked():
    assert (Path(pollard.__file__).parent / "py.typed").exists()


def test_the_version_is_that_of_the_project():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert pollard.__version__ == re.search(r"project\(Pollard VERSION ([\d.]+)", text)[1]


@pytest.mark.parametrize("page, library", [
    ("python.md", "numpy"), ("python-arrays.md", "numpy"), ("python-scikit-image.md", "skimage"),
    ("python-higra.md", "higra"), ("python-scipy.md", "scipy")])
def test_code_of_the_guide_runs(page, library, tmp_path, monkeypatch):
    """All Python code of a page, one block after the other, in one namespace."""
    pytest.importorskip(library, reason=f"no {library}; scripts/peers.sh runs the page, too")
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    space = {}
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        exec(compile(block, f"docs/{page}", "exec"), space)  # pylint: disable=exec-used


def test_the_pages_of_the_api_are_complete():
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("python-api*.md"))
    assert not [name for name in pollard.__all__ if not re.search(rf"^## {name}$", text, re.MULTILINE)
                and not name.startswith("_") and name not in ("morphology", "segmentation", "Cancelled")]
