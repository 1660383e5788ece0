"""The rules of a filter by an attribute that is not increasing, side by side."""
import numpy as np

import pollard_morphology as pollard

image = np.random.default_rng(0).normal(128, 40, (256, 256)).clip(0, 255).astype(np.uint8)
tree = pollard.max_tree(image, connectivity=2)
keep = tree["elongation"] < 2
print(f"{keep.sum()} of {tree.num_nodes} nodes are compact; pixels that each rule changes:")
for rule in ("direct", "min", "max", "viterbi", "subtractive"):
    changed = tree.reconstruct(keep, rule) != image
    print(f"{rule:12} {changed.mean():6.1%}, components {tree.labels(keep, rule, return_num=True)[1]}")
