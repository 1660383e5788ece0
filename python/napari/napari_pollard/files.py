"""Files of Pollard as layers, without napari and Qt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import pollard_morphology as pollard

from .filtering import LayerData, pixels_of

Paths = Union[str, Sequence[str]]
MOST = 64 << 20  #: bytes of a file that is looked at


def get_reader(path: Paths) -> Optional[Callable[[Paths], List[LayerData]]]:
    """The reader of sessions; None if a file is something else."""
    return read_sessions if all("pollard_session" in _content(each) for each in _list(path)) else None


def read_sessions(paths: Paths) -> List[LayerData]:
    """A layer per session: its picture as its filters leave it."""
    layers = []
    for name in _list(paths):
        session = _content(name)
        recipe = pollard.Recipe(json.dumps(recipe_of(session)))
        layers.append(layer_of(recipe, _picture(session, Path(name).parent)))
    return layers


def layers_of_recipe(image: Any, recipe: Path, preset: str = "", pictures: Sequence[Path] = ()) -> List[LayerData]:
    """The results of a recipe file, or of a preset, on an image layer, or on picture files.

    Raises
    ------
    ValueError
        Without a recipe or a picture, and for pictures that the recipe does not take.
    """
    if not preset and recipe.is_dir():
        raise ValueError(f"choose a recipe file, or name a preset: {', '.join(pollard.presets())}")
    chosen = pollard.Recipe.preset(preset) if preset else pollard.Recipe.load(recipe)
    if pictures:
        return [layer_of(chosen, picture) for picture in pictures]
    if image is None:
        raise ValueError("open an image, or choose picture files")
    data, meta, kind = layer_of(chosen, pixels_of(image), image.name)
    look = look_of(image, "") if kind == "image" else {}
    return [(data, {**look, **meta, **place_of(image)}, kind)]


def place_of(layer: Any) -> Dict[str, Any]:
    """Where a layer lies in the world, for a result of the same pixels."""
    names = ("scale", "translate", "rotate", "shear", "affine", "units", "axis_labels")  # versions of napari differ
    return {name: getattr(layer, name) for name in names if hasattr(layer, name)}


def look_of(layer: Any, output: str = "filtered") -> Dict[str, Any]:
    """Colours of an image layer, and its contrast for a result in the same values."""
    names = ("colormap", "gamma", "contrast_limits") if output == "filtered" else ("colormap",)
    return {name: getattr(layer, name) for name in names if hasattr(layer, name)}


def layer_of(recipe: pollard.Recipe, picture: Any, name: str = "") -> LayerData:
    """The result of a recipe on a picture, an array or a file: Image, or Labels of results of 32 bits."""
    result = recipe(picture)
    meta = {"name": f"{name or Path(picture).stem} {recipe.name}"}
    return result, meta, "labels" if result.dtype.itemsize == 4 else "image"


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


def _picture(session: Dict[str, Any], folder: Path) -> Path:
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
