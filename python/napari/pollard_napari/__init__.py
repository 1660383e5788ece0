"""Attribute filters on max-trees for napari; docs/python.md describes the plugin."""
