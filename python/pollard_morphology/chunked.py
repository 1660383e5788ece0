"""Trees of dask arrays: filters that work chunk by chunk, with the result of the whole array.

The tree of each chunk gives its open nodes, which reach the sides of the chunk; open nodes of neighbouring chunks are
merged, group by group, until all decisions are known; these go back to the chunks, whose trees are built again and
filtered. A task holds one chunk and its tree, 50 bytes for each pixel; the chunks are read twice, for labels three times.
dask repeats sources and functions of blocks; the chunks of other arrays, such as slices, are read once and stay in memory.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _core
from .arguments import Criteria, numbers, parse_criteria, text, whole
from .containers import Container
from .levels import Levels, distance, flags_of, unsigned_of

_MOST = 65536  # levels
_GROUP = {2: 4, 3: 2}  # chunks along each axis that are merged at a time


class _Facts(NamedTuple):
    """About the values of a chunk that count."""

    low: Any  #: None: no pixel counts
    high: Any
    table: Optional[np.ndarray]  #: the different values; None for many of them


def _inside(block: np.ndarray, mask: Optional[np.ndarray]) -> Optional[np.ndarray]:
    """The pixels that count; None: all."""
    inside = None if mask is None else flags_of(mask, "mask")
    if block.dtype.kind == "f":
        numbers_ = ~np.isnan(block)
        inside = numbers_ if inside is None else inside & numbers_
    return inside


def _facts(block: np.ndarray, mask: Optional[np.ndarray], with_table: bool) -> _Facts:
    inside = _inside(block, mask)
    values = block.ravel() if inside is None else block[inside]
    if values.size == 0:
        return _Facts(None, None, None)
    low, high = values.min(), values.max()
    if values.dtype.kind == "f" and not np.isfinite([low, high]).all():
        raise ValueError("image: has infinite values; leave these pixels out: mask=numpy.isfinite(image)")
    table = np.unique(values) if with_table else None
    return _Facts(low, high, table if table is None or table.size <= _MOST else None)


class _Scale(NamedTuple):
    """Levels of the values of all chunks."""

    levels: Levels
    outside: int  #: level of the pixels that do not count, that of the root

    @property
    def bits(self) -> int:
        """Of a level."""
        return 8 * self.levels.array.dtype.itemsize

    def of(self, block: np.ndarray, mask: Optional[np.ndarray]) -> np.ndarray:
        """Levels of a chunk, contiguous."""
        array = self.levels.of(np.ascontiguousarray(block.astype(self.levels.dtype, copy=False)))
        inside = _inside(block, mask)
        return array if inside is None else np.where(inside, array, array.dtype.type(self.outside))


def _scale(dtype: np.dtype, shape: Tuple[int, ...], is_min: bool, found: Sequence[_Facts]) -> _Scale:
    """The scale of values from the facts about all chunks; without any, of a type whose values need none."""
    facts = [each for each in found if each.low is not None]
    offset, table, kind = 0, None, np.uint16 if dtype.itemsize > 1 else np.uint8
    if dtype in (np.int8, np.int16):
        offset = int(np.iinfo(dtype).min)
    elif dtype not in (bool, np.uint8, np.uint16) and facts:
        offset, high = min(each.low for each in facts), max(each.high for each in facts)
        if dtype.kind == "f" or int(high) - int(offset) >= _MOST:
            tables = [each.table for each in facts]
            table = None if any(each is None for each in tables) else np.unique(np.concatenate(tables))
            if table is None or table.size > _MOST:
                raise ValueError(f"image: has more than {_MOST} different values; round them or scale them to uint16")
            offset = 0
        else:
            offset = int(offset)
    levels = Levels(np.empty(0, kind), shape, dtype, offset, table)
    if table is not None:
        table_kind = np.uint8 if table.size <= 256 else np.uint16
        levels = levels._replace(array=np.empty(0, table_kind))
    outside = 0
    if facts:
        root = max(each.high for each in facts) if is_min else min(each.low for each in facts)
        outside = int(levels.of(np.array([root], dtype))[0])
    return _Scale(levels, outside)


class _Plan(NamedTuple):
    """A filter of all chunks."""

    scale: _Scale
    job: str


class _Request(NamedTuple):
    """What a plan is made of, besides the scale."""

    shape: Tuple[int, ...]
    chunk: Tuple[int, ...]
    is_min: bool
    connectivity: int
    criteria: List[str]
    match: str
    rule: str
    output: str
    sides: Optional[Tuple[float, float, float]]
    unit: Optional[str]


def _plan(scale: _Scale, request: _Request) -> _Plan:
    criteria = [scale.levels.criterion(each) for each in request.criteria]
    job = _core.ChunkTasks.plan(request.shape, request.chunk, scale.bits, request.is_min, request.connectivity, criteria,
                                request.match, request.rule, request.output, "", scale.levels.mapping(), request.sides,
                                request.unit)
    return _Plan(scale, job)


class _Chunk(NamedTuple):
    """The pixels of a chunk."""

    number: int  #: in raster order
    block: np.ndarray
    mask: Optional[np.ndarray]
    around: Optional[np.ndarray]  #: with the adjacent pixels of its slices, if the filter needs them
    around_mask: Optional[np.ndarray]

    def arguments(self, plan: _Plan) -> Tuple[int, np.ndarray, Optional[np.ndarray]]:
        """As the extension takes them."""
        around = None if self.around is None else plan.scale.of(self.around, self.around_mask)
        return self.number, plan.scale.of(self.block, self.mask), around


def _build(plan: _Plan, *chunk: Any) -> bytes:
    return _core.ChunkTasks(plan.job).build(*_Chunk(*chunk).arguments(plan))


def _merge(plan: _Plan, parts: List[bytes]) -> Tuple[bytes, bytes]:
    return _core.ChunkTasks(plan.job).merge(parts)


def _split(plan: _Plan, step: bytes, results: Optional[bytes]) -> List[bytes]:
    return _core.ChunkTasks(plan.job).split(step, results)


def _first_pixels(plan: _Plan, results: bytes, *chunk: Any) -> np.ndarray:
    return _core.ChunkTasks(plan.job).first_pixels(*_Chunk(*chunk).arguments(plan), results)


def _sorted(firsts: List[np.ndarray]) -> np.ndarray:
    return np.sort(np.concatenate(firsts))


def _apply(plan: _Plan, results: bytes, firsts: Optional[np.ndarray], output: str, *chunk: Any) -> np.ndarray:
    """The result in a chunk; pixels that do not count keep their values, or are 0."""
    taken = _Chunk(*chunk)
    firsts = np.empty(0, np.uint64) if firsts is None else firsts
    found = _core.ChunkTasks(plan.job).apply(*taken.arguments(plan), results, firsts)
    inside = _inside(taken.block, taken.mask)
    block = taken.block.astype(plan.scale.levels.dtype, copy=False)
    if output == "labels":
        return found if inside is None else np.where(inside, found, np.uint32(0))
    if output == "mask":
        return found != 0 if inside is None else (found != 0) & inside
    values = plan.scale.levels.values(found)
    filtered = values if inside is None else np.where(inside, values, block)
    if output == "filtered":
        return filtered
    return block ^ filtered if block.dtype == bool else distance(block, filtered)


def _is_source(layer: Any) -> bool:
    """Whether the tasks of a layer of dask's graph need no other tasks."""
    return not any(isinstance(task, tuple) or getattr(task, "dependencies", ()) for task in layer.values())


