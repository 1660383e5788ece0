"""Arrays that bring more than values: names of axes, coordinates, masks. Results get them back.

xarray and dask are imported by those who pass their arrays, never here without one.
"""

from __future__ import annotations

import functools
import inspect
import math
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, TypeVar

import numpy as np

from .arguments import text
from .tables import Table

_SPATIAL = "zyx"
_LETTERS = "tczyx"
_NAMES = {"time": "t", "frame": "t", "channel": "c", "band": "c", "plane": "z", "slice": "z", "depth": "z", "row": "y",
          "lat": "y", "latitude": "y", "column": "x", "col": "x", "lon": "x", "longitude": "x"}
_UNITS = {"nanometer": "nm", "nanometre": "nm", "micrometer": "um", "micrometre": "um", "micron": "um", "\u00b5m": "um",
          "\u03bcm": "um", "millimeter": "mm", "millimetre": "mm", "centimeter": "cm", "centimetre": "cm", "meter": "m",
          "metre": "m", "kilometer": "km", "kilometre": "km"}
_REGULAR = 1e-3  # of a step: coordinates of float32 are regular, too

Function = TypeVar("Function", bound=Callable[..., Any])


def is_labelled(image: Any) -> bool:
    """Whether an object is an ``xarray.DataArray``."""
    return type(image).__module__.partition(".")[0] == "xarray" and hasattr(image, "dims") and hasattr(image, "coords")


def is_chunked(image: Any) -> bool:
    """Whether an object is a ``dask.array.Array``."""
    return type(image).__module__.startswith("dask.array") and hasattr(image, "to_delayed")


class Container(NamedTuple):
    """What results of an array get back."""

    like: Any = None  #: the ``DataArray`` or masked array; None: nothing
    order: Optional[Tuple[int, ...]] = None  #: axes of the array in the order of the work: t, c, z, y, x

    def restored(self, array: Any) -> Any:
        """The array of pixels, in the order of the work after any leading axis, as the array was given."""
        if self.order is not None:
            leading = array.ndim - len(self.order)
            array = array.transpose(*range(leading), *(leading + int(at) for at in np.argsort(self.order)))
        if is_labelled(self.like):
            if array.ndim == self.like.ndim:
                return self.like.copy(data=array)
            dims = (*(f"threshold_{i}" if i else "threshold" for i in range(array.ndim - self.like.ndim)), *self.like.dims)
            return type(self.like)(array, dims=dims, coords=self.like.coords, attrs=self.like.attrs, name=self.like.name)
        if isinstance(self.like, np.ma.MaskedArray):
            return np.ma.MaskedArray(array, np.broadcast_to(np.ma.getmaskarray(self.like), array.shape))
        return array

    def restored_first(self, result: Any) -> Any:
        """As :meth:`restored`; of a pair of labels and their number the labels."""
        if isinstance(result, tuple):
            return (self.restored(result[0]), *result[1:])
        return self.restored(result)


class Given(NamedTuple):
    """An array and its mask in the order of the work."""

    values: Any  #: array of NumPy or dask, or anything that NumPy makes one of
    mask: Any
    spacing: Optional[Sequence[float]]
    unit: Optional[str]
    container: Container
    loops: str  #: letters of the axes before z, y and x, along which images follow each other


def _letters(image: Any, axes: Optional[str], name: str) -> Optional[str]:
    """The letter of each axis; None: as many axes as an image or volume has."""
    if axes is not None:
        letters = text(axes, "axes")
        if len(letters) != np.ndim(image):
            raise ValueError(f"axes: '{letters}': {name} has {np.ndim(image)} axes, a letter for each")
        if not set(letters) <= set(_LETTERS) or len(set(letters)) != len(letters) or not {"y", "x"} <= set(letters):
            raise ValueError(f"axes: '{letters}': the letters are t, c, z, y and x, each once, with y and x: t and c are for "
                             "images one after the other, z, y and x for a volume")
        return letters
    if is_labelled(image):
        found = [_NAMES.get(str(dim).lower(), str(dim).lower()) for dim in image.dims]
        if set(found) <= set(_LETTERS) and len(set(found)) == len(found) and {"y", "x"} <= set(found):
            return "".join(found)
    shape = np.shape(image)
    if len(shape) > 3:
        raise ValueError(f"{name}: the array has {len(shape)} axes; images have 2, volumes 3: say which these are, such as "
                         "axes='tzyx' or axes='tcyx', or index one image")
    if len(shape) == 3 and shape[2] in (3, 4) and min(shape[:2]) >= 16 and getattr(image, "dtype", None) != bool:
        raise ValueError(f"{name}: an array of shape {shape} seems to have colours, and a tree needs one number for each "
                         f"pixel: take a channel, {name}[..., 1], or all of them, axes='yxc', or a grey image; axes='zyx' says "
                         "that it is a volume")
    return None


def _step(image: Any, dim: Any) -> Optional[Tuple[float, str]]:
    """The distance of the coordinates of a dimension, and its unit; None if they are not regular or have no unit."""
    if dim not in image.coords or image.coords[dim].dims != (dim,) or image.coords[dim].dtype.kind not in "iuf":
        return None
    places = np.asarray(image.coords[dim].values, np.float64)
    unit = str(image.coords[dim].attrs.get("units", "")).strip()
    unit = _UNITS.get(unit.lower().rstrip("s"), unit)
    if places.size < 2 or unit not in ("nm", "um", "mm", "cm", "m", "km"):
        return None
    step = (places[-1] - places[0]) / (places.size - 1)
    if not math.isfinite(step) or step == 0 or not (np.abs(np.diff(places) - step) <= _REGULAR * abs(step)).all():
        return None
    return abs(step), unit


