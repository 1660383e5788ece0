"""The old name of the plugin's package, so that older scripts run from this folder; it is not installed."""

import sys

import napari_pollard

sys.modules[__name__] = napari_pollard
