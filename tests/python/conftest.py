"""Arrays and oracles of the tests of the Python module."""
import itertools

import numpy as np
import pytest

DTYPES = [np.dtype(name) for name in ("bool", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f4", "f8", ">u2", ">i4")]


def random_image(rng, dtype=None, shape=None, least=1):
    """An image with plateaus: few levels, in any type; real numbers are multiples of 1/8, which sums keep exact."""
    if shape is None:
        axes = rng.choice([1, 2, 2, 2, 3])
        shape = tuple(int(side) for side in rng.integers(least, 9 if axes == 3 else 14, axes))
    dtype = DTYPES[rng.integers(len(DTYPES))] if dtype is None else np.dtype(dtype)
    levels = int(rng.choice([1, 2, 4, 16, 100]))
    values = rng.integers(0, levels, shape)
    if dtype.kind == "b":
        return values % 2 == 1
    if dtype.kind == "f":
        return (values / 8 - 3).astype(dtype)
    if dtype.kind == "i":
        values = values - levels // 2
    return values.astype(dtype)


def reordered(rng, image):
    """The same values in another layout of memory, or read-only."""
    kind = rng.integers(5)
    if kind == 1:
        return np.asfortranarray(image)
    if kind == 2:
        wide = np.zeros(tuple(2 * side for side in image.shape), image.dtype)
        view = wide[tuple(slice(None, None, 2) for _ in image.shape)]
        view[...] = image
        return view
    if kind == 3:
        return np.flip(np.flip(image).copy())
    if kind == 4:
        image = image.copy()
        image.flags.writeable = False
    return image


def neighbour_steps(axes, connectivity):
    return [step for step in itertools.product((-1, 0, 1), repeat=axes)
            if 0 < sum(abs(each) for each in step) <= connectivity]


def components(mask, connectivity):
    """Labels of the connected components of a mask, by flooding."""
    labels = np.zeros(mask.shape, int)
    count = 0
    for start in zip(*np.nonzero(mask)):
        if labels[start]:
            continue
        count += 1
        labels[start] = count
        stack = [start]
        while stack:
            place = stack.pop()
            for step in neighbour_steps(mask.ndim, connectivity):
                other = tuple(p + s for p, s in zip(place, step))
                if all(0 <= p < n for p, n in zip(other, mask.shape)) and mask[other] and not labels[other]:
                    labels[other] = count
                    stack.append(other)
    return labels


@pytest.fixture
def rng(request):
    """Random numbers, the same in every run of a test."""
    return np.random.default_rng(sum(request.node.name.encode()))
