#!/usr/bin/python3
"""Regions of objects, measured by ImageJ: the perimeter of each traced region equals that of Analyze Particles.

Usage: rois_in_imagej.py FOLDER_OF_THE_PROGRAMS
"""
import os
import shutil
import subprocess
import sys
import tempfile

JAR = "/usr/share/java/ij.jar"
try:
    import numpy as np
    import tifffile
except ImportError as missing:
    print(f"rois_in_imagej: {missing}")
    sys.exit(77)
for needed in ("java", "xvfb-run"):
    if not shutil.which(needed) or not os.path.exists(JAR):
        print("rois_in_imagej: ImageJ (Debian's imagej) or xvfb is missing")
        sys.exit(77)

MACRO = r"""
setBatchMode(true);
run("Set Measurements...", "area perimeter centroid redirect=None decimal=9");
open("FOLDER/mask.tif");
setThreshold(255, 255);
run("Analyze Particles...", "size=0-Infinity display clear");
for (i = 0; i < nResults; i++)
    File.append(d2s(getResult("Area", i), 4) + " " + d2s(getResult("X", i), 4) + " " + d2s(getResult("Y", i), 4) + " " +
                d2s(getResult("Perim.", i), 9), "FOLDER/particles.txt");
run("Clear Results");
roiManager("Open", "FOLDER/rois.zip");
n = roiManager("count");
for (i = 0; i < n; i++) {
    roiManager("select", i);
    if (Roi.getType == "traced") {
        List.setMeasurements;
        File.append(d2s(List.getValue("Area"), 4) + " " + d2s(List.getValue("X"), 4) + " " +
                    d2s(List.getValue("Y"), 4) + " " + d2s(List.getValue("Perim."), 9), "FOLDER/regions.txt");
    }
}
"""


def blobs():
    """Objects of many shapes without pieces that meet at corners only."""
    random = np.random.default_rng(3)
    noise = random.normal(size=(240, 300))
    for _ in range(6):
        noise = sum(np.roll(noise, shift, axis) for axis in (0, 1) for shift in (-1, 0, 1)) / 6
    return np.where(noise > noise.std() / 2, 255, 0).astype(np.uint8)


def table(name):
    with open(name) as file:
        return {tuple(line.split()[:3]): float(line.split()[3]) for line in file}


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "pollard-cli")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tifffile.imwrite("mask.tif", blobs())
        recipe = """{"pollard_recipe": 1, "name": "regions", "steps": [{"id": "objects", "version": 1, "parameters":
            {"of": "original", "threshold": "hand", "levels": [255, 255], "connectivity": 8, "files": ["rois"]}}]}"""
        with open("regions.json", "w") as file:
            file.write(recipe)
        done = subprocess.run([program, "run", "regions.json", "mask.tif", "-o", "out"], capture_output=True, text=True)
        if done.returncode:
            print(done.stderr)
            return 1
        found = [name for name in os.listdir("out") if name.endswith(".zip")]
        shutil.copy(os.path.join("out", found[0]), "rois.zip")
        with open("measure.ijm", "w") as file:
            file.write(MACRO.replace("FOLDER", folder))
        subprocess.run(["timeout", "100", "xvfb-run", "-a", "java", "-jar", JAR, "-batch",
                        os.path.join(folder, "measure.ijm")], capture_output=True)
        particles, regions = table("particles.txt"), table("regions.txt")
    different = [key for key in regions if key not in particles or abs(particles[key] - regions[key]) > 1e-6]
    for key in different:
        print(f"object of {key[0]} px at {key[1]}, {key[2]}: {regions[key]}, ImageJ {particles.get(key)}")
    print(f"perimeters: {len(particles)} particles, {len(regions)} traced regions, {len(different)} differ")
    return bool(different) or not regions


if __name__ == "__main__":
    sys.exit(main())
