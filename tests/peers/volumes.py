"""NRRD and NIfTI: SimpleITK and nibabel read the samples, sizes, units and places of voxels.

usage: volumes.py FOLDER_OF_PROGRAMS; exit status 77: a library is missing
"""
import os
import sys
import tempfile

from support.facts import Table, program_in, skip

try:
    import nibabel
    import numpy
    import SimpleITK
    from skimage import measure, morphology

    from support import images
except ImportError as problem:
    skip(problem)

ORIGIN = (31.5, -40.25, 12.0)
SIZE = (0.75, 0.5, 1.5)  #: mm


def write_sources(volume):
    """A NIfTI file of nibabel and a NRRD file of SimpleITK, turned by 90 degrees about z."""
    affine = numpy.array([[0, -SIZE[1], 0, ORIGIN[0]], [SIZE[0], 0, 0, ORIGIN[1]], [0, 0, SIZE[2], ORIGIN[2]],
                          [0, 0, 0, 1]])
    image = nibabel.Nifti1Image(volume.T, affine)
    image.header.set_xyzt_units("mm")
    nibabel.save(image, "source.nii.gz")
    image = SimpleITK.GetImageFromArray(volume)
    image.SetSpacing(SIZE)
    image.SetOrigin(ORIGIN)
    image.SetDirection((0, -1, 0, 1, 0, 0, 0, 0, 1))
    SimpleITK.WriteImage(image, "source.nrrd")


def check(table, file, source, expected):
    """The result has the geometry of its source, which the same library reads."""
    found, before = (SimpleITK.ReadImage(each) for each in (file, source))
    table.samples(file, "SimpleITK", SimpleITK.GetArrayFromImage(found), expected)
    for name in ("Size", "Spacing", "Origin", "Direction"):
        values = [tuple(float(value) for value in getattr(each, f"Get{name}")()) for each in (found, before)]
        table.fact(file, "SimpleITK", name.lower(), *values)
    if ".nii" in file:
        found = nibabel.load(file)
        table.samples(file, "nibabel", numpy.asarray(found.dataobj).T, expected)
        table.fact(file, "nibabel", "units", found.header.get_xyzt_units()[0], "mm")
        if ".nii" in source:
            before = nibabel.load(source)
            table.fact(file, "nibabel", "affine", found.affine.ravel().tolist(), before.affine.ravel().tolist())
            zooms = [[float(size) for size in each.header.get_zooms()] for each in (found, before)]
            table.fact(file, "nibabel", "size", *zooms)


def main(table):
    """Writes and reads volumes of all kinds."""
    for kind in ("uint8", "uint16", "int16"):
        volume = images.relief((6, 40, 50), "uint8" if kind == "uint8" else "uint16")
        if kind == "int16":
            volume = (volume.astype(int) - 32768).astype(kind)
        write_sources(volume)
        opened = morphology.area_opening(volume, 30, connectivity=1).astype(kind)
        for source in ("source.nii.gz", "source.nrrd"):
            for ending in ("nii", "nii.gz", "nrrd"):
                out = f"{kind}-{source.split('.')[1]}.{ending}"
                table.run("filter", source, "--volume", "--keep", "area>=30", "-o", out)
                check(table, out, source, opened)
        if kind == "uint16":
            table.run("components", "source.nrrd", "--volume", "--threshold", 30000, "--labels", "labels.nrrd")
            check(table, "labels.nrrd", "source.nrrd", measure.label(volume >= 30000, connectivity=1).astype("uint32"))


if __name__ == "__main__":
    SimpleITK.ProcessObject.SetGlobalWarningDisplay(False)
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main(facts)
        os.chdir("/")
    sys.exit(facts.end())
