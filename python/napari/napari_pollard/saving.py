"""Layers as files that keep features, place and units, without napari and Qt."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from .filtering import METRES, LayerData, short_unit

SUFFIX = ".pollard-layer"  #: of files that are TIFFs
TAG = 65100  #: private tag with the JSON text of what the pixels do not say
FACTS = ("name", "scale", "translate", "rotate", "shear", "affine", "units", "axis_labels", "opacity", "blending",
         "contrast_limits", "gamma", "rgb")


def write_image(path: str, data: Any, attributes: Dict[str, Any]) -> List[str]:
    """Writes an image layer."""
    return _write(path, data, {"kind": "image", "colormap": _name_of(attributes.get("colormap"))}, attributes)


def write_labels(path: str, data: Any, attributes: Dict[str, Any]) -> List[str]:
    """Writes a labels layer, with its features."""
    features = attributes.get("features")
    columns = {} if features is None else {str(name): np.asarray(features[name]).tolist() for name in features}
    return _write(path, data, {"kind": "labels", "features": columns}, attributes)


def get_layer_reader(path: Union[str, Sequence[str]]) -> Optional[Callable[[Any], List[LayerData]]]:
    """The reader of these files; None if a file is something else."""
    paths = [path] if isinstance(path, (str, Path)) else path
    return _read_all if all(_facts_of(str(each)) for each in paths) else None


def _write(path: str, data: Any, facts: Dict[str, Any], attributes: Dict[str, Any]) -> List[str]:
    """Writes a TIFF, whole or not at all; of types that OME has with the sizes of pixels as OME has them."""
    import tifffile  # pylint: disable=import-outside-toplevel  # napari has it
    pixels = np.asarray(data[0] if attributes.get("multiscale") else data)
    facts.update({name: _plain(attributes[name]) for name in FACTS if attributes.get(name) is not None})
    tags = [(TAG, "s", 0, json.dumps(facts), True)]
    is_ome = not facts.get("rgb") and pixels.ndim <= 5 and (
        pixels.dtype.kind in "buif" and pixels.dtype.itemsize <= 4 or pixels.dtype == float)
    options = {"ome": True, "metadata": _in_ome(pixels.ndim, facts)} if is_ome else {"metadata": None}
    with tempfile.TemporaryDirectory(dir=Path(path).parent) as folder:
        whole = Path(folder) / "layer.tif"
        tifffile.imwrite(whole, pixels, extratags=tags, photometric="minisblack", **options)
        os.replace(whole, path)
    return [path]


def _in_ome(axes: int, facts: Dict[str, Any]) -> Dict[str, Any]:
    found: Dict[str, Any] = {"axes": "TCZYX"[-axes:] if axes != 4 else "TZYX"}
    for name, side, unit in zip("XYZ", facts.get("scale", [])[::-1], facts.get("units", [])[::-1]):
        if short_unit(unit) in METRES and axes > "XYZ".index(name):
            found[f"PhysicalSize{name}"] = abs(side)
            found[f"PhysicalSize{name}Unit"] = short_unit(unit).replace("um", "\N{MICRO SIGN}m")
    return found


def _read_all(path: Any) -> List[LayerData]:
    import tifffile  # pylint: disable=import-outside-toplevel
    layers = []
    for each in [path] if isinstance(path, (str, Path)) else path:
        facts = _facts_of(str(each))
        kind = facts.pop("kind")
        layers.append((tifffile.imread(each), {key: facts[key] for key in facts if facts[key] is not None}, kind))
    return layers


def _facts_of(path: str) -> Dict[str, Any]:
    """What a file says of its layer; nothing of other files."""
    import tifffile  # pylint: disable=import-outside-toplevel
    try:
        with tifffile.TiffFile(path) as tiff:
            facts = json.loads(tiff.pages[0].tags[TAG].value)
    except (OSError, ValueError, KeyError, IndexError, TypeError, RecursionError, tifffile.TiffFileError):
        return {}
    known = {"kind", "colormap", "features", *FACTS}
    return facts if isinstance(facts, dict) and facts.get("kind") in ("image", "labels") and set(facts) <= known else {}


def _name_of(colours: Any) -> Optional[str]:
    return colours.get("name") if isinstance(colours, dict) else getattr(colours, "name", colours)


def _plain(value: Any) -> Any:
    """Lists of numbers and texts."""
    if isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return str(value)  # units
