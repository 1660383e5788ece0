"""Tables of objects, nodes and regions."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from . import _core

_FORMATS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L", "f4": "f", "f8": "g"}


class Table(Dict[str, np.ndarray]):
    """A dict of columns by their names, which libraries of data frames take.

    ``pandas.DataFrame``, ``polars.DataFrame`` and ``pyarrow.table`` take it.

    Examples
    --------
    >>> table = pollard.objects([[1, 1, 0, 1]]).table
    >>> table["area"], len(table)
    (array([2, 1]), 19)
    """

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table as a capsule of Arrow's C stream interface, for ``polars.from_dataframe`` and others.

        Columns of numbers are not copied. Python's integers become decimals of 38 digits.

        Raises
        ------
        ValueError
            If columns have other shapes than (rows,), rows being one number.
        TypeError
            For columns of other types than numbers and booleans.
        """
        columns = {name: np.asarray(column) for name, column in self.items()}
        shapes = {column.shape for column in columns.values()}
        if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
            raise ValueError(f"table: columns have the shapes {sorted(shapes)}; all have one length")
        rows = next(iter(shapes))[0] if shapes else 0
        return _core.arrow_stream(rows, [(name, *_in_arrow(name, column)) for name, column in columns.items()])


def _in_arrow(name: str, column: np.ndarray) -> Tuple[str, np.ndarray]:
    """The format of a column in Arrow, and its samples."""
    if column.dtype == bool:
        return "b", np.packbits(column, bitorder="little")
    if column.dtype == object and all(isinstance(each, int) and abs(each) < 10**38 for each in column):
        numbers = b"".join(int(each).to_bytes(16, "little", signed=True) for each in column)
        return "d:38,0", np.frombuffer(numbers, np.uint8)
    code = column.dtype.str[1:]
    if code not in _FORMATS:
        raise TypeError(f"table: column '{name}' has the type {column.dtype}; Arrow takes numbers and booleans")
    return _FORMATS[code], np.ascontiguousarray(column, column.dtype.newbyteorder("="))
