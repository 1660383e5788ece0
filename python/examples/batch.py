"""A recipe on all images of a folder: batch.py [RECIPE.json | PRESET] [FOLDER].

Prints a line per image. `pollard-cli run` does the same and writes the files.
"""
import sys
from pathlib import Path

import numpy as np

import pollard_morphology as pollard

samples = Path(__file__).resolve().parents[2] / "resources" / "samples"
chosen = sys.argv[1] if len(sys.argv) > 1 else "uneven-background"
folder = Path(sys.argv[2]) if len(sys.argv) > 2 else samples
recipe = pollard.Recipe.load(chosen) if chosen.endswith(".json") else pollard.Recipe.preset(chosen)
print(f"{recipe.name}: {recipe.description}")
for path in sorted(folder.glob("*_u8.tif")):
    try:
        result = recipe.run(path)
    except ValueError as problem:
        print(problem)
        continue
    objects = [len(table["label"]) for table in result.objects]
    print(f"{path.name}: {result.image.shape}, {np.unique(result.image).size} levels, objects {objects}")
