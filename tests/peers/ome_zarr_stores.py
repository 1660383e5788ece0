"""OME-Zarr: zarr 3, ome-zarr and the models of the specification read images, channels, volumes and labels.

usage: ome_zarr_stores.py FOLDER_OF_PROGRAMS; exit status 77: a library is missing
"""
import logging
import os
import sys
import tempfile
import warnings

from support.facts import Table, program_in, skip

try:
    import ome_zarr_models
    import zarr
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader
    from skimage import measure, morphology

    from support import images
except ImportError as problem:
    skip(problem)


def check(table, file, expected, axes, size, names=None):
    """Samples by zarr, metadata by ome-zarr, the form by ome-zarr-models."""
    group = zarr.open_group(file, mode="r")
    table.samples(file, "zarr", group["0"][...], expected)
    (node, *_) = Reader(parse_url(file))()
    table.samples(file, "ome-zarr", node.data[0].compute(), expected)
    table.fact(file, "ome-zarr", "axes", "".join(axis["name"] for axis in node.metadata["axes"]), axes)
    table.fact(file, "ome-zarr", "units", [axis["unit"] for axis in node.metadata["axes"] if axis["type"] == "space"],
               ["micrometer"] * len(size))
    (scale,) = node.metadata["coordinateTransformations"][0]
    table.fact(file, "ome-zarr", "size", scale["scale"][-len(size):], list(size[::-1]))
    model = ome_zarr_models.open_ome_zarr(group)
    table.fact(file, "ome-zarr-models", "version", model.ome_zarr_version, "0.4")
    if names:
        table.fact(file, "ome-zarr", "channels", node.metadata["channel_names"], list(names))


def main(table):
    """Writes and reads the kinds of OME-Zarr."""
    source = images.relief((2, 5, 90, 120))
    images.write_ome("source.ome.tif", source, "CZYX")
    images.write_ome("picture.ome.tif", source[:, 0], "CYX")
    opened = [morphology.area_opening(channel[0], 30, connectivity=1) for channel in source]
    xy = images.SIZE[:2]

    keep = ("--keep", "area>=30")
    table.run("filter", "picture.ome.tif", "--channel", "all", *keep, "-o", "channels.zarr")
    both = source[:, 0].copy()
    both[0], both[1] = opened
    check(table, "channels.zarr", both, "cyx", xy, images.NAMES)
    table.run("filter", "source.ome.tif", "--channel", "DAPI", "--volume", *keep, "-o", "volume.zarr")
    volume = morphology.area_opening(source[0], 30, connectivity=1)
    check(table, "volume.zarr", volume[None], "czyx", images.SIZE, ["DAPI"])
    large = images.relief((700, 1100), "uint8")
    images.write_ome("large.ome.tif", large, "YX")
    for name, more in (("picture.zarr", ()), ("stream.zarr", ("--stream", "--memory", "1G"))):
        table.run("filter", "large.ome.tif", "--keep", "area>=1", "-o", name, *more)
        check(table, name, large, "yx", xy)
        table.fact(name, "zarr", "levels", [zarr.open_group(name, mode="r")[str(level)].shape for level in (1, 2)],
                   [(350, 550), (175, 275)])
    middle = int(source.mean())
    table.run("components", "source.ome.tif", "--channel", "DAPI", "--volume", "--threshold", middle, "--features",
              "area", "--labels", "labels.zarr")
    objects = measure.label(source[0] >= middle, connectivity=1).astype("uint32")
    (node, *_) = Reader(parse_url("labels.zarr"))()
    table.samples("labels.zarr", "ome-zarr", node.data[0].compute().reshape(objects.shape), objects)
    properties = zarr.open_group("labels.zarr", mode="r").attrs["image-label"]["properties"]
    table.fact("labels.zarr", "zarr", "areas", [entry["area"] for entry in properties][:20],
               [int(region.area) for region in measure.regionprops(objects)][:20])
    table.fact("labels.zarr", "zarr", "objects", len(properties), int(objects.max()))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.getLogger("ome_zarr").setLevel(logging.ERROR)  # warns that 0.4 is not 0.5, and that labels stand alone
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(facts)
        os.chdir("/")
    sys.exit(facts.end())