class ChunkedTree:
    """The tree of a dask array, as :func:`max_tree` returns it: filters are lazy, exact and work chunk by chunk.

    Criteria may have all attributes that :meth:`MaxTree.filter` has but `entropy`, `stability`, `depth`, `dynamics` and
    extinction values, in volumes also without shapes. :meth:`compute` gives the tree of the whole array.

    Examples
    --------
    >>> import dask.array
    >>> image = dask.array.from_array(np.uint8([[0, 0, 9, 0, 0, 7, 7]]), chunks=(1, 3))
    >>> tree = pollard.max_tree(image)
    >>> tree.filter("area >= 2").compute().tolist()
    [[0, 0, 0, 0, 0, 7, 7]]
    """

    def __init__(self, image: Any, mask: Any, connectivity: int, kind: str, container: Container,
                 sides: Optional[Tuple[float, float, float]], unit: Optional[str]):
        if image.ndim not in (2, 3):
            raise ValueError(f"image: the dask array has {image.ndim} axes; images have 2, volumes 3")
        if any(math.isnan(side) for side in image.shape):
            raise ValueError("image: the sizes of its chunks are not known; call compute_chunk_sizes() first")
        if image.dtype.kind not in "buif":
            raise ValueError(f"image: the values are {image.dtype}; boolean, integers and real numbers are possible")
        if 0 in image.shape:
            raise ValueError(f"image: has no pixels (shape {image.shape})")
        self._chunk = tuple(max(sizes) for sizes in image.chunks)
        self._source, self._mask_source = image, None
        self._image, self._mask = image.rechunk(self._chunk), None
        if mask is not None:
            if np.shape(mask) != image.shape:
                raise ValueError("mask: has another shape than the image")
            from dask.array import asarray  # pylint: disable=import-outside-toplevel

            self._mask_source = asarray(mask)
            self._mask = self._mask_source.rechunk(self._chunk)
        self.kind = kind
        self._connectivity = whole(connectivity, "connectivity", 1, image.ndim)
        self._container = container
        self._sides, self._unit = sides, unit

    @property
    def shape(self) -> Tuple[int, ...]:
        """Shape of the image."""
        return self._image.shape

    def compute(self, device: str = "auto") -> Any:
        """The tree of the whole array, in memory: a :class:`MaxTree` on a `device`, as of :func:`max_tree`.

        Examples
        --------
        >>> import dask.array
        >>> image = dask.array.from_array(np.uint8([[0, 0, 9, 0, 0, 7, 7]]), chunks=(1, 3))
        >>> pollard.max_tree(image).compute()["area"]
        array([7, 1, 2], dtype=uint32)
        """
        from .tree import max_tree  # pylint: disable=import-outside-toplevel

        mask = None if self._mask is None else np.asarray(self._mask)
        spacing = None if self._sides is None else self._sides[-self._image.ndim:]
        image = self._container.restored(np.asarray(self._image))
        mask = mask if mask is None else Container(None, self._container.order).restored(mask)
        return max_tree(image, self._connectivity, self.kind, device, mask, spacing, unit=self._unit)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"{name}: the tree of a dask array has filter, labels and profile; compute() gives the tree of the "
                             "whole array, which has all others")

    def __getitem__(self, name: str) -> Any:
        """Refuses `name`: the nodes of the whole tree are in no chunk.

        Examples
        --------
        >>> import dask.array
        >>> pollard.max_tree(dask.array.zeros((4, 5), dtype=np.uint8))["area"]
        Traceback (most recent call last):
        ...
        TypeError: tree[..]: the tree of a dask array has no list of nodes; compute() gives the tree of the whole array
        """
        raise TypeError("tree[..]: the tree of a dask array has no list of nodes; compute() gives the tree of the whole array")

    def filter(self, criteria: Optional[Criteria] = None, rule: str = "direct", output: str = "filtered") -> Any:
        """The image without the components that do not meet the criteria, a dask array.

        Parameters are as in :meth:`MaxTree.filter`.

        Examples
        --------
        >>> import dask.array
        >>> image = dask.array.from_array(np.uint8([[0, 0, 9, 0, 0, 7, 7]]), chunks=(1, 3))
        >>> pollard.max_tree(image).filter("area <= 2", output="mask").compute().tolist()
        [[False, False, True, False, False, True, True]]
        """
        if text(output, "output", ("filtered", "residue", "mask")) == "mask":
            dtype = np.dtype(bool)
        else:
            native = self._image.dtype.newbyteorder("=")
            dtype = unsigned_of(native) if output == "residue" and native.kind in "iu" else native
        return self._container.restored(self._result(*parse_criteria(criteria), rule, output, dtype)[0])

    def labels(self, keep: Criteria, rule: str = "direct", return_num: bool = False) -> Any:
        """Numbers the largest kept components, a dask array of uint32; parameters are as in :meth:`MaxTree.labels`.

        `keep` are criteria. With `return_num` also the number of components, a dask array without axes.

        Examples
        --------
        >>> import dask.array
        >>> image = dask.array.from_array(np.uint8([[0, 0, 9, 0, 0, 7, 7]]), chunks=(1, 3))
        >>> pollard.max_tree(image).labels("area <= 2").compute().tolist()
        [[0, 0, 1, 0, 0, 2, 2]]
        """
        texts, match = parse_criteria(keep or None)
        labels, firsts = self._result(texts, match, rule, "labels", np.dtype(np.uint32))
        labels = self._container.restored(labels)
        if not return_num:
            return labels
        from dask import delayed  # pylint: disable=import-outside-toplevel
        from dask.array import from_delayed  # pylint: disable=import-outside-toplevel

        return labels, from_delayed(delayed(np.size)(firsts), (), np.int64)

    def profile(self, attribute: str, thresholds: Sequence[float], rule: str = "direct", differential: bool = False) -> Any:
        """Attribute profile, a dask array with a leading axis; parameters are as in :meth:`MaxTree.profile`.

        Differences are not possible.

        Examples
        --------
        >>> import dask.array
        >>> image = dask.array.from_array(np.uint8([[0, 0, 9, 0, 0, 7, 7]]), chunks=(1, 3))
        >>> pollard.max_tree(image).profile("area", [2, 3]).compute().tolist()
        [[[0, 0, 0, 0, 0, 7, 7]], [[0, 0, 0, 0, 0, 0, 0]]]
        """
        from dask.array import stack  # pylint: disable=import-outside-toplevel

        text(attribute, "attribute")
        if differential:
            raise ValueError("differential: of a dask array take numpy.diff of the profile")
        pixels = np.zeros((2,) * self._image.ndim, np.uint8)
        sample = _core.MaxTree(pixels, None, False, 1, "cpu", 1, None, self._sides or (1.0, 1.0, 1.0), self._unit)
        bounds = [f"{attribute} >= {sample.in_pixels(attribute, float(each))!r}" for each in numbers(thresholds, "thresholds")]
        pages = [self._result([each], "all", rule, "filtered", self._image.dtype.newbyteorder("="))[0] for each in bounds]
        return self._container.restored(stack(pages))

    # The graph ------------------------------------------------------------------------------------------------------

    def _result(self, criteria: List[str], match: str, rule: str, output: str, dtype: np.dtype) -> Tuple[Any, Any]:
        """The result, and for labels the first pixels of the components."""
        from dask import delayed  # pylint: disable=import-outside-toplevel
        from dask.array import block, from_delayed  # pylint: disable=import-outside-toplevel

        request = _Request(self.shape, self._image.chunksize, self.kind == "min", self._connectivity, criteria, match,
                           text(rule, "rule"), "filtered" if output == "residue" else output, self._sides, self._unit)
        native = self._image.dtype.newbyteorder("=")
        first = _plan(_scale(native, self.shape, request.is_min, []), request)  # errors of the filter come now
        around = _core.ChunkTasks(first.job).needs_surroundings
        plan: Any = first
        chunks = self._chunks(self._image, self._mask, False)
        with_table = native not in (bool, np.uint8, np.uint16, np.int8, np.int16)
        if with_table or self._mask is not None:
            facts = [delayed(_facts)(each[1], each[2], with_table) for each in chunks.values()]
            plan = delayed(_plan)(delayed(_scale)(native, self.shape, request.is_min, facts), request)
        else:
            plan = delayed(plan)
        parts = {place: delayed(_build)(plan, *each)
                 for place, each in self._chunks(self._image, self._mask, around).items()}
        steps = []
        group = _GROUP[self._image.ndim]
        while len(parts) > 1 or not steps:
            members: Dict[Tuple[int, ...], List[Tuple[int, ...]]] = {}
            for place in parts:
                members.setdefault(tuple(at // group for at in place), []).append(place)
            merged = {place: delayed(_merge, nout=2)(plan, [parts[each] for each in of]) for place, of in members.items()}
            parts = {place: part for place, (part, _) in merged.items()}
            steps.append((members, {place: step for place, (_, step) in merged.items()}))
        results: Dict[Tuple[int, ...], Any] = {place: None for place in parts}
        for members, step_of in reversed(steps):
            split = {place: delayed(_split, nout=len(of))(plan, step_of[place], results[place])
                     for place, of in members.items()}
            results = {each: split[place][i] for place, of in members.items() for i, each in enumerate(of)}
        root = next(iter(steps[-1][1].values()))
        firsts = None
        if output == "labels":
            image, mask = self._after(root)
            found = [delayed(_first_pixels)(plan, results[place], *each)
                     for place, each in self._chunks(image, mask, around).items()]
            firsts = root = delayed(_sorted)(found)
        image, mask = self._after(root)
        grid = np.empty(image.numblocks, object)
        sizes = image.chunks
        for place, each in self._chunks(image, mask, around).items():
            shape = tuple(sizes[axis][at] for axis, at in enumerate(place))
            grid[place] = from_delayed(delayed(_apply)(plan, results[place], firsts, output, *each), shape, dtype)
        return block(grid.tolist()), firsts

    def _after(self, task: Any) -> Tuple[Any, Any]:
        """The image and the mask, read again after a task: so no chunk waits in memory for it."""
        from dask.blockwise import Blockwise  # pylint: disable=import-outside-toplevel
        from dask.graph_manipulation import bind  # pylint: disable=import-outside-toplevel

        def again(source: Any, chunked: Any) -> Any:
            if source is None or not all(isinstance(each, Blockwise) or _is_source(each)
                                         for each in source.dask.layers.values()):
                return chunked
            return bind(source, task).rechunk(self._chunk)

        return again(self._source, self._image), again(self._mask_source, self._mask)

    def _chunks(self, image: Any, mask: Any, around: bool) -> Dict[Tuple[int, ...], Tuple[Any, ...]]:
        """The fields of the chunks by their places in the grid."""
        starts = [np.cumsum((0, *sizes)) for sizes in image.chunks]

        def wider(place: Tuple[int, ...]) -> Tuple[slice, ...]:
            reach = [0 if axis < len(place) - 2 else 1 for axis in range(len(place))]
            return tuple(slice(max(int(starts[axis][at]) - reach[axis], 0), int(starts[axis][at + 1]) + reach[axis])
                         for axis, at in enumerate(place))

        def one(array: Any, place: Tuple[int, ...]) -> Any:
            return None if array is None else array[wider(place)].rechunk(-1).to_delayed().item()

        blocks = image.to_delayed()
        masks = None if mask is None else mask.to_delayed()
        return {place: (number_, blocks[place], None if masks is None else masks[place],
                        one(image, place) if around else None, one(mask, place) if around else None)
                for number_, place in enumerate(np.ndindex(*image.numblocks))}
