"""Attribute filters on max-trees for napari; docs/python.md describes the plugin."""

try:
    import pollard
except ModuleNotFoundError as problem:
    if problem.name != "pollard":
        raise
    raise ImportError("pollard-napari needs Pollard's Python module: run `pip install ./python` in Pollard's repository") \
        from problem

if not hasattr(pollard, "max_tree"):
    raise ImportError(f"{pollard.__file__ or list(pollard.__path__)} is another project with the name `pollard`: run "
                      "`pip uninstall pollard`, then `pip install ./python` in Pollard's repository")
