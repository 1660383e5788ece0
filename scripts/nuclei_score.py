#!/usr/bin/env python3
"""Compares the best components of images of nuclei, or the objects of a threshold, with their truth.

  scripts/nuclei_score.py FOLDER [--split STRENGTH] [--clicks N ORDER] [--learn N] [--floor 0.88] [--stained-floor 0.62]

FOLDER has index.tsv (a line per image: name, kind), NAME.png and NAME_labels.png (0 is background). Kinds are
"fluorescence", "dark on light", and "stained", of which the luminance is used; both others are grey. All parameters are
fixed. With --split, the objects are those of a threshold of at least 20 px instead, split by shape with this strength:
Otsu's threshold of the square roots of the smoothed values, because the noise of photons grows with the square root. With
--clicks, the truth answers N clicks an image: whether there is a nucleus at the pixel of a region, of the least sure regions
("least-sure") or of random ones among all ("random"). With --learn, weights are learned from N images of a kind and scored
on all others, for up to four such groups of images. Prints the pooled F1 of objects that overlap a nucleus by at least half
(intersection over union), per kind, and fails if it is below a floor. Needs the package pollard_morphology, NumPy and Pillow.
"""

import argparse
import json
import pathlib
import sys
import tempfile
from collections import Counter

import numpy as np
from PIL import Image

import pollard_morphology as pollard


def levels_of(path: pathlib.Path) -> np.ndarray:
    """The grey levels of an image, 0.2126 R + 0.7152 G + 0.0722 B of a coloured one."""
    image = np.asarray(Image.open(path))
    if image.ndim == 2:
        return image
    return np.round(image[..., :3] @ np.array([0.2126, 0.7152, 0.0722])).astype(np.uint8)


def split_objects_of(path: pathlib.Path, dark: bool, strength: float) -> np.ndarray:
    """Labels of the objects of a threshold, split by shape."""
    smooth = {"id": "operator", "version": 1, "parameters": {"operator": "gaussian", "sigma": 1}}
    objects = {"id": "objects", "version": 6, "parameters": {
        "threshold": "otsu-root", "dark": dark, "connectivity": 8, "fill_holes": True,
        "split": {"by": "shape", "strength": strength}, "condition": "area >= 20", "files": ["labels"]}}
    recipe = pollard.Recipe(json.dumps({"pollard_recipe": 1, "name": "nuclei", "steps": [smooth, objects]}))
    with tempfile.TemporaryDirectory() as folder:
        return np.asarray(Image.open(recipe.write(path, folder)[0]))


def clicked_of(image: np.ndarray, dark: bool, truth: np.ndarray, clicks: int, order: str) -> np.ndarray:
    """Labels of the best components after clicks that the truth answers."""
    regions = pollard.least_sure(image, clicks if order == "least-sure" else image.size, dark=dark)
    asked = np.arange(len(regions["x"]))
    if order == "random":
        asked = np.random.default_rng(image.size + int(truth.sum())).permutation(asked)[:clicks]
    marks = [(y, x) for y, x in zip(regions["y"][asked], regions["x"][asked])]
    return pollard.best_components(image, dark=dark, keep=[at for at in marks if truth[at] != 0],
                                   drop=[at for at in marks if truth[at] == 0]).labels


def learned_scores(folder: pathlib.Path, kinds: dict, count: int) -> dict:
    """Counts per kind of the images that the weights were not learned from, before and after."""
    scores = {}
    for kind, names in kinds.items():
        images = [levels_of(folder / f"{name}.png") for name in names]
        truths = [np.asarray(Image.open(folder / f"{name}_labels.png")) for name in names]
        dark = kind != "fluorescence"
        usual = [counts_of(truth, pollard.best_components(image, dark=dark).labels) for image, truth in zip(images, truths)]
        for first in range(0, min(len(names) - count, 3 * count) + 1, count):
            chosen = range(first, first + count)
            weights = pollard.learn_weights([images[i] for i in chosen], [truths[i] for i in chosen], dark=dark)
            for i in set(range(len(names))) - set(chosen):
                found = pollard.best_components(images[i], dark=dark, weights=weights).labels
                scores.setdefault(f"{kind}, before", Counter()).update(usual[i])
                scores.setdefault(f"{kind}, learned", Counter()).update(counts_of(truths[i], found))
    return scores


