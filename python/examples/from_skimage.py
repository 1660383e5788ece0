"""From scikit-image to Pollard: the same calls, and what a tree adds."""
import sys
from pathlib import Path

import numpy as np

import pollard_morphology as pollard
from pollard_morphology import morphology  # in the place of: from skimage import morphology

image = np.random.default_rng(0).integers(0, 256, (512, 512), dtype=np.uint8)

opened = morphology.area_opening(image, area_threshold=64, connectivity=1)
peaks = morphology.h_maxima(image, 200)

# The same opening by a tree, which is built once for any number of filters.
tree = pollard.max_tree(image, connectivity=1)
assert np.array_equal(tree.filter("area >= 64"), opened)
compact = tree.filter("20 <= area <= 200 and elongation < 2")
bright = tree.reconstruct((tree["area"] >= 20) & (tree["mean"] > 150))
labels, count = tree.labels("20 <= area <= 200 and elongation < 2", return_num=True)
print(f"{Path(sys.argv[0]).name}: {tree.num_nodes} nodes, {int(peaks.sum())} peak pixels, {count} compact components, "
      f"{int((compact != image).sum())} and {int((bright != image).sum())} pixels changed")
