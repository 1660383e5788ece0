#!/usr/bin/env python3
"""Times CuPy's connected-component labelling beside Pollard's on the same masks and the same machine.

    scripts/compare_cupy.py build/release/bin/pollard-cli [--side 4096] [--granularity 1,4,16] [--density 10,50,90]

Masks are random squares, written as PGM files that `pollard-cli bench --components` reads, so that both label the same
pixels; the number of objects is compared. CuPy is timed with its mask in GPU memory, by CUDA events; Pollard's time is
that of its kernels, copies not counted (docs/benchmarks.md). Prints a table in Markdown. Needs NumPy, CuPy and a GPU
that CuPy and the program can use.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
except ImportError:
    sys.exit("compare_cupy.py: NumPy is not installed (python3-numpy)")
try:
    import cupy
    import cupyx.scipy.ndimage
except ImportError:
    sys.exit("compare_cupy.py: CuPy is not installed (https://docs.cupy.dev/en/stable/install.html)")


def numbers(text):
    return [int(part) for part in text.split(",")]


def squares(side, granularity, density, seed):
    count = -(-side // granularity)
    chosen = numpy.random.default_rng(seed).random((count, count)) * 100 < density
    return numpy.kron(chosen, numpy.ones((granularity, granularity), bool))[:side, :side]


def write_pgm(path, mask):
    with open(path, "wb") as file:
        file.write(f"P5\n{mask.shape[1]} {mask.shape[0]}\n255\n".encode())
        file.write((mask * numpy.uint8(255)).tobytes())


def time_cupy(mask, structure, repeat):
    on_device = cupy.asarray(mask)
    times = []
    count = 0
    for i in range(repeat + 1):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        _, count = cupyx.scipy.ndimage.label(on_device, structure)
        end.record()
        end.synchronize()
        if i > 0:  # the first run compiles
            times.append(cupy.cuda.get_elapsed_time(start, end))
    return statistics.median(times), int(count)


def time_pollard(program, file, connectivity, repeat):
    command = [program, "bench", str(file), "--components", "--engine", "cuda", "--algorithms", "strips",
               "--connectivity", str(connectivity), "--repeat", str(repeat), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    rows = json.loads(done.stdout)["results"]
    row = next(each for each in rows if each["stage"] == "labels/kernels")
    return row["ms"], row["nodes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="pollard-cli with the CUDA engine")
    parser.add_argument("--side", type=int, default=4096, help="px")
    parser.add_argument("--granularity", type=numbers, default=[1, 4, 16])
    parser.add_argument("--density", type=numbers, default=[10, 50, 90], help="%%")
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    print("| g, d | neighbours | objects | CuPy label, ms | strips, labels, ms |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for granularity in options.granularity:
            for density in options.density:
                mask = squares(options.side, granularity, density, seed=granularity * 100 + density)
                file = Path(folder) / f"g{granularity}d{density}.pgm"
                write_pgm(file, mask)
                for connectivity, structure in ((4, None), (8, numpy.ones((3, 3), int))):
                    theirs, count = time_cupy(mask, structure, options.repeat)
                    ours, objects = time_pollard(options.program, file, connectivity, options.repeat)
                    if count != objects:
                        sys.exit(f"{file.name}: CuPy finds {count} objects, Pollard {objects}")
                    print(f"| {granularity}, {density} | {connectivity} | {objects:,} | {theirs:.3f} | {ours:.3f} |")


if __name__ == "__main__":
    main()
