"""Sample data."""

from typing import Any, List, Tuple

import numpy as np


def grains() -> List[Tuple[np.ndarray, dict, str]]:
    """Bright discs and bars of several sizes on a background that rises from left to right."""
    rng = np.random.default_rng(0)
    rows, columns = np.indices((256, 256))
    image: Any = rng.normal(40, 4, rows.shape) + columns / 4
    for _ in range(40):
        row, column = rng.integers(8, 248, 2)
        tall, wide = (rng.integers(3, 8, 2) if rng.random() < 0.5 else rng.permutation([2, 12]))
        image[((rows - row) / tall) ** 2 + ((columns - column) / wide) ** 2 < 1] += 80
    return [(image.clip(0, 255).astype(np.uint8), {"name": "grains"}, "image")]
