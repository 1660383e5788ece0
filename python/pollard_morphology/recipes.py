"""Recipes: the steps from an image to a result, as the window and pollard-cli save and run them."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _core
from .arguments import text
from .levels import flags_of, levels_of, unmasked, unsigned_of
from .objects import Contour
from .tables import Table
from .tree import sides_of


def _selection_text(at: Union[None, str, Mapping[str, Union[str, int]]]) -> str:
    if at is None or isinstance(at, str):
        return at or ""
    if not isinstance(at, Mapping):
        raise TypeError(f"at: {at!r}: is not a dict or a text, such as dict(channel=\"DAPI\", t=3)")
    return ",".join(f"{axis}={position}" for axis, position in at.items())


def _path(path: Any) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: {path!r}: is not the path of a file")
    return os.fspath(path)


class Result(NamedTuple):
    """Results of a recipe."""

    image: np.ndarray  #: the picture that the filters leave, in values, or labels (uint32)
    objects: List[Table]  #: a table per step of objects, as :class:`pollard_morphology.Objects` has
    contours: List[List[Contour]]  #: contours per step of contours


class Recipe:
    """Steps that filter an image, find objects or let contours evolve; ``docs/recipe.schema.json`` has its form.

    Examples
    --------
    >>> recipe = pollard.Recipe.load("clean.json")
    >>> clean = recipe(image)
    """

    def __init__(self, text: str):  # pylint: disable=redefined-outer-name
        """Parses the JSON text of a recipe.

        Raises
        ------
        ValueError
            Naming the step, the key and the value that are wrong.
        """
        if not isinstance(text, str):
            raise TypeError(f"recipe: a {type(text).__name__} is not the text of a recipe; Recipe.load reads a file, json.dumps "
                            "writes a dict as text")
        self._core = _core.Recipe(text)

    @classmethod
    def _of(cls, core: Any) -> "Recipe":
        recipe = cls.__new__(cls)
        recipe._core = core
        return recipe

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Recipe":
        """Reads a recipe file.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it is not a recipe.
        """
        return cls._of(_core.load_recipe(_path(path)))

    @classmethod
    def preset(cls, name: str) -> "Recipe":
        """A recipe that comes with the program; :func:`presets` lists their names."""
        return cls._of(_core.preset_recipe(text(name, "preset")))

    @property
    def name(self) -> str:
        """Name, one line."""
        return self._core.name

    @property
    def description(self) -> str:
        """Description, one line or empty."""
        return self._core.description

    def json(self) -> str:
        """The recipe as text, with all parameters."""
        return self._core.json()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the recipe, whole or not at all."""
        self._core.save(_path(path))

    def run(self, image: Any, mask: Any = None, device: str = "auto",
            at: Union[None, str, Mapping[str, Union[str, int]]] = None, *,
            spacing: Optional[Sequence[float]] = None, unit: Optional[str] = None) -> Result:
        """Runs the recipe.

        Parameters
        ----------
        image : array, as of :func:`pollard_morphology.max_tree`, or path of a file
            An array is taken as read: the first step, which chooses page, channel and region, is for files. The
            result has the type of the array or file (of a file with slope and intercept float64), and its values; of
            real numbers that became 65536 levels the nearest. Differences of integers are unsigned.
        mask : array of bool, optional
            Pixels of the array that have data. Masked pixels of a NumPy masked array have none.
        device : {"auto", "cpu", "cuda"}
        at : dict or str, optional
            The part of a file by its axes, in place of the part that the recipe reads, as the option ``--at`` of
            ``pollard-cli`` has it: ``dict(channel="DAPI", z="max", t=3)`` or ``"channel=DAPI,z=max,t=3"``. Positions
            count from 0.
        spacing : (y, x) or in a volume (z, y, x), optional
            Sides of a pixel or voxel of an array, for bounds and conditions with units.
        unit : {"nm", "um", "mm", "cm", "m", "km"}, optional
            Unit of the spacing, and of lengths, areas and volumes in the tables of objects.

        Raises
        ------
        ValueError
            Naming the step that fails, or the channel or position that the file lacks.
        """
        device = text(device, "device")
        unit = None if unit is None else text(unit, "unit")
        if at is not None and not isinstance(image, (str, os.PathLike)):
            raise ValueError("at: is for files; index the array")
        if (spacing is None) != (unit is None):
            raise ValueError("spacing: needs its unit, such as spacing=(0.5, 0.5), unit='um'")
        if isinstance(image, (str, os.PathLike)):
            if spacing is not None:
                raise ValueError("spacing: is for arrays; files bring theirs")
            if mask is not None:
                raise ValueError("mask: is for arrays; files bring theirs")
            found = self._core.run_on_file(os.fspath(image), device, _selection_text(at))
            picture = found["image"]
            if "own" in found:
                picture = found["own"][picture]
            elif "values" in found and found["kind"] == "levels":
                picture = found["values"][picture]
            elif "values" in found and found["kind"] == "differences" and found["values"].dtype.kind == "f":
                picture = found["step"] * picture
        else:
            image, mask = unmasked(image, mask)
            inside = None if mask is None else flags_of(mask, "mask")
            levels = levels_of(image, ranks="values", inside=inside)
            if levels.base != 0:
                raise ValueError("image: has integers beyond 2**53; subtract the smallest for recipes")
            found = self._core.run_on_array(levels.array, inside, levels.mapping(), device,
                                            sides_of(spacing, levels.array.ndim), unit)
            picture = levels.shaped(found["image"])
            if "own" in found:
                picture = found["own"][picture]
                is_real = levels.dtype.kind == "f" or found["kind"] == "levels"
                picture = picture.astype(levels.dtype if is_real else unsigned_of(levels.dtype), copy=False)
            elif levels.dtype not in (bool, np.uint8, np.uint16) and found["kind"] != "others":
                picture = (levels.values(picture) if found["kind"] == "levels" else
                           picture.astype(unsigned_of(levels.dtype), copy=False))
            if np.may_share_memory(picture, levels.array):  # no step changes the values
                picture = picture.copy()
        contours = [[Contour(**state) for state in each["contours"]] for each in found["contours"]]
        return Result(picture, [Table(each) for each in found["objects"]], contours)

    def __call__(self, image: Any, mask: Any = None, device: str = "auto") -> np.ndarray:
        """The picture of :meth:`run`."""
        return self.run(image, mask, device).image

    def __repr__(self) -> str:
        return f"<pollard_morphology.Recipe: {self.name}>"


def presets() -> List[str]:
    """Names of the recipes that come with the program."""
    return _core.preset_names()
