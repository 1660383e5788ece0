#!/usr/bin/env python3
"""Pictures and volumes as NIfTI, read by nibabel: samples, sides of voxels, no side of 0.

Usage: nifti_in_nibabel.py FOLDER_OF_THE_PROGRAMS
"""
import os
import subprocess
import sys
import tempfile

try:
    import nibabel
    import numpy as np
    import tifffile
except ImportError as missing:
    print(f"nifti_in_nibabel: {missing}")
    sys.exit(77)


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "pollard-cli")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        picture = (np.random.default_rng(2).random((40, 60)) * 60000).astype(np.uint16)
        volume = np.stack([np.roll(picture, k, 1) for k in range(5)])
        scale = {"resolution": (5, 5)}
        tifffile.imwrite("picture.tif", picture, imagej=True, metadata={"unit": "um"}, **scale)
        tifffile.imwrite("plain.tif", picture)
        tifffile.imwrite("volume.tif", volume, imagej=True, metadata={"axes": "ZYX", "spacing": 1.5, "unit": "um"}, **scale)
        for name, samples, sides in (("picture", picture, (0.2, 0.2, 1)), ("plain", picture, (1, 1, 1)),
                                     ("volume", volume, (0.2, 0.2, 1.5))):
            more = ["--volume"] if name == "volume" else []
            done = subprocess.run([program, "filter", f"{name}.tif", "-o", "r.nii", "--keep", "area>=1", "-q", *more],
                                  capture_output=True, text=True)
            if done.returncode:
                print(name, done.stderr)
                wrong += 1
                continue
            image = nibabel.load("r.nii")
            same = np.array_equal(np.squeeze(np.asarray(image.dataobj)).T, samples)
            zooms = tuple(round(float(x), 6) for x in image.header.get_zooms()[:3])
            problems = nibabel.Nifti1Header.diagnose_binaryblock(open("r.nii", "rb").read(348))
            good = same and zooms == sides and not problems
            wrong += not good
            print(f"{name:8} samples {'equal' if same else 'differ'}, sides {zooms}, expected {sides} {problems}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
