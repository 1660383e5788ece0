"""OME-TIFF: tifffile and ome-types read the samples, axes, sizes and channels of results.

usage: ome_tiff.py FOLDER_OF_PROGRAMS; exit status 77: a library is missing
"""
import os
import sys
import tempfile

from support.facts import Table, program_in, skip

try:
    import ome_types
    import tifffile
    from skimage import measure, morphology

    from support import images
except ImportError as problem:
    skip(problem)


def check(table, file, expected, axes, size, names=None):
    """Samples by tifffile, metadata by ome-types."""
    with tifffile.TiffFile(file) as tiff:
        table.samples(file, "tifffile", tiff.series[0].asarray(), expected)
        table.fact(file, "tifffile", "axes", tiff.series[0].axes, axes)
    pixels = ome_types.from_tiff(file).images[0].pixels
    sides = dict(zip(axes, expected.shape))
    table.fact(file, "ome-types", "sides", [getattr(pixels, f"size_{axis}") for axis in "xyzc"],
               [sides.get(axis, 1) for axis in "XYZC"])
    found = [(getattr(pixels, f"physical_size_{axis}"), getattr(pixels, f"physical_size_{axis}_unit").value)
             for axis in "xyz"[:len(size)]]
    table.fact(file, "ome-types", "size", found, [(each, "µm") for each in size])
    if names:
        table.fact(file, "ome-types", "channels", [channel.name for channel in pixels.channels], list(names))


def main(table):
    """Writes and reads the kinds of OME-TIFF."""
    source = images.relief((2, 5, 90, 120))
    images.write_ome("source.ome.tif", source, "CZYX")
    images.write_ome("picture.ome.tif", source[:, 0], "CYX")
    opened = [morphology.area_opening(channel[0], 30, connectivity=1) for channel in source]
    xy = images.SIZE[:2]

    keep = ("--keep", "area>=30")
    table.run("filter", "picture.ome.tif", "--channel", "GFP", *keep, "-o", "page.ome.tif")
    check(table, "page.ome.tif", opened[1], "YX", xy, ["GFP"])
    table.run("filter", "picture.ome.tif", "--channel", "GFP", *keep, "--output", "residue", "-o", "residue.ome.tif")
    check(table, "residue.ome.tif", source[1, 0] - opened[1], "YX", xy)
    table.run("filter", "picture.ome.tif", "--channel", "all", *keep, "-o", "channels.ome.tif")
    both = source[:, 0].copy()
    both[0], both[1] = opened
    check(table, "channels.ome.tif", both, "CYX", xy, images.NAMES)
    table.run("filter", "source.ome.tif", "--channel", "DAPI", "--volume", *keep, "-o", "volume.ome.tif")
    volume = morphology.area_opening(source[0], 30, connectivity=1)
    check(table, "volume.ome.tif", volume, "ZYX", images.SIZE, ["DAPI"])
    middle = int(source.mean())
    table.run("components", "picture.ome.tif", "--threshold", middle, "--labels", "labels.ome.tif")
    check(table, "labels.ome.tif", measure.label(source[0, 0] >= middle, connectivity=1).astype("uint32"), "YX", xy)
    table.run("components", "source.ome.tif", "--volume", "--threshold", middle, "--labels", "volume-labels.ome.tif")
    objects = measure.label(source[0] >= middle, connectivity=1).astype("uint32")
    check(table, "volume-labels.ome.tif", objects, "ZYX", images.SIZE)
    table.run("filter", "source.ome.tif", "--volume", *keep, "--stream", "--memory", "1G", "-o", "tiles.ome.tif")
    check(table, "tiles.ome.tif", volume, "ZYX", images.SIZE)


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(facts)
        os.chdir("/")
    sys.exit(facts.end())
