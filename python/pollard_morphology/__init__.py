"""Mathematical morphology on max-trees, on the CPU and on NVIDIA GPUs.

    >>> import pollard_morphology as pollard
    >>> tree = pollard.max_tree(image)
    >>> clean = tree.filter("area >= 100 and elongation < 3")

:mod:`pollard_morphology.morphology` has scikit-image's functions: area openings, h-maxima, reconstruction. docs/python.md
is a tour, docs/attributes.md defines the attributes.
"""

from typing import Any, Dict, List, Optional, Sequence

import numpy as _np

from . import morphology
from ._core import Cancelled, DeviceArray, __version__
from ._core import attributes as _attributes
from ._core import devices as _devices
from .higra import from_higra
from .jobs import Job
from .morphology import (area_closing, area_opening, diameter_closing, diameter_opening, h_maxima, h_minima,
                         max_tree_local_maxima, reconstruction)
from .objects import Contour, Objects, Snake, label, objects, snake
from .recipes import Recipe, Result, presets
from .tables import Table
from .tree import MaxTree, Regions, Spectrum, max_tree

__all__ = ["Cancelled", "Contour", "DeviceArray", "Job", "MaxTree", "Objects", "Recipe", "Regions", "Result", "Snake",
           "Spectrum", "Table", "area_closing", "area_opening", "attributes", "devices", "diameter_closing",
           "diameter_opening", "from_higra", "h_maxima", "h_minima", "label", "max_tree", "max_tree_local_maxima",
           "morphology", "mser", "objects", "presets", "profile", "reconstruction", "snake", "__version__"]


def profile(image: Any, attribute: str, thresholds: Sequence[float], rule: str = "direct", kind: str = "max",
            connectivity: int = 1, differential: bool = False, device: str = "auto", *,
            spacing: Optional[Sequence[float]] = None, unit: Optional[str] = None) -> _np.ndarray:
    """Attribute profile of an image: :func:`max_tree` and :meth:`MaxTree.profile`."""
    return max_tree(image, connectivity, kind, device, spacing=spacing, unit=unit).profile(attribute, thresholds, rule, differential)


def mser(image: Any, kind: str = "max", connectivity: int = 1, device: str = "auto", *, delta: Optional[int] = None,
         min_area: int = 30, max_area: Optional[int] = None, max_variation: float = 0.25,
         min_diversity: float = 0.2, spacing: Optional[Sequence[float]] = None, unit: Optional[str] = None) -> Regions:
    """Maximally stable extremal regions of an image: :func:`max_tree` and :meth:`MaxTree.mser`."""
    tree = max_tree(image, connectivity, kind, device, spacing=spacing, unit=unit)
    return tree.mser(delta, min_area, max_area, max_variation, min_diversity)


def devices() -> List[Dict[str, str]]:
    """The devices, the preferred first: dicts of `name` ("cuda", "cpu"), `device` and `unusable`, the reason or ""."""
    return _devices()


def attributes(of_volumes: bool = False) -> List[Dict[str, Any]]:
    """The attributes of nodes: dicts of `name`, `title`, `formula`, `unit`, `group`, `source`, `increasing`, `dimension`.

    The dimension is the power of a length that the attribute is: 1 length, 2 area, 3 volume, 0 other.
    """
    return _attributes(bool(of_volumes))
