"""Arrays as levels 0 .. 65535 of the library, and the way back."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

_MOST = 65536  # levels


class Levels(NamedTuple):
    """Levels of an array: ``value = level + offset``, or ``table[level]`` where there is a table."""

    array: np.ndarray  #: uint8 or uint16, contiguous, of 2 or 3 axes; empty where the values are not needed any more
    shape: Tuple[int, ...]  #: of the array that was given
    dtype: np.dtype  #: of its values, in the byte order of the machine
    offset: int
    table: Optional[np.ndarray]

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

    def shaped(self, array: np.ndarray) -> np.ndarray:
        """The array of pixels in the shape of the array that was given."""
        return array.reshape(self.shape)


def on_gpu(image: Any) -> bool:
    """Whether an object is an array in the memory of an NVIDIA GPU: with the CUDA array interface, or DLPack."""
    if hasattr(image, "__cuda_array_interface__"):
        return True
    device = getattr(image, "__dlpack_device__", None)
    return device is not None and device()[0] in (2, 13)  # kDLCUDA, kDLCUDAManaged


def array_of(image: Any, name: str) -> np.ndarray:
    """The array of an object with the buffer protocol or NumPy's array interface, or of a sequence.

    Raises
    ------
    ValueError
        For values that are not boolean, integers or real numbers, for other than 1 to 3 axes, and for an array on a GPU.
    """
    if on_gpu(image):
        raise ValueError(f"{name}: is in the memory of a GPU, which max_tree takes; copy it to the host")
    array = np.asarray(image)
    if array.dtype.kind not in "buif":
        raise ValueError(f"{name}: the values are {array.dtype}; boolean, integers and real numbers are possible")
    if not 1 <= array.ndim <= 3:
        raise ValueError(f"{name}: the array has {array.ndim} axes; pictures have 2, volumes 3")
    return array


def flags_of(flags: Any, name: str) -> np.ndarray:
    """A contiguous boolean array of pixels, of 2 or 3 axes.

    Raises
    ------
    ValueError
        For another type of values.
    """
    array = np.asarray(flags)
    if array.dtype != bool:
        raise ValueError(f"{name}: the values are {array.dtype}, not bool (write e.g. {name} > 0)")
    return _contiguous(array)


def _contiguous(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array[np.newaxis] if array.ndim == 1 else array)


def _range(array: np.ndarray) -> Tuple[int, int]:
    return int(array.min()), int(array.max())


def _shifted(array: np.ndarray, offset: int, most: int) -> np.ndarray:
    """Levels of integers from offset to most."""
    wide = np.subtract(array, array.dtype.type(offset), dtype=array.dtype)  # modulo 2^bits
    unsigned = wide.view(np.dtype(f"u{array.dtype.itemsize}"))
    return unsigned.astype(np.uint8 if most - offset < 256 else np.uint16)


def levels_of(image: Any, name: str = "image", ranks: bool = False) -> Levels:
    """Levels of an array.

    Arrays of bool, uint8 and uint16 in the byte order of the machine that are contiguous in C order are used without a
    copy; others are copied. Integers of other types are shifted by the smallest of them (int8 and int16 by that of the
    type), real numbers and wide integers become ranks.

    Parameters
    ----------
    ranks : bool
        Whether the order of the values is enough.

    Raises
    ------
    ValueError
        For an empty array, NaN, a range of integers or a number of different values beyond 65536, and, unless `ranks`,
        for real numbers.
    """
    given = array_of(image, name)
    if given.size == 0:
        raise ValueError(f"{name}: has no pixels (shape {given.shape})")
    dtype = given.dtype.newbyteorder("=")
    array = _contiguous(given.astype(dtype, copy=False))
    if dtype in (bool, np.uint8, np.uint16):
        return Levels(array.view(np.uint8) if dtype == bool else array, given.shape, dtype, 0, None)
    if dtype.kind in "iu":
        low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype.itemsize <= 2 else _range(array)
        if high - low < _MOST:
            return Levels(_shifted(array, low, high), given.shape, dtype, low, None)
        if not ranks:
            raise ValueError(f"{name}: integers from {low} to {high}; a range of {_MOST} is possible")
    elif not ranks:
        raise ValueError(f"{name}: the values are {dtype}; scale them to uint8 or uint16 first")
    table, levels = ranked(array, name)
    return Levels(levels, given.shape, dtype, 0, table)


def ranked(array: np.ndarray, name: str) -> Tuple[np.ndarray, np.ndarray]:
    """The different values of an array in order, and for each pixel the index of its value.

    Raises
    ------
    ValueError
        For NaN, or more than 65536 different values.
    """
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"{name}: has NaN")
    table, inverse = np.unique(array, return_inverse=True)
    if table.size > _MOST:
        raise ValueError(f"{name}: {table.size} different values; {_MOST} are possible (round them, or scale to uint16)")
    return table, inverse.reshape(array.shape).astype(np.uint8 if table.size <= 256 else np.uint16)
