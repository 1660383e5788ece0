"""Extended attribute profiles as features of pixels for a classifier (Dalla Mura et al. 2010).

Each channel gives the openings and closings by area and by moment of inertia. With scikit-learn a random forest learns
two textures from them; without it the script prints the shape of the features.
"""
import numpy as np

import pollard_morphology as pollard


def extended_profile(channels):
    """(pixels, features) float32: the values of each channel and of its filtered versions."""
    layers = []
    for channel in channels:
        layers.append(channel[np.newaxis])
        for kind in ("max", "min"):
            tree = pollard.max_tree(channel, kind=kind)
            layers.append(tree.profile("area", [10, 50, 250]))
            layers.append(tree.profile("inertia", [0.2, 0.3, 0.4], rule="subtractive"))
    stacked = np.concatenate(layers).astype(np.float32)
    return stacked.reshape(len(stacked), -1).T


rng = np.random.default_rng(0)
truth = np.zeros((128, 128), bool)
truth[:, 64:] = True
noise = rng.integers(0, 200, (2, 128, 128))
blobs = np.repeat(np.repeat(noise[:, ::4, ::4], 4, axis=1), 4, axis=2)  # grains of 4 x 4 pixels on one side
channels = np.where(truth, blobs, noise).astype(np.uint8)
features = extended_profile(channels)
print(f"features: {features.shape[1]} for each of {features.shape[0]} pixels")
try:
    from sklearn.ensemble import RandomForestClassifier
except ImportError:
    print("scikit-learn is not installed: no classification")
else:
    train = rng.random(truth.size) < 0.05
    forest = RandomForestClassifier(30, random_state=0).fit(features[train], truth.ravel()[train])
    print(f"accuracy on other pixels: {forest.score(features[~train], truth.ravel()[~train]):.3f}")
