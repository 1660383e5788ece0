"""ImageJ shows a volume and labels: statistics, sizes, and an image of its windows.

usage: imagej_window.py FOLDER_OF_PROGRAMS; exit status 77: ImageJ, a virtual display or a library is missing
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support.facts import IMAGES, Table, program_in, skip

try:
    import tifffile

    from support import images
except ImportError as problem:
    skip(problem)

IMAGEJ = pathlib.Path("/usr/share/java/ij.jar")
FILES = ("volume.tif", "labels.tif")

MACRO = """
text = "";
files = newArray({files});
for (i = 0; i < files.length; i++) {{
    open("{folder}/" + files[i]);
    getStatistics(count, mean);
    getVoxelSize(width, height, depth, unit);
    getMinAndMax(low, high);
    text = text + nSlices + "," + mean + "," + width + "," + height + "," + depth + "," + unit + "," + low + "," + high + "\\n";
    run("Set... ", "zoom=300");
    setLocation(40 + 700 * i, 160);
}}
File.saveString(text, "{folder}/facts.csv");
wait(500);
run("Capture Screen");
saveAs("PNG", "{image}");
while (nImages > 0) close();
run("Quit");
"""


def main(table, folder):
    """Opens a volume and the labels of an image."""
    source = images.relief((6, 120, 200))
    images.write_ome("source.ome.tif", source, "ZYX")
    images.write_ome("picture.ome.tif", source[0], "YX")
    table.run("filter", "source.ome.tif", "--volume", "--keep", "area>=30", "-o", "volume.tif")
    table.run("components", "picture.ome.tif", "--threshold", int(source.mean()), "--labels", "labels.tif")
    IMAGES.mkdir(parents=True, exist_ok=True)
    names = ", ".join(f'"{name}"' for name in FILES)
    pathlib.Path("show.ijm").write_text(MACRO.format(files=names, folder=folder, image=IMAGES / "imagej.png"),
                                        encoding="utf-8")
    subprocess.run(["timeout", "--kill-after=5", "60", "xvfb-run", "-a", "-s", "-screen 0 1600x900x24", "java",
                    f"-Duser.home={folder}", "-jar", str(IMAGEJ), "-macro", os.path.join(folder, "show.ijm")], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rows = pathlib.Path("facts.csv").read_text(encoding="utf-8").splitlines()
    for name, row, size in zip(FILES, rows, (images.SIZE, images.SIZE[:2])):
        slices, mean, *voxel, unit, low, high = row.split(",")
        pages = tifffile.imread(name)
        first = pages[0] if pages.ndim == 3 else pages
        table.fact(name, "ImageJ", "slices", int(slices), len(pages) if pages.ndim == 3 else 1)
        table.fact(name, "ImageJ", "mean", round(float(mean), 3), round(float(first.mean()), 3))
        table.fact(name, "ImageJ", "size", [float(each) for each in voxel[:len(size)]], [float(each) for each in size])
        table.fact(name, "ImageJ", "unit", unit in ("um", "µm", "micron", "microns"), True)
        table.fact(name, "ImageJ", "shows the brightest", float(low) < float(high) <= 2 * float(pages.max()), True)


if __name__ == "__main__":
    if not IMAGEJ.exists() or shutil.which("java") is None:
        skip("no ImageJ; Debian has imagej")
    if shutil.which("xvfb-run") is None:
        skip("no xvfb-run; Debian has xvfb and xauth")
    facts = Table(program_in(sys.argv[1]))
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        main(facts, place)
        os.chdir("/")
    sys.exit(facts.end())
