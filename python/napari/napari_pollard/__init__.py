"""Attribute filters on max-trees for napari; docs/napari.md describes the plugin."""

try:
    import pollard_morphology  # noqa: F401
except ModuleNotFoundError as problem:
    if problem.name != "pollard_morphology":
        raise
    raise ImportError("napari-pollard needs the package `pollard_morphology`: run `pip install ./python` in Pollard's "
                      "repository") from problem
