"""Images to filter, with facts that results carry along."""
import numpy

SIZE = (0.25, 0.5, 1.5)  #: of a voxel in x, y and z, µm
NAMES = ("DAPI", "GFP")


def relief(shape, kind="uint16", seed=1):
    """Hills and noise over most of the range of 8 or 16 bits."""
    random = numpy.random.default_rng(seed)
    values = random.normal(size=shape)
    for axis in range(-2, 0):
        values = numpy.cumsum(values, axis) + random.normal(scale=2, size=shape)
    values = (values - values.min()) / (values.max() - values.min())
    return (values * (numpy.iinfo(kind).max - 20) + 9).astype(kind)


def square():
    """A bright rectangle."""
    image = numpy.full((80, 100), 40, "uint8")
    image[30:60, 30:80] = 180
    return image


def write_ome(path, images, axes):
    """An OME-TIFF with sizes and, along C, names."""
    import tifffile  # pylint: disable=import-outside-toplevel
    metadata = {"axes": axes}
    for name, size in zip("XYZ", SIZE):
        if name in axes:
            metadata |= {f"PhysicalSize{name}": size, f"PhysicalSize{name}Unit": "µm"}
    if "C" in axes:
        metadata["Channel"] = {"Name": list(NAMES)}
    tifffile.imwrite(path, images, ome=True, photometric="minisblack", metadata=metadata)
