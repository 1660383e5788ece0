"""Reads NIfTI and NRRD files of pollard-cli with NumPy alone, by the places and names of the fields in the standards, and
compares them with the values of the source.

usage: voxel_files_test.py POLLARD_CLI; exit status 77: NumPy is missing
"""

import gzip
import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError as problem:
    print(f"skipped: {problem}")
    sys.exit(77)

TYPES = {2: "u1", 4: "<i2", 8: "<i4", 16: "<f4", 64: "<f8", 256: "i1", 512: "<u2", 768: "<u4"}
failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED:", message)


def read_nifti(path):
    """Voxels of shape (z, y, x), their size, the unit and the rows of the sform."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    check(struct.unpack_from("<i", data, 0)[0] == 348 and data[344:348] == b"n+1\0", path + ": magic")
    sides = struct.unpack_from("<8h", data, 40)
    code, bits = struct.unpack_from("<2h", data, 70)
    sizes = struct.unpack_from("<8f", data, 76)
    offset, slope, intercept = struct.unpack_from("<3f", data, 108)
    check(sides[0] == 3 and slope == 1 and intercept == 0 and offset == 352, path + ": header")
    kind = numpy.dtype(TYPES[code])
    check(kind.itemsize * 8 == bits, path + ": bits")
    voxels = numpy.frombuffer(data, kind, offset=352).reshape(sides[3:0:-1])
    qform, sform = struct.unpack_from("<2h", data, 252)
    rows = numpy.array(struct.unpack_from("<12f", data, 280)).reshape(3, 4) if sform > 0 else None
    return voxels, sizes[1:4], data[123], rows


def read_nrrd(path):
    """Voxels of shape (z, y, x) and the fields of the header."""
    with open(path, "rb") as file:
        header, data = file.read().split(b"\n\n", 1)
    lines = header.decode().split("\n")
    check(lines[0] == "NRRD0004", path + ": magic")
    fields = dict(line.split(": ", 1) for line in lines[1:] if not line.startswith("#"))
    check(fields["encoding"] == "gzip" and fields["endian"] == "little", path + ": encoding")
    kind = numpy.dtype(fields["type"].replace("float", "float32").replace("double", "float64"))
    sizes = [int(size) for size in fields["sizes"].split()]
    check(int(fields["dimension"]) == len(sizes), path + ": dimension")
    return numpy.frombuffer(gzip.decompress(data), kind).reshape(sizes[::-1]), fields


def write_nifti(path, voxels, code, rows):
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *voxels.shape[::-1], 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, code, voxels.dtype.itemsize * 8)
    struct.pack_into("<8f", header, 76, 1, 0.75, 0.75, 1.5, 1, 1, 1, 1)
    struct.pack_into("<3f", header, 108, 352, 1, 0)
    header[123] = 2
    struct.pack_into("<h", header, 254, 1)
    struct.pack_into("<12f", header, 280, *rows)
    header[344:348] = b"n+1\0"
    with open(path, "wb") as file:
        file.write(bytes(header) + voxels.tobytes())


def main(program):
    random = numpy.random.default_rng(5)
    shape = (6, 9, 12)
    rows = [-0.75, 0, 0, 31.5, 0, 0.75, 0, -40.25, 0, 0, 1.5, 12]
    sources = {"u8": (2, random.integers(0, 256, shape, "u1")), "i16": (4, random.integers(-1024, 3000, shape, "<i2")),
               "u16": (512, random.integers(0, 65536, shape, "<u2")), "i32": (8, random.integers(-9, 60000, shape, "<i4")),
               "f32": (16, random.normal(0, 3, shape).astype("<f4"))}
    with tempfile.TemporaryDirectory() as folder:
        for name, (code, voxels) in sources.items():
            source = os.path.join(folder, name + ".nii")
            write_nifti(source, voxels, code, rows)
            span = float(voxels.max()) - float(voxels.min())
            tolerance = 0.51 * span / 65535 if voxels.dtype.kind == "f" else 0
            for ending in (".nii", ".nii.gz", ".nrrd"):
                out = os.path.join(folder, "out-" + name + ending)
                subprocess.run([program, "filter", source, "--volume", "--keep", "area>=1", "-o", out, "--quiet"],
                               check=True)
                if ending == ".nrrd":
                    found, fields = read_nrrd(out)
                    check(fields["space directions"] == "(-0.75,0,0) (0,0.75,0) (0,0,1.5)", out + ": directions")
                    check(fields["space origin"] == "(31.5,-40.25,12)", out + ": origin")
                    check(fields["space"] == "right-anterior-superior", out + ": space")
                else:
                    found, size, unit, sform = read_nifti(out)
                    check(size == (0.75, 0.75, 1.5) and unit == 2, out + ": voxel size")
                    check(sform is not None and (sform.ravel() == rows).all(), out + ": sform")
                check(found.shape == shape, out + ": shape")
                check(numpy.abs(found.astype("f8") - voxels.astype("f8")).max() <= tolerance, out + ": values")
                if name in ("u8", "i16", "u16", "f32"):
                    check(found.dtype == voxels.dtype, f"{out}: type {found.dtype}")
        # A residue has differences; labels have 32 bits.
        source = os.path.join(folder, "i16.nii")
        out = os.path.join(folder, "residue.nrrd")
        call = [program, "filter", source, "--volume", "--keep", "area>=30", "-o"]
        subprocess.run(call + [out, "--output", "residue", "--quiet"], check=True)
        kept = os.path.join(folder, "kept.nii.gz")
        subprocess.run(call + [kept, "--quiet"], check=True)
        residue = read_nrrd(out)[0].astype("i8")
        check((residue == sources["i16"][1].astype("i8") - read_nifti(kept)[0]).all() and residue.max() > 0, "residue")
        subprocess.run(call + [os.path.join(folder, "labels.nii"), "--output", "labels", "--quiet"], check=True)
        check(read_nifti(os.path.join(folder, "labels.nii"))[0].dtype == "<u4", "labels")
        subprocess.run([program, "tree", source, "--volume", "--parent", os.path.join(folder, "parent.nrrd"), "--quiet"],
                       check=True)
        check(read_nrrd(os.path.join(folder, "parent.nrrd"))[0].max() < numpy.prod(shape), "parents")
        # A part has an origin of its own.
        part = os.path.join(folder, "part.nii")
        subprocess.run(call + [part, "--region", "2,1,6,5", "--quiet"], check=True)
        voxels, size, _, sform = read_nifti(part)
        check(voxels.shape == (6, 5, 6) and size == (0.75, 0.75, 1.5), "part")
        moved = [-0.75, 0, 0, 31.5 - 2 * 0.75, 0, 0.75, 0, -40.25 + 0.75, 0, 0, 1.5, 12]
        check(sform is not None and (sform.ravel() == moved).all(), "place of a part")
        small = os.path.join(folder, "small.nii")
        subprocess.run(call + [small, "--shrink", "2", "--quiet"], check=True)
        voxels, size, _, sform = read_nifti(small)
        halved = [-1.5, 0, 0, 31.5 - 0.375, 0, 1.5, 0, -40.25 + 0.375, 0, 0, 3, 12.75]
        check(voxels.shape == (3, 5, 6) and size == (1.5, 1.5, 3), "shrunk")
        check(sform is not None and (sform.ravel() == halved).all(), "place of a shrunk volume")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
