"""Sample data."""

from typing import Any, Dict, List, Tuple

import numpy as np


def blobs() -> List[Tuple[np.ndarray, Dict[str, Any], str]]:
    """Bright blobs of different sizes and noise on a background that rises to the right: an image of 8 bits."""
    random = np.random.default_rng(5)
    side = 400
    y, x = np.mgrid[:side, :side]
    image = 30 + 60 * x / side + random.normal(0, 4, (side, side))
    for radius in (2, 3, 5, 8, 12, 18):
        for centre_y, centre_x in random.uniform(radius, side - radius, (10, 2)):
            image[(y - centre_y) ** 2 + (x - centre_x) ** 2 < radius**2] += 60
    return [(np.clip(image, 0, 255).astype(np.uint8), {"name": "blobs"}, "image")]
