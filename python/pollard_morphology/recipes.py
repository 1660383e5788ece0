"""Recipes: the steps from an image to a result, as the window and pollard-cli save and run them."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _core
from .arguments import text, whole
from .containers import frames, joined_columns, take
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
    """Results of a recipe.

    Examples
    --------
    >>> steps = [{"id": "objects", "version": 1, "parameters": {"connectivity": 4}}]
    >>> recipe = pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "Spots", "steps": steps}))
    >>> result = recipe.run(np.array([[0, 0, 9, 0, 0, 7, 7]], np.uint8))
    >>> result.image, result.objects[0]["area"], result.contours
    (array([[0, 0, 9, 0, 0, 7, 7]], dtype=uint8), array([1, 2]), [])
    """

    image: np.ndarray  #: the image that the filters leave, in values, or labels (uint32)
    objects: List[Table]  #: a table per step of objects, as :class:`pollard_morphology.Objects` has
    contours: List[List[Contour]]  #: contours per step of contours


def _result_of(found: Dict[str, Any], image: np.ndarray) -> Result:
    contours = [[Contour(**state) for state in each["contours"]] for each in found["contours"]]
    return Result(image, [Table(each) for each in found["objects"]], contours)


class Recipe:
    """Steps that filter an image, find objects or let contours evolve; ``docs/recipe.schema.json`` has its form.

    Examples
    --------
    >>> recipe = pollard.Recipe.preset("uneven-background")    # or Recipe.load("steps.json")
    >>> recipe.name
    'Uneven background'
    >>> flat = recipe(np.arange(2500, dtype=np.uint16).reshape(50, 50))    # an array, or the path of a file
    >>> flat.shape, flat.dtype
    ((50, 50), dtype('uint16'))
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
        """Reads the recipe file `path`.

        Raises
        ------
        OSError
            If the file cannot be read.
        ValueError
            If it is not a recipe.

        Examples
        --------
        >>> pollard.Recipe.preset("vessels").save("vessels.json")
        >>> pollard.Recipe.load("vessels.json").name
        'Vessel-like structures'
        """
        return cls._of(_core.load_recipe(_path(path)))

    @classmethod
    def preset(cls, name: str) -> "Recipe":
        """A recipe that comes with the program; :func:`presets` lists their names.

        Raises
        ------
        ValueError
            For other names.

        Examples
        --------
        >>> pollard.Recipe.preset("vessels").name
        'Vessel-like structures'
        """
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
        """The recipe as text, with all parameters.

        Examples
        --------
        >>> print(pollard.Recipe.preset("vessels").json())
        {
          "pollard_recipe": 1,
          "name": "Vessel-like structures",
          ...
        }
        """
        return self._core.json()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the recipe to the file `path`, whole or not at all.

        Raises
        ------
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> pollard.Recipe.preset("vessels").save("steps.json")    # pollard-cli run steps.json IMAGE.tif
        >>> pollard.Recipe.load("steps.json").name
        'Vessel-like structures'
        """
        self._core.save(_path(path))

    def run(self, image: Any, mask: Any = None, device: str = "auto",
            at: Union[None, str, Mapping[str, Union[str, int]]] = None, *,
            axes: Optional[str] = None, spacing: Optional[Sequence[float]] = None,
            unit: Optional[str] = None) -> Result:
        """Runs the recipe.

        Parameters
        ----------
        image : array, as of :func:`pollard_morphology.max_tree`, or path of a file
            An array is taken as read: the first step, which chooses page, channel and region, is for files. The
            result has the type of the array or file (of a file with slope and intercept float64), and its values; of
            real numbers that became 65536 levels the nearest. Differences of integers are unsigned.
        mask : array of bool, optional
            Pixels of the array that have data. NaN and masked pixels of a NumPy masked array have none.
        device : {"auto", "cpu", "cuda"}
        at : dict or str, optional
            The part of a file by its axes, in place of the part that the recipe reads, as the option ``--at`` of
            ``pollard-cli`` has it: ``dict(channel="DAPI", z="max", t=3)`` or ``"channel=DAPI,z=max,t=3"``. Positions
            count from 0.
        axes : str, optional
            As of :func:`pollard_morphology.max_tree`: the recipe runs on each image along t and c. Tables have columns `t`
            and `c` of positions; contours of all images follow each other.
        spacing : (y, x) or in a volume (z, y, x), optional
            Sides of a pixel or voxel of an array, for bounds and conditions with units. By default as of
            :func:`pollard_morphology.max_tree`.
        unit : {"nm", "um", "mm", "cm", "m", "km"}, optional
            Unit of the spacing, and of lengths, areas and volumes in the tables of objects.

        Returns
        -------
        Result

        Raises
        ------
        ValueError
            Naming the step that fails, or the channel or position that the file lacks.

        Examples
        --------
        >>> steps = [{"id": "objects", "version": 1, "parameters": {"connectivity": 4}}]
        >>> recipe = pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "Spots", "steps": steps}))
        >>> image = np.array([[0, 0, 9, 0, 0, 7, 7]], np.uint8)
        >>> recipe.run(image, spacing=(0.5, 0.5), unit="um").objects[0]["area"]    # in um2
        array([0.25, 0.5 ])
        """
        device = text(device, "device")
        unit = None if unit is None else text(unit, "unit")
        if at is not None and not isinstance(image, (str, os.PathLike)):
            raise ValueError("at: is for files; index the array")
        if (spacing is None) != (unit is None):
            raise ValueError("spacing: needs its unit, such as spacing=(0.5, 0.5), unit='um'")
        if isinstance(image, (str, os.PathLike)):
            if spacing is not None or axes is not None:
                raise ValueError(f"{'spacing' if axes is None else 'axes'}: is for arrays; files bring theirs")
            if mask is not None:
                raise ValueError("mask: is for arrays; files bring theirs")
            return self._run_on_file(os.fspath(image), device, _selection_text(at))
        given = take(image, axes, mask, spacing, unit)
        if not given.loops:
            found = self._run_on_array(given.values, given.mask, device, given.spacing, given.unit)
            return found._replace(image=given.container.restored(found.image))
        places, all_found = [], []
        for place, values, inside in frames(given):
            places.append(place)
            all_found.append(self._run_on_array(values, inside, device, given.spacing, given.unit))
        pages = np.stack([each.image for each in all_found])
        outer = tuple(1 + at for at in places[-1])
        tables = [joined_columns(given.loops, list(zip(places, of_step)))
                  for of_step in zip(*(each.objects for each in all_found))]
        contours = [[contour for of_image in of_step for contour in of_image]
                    for of_step in zip(*(each.contours for each in all_found))]
        return Result(given.container.restored(pages.reshape((*outer, *pages.shape[1:]))), tables, contours)

    def _run_on_file(self, path: str, device: str, at: str) -> Result:
        found = self._core.run_on_file(path, device, at)
        image = found["image"]
        if "own" in found:
            image = found["own"][image]
        elif "values" in found and found["kind"] == "levels":
            image = found["values"][image]
        elif "values" in found and found["kind"] == "differences" and found["values"].dtype.kind == "f":
            image = found["step"] * image
        return _result_of(found, image)

    def _run_on_array(self, image: Any, mask: Any, device: str, spacing: Optional[Sequence[float]],
                      unit: Optional[str]) -> Result:
        image, mask = unmasked(image, mask)
        inside = None if mask is None else flags_of(mask, "mask")
        levels = levels_of(image, ranks="values", inside=inside)
        if levels.base != 0:
            raise ValueError("image: has integers beyond 2**53; subtract the smallest for recipes")
        found = self._core.run_on_array(levels.array, inside, levels.mapping(), device,
                                        sides_of(spacing, levels.array.ndim), unit)
        result = levels.shaped(found["image"])
        if found["kind"] == "lengths":
            result = found["own"][result]
        elif "own" in found:
            result = found["own"][result]
            is_real = levels.dtype.kind == "f" or found["kind"] == "levels"
            result = result.astype(levels.dtype if is_real else unsigned_of(levels.dtype), copy=False)
        elif levels.dtype not in (bool, np.uint8, np.uint16) and found["kind"] != "others":
            result = (levels.values(result) if found["kind"] == "levels" else
                       result.astype(unsigned_of(levels.dtype), copy=False))
        if np.may_share_memory(result, levels.array):  # no step changes the values
            result = result.copy()
        return _result_of(found, result)

    def write(self, file: Union[str, "os.PathLike[str]"], folder: Union[str, "os.PathLike[str]"], page: int = 0,
              device: str = "auto") -> List[str]:
        """Runs the recipe on the file of an image and writes its results, the files of ``pollard-cli run``.

        Parameters
        ----------
        file : path of the image
        folder : path of the folder for the results; it is made if it does not exist
        page : int
            Page of the file from 0, in place of the page that the recipe reads; 0 is the page of the recipe.
        device : {"auto", "cpu", "cuda"}

        Returns
        -------
        The paths of the files: tables, outlines, contours, then the image.

        Raises
        ------
        ValueError
            Naming the file, and the step that fails or the file that cannot be written.

        Examples
        --------
        >>> header = "NRRD0004\\ntype: uint8\\ndimension: 2\\nsizes: 60 40\\nencoding: raw\\n\\n"
        >>> with open("cells.nrrd", "wb") as file:
        ...     size = file.write(header.encode() + bytes(2400))
        >>> pollard.Recipe.preset("vessels").write("cells.nrrd", "out")
        ['out/cells.tif']
        """
        return [os.fspath(path) for path in
                self._core.write_files(_path(file), _path(folder), whole(page, "page", 0, 2**31 - 1), text(device, "device"))]

    def __call__(self, image: Any, mask: Any = None, device: str = "auto") -> np.ndarray:
        """The image of :meth:`run`."""
        return self.run(image, mask, device).image

    def __repr__(self) -> str:
        return f"<pollard_morphology.Recipe: {self.name}>"


def presets() -> List[str]:
    """Names of the recipes that come with the program.

    Examples
    --------
    >>> pollard.presets()[:3]
    ['bright-small-objects', 'faint-sources', 'nuts']
    """
    return _core.preset_names()
