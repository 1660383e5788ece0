"""Files of Pollard as layers, without napari and Qt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

import pollard_morphology as pollard

from .filtering import LayerData, Progress, Stack, pixels_of, spacing_of

Paths = Union[str, Sequence[str]]
MOST = 64 << 20  #: bytes of a file that is looked at


def get_reader(path: Paths) -> Optional[Callable[[Paths], List[LayerData]]]:
    """The reader of sessions; None if a file is something else."""
    return read_sessions if all("pollard_session" in _content(each) for each in _list(path)) else None


def read_sessions(paths: Paths) -> List[LayerData]:
    """A layer per session: its image as its filters leave it."""
    layers = []
    for name in _list(paths):
        session = _content(name)
        recipe = pollard.Recipe(json.dumps(recipe_of(session)))
        image = _image(session, Path(name).parent)
        layers.append(_layer(recipe, [recipe.run(image)], None, image.stem))
    return layers


def chosen_recipe(file: str, preset: str) -> pollard.Recipe:
    """The recipe of a preset, or else of a file: a recipe, or a session, whose filters are one.

    Raises
    ------
    ValueError, OSError
        Without either, and for other files.
    """
    if preset:
        return pollard.Recipe.preset(preset)
    if not file:
        raise ValueError("choose a preset, or the file of a recipe or a session")
    session = _content(file)
    return pollard.Recipe(json.dumps(recipe_of(session))) if "pollard_session" in session else pollard.Recipe.load(file)


def layer_of_recipe(recipe: pollard.Recipe, layer: Any, axes: Sequence[int],
                    progress: Optional[Progress] = None) -> LayerData:
    """The result of a recipe on an image layer, or on each of the images or volumes along these axes.

    Raises
    ------
    ValueError
        For an image that the recipe does not take.
    pollard_morphology.Cancelled
        If the job of `progress` is cancelled.
    """
    stack = Stack(np.asarray(pixels_of(layer)), axes)
    spacing, unit = spacing_of(layer, axes)
    sizes = {"spacing": spacing, "unit": unit} if unit else {}
    results = [recipe.run(part, **sizes) for part in (progress or Progress()).each(stack.parts)]
    data, meta, kind = _layer(recipe, results, stack, layer.name)
    look = look_of(layer, "") if kind == "image" else {}
    return data, {**look, **meta, **place_of(layer)}, kind


def layer_of_image(recipe: pollard.Recipe, image: str) -> LayerData:
    """The result of a recipe on the file of an image, which is read as the recipe says."""
    return _layer(recipe, [recipe.run(image)], None, Path(image).stem)


def _layer(recipe: pollard.Recipe, results: Sequence[pollard.Result], stack: Optional[Stack], name: str) -> LayerData:
    """Image, or Labels of results of 32 bits, with the columns of the last table of objects as features."""
    meta: Dict[str, Any] = {"name": f"{name} {recipe.name}"}
    images = [result.image for result in results]
    if images[0].dtype != np.uint32:
        return (images[0] if stack is None else stack.joined(images)), meta, "image"
    counts = [int(image.max()) for image in images]
    labels = images[0] if stack is None else stack.joined_labels(images, counts)
    tables = [result.objects[-1] for result in results if result.objects]
    if len(tables) == len(results) and all(table["label"].size == count for table, count in zip(tables, counts)):
        names = [column for column in tables[0] if column != "label"]
        meta["features"] = {"index": np.arange(1, sum(counts) + 1),
                            **{column: np.concatenate([table[column] for table in tables]) for column in names}}
    return labels, meta, "labels"


def place_of(layer: Any) -> Dict[str, Any]:
    """Where a layer lies in the world, for a result of the same pixels."""
    names = ("scale", "translate", "rotate", "shear", "affine", "units", "axis_labels")  # versions of napari differ
    return {name: getattr(layer, name) for name in names if hasattr(layer, name)}


def look_of(layer: Any, output: str = "filtered") -> Dict[str, Any]:
    """Colours of an image layer, and its contrast for a result in the same values."""
    names = ("colormap", "gamma", "contrast_limits") if output == "filtered" else ("colormap",)
    return {name: getattr(layer, name) for name in names if hasattr(layer, name)}


def recipe_of(session: Dict[str, Any]) -> Dict[str, Any]:
    """The recipe with the reading and the filters of a session.

    Raises
    ------
    ValueError
        If components are picked by hand, which the window turns into a recipe.
    """
    read = session["image"]["read"]
    steps = [_step("read", 7 if "ignore_alpha" in read else 6, read)]
    for stage in session.get("earlier", []):
        if stage["on"]:
            region = stage["region"] if stage["region_on"] else {}
            steps += [_step("region", 1, region), _step("tree", 2, stage["tree"]), _step("filter", 2, stage["filter"])]
    last = session["filter"]
    if last["picks"]:
        raise ValueError("session: has components picked by hand; save a recipe in the window")
    parameters: Dict[str, Any] = {"criteria": [], "output": "filtered"}
    if last["enabled"]:
        parameters = {key: last[key] for key in ("match", "rule", "output")}
        parameters["criteria"] = [text for each in last["criteria"] if each["enabled"] for text in _criteria(each)]
        if last["prominent"]["only"]:
            parameters["prominent"] = {key: last["prominent"][key] for key in ("measure", "count")}
    steps += [_step("region", 1, session["region"]), _step("tree", 2, session["tree"]),
              _step("filter", 2, parameters)]
    return {"pollard_recipe": 1, "name": "session", "steps": steps}


def _criteria(criterion: Dict[str, Any]) -> List[str]:
    name = criterion["attribute"]
    unit = criterion.get("units", {}).get(name, "")
    low, high = criterion["bounds"].get(name, (None, None))
    return [f"{name}{sign}{bound!r}{unit}" for sign, bound in ((">=", low), ("<=", high))
            if isinstance(bound, (int, float))]


def _step(name: str, version: int, parameters: Dict[str, Any]) -> Dict[str, Any]:
    return {"id": name, "version": version, "parameters": parameters}


def _image(session: Dict[str, Any], folder: Path) -> Path:
    image = session["image"]
    beside = folder / image["relative"]
    return beside if image["relative"] and beside.is_file() else Path(image["absolute"])


def _list(path: Paths) -> List[str]:
    return [str(path)] if isinstance(path, (str, Path)) else [str(each) for each in path]


def _content(path: str) -> Dict[str, Any]:
    """The object in a file of JSON; empty for other files."""
    try:
        if Path(path).stat().st_size > MOST:
            return {}
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
