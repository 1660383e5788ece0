"""Label files of others: arrays, images and masks have the numbers of their programs, regions of ImageJ the pixels of its masks.

usage: labels_of_others.py FOLDER_OF_PROGRAMS; exit status 77: ImageJ, a virtual display or a library is missing
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from support.facts import Table, program_in, skip

try:
    import nibabel
    import numpy
    import tifffile
    import zarr
    from ome_zarr import writer
    from pycocotools import mask
    from skimage import draw, io, measure
except ImportError as problem:
    skip(problem)

IMAGEJ = "/usr/share/java/ij.jar"
HEIGHT, WIDTH = 70, 90
#: Regions of ImageJ, as calls of its macro language.
REGIONS = {
    "rectangle": "makeRectangle(5, 6, 31, 12);",
    "rounded": "makeRectangle(12, 9, 51, 40, 20);",
    "rotated": 'makeRectangle(20, 20, 40, 20); run("Rotate...", "angle=17");',
    "oval": "makeOval(10, 8, 37, 22);",
    "outside": "makeOval(-10, -8, 37, 22);",
    "ellipse": "makeEllipse(20, 20, 70, 45, 0.5);",
    "polygon": "makePolygon(10, 10, 50, 14, 62, 47, 30, 60, 24, 33);",
    "freehand": 'makeSelection("freehand", newArray(12, 20, 33, 47, 55, 41, 22, 15), newArray(20, 11, 9, 16, 33, 52, 48, 31));',
    "real": 'makeSelection("polygon", newArray(10.3, 50.5, 62.1, 30.6, 24.4), newArray(10.7, 14.25, 47.9, 60.2, 33.8));',
    "traced": "setColor(255); fillOval(20, 20, 31, 30); fillRect(45, 30, 20, 9); doWand(30, 30);",
    "band": 'makeOval(30, 20, 21, 20); run("Make Band...", "band=5");',
    "hole": 'makeOval(10, 10, 50, 45); setKeyDown("alt"); makeRectangle(25, 22, 12, 9); setKeyDown("none");',
    "parts": 'makeRectangle(5, 5, 20, 20); setKeyDown("shift"); makeOval(40, 30, 33, 21); setKeyDown("none");',
}
MASK = """selectWindow("canvas"); run("Select None"); {region}
saveAs("Selection", "{folder}/{name}.roi"); Roi.setName("{number}"); roiManager("Add");
run("Create Mask"); saveAs("Tiff", "{folder}/{name}.tif"); close();
"""


def random_regions():
    """Polygons and ovals whose edges go through centres of pixels."""
    numbers = random.Random(4)
    regions = {}
    for i in range(12):
        corners = ", ".join(f"{numbers.randint(-5, WIDTH + 5)}, {numbers.randint(-5, HEIGHT + 5)}" for _ in range(3 + i % 6))
        regions[f"polygon {i}"] = f"makePolygon({corners});"
        box = [numbers.randint(low, high) for low, high in ((-5, 40), (-5, 30), (1, 60), (1, 50))]
        regions[f"oval {i}"] = f"makeOval({str(box)[1:-1]});"
    return regions


def read_by(table, name, image="canvas.tif", *more):
    """The labels that pollard-cli reads from a file, in a TIFF file of 32 bits."""
    table.run("components", image, *more, "--from-labels", os.path.abspath(name), "--labels", "read.tif")
    return tifffile.imread("read.tif")


def check_regions(table):
    """Each region alone, then the set of all."""
    regions = REGIONS | random_regions()
    folder = os.getcwd()
    masks = "".join(MASK.format(region=region, name=name, number=number, folder=folder)
                    for number, (name, region) in enumerate(regions.items(), 1))
    pathlib.Path("regions.ijm").write_text(f'setBatchMode(true); newImage("canvas", "8-bit black", {WIDTH}, {HEIGHT}, 1);\n'
                                           f'{masks}roiManager("Save", "{folder}/all.zip"); run("Quit");\n', encoding="utf-8")
    subprocess.run(["timeout", "--kill-after=5", "100", "xvfb-run", "-a", "java", f"-Duser.home={folder}", "-jar", IMAGEJ,
                    "-batch", f"{folder}/regions.ijm"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    together = numpy.zeros((HEIGHT, WIDTH), "uint32")
    for number, name in enumerate(regions, 1):
        expected = tifffile.imread(f"{name}.tif") > 0
        together[expected] = number
        table.samples(f"{name}.roi", "ImageJ", read_by(table, f"{name}.roi") > 0, expected)
    table.samples("all.zip", "ImageJ", read_by(table, "all.zip"), together)


def check_images(table, labels):
    """The same labels in files of several libraries, read and written."""
    io.imsave("l8.png", (labels % 251).astype("uint8"), check_contrast=False)
    table.samples("l8.png", "scikit-image", read_by(table, "l8.png"), (labels % 251).astype("uint32"))
    io.imsave("l16.png", labels.astype("uint16"), check_contrast=False)
    table.samples("l16.png", "scikit-image", read_by(table, "l16.png"), labels)
    for kind in ("u1", "<u2", ">u4", "<i8", "<f8"):
        for order in "CF":
            numpy.save("l.npy", numpy.asarray(labels % 251, kind, order=order))
            table.samples("l.npy", f"NumPy, {kind}, {order}", read_by(table, "l.npy"), (labels % 251).astype("uint32"))
    group = zarr.open_group("l.zarr", mode="w", zarr_format=2)
    writer.write_image(labels, group, axes="yx", scale_factors=[])
    table.samples("l.zarr", "ome-zarr", read_by(table, "l.zarr"), labels)
    for name, read in {"w.tif": tifffile.imread, "w.npy": numpy.load,
                       "w.zarr": lambda name: zarr.open_group(name, mode="r")["0"][...]}.items():
        table.run("components", "canvas.tif", "--from-labels", os.path.abspath("l16.png"), "--labels", name)
        table.samples(name, "its library", read(name), labels)


def check_volume(table):
    """Labels of a volume."""
    volume = numpy.zeros((4, HEIGHT, WIDTH), "uint32")
    volume[1:3, 10:30, 20:50] = 7
    volume[2:, 40:60, 5:25] = 70_000
    tifffile.imwrite("volume.tif", volume.astype("uint8"), imagej=True, metadata={"axes": "ZYX"})
    for order in "CF":
        numpy.save("v.npy", numpy.asarray(volume, "int32", order=order))
        table.samples("v.npy", f"NumPy, {order}", read_by(table, "v.npy", "volume.tif", "--volume"), volume)
    nibabel.save(nibabel.Nifti1Image(volume.T.astype("int32"), numpy.eye(4)), "v.nii.gz")
    table.samples("v.nii.gz", "nibabel", read_by(table, "v.nii.gz", "volume.tif", "--volume"), volume)
    table.run("components", "volume.tif", "--volume", "--from-labels", os.path.abspath("v.npy"), "--labels", "w.npy")
    table.samples("w.npy", "NumPy", numpy.load("w.npy"), volume)


def check_coco(table, labels):
    """Masks of pycocotools as compressed and as plain runs, and rectangles as polygons."""
    numbers = [int(each) for each in numpy.unique(labels) if each]
    encoded = {number: mask.encode(numpy.asfortranarray(labels == number, dtype="uint8")) for number in numbers}

    def plain(one):
        flat = mask.decode(one).ravel(order="F").astype(int)
        ends = numpy.flatnonzero(numpy.diff(flat)) + 1
        return ([0] if flat[0] else []) + numpy.diff(numpy.r_[0, ends, flat.size]).tolist()

    def write(name, segmentation):
        annotations = [{"id": number, "image_id": 1, "iscrowd": 1, "segmentation": segmentation(one)} for number, one in encoded.items()]
        pathlib.Path(name).write_text(json.dumps({"images": [{"id": 1, "file_name": "canvas.tif"}], "annotations": annotations}),
                                      encoding="utf-8")

    write("runs.json", lambda one: {"size": one["size"], "counts": one["counts"].decode()})
    table.samples("runs.json", "pycocotools", read_by(table, "runs.json"), labels)
    write("plain.json", lambda one: {"size": one["size"], "counts": plain(one)})
    table.samples("plain.json", "pycocotools", read_by(table, "plain.json"), labels)
    expected = numpy.zeros_like(labels)
    for number, one in encoded.items():
        x, y, width, height = map(float, mask.toBbox(one))
        encoded[number] = [[x, y, x + width, y, x + width, y + height, x, y + height]]
        expected[mask.decode(mask.frPyObjects(encoded[number], HEIGHT, WIDTH)[0]) > 0] = number
    write("polygons.json", lambda polygons: polygons)
    table.samples("polygons.json", "pycocotools", read_by(table, "polygons.json"), expected)


def main(table):
    """Labels with gaps in their numbers."""
    if not shutil.which("java") or not shutil.which("xvfb-run") or not os.path.exists(IMAGEJ):
        skip("ImageJ (Debian's imagej) or xvfb is missing")
    tifffile.imwrite("canvas.tif", numpy.zeros((HEIGHT, WIDTH), "uint8"))
    found = numpy.zeros((HEIGHT, WIDTH), "uint8")
    numbers = random.Random(2)
    for _ in range(25):
        found[draw.disk((numbers.randrange(HEIGHT), numbers.randrange(WIDTH)), numbers.randint(1, 8), shape=found.shape)] ^= 1
    labels = measure.label(found, connectivity=1).astype("uint32") * 37
    check_images(table, labels)
    check_volume(table)
    check_coco(table, labels)
    check_regions(table)


if __name__ == "__main__":
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as temporary:
        os.chdir(temporary)
        main(facts)
    sys.exit(facts.end())
