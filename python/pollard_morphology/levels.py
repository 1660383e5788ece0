"""Arrays as levels 0 .. 65535 of the library, and the way back to their values."""

from __future__ import annotations

import os
import re
from decimal import Decimal
from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np

from . import _core

_MOST = 65536  # levels
_EXACT = 2**53  # float64 holds all integers up to here
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WAY_OUT = "round them or scale them to uint16; openings, closings and reconstruction of pollard_morphology.morphology take more"


class Levels(NamedTuple):
    """Levels of an array: ``value = level + offset``, or ``table[level]`` where there is a table."""

    array: np.ndarray  #: uint8 or uint16, contiguous, of 2 or 3 axes (uint32 for :func:`flat`); empty if not needed
    shape: Tuple[int, ...]  #: of the array that was given
    dtype: np.dtype  #: of its values, in the byte order of the machine
    offset: int
    table: Optional[np.ndarray]

    @property
    def base(self) -> int:
        """What the extension does not count in the values: the smallest where integers exceed 2**53, else 0."""
        if self.dtype.kind not in "iu" or self.dtype.itemsize < 8:
            return 0
        low, high = (self.offset, self.offset + _MOST) if self.table is None else (
            int(self.table[0]), int(self.table[-1]))
        return low if max(abs(low), abs(high)) > _EXACT else 0

    def mapping(self) -> Optional[_core.ValueMapping]:
        """The values of the levels for the extension; None if levels are values."""
        if self.dtype in (bool, np.uint8, np.uint16):
            return None
        if self.table is None:
            return _core.ValueMapping(self.dtype.name, float(self.offset - self.base), None, None)
        table = self.table
        if self.base != 0:
            table = unsigned_distance(table, table[0]).astype(np.uint64)
        elif self.dtype.kind == "f":
            table = _finite(table.astype(np.float32 if self.dtype.itemsize <= 4 else np.float64))
        bits = table.view(np.dtype(f"u{table.dtype.itemsize}")).astype(np.uint64)
        return _core.ValueMapping(table.dtype.name, 0.0, table.astype(np.float64), bits)

    def criterion(self, text: str) -> str:
        """A criterion for the extension, which counts positions from the base.

        Raises
        ------
        ValueError
            For a sum of integers beyond 2**53.
        """
        if self.base == 0 or re.search(r"\blevels\b", text):
            return text
        if re.search(r"\bsum\b", text):
            raise ValueError(f"criterion '{text}': sums of integers beyond 2**53 are possible in an array of nodes")
        if not re.search(r"\b(level|mean|outer_mean)\b", text):
            return text
        return _NUMBER.sub(lambda number: str(Decimal(number[0]) - self.base), text)

    def values(self, levels: np.ndarray) -> np.ndarray:
        """Array of the values of these levels, without a copy where the values are the levels."""
        if self.table is not None:
            values = self.table[levels]
        elif levels.dtype == self.dtype:
            values = levels
        elif self.dtype == bool:
            values = levels.view(bool)
        else:
            values = levels.astype(self.dtype)
            values += self.dtype.type(self.offset)
        return values

    def of(self, array: np.ndarray) -> np.ndarray:
        """Levels of an array of these values; of other values any level."""
        if self.table is not None:
            places = np.minimum(np.searchsorted(self.table, array), self.table.size - 1)
            return places.astype(np.uint8 if self.table.size <= 256 else np.uint16 if self.table.size <= _MOST else np.uint32)
        if self.dtype == bool:
            return _bytes_of(array)
        if self.dtype in (np.uint8, np.uint16):
            return array
        return unsigned_distance(array, self.dtype.type(self.offset)).astype(self.array.dtype)

    def shaped(self, array: np.ndarray) -> np.ndarray:
        """The array of pixels in the shape of the array that was given."""
        return array.reshape(self.shape)


def unsigned_of(dtype: np.dtype) -> np.dtype:
    """The unsigned type of the width of a type of integers."""
    return np.dtype(f"u{dtype.itemsize}")


def unsigned_distance(high: np.ndarray, low: Any) -> np.ndarray:
    """``high - low`` of integers of one type, for ``high >= low``, as unsigned integers of its width."""
    return np.subtract(high, low, dtype=high.dtype).view(unsigned_of(high.dtype))  # modulo 2^bits


def distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``abs(a - b)`` of arrays of one type: of integers as unsigned ones of its width; 0 where both are NaN."""
    if a.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            return np.where((a == b) | ((a != a) & (b != b)), a.dtype.type(0), np.abs(a - b))
    return unsigned_distance(np.maximum(a, b), np.minimum(a, b))


def exact_sums(low: int, high: int, counts: np.ndarray, halves: Tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Sums of integers from `low` to `high`: int64, or Python's integers where these may not fit.

    Parameters
    ----------
    counts : (sums,) number of summands
    halves : (sums,) uint64 each
        Sums of the low and the high 32 bits of the distances from `low`.
    """
    counts = counts.astype(np.int64)
    most = int(counts.max(initial=1))
    if max(abs(low), abs(high)) * most < 2**63:
        return counts * low + ((halves[1] << np.uint64(32)) + halves[0]).astype(np.int64)
    return counts.astype(object) * low + (halves[1].astype(object) << 32) + halves[0].astype(object)


def halves_of(distances: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """The low and the high 32 bits of unsigned integers, as uint64."""
    wide = distances.astype(np.uint64)
    return wide & np.uint64(0xFFFFFFFF), wide >> np.uint64(32)


def on_gpu(image: Any) -> bool:
    """Whether an object is an array in the memory of an NVIDIA GPU: with the CUDA array interface, or DLPack."""
    if hasattr(image, "__cuda_array_interface__"):
        return True
    device = getattr(image, "__dlpack_device__", None)
    return device is not None and device()[0] in (2, 13)  # kDLCUDA, kDLCUDAManaged


def unmasked(image: Any, mask: Any = None) -> Tuple[Any, Any]:
    """The values of an array, and the pixels that count: neither masked ones of a NumPy masked array, nor NaN."""
    outside = None
    if not isinstance(image, (str, os.PathLike)) and not on_gpu(image):
        image = np.asanyarray(image)
    if isinstance(image, np.ma.MaskedArray):
        outside, image = np.ma.getmaskarray(image), image.data
    if isinstance(image, np.ndarray) and image.dtype.kind == "f":
        missing = np.isnan(image)
        outside = missing if outside is None else outside | missing
    if outside is None or not outside.any():
        return image, mask
    if mask is None:
        return image, ~outside
    if np.shape(mask) != outside.shape:
        raise ValueError("mask: has another shape than the image")
    return image, ~outside & flags_of(mask, "mask").reshape(outside.shape)


def array_of(image: Any, name: str) -> np.ndarray:
    """The array of an object with the buffer protocol or NumPy's array interface, or of a sequence.

    Raises
    ------
    TypeError
        For the path of a file.
    ValueError
        For values that are not boolean, integers or real numbers, for other than 1 to 3 axes, for masked pixels, and
        for an array on a GPU.
    """
    if isinstance(image, (str, os.PathLike)):
        raise TypeError(f"{name}: '{image}': is a text, not an array; read the file first (recipes read files)")
    if on_gpu(image):
        raise ValueError(f"{name}: is in the memory of a GPU, which max_tree takes; copy it to the host")
    if isinstance(image, np.ma.MaskedArray) and np.ma.getmaskarray(image).any():
        raise ValueError(f"{name}: has masked pixels, which count here; give them a value: {name}.filled(value)")
    array = np.asarray(image)
    if array.dtype.kind not in "buif":
        raise ValueError(f"{name}: the values are {array.dtype}; boolean, integers and real numbers are possible")
    _require_axes(array, name)
    return array


def flags_of(flags: Any, name: str) -> np.ndarray:
    """A contiguous boolean array of pixels, of 2 or 3 axes; masked pixels are False.

    Parameters
    ----------
    flags : array of bool, or of integers that are all 0 or 1

    Raises
    ------
    ValueError
        For another type of values, other integers, or another number of axes.
    """
    array = flags.filled(0) if isinstance(flags, np.ma.MaskedArray) and flags.dtype.kind in "biu" else np.asarray(flags)
    if array.dtype.kind in "iu" and array.ndim != 0:
        if array.size != 0 and not 0 <= array.min() <= array.max() <= 1:
            raise ValueError(f"{name}: the values are {array.dtype} from {array.min()} to {array.max()}, not bool, nor all 0 "
                             f"or 1 (write e.g. {name} > 0)")
        array = array.astype(bool)
    if array.dtype != bool:
        raise ValueError(f"{name}: the values are {array.dtype}, not bool (write e.g. {name} > 0)")
    _require_axes(array, name)
    return _contiguous(array)


def labels_of(labels: Any, name: str) -> np.ndarray:
    """A contiguous uint32 array of labels, of 2 or 3 axes.

    Raises
    ------
    TypeError, ValueError
        For other values and shapes.
    """
    given = array_of(labels, name)
    if given.dtype.kind not in "bui":
        raise TypeError(f"{name}: the values are {given.dtype}, not integers")
    if given.ndim not in (2, 3) or given.size == 0:
        raise ValueError(f"{name}: has the shape {given.shape}; 2 or 3 axes with pixels are possible")
    if not 0 <= int(given.min()) <= int(given.max()) < 2**32:
        raise ValueError(f"{name}: the labels are {given.min()} to {given.max()}; 0 to {2**32 - 1} are possible")
    return np.ascontiguousarray(given, np.uint32)


def _require_axes(array: np.ndarray, name: str) -> None:
    if not 1 <= array.ndim <= 3:
        raise ValueError(f"{name}: the array has {array.ndim} axes; images have 2, volumes 3" +
                         (": index one of them" if array.ndim > 3 else ""))


def _contiguous(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array[np.newaxis] if array.ndim == 1 else array)


def _bytes_of(flags: np.ndarray) -> np.ndarray:
    """Booleans as 0 and 1, without a copy unless other code wrote other bytes."""
    array = flags.view(np.uint8)
    return array if array.size == 0 or array.max() <= 1 else (array != 0).view(np.uint8)


def _finite(table: np.ndarray) -> np.ndarray:
    """Ascending values with the nearest finite one in place of infinity and NaN, which no pixel that counts has."""
    finite = table[np.isfinite(table)]
    return np.clip(np.nan_to_num(table, nan=np.inf), finite[0], finite[-1]) if finite.size else np.zeros_like(table)


def _require_numbers(array: np.ndarray, inside: Optional[np.ndarray], finite: bool, name: str) -> None:
    """Refuses NaN, and infinity if the values must be finite, in the pixels that count."""
    if array.dtype.kind != "f":
        return
    wrong = ~np.isfinite(array) if finite else np.isnan(array)
    if inside is not None and inside.shape == wrong.shape:
        wrong &= inside
    if wrong.any():
        is_nan = bool(np.isnan(array[wrong]).any())
        raise ValueError(f"{name}: has {'NaN' if is_nan else 'infinite values'}" +
                         ("; leave these pixels out: mask=numpy.isfinite(image)" if finite else ""))


def levels_of(image: Any, name: str = "image", ranks: str = "", inside: Optional[np.ndarray] = None) -> Levels:
    """Levels of an array.

    Arrays of bool, uint8 and uint16 in the byte order of the machine that are contiguous in C order are used without a
    copy; others are copied. Integers of other types are shifted by the smallest value (int8 and int16 by the lowest
    value of the type), real numbers and wide integers become ranks.

    Parameters
    ----------
    ranks : {"", "order", "values"}
        Whether ranks are possible: not at all, where the order of the values is enough (of any number of different
        values, with uint32 beyond 65536 of them), or where their distances count, too.
    inside : array of bool, of 2 or 3 axes, optional
        Pixels that count; others may be NaN or infinite.

    Raises
    ------
    ValueError
        For an empty array, NaN, infinite values of which distances count, more than 65536 different values of which
        distances count, and, without ranks, for real numbers and a range of integers beyond 65536.
    """
    given = array_of(image, name)
    if given.size == 0:
        raise ValueError(f"{name}: has no pixels (shape {given.shape})")
    dtype = given.dtype.newbyteorder("=")
    array = _contiguous(given.astype(dtype, copy=False))
    if dtype in (bool, np.uint8, np.uint16):
        return Levels(_bytes_of(array) if dtype == bool else array, given.shape, dtype, 0, None)
    if dtype.kind in "iu":
        low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype.itemsize <= 2 else (
            int(array.min()), int(array.max()))
        if high - low < _MOST:
            shifted = unsigned_distance(array, dtype.type(low)).astype(np.uint8 if high - low < 256 else np.uint16)
            return Levels(shifted, given.shape, dtype, low, None)
        if not ranks:
            raise ValueError(f"{name}: integers from {low} to {high}; a range of {_MOST} is possible")
    elif not ranks:
        raise ValueError(f"{name}: the values are {dtype}; scale them to uint8 or uint16 first")
    _require_numbers(array, inside, ranks == "values", name)
    table, inverse = np.unique(array, return_inverse=True)
    if table.size > _MOST and ranks == "values":
        raise ValueError(f"{name}: {table.size} different values; {_MOST} are possible ({_WAY_OUT})")
    width = np.uint8 if table.size <= 256 else np.uint16 if table.size <= _MOST else np.uint32
    return Levels(inverse.reshape(array.shape).astype(width), given.shape, dtype, 0, table)


def flat(levels: np.ndarray, work: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Result of a flat increasing operator on levels of any number.

    Such an operator commutes with thresholds, so the sum of its results on consecutive ranges of thresholds is its
    result: ``work`` sees 65536 levels at once.
    """
    if levels.dtype.itemsize <= 2:
        return work(levels)
    total: Any = np.uint32(0)
    for first in range(0, int(levels.max()), _MOST - 1):
        part = np.clip(levels, first, first + _MOST - 1)
        total = total + work((part - np.uint32(first)).astype(np.uint16)).astype(np.uint32)
    return total