def counts_of(truth: np.ndarray, found: np.ndarray) -> Counter:
    """Numbers of nuclei, of objects, and of pairs with an overlap of at least 0.5 and 0.75."""
    truth, found = (np.unique(np.r_[0, labels.ravel()], return_inverse=True)[1][1:] for labels in (truth, found))
    shape = (truth.max() + 1, found.max() + 1)
    common = np.bincount(truth * shape[1] + found, minlength=shape[0] * shape[1]).reshape(shape)
    joined = common.sum(1)[1:, None] + common.sum(0)[None, 1:] - common[1:, 1:]
    overlap = common[1:, 1:] / np.maximum(joined, 1)
    return Counter(images=1, nuclei=shape[0] - 1, objects=shape[1] - 1, half=int((overlap >= 0.5).sum()),
                   three_quarters=int((overlap >= 0.75).sum()))


def f1_of(counts: Counter, matches: str) -> float:
    """Share of nuclei and objects that match."""
    return 2 * counts[matches] / max(counts["nuclei"] + counts["objects"], 1)


def main() -> int:
    """Prints the scores. Returns 1 if one is below its floor."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--split", type=float, help="strength, 0 to 1")
    parser.add_argument("--clicks", nargs=2, metavar=("N", "ORDER"), help="clicks an image: least-sure or random")
    parser.add_argument("--learn", type=int, metavar="N", help="images that weights are learned from")
    parser.add_argument("--floor", type=float, default=0.0, help="lowest F1 of all grey images")
    parser.add_argument("--stained-floor", type=float, default=0.0, help="lowest F1 of the stained images")
    options = parser.parse_args()
    lines = (options.folder / "index.tsv").read_text(encoding="utf-8").splitlines()[1:]
    images = [line.split("\t")[:2] for line in lines]
    scores = {}
    if options.learn:
        kinds = {kind: [name for name, its in images if its == kind] for _, kind in images}
        scores = learned_scores(options.folder, {kind: names for kind, names in kinds.items() if len(names) > options.learn},
                                options.learn)
        images = []
    for name, kind in images:
        image = levels_of(options.folder / f"{name}.png")
        truth = np.asarray(Image.open(options.folder / f"{name}_labels.png"))
        dark = kind != "fluorescence"
        if options.clicks:
            found = clicked_of(image, dark, truth, int(options.clicks[0]), options.clicks[1])
        elif options.split is not None:
            found = split_objects_of(options.folder / f"{name}.png", dark, options.split)
        else:
            found = pollard.best_components(image, dark=dark).labels
        counts = counts_of(truth, found)
        for group in {kind, "stained" if kind == "stained" else "grey"}:
            scores.setdefault(group, Counter()).update(counts)
    print(f"{'kind':<22} images nuclei objects    F1  F1@.75 precision recall")
    for group, counts in sorted(scores.items()):
        print(f"{group:<22} {counts['images']:6} {counts['nuclei']:6} {counts['objects']:7} {f1_of(counts, 'half'):.3f} "
              f"{f1_of(counts, 'three_quarters'):7.3f} {counts['half'] / max(counts['objects'], 1):9.3f} "
              f"{counts['half'] / max(counts['nuclei'], 1):6.3f}")
    floors = {"grey": options.floor, "stained": options.stained_floor}
    low = [group for group, floor in floors.items() if group in scores and f1_of(scores[group], "half") < floor]
    for group in low:
        print(f"{group}: the F1 is below {floors[group]}", file=sys.stderr)
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
