"""Arguments as the extension takes them: what is refused gets a sentence with its name and value."""

from __future__ import annotations

import numbers as kinds
import re
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

Criteria = Union[str, Sequence[str]]


def _scalar(value: Any) -> Any:
    """The value of an array without axes; other objects as they are."""
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def number(value: Any, name: str) -> Union[int, float]:
    """A real number, as Python's int or float.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For NaN.
    """
    given = _scalar(value)
    if not isinstance(given, (kinds.Real, np.bool_)):
        raise TypeError(f"{name}: {value!r}: is not a number")
    if isinstance(given, (kinds.Integral, np.bool_)):
        return int(given)
    if np.isnan(float(given)):
        raise ValueError(f"{name}: nan: is not a number")
    return float(given)


def whole(value: Any, name: str, low: Optional[int] = None, high: Optional[int] = None) -> int:
    """A whole number.

    Raises
    ------
    TypeError
        For other types and values.
    ValueError
        Outside of `low` to `high`.
    """
    given = _scalar(value)
    if isinstance(given, (float, np.floating)) and float(given).is_integer():
        given = int(given)
    if not isinstance(given, (kinds.Integral, np.bool_)):
        raise TypeError(f"{name}: {value!r}: is not a whole number")
    if (low is not None and given < low) or (high is not None and given > high):
        wanted = f"{low} to {high}" if low is not None and high is not None else (
            f"{low} or more" if high is None else f"at most {high}")
        raise ValueError(f"{name}: {given}: must be {wanted}")
    return int(given)


def text(value: Any, name: str, known: Sequence[str] = ()) -> str:
    """A text, one of `known` unless that is empty.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For a text that is not known.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}: {value!r}: is not a text" + (f" (there are {', '.join(known)})" if known else ""))
    if known and value not in known:
        raise ValueError(f"{name}: '{value}': unknown (there are {', '.join(known)})")
    return str(value)


def numbers(values: Any, name: str, count: Optional[int] = None) -> List[Union[int, float]]:
    """A list of real numbers.

    Raises
    ------
    TypeError
        For other than sequences of numbers.
    ValueError
        For another count of numbers than `count`, and for NaN.
    """
    if isinstance(values, str) or np.ndim(values) != 1:
        raise TypeError(f"{name}: {values!r}: is not a sequence of numbers")
    found = [number(each, name) for each in values]
    if count is not None and len(found) != count:
        raise ValueError(f"{name}: {values!r}: has {len(found)} numbers, not {count}")
    return found


def nodes(keep: Any, count: int, name: str = "keep") -> np.ndarray:
    """Booleans of all nodes, contiguous, from such booleans or from numbers of nodes.

    Parameters
    ----------
    keep : sequence, series or array of one axis
        `count` booleans, or any number of whole numbers from 0 to `count` - 1.

    Raises
    ------
    ValueError
        For other types of values, another number of booleans, a number that is no node, and zeros and ones for all
        nodes.
    """
    if isinstance(keep, np.ma.MaskedArray):
        keep = keep.filled(False) if keep.dtype == bool else keep.compressed()
    try:
        given = np.asarray(keep)
    except ValueError:
        given = np.asarray(keep, dtype=object)
    if given.dtype == object and given.size != 0 and all(isinstance(each, (bool, np.bool_)) for each in given.ravel()):
        given = given.astype(bool)
    if given.dtype.kind not in "biu" and given.size != 0 or given.ndim != 1:
        raise ValueError(f"{name}: needs a boolean for each of the {count} nodes, or numbers of nodes; has values of type "
                         f"{given.dtype} and shape {given.shape}")
    if given.dtype == bool:
        if given.size != count:
            raise ValueError(f"{name}: needs a boolean array with a value for each of the {count} nodes; has "
                             f"{given.size}")
        return np.ascontiguousarray(given)
    given = given.astype(np.int64, copy=False) if given.size else np.empty(0, np.int64)
    if given.size and not 0 <= given.min() <= given.max() < count:
        wrong = given.min() if given.min() < 0 else given.max()
        raise ValueError(f"{name}: {wrong}: is no node (there are 0 to {count - 1})")
    if given.size == count > 2 and given.max() <= 1:
        raise ValueError(f"{name}: has 0 or 1 for each node, which are numbers of nodes, too; give booleans: "
                         f"numpy.asarray({name}) == 1")
    flags = np.zeros(count, bool)
    flags[given] = True
    return flags


def parse_criteria(criteria: Optional[Criteria]) -> Tuple[List[str], str]:
    """Single criteria and "all" or "any", from "area >= 100 and elongation < 3" or a sequence of criteria.

    Raises
    ------
    TypeError
        For other than texts.
    ValueError
        For a text with both "and" and "or".
    """
    if criteria is None:
        return [], "all"
    if not isinstance(criteria, str):
        if not isinstance(criteria, (list, tuple)) or not all(isinstance(each, str) for each in criteria):
            raise TypeError(f"criteria: a {type(criteria).__name__} is not a text such as 'area >= 100' or a list of "
                            "texts; reconstruct and labels take a choice of nodes")
        return [str(each) for each in criteria], "all"
    conjunctions = re.split(r"\s+and\s+|\s*&&?\s*", criteria.strip())
    alternatives = re.split(r"\s+or\s+|\s*\|\|?\s*", criteria.strip())
    if len(conjunctions) > 1 and len(alternatives) > 1:
        raise ValueError(f"criteria '{criteria}': have both 'and' and 'or'; use one of them, or an array of nodes")
    return (alternatives, "any") if len(alternatives) > 1 else (conjunctions, "all")
