"""Mathematical morphology on max-trees, on the CPU and on NVIDIA GPUs.

    >>> import json
    >>> import numpy as np
    >>> import pollard_morphology as pollard
    >>> from pollard_morphology import morphology
    >>> tree = pollard.max_tree(np.array([[0, 0, 9, 0, 0, 7, 7]], np.uint8))
    >>> tree.filter("area >= 2 and height >= 5")
    array([[0, 0, 0, 0, 0, 7, 7]], dtype=uint8)

The examples of all functions begin with these imports. Most of their images have one row, in which each run of bright
pixels is a component. :mod:`pollard_morphology.morphology` has scikit-image's functions: area openings, h-maxima,
reconstruction. docs/python.md is a tour, docs/attributes.md defines the attributes.
"""

from typing import Any, Dict, List, Optional, Sequence

from .interpreters import require_main

require_main()  # before NumPy and the extension

# pylint: disable=wrong-import-position
import numpy as _np

from . import morphology, segmentation
from ._core import Cancelled, DeviceArray, __version__
from ._core import attributes as _attributes
from ._core import devices as _devices
from .chunked import ChunkedTree
from .hierarchies import Hierarchy, RegionTree, hierarchy
from .higra import from_higra
from .jobs import Job
from .learning import Learned, learn, learn_weights, least_sure, nodes_of_mask
from .morphology import (area_closing, area_opening, diameter_closing, diameter_opening, h_maxima, h_minima,
                         max_tree_local_maxima, reconstruction)
from .objects import Contour, Objects, Snake, best_components, label, objects, snake
from .operators import apply_operator, clear_border, fill_holes, gaussian, gradient, median, skeletonize, thickness
from .recipes import Recipe, Result, presets
from .scores import Score, score
from .segmentation import distance_transform, seeds, split, watershed
from .tables import Table
from .tree import MaxTree, MaxTrees, Regions, Spectrum, max_tree

__all__ = ["Cancelled", "ChunkedTree", "Contour", "DeviceArray", "Hierarchy", "Job", "Learned", "MaxTree", "MaxTrees", "Objects",
           "Recipe", "RegionTree", "Regions", "Result", "Score", "Snake", "Spectrum", "Table", "apply_operator",
           "area_closing", "area_opening", "attributes", "best_components", "clear_border", "devices", "diameter_closing",
           "diameter_opening", "distance_transform", "fill_holes", "from_higra", "gaussian", "gradient", "h_maxima",
           "h_minima", "hierarchy", "label", "learn", "learn_weights", "least_sure", "max_tree", "max_tree_local_maxima",
           "median", "morphology", "mser", "nodes_of_mask", "objects", "presets", "profile", "reconstruction", "score",
           "seeds", "segmentation", "skeletonize", "snake", "split", "thickness", "watershed", "__version__"]


def profile(image: Any, attribute: str, thresholds: Sequence[float], rule: str = "direct", kind: str = "max",
            connectivity: int = 1, differential: bool = False, device: str = "auto", *, axes: Optional[str] = None,
            spacing: Optional[Sequence[float]] = None, unit: Optional[str] = None) -> _np.ndarray:
    """Attribute profile of an image: :func:`max_tree` and :meth:`MaxTree.profile`.

    Parameters and errors are as in both.

    Returns
    -------
    Array of shape ``(len(thresholds), *image.shape)``, in the type of the image; differences of integers are unsigned.

    Examples
    --------
    >>> pollard.profile([[0, 0, 9, 0, 0, 7, 7]], "area", [1, 2, 3]).tolist()
    [[[0, 0, 9, 0, 0, 7, 7]], [[0, 0, 0, 0, 0, 7, 7]], [[0, 0, 0, 0, 0, 0, 0]]]
    """
    tree = max_tree(image, connectivity, kind, device, axes=axes, spacing=spacing, unit=unit)
    return tree.profile(attribute, thresholds, rule, differential)


def mser(image: Any, kind: str = "max", connectivity: int = 1, device: str = "auto", *, delta: Optional[int] = None,
         min_area: int = 30, max_area: Optional[int] = None, max_variation: float = 0.25,
         min_diversity: float = 0.2, spacing: Optional[Sequence[float]] = None, unit: Optional[str] = None) -> Regions:
    """Maximally stable extremal regions of an image: :func:`max_tree` and :meth:`MaxTree.mser`.

    Parameters, result and errors are as in both.

    Examples
    --------
    >>> image = np.zeros((40, 40), np.uint8)
    >>> image[10:20, 10:20] = 200
    >>> pollard.mser(image).table["area"]
    array([100], dtype=uint32)
    """
    tree = max_tree(image, connectivity, kind, device, spacing=spacing, unit=unit)
    if not isinstance(tree, MaxTree):
        raise ValueError("image: has images along t or c, or is a dask array; find regions in one image")
    return tree.mser(delta, min_area, max_area, max_variation, min_diversity)


def devices() -> List[Dict[str, str]]:
    """The devices, the preferred first: dicts of `name` ("cuda", "cpu"), `device` and `unusable`, the reason or "".

    Examples
    --------
    >>> [each["name"] for each in pollard.devices()][-1]
    'cpu'
    """
    return _devices()


def attributes(of_volumes: bool = False) -> List[Dict[str, Any]]:
    """The attributes of nodes: dicts of `name`, `title`, `formula`, `unit`, `group`, `source`, `increasing`, `dimension`.

    The dimension is the power of a length that the attribute is: 1 length, 2 area, 3 volume, 0 other.

    Parameters
    ----------
    of_volumes : bool
        Whether to list the attributes of volumes instead of images.

    Examples
    --------
    >>> found = pollard.attributes()[0]
    >>> found["name"], found["formula"], found["unit"]
    ('area', 'A = number of pixels of the component', 'px')
    """
    return _attributes(bool(of_volumes))
