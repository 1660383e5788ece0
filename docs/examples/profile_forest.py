"""Classifies pixels by an attribute profile: profile_forest.py FEATURES.npy TRAINING CLASSES

FEATURES.npy is an array (bands, height, width) of `pollard-cli profile`. TRAINING is an image of the same size with a
class in each pixel, 0 where none is known. CLASSES is the TIFF to write. Prints the share of known pixels of the
right half of the image that a forest trained on the left half puts into the right class.
"""
import sys

import numpy as np
import tifffile
from sklearn.ensemble import RandomForestClassifier


def samples_of(features, training, columns):
    """Values of the bands (pixels, bands) and the class of the pixels with a known class."""
    known = training[:, columns] > 0
    return features[:, :, columns][:, known].T, training[:, columns][known]


def main(features_file, training_file, classes_file):
    features = np.load(features_file)
    training = tifffile.imread(training_file)
    bands, height, width = features.shape
    if training.shape != (height, width):
        sys.exit(f"{training_file}: has {training.shape} values, the profile {(height, width)}")

    forest = RandomForestClassifier(n_estimators=50, n_jobs=-1, random_state=0)
    forest.fit(*samples_of(features, training, slice(0, width // 2)))
    print(f"right half: {forest.score(*samples_of(features, training, slice(width // 2, width))):.3f}")

    forest.fit(*samples_of(features, training, slice(0, width)))
    classes = forest.predict(features.reshape(bands, -1).T).reshape(height, width)
    tifffile.imwrite(classes_file, classes.astype(np.uint8))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
