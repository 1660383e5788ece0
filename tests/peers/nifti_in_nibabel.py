#!/usr/bin/env python3
"""Images and volumes as NIfTI, read by nibabel: samples, values, sides of voxels (none is 0), any affine.

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


def affines(program):
    """Random affines, flipped, oblique and sheared, with slope and intercept, from nibabel to nibabel and back."""
    random = np.random.default_rng(5)
    wrong = 0
    for number in range(12):
        turned, _ = np.linalg.qr(random.normal(size=(3, 3)))
        affine = np.eye(4)
        affine[:3, :3] = turned * random.uniform(0.3, 4, 3) * random.choice([-1, 1], 3)
        affine[:3, 1] += affine[:3, 0] / 4 if number % 3 == 2 else 0
        affine[:3, 3] = random.uniform(-200, 200, 3)
        samples = random.integers(-1024, 3000, (7, 6, 5)).astype(np.int16)
        source = nibabel.Nifti1Image(samples, affine.astype(np.float32))
        source.header.set_xyzt_units("mm")
        source.header.set_slope_inter(0.5, -3)
        nibabel.save(source, "a.nii")
        for ending in (".nii", ".nii.gz", ".nrrd", ".mha"):
            for before, after in (("a.nii", "b" + ending), ("b" + ending, "c.nii")):
                subprocess.run([program, "filter", before, "--volume", "-o", after, "--keep", "area>=1", "-q"], check=True)
            before, after = nibabel.load("a.nii"), nibabel.load("c.nii")
            good = (np.allclose(after.affine, before.affine, atol=1e-4, rtol=1e-6)
                    and np.array_equal(after.get_fdata(), before.get_fdata()))
            wrong += not good
            if not good:
                print(f"affine {number} through {ending}:\n{before.affine}\n{after.affine}")
    print(f"12 affines through four formats: {wrong} differ")
    return wrong


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "pollard-cli")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        plane = (np.random.default_rng(2).random((40, 60)) * 60000).astype(np.uint16)
        volume = np.stack([np.roll(plane, k, 1) for k in range(5)])
        scale = {"resolution": (5, 5)}
        tifffile.imwrite("picture.tif", plane, imagej=True, metadata={"unit": "um"}, **scale)
        tifffile.imwrite("plain.tif", plane)
        tifffile.imwrite("volume.tif", volume, imagej=True, metadata={"axes": "ZYX", "spacing": 1.5, "unit": "um"}, **scale)
        for name, samples, sides in (("picture", plane, (0.2, 0.2, 1)), ("plain", plane, (1, 1, 1)),
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
        wrong += affines(program)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