def _spacing_of(image: Any, order: Sequence[int]) -> Tuple[Optional[Tuple[float, ...]], Optional[str]]:
    """Spacing and unit by the coordinates of the last axes in this order."""
    steps = [_step(image, image.dims[axis]) for axis in order]
    if any(step is None for step in steps) or len({step[1] for step in steps if step is not None}) != 1:
        return None, None
    return tuple(step[0] for step in steps if step is not None), steps[0][1] if steps[0] else None


def take(image: Any, axes: Optional[str] = None, mask: Any = None, spacing: Optional[Sequence[float]] = None,
         unit: Optional[str] = None, name: str = "image") -> Given:
    """An array as the functions of the package work on it.

    Parameters
    ----------
    axes : str, optional
        A letter for each axis: t and c for images one after the other, z, y and x. The dimensions of a ``DataArray``
        that have these names, or common ones, need no letters.

    Raises
    ------
    ValueError
        For other letters, for more than 3 axes without letters, and for arrays that seem to have colours.
    """
    letters = _letters(image, axes, name)
    order = None
    loops = ""
    if letters is not None:
        loops = "".join(letter for letter in letters if letter not in _SPATIAL)
        order = [letters.index(letter) for letter in loops] + [letters.index(each) for each in _SPATIAL if each in letters]
    like = None
    values = image
    if is_labelled(image):
        like, values = image, image.data
        if spacing is None and unit is None:
            spatial = range(image.ndim) if order is None else order[len(loops):]
            spacing, unit = _spacing_of(image, list(spatial))
    elif isinstance(image, np.ma.MaskedArray):
        like = image
    if is_labelled(mask):
        mask = mask.transpose(*like.dims).data if like is not None and set(mask.dims) == set(like.dims) else mask.data
    if order is not None and order != list(range(len(order))):
        values = values if is_chunked(values) else np.asanyarray(values)
        if mask is not None and np.ndim(mask) == values.ndim:
            mask = (mask if is_chunked(mask) else np.asanyarray(mask)).transpose(order)
        values = values.transpose(order)
    else:
        order = None
    return Given(values, mask, spacing, unit, Container(like, None if order is None else tuple(order)), loops)


def plain(image: Any) -> Any:
    """The values of a ``DataArray``; other objects as they are."""
    return image.data if is_labelled(image) else image


def frames(given: Given) -> List[Tuple[Tuple[int, ...], Any, Any]]:
    """Position, values and mask of each image along the axes t and c."""
    values = given.values if is_chunked(given.values) else np.asanyarray(given.values)
    outer = values.shape[:len(given.loops)]
    mask = given.mask
    if mask is not None and np.ndim(mask) not in (values.ndim, values.ndim - len(outer)):
        raise ValueError("mask: has another shape than the image")
    return [(place, values[place], None if mask is None else mask[place] if np.ndim(mask) == values.ndim else mask)
            for place in np.ndindex(*outer)]


def joined_columns(loops: str, tables: Sequence[Tuple[Tuple[int, ...], Any]]) -> Table:
    """One table of the tables of several images, with a column of positions for each letter before the others."""
    columns = list(tables[0][1])
    rows = [len(table[columns[0]]) for _, table in tables]
    joined = Table({letter: np.repeat([place[axis] for place, _ in tables], rows) for axis, letter in enumerate(loops)})
    joined.update({name: np.concatenate([table[name] for _, table in tables]) for name in columns})
    return joined


def _named_first(function: Callable[..., Any]) -> Callable[..., Tuple[Tuple[Any, ...], Dict[str, Any]]]:
    """Puts the first argument of a call of the function at its first place if it was given by its name."""
    first = next(iter(inspect.signature(function).parameters))

    def ordered(arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
        return ((named.pop(first),), named) if not arguments and first in named else (arguments, named)

    return ordered


def contained(function: Function) -> Function:
    """A function of images whose first argument may be a ``DataArray``: its result is one, too."""
    ordered = _named_first(function)

    @functools.wraps(function)
    def wrapped(*given: Any, **by_name: Any) -> Any:
        arguments, named = ordered(given, by_name)
        if not arguments or not is_labelled(arguments[0]):
            return function(*arguments, **named)
        result = function(*(plain(each) for each in arguments), **{key: plain(each) for key, each in named.items()})
        return Container(arguments[0]).restored_first(result)

    return wrapped  # type: ignore[return-value]


def whole_arrays(function: Function) -> Function:
    """A function of images that needs the whole array: of a dask array one task has all of it in memory."""
    ordered = _named_first(function)

    @functools.wraps(function)
    def wrapped(*given: Any, **by_name: Any) -> Any:
        arguments, named = ordered(given, by_name)
        if not arguments or not is_chunked(arguments[0]):
            return function(*arguments, **named)
        from dask.array import map_blocks  # pylint: disable=import-outside-toplevel

        image, *others = arguments
        sample = function(np.zeros((3,) * image.ndim, image.dtype), *others, **named)
        if not isinstance(sample, np.ndarray):
            return function(np.asarray(image), *others, **named)
        return map_blocks(lambda block: function(block, *others, **named), image.rechunk(image.shape), dtype=sample.dtype,
                          meta=np.empty((0,) * image.ndim, sample.dtype))

    return wrapped  # type: ignore[return-value]
