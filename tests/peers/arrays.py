"""The Python module on arrays of xarray, dask and zarr: the results are those of NumPy's arrays.

usage: arrays.py FOLDER_OF_PROGRAMS; exit status 77: a library or the Python module is missing
"""
import pathlib
import sys
import tempfile

from support.facts import Table, program_in, skip, use_module_beside

use_module_beside(sys.argv[1])
try:
    import dask.array
    import numpy
    import pollard_morphology as pollard
    import xarray
    import zarr

    from support import images
except ImportError as problem:
    skip(problem)


def check_calls(table, name, program, given, image):
    """Filters, labels and openings of an array."""
    for each, call in {"filter": lambda a: pollard.max_tree(a).filter("area >= 30"),
                       "labels": lambda a: pollard.max_tree(a).labels("30 <= area <= 900"),
                       "opening": lambda a: pollard.area_opening(a, 30)}.items():
        table.samples(f"{name}: {each}", program, call(given), call(image))


def main(table, folder):
    """Compares an image and a volume in several types."""
    for shape in ((90, 120), (8, 30, 40)):
        dims = ("z", "y", "x")[-len(shape):]
        for kind in ("uint8", "uint16", "int32", "float32"):
            image = images.relief(shape, "uint8" if kind != "uint16" else kind).astype(kind)
            name = f"{'image' if len(shape) == 2 else 'volume'}, {kind}"
            stored = zarr.create_array(folder / name, shape=shape, chunks=tuple(side // 2 + 1 for side in shape), dtype=kind)
            stored[...] = image
            check_calls(table, name, "zarr", stored, image)
            check_calls(table, name, "dask of zarr", dask.array.from_zarr(stored), image)
            labelled = xarray.DataArray(image, dims=dims, coords={dim: numpy.arange(side) * 0.5 for dim, side in zip(dims, shape)})
            check_calls(table, name, "xarray", labelled, image)
            found = pollard.max_tree(labelled.chunk(19)).filter("area >= 30")
            table.fact(name, "xarray of dask", "coordinates", all(found.coords[dim].identical(labelled.coords[dim]) for dim in dims), True)
            table.samples(name, "xarray of dask", found, pollard.max_tree(image).filter("area >= 30"))


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as temporary:
        main(facts, pathlib.Path(temporary))
    sys.exit(facts.end())
