"""Times of the Python module beside scikit-image, and the time that the module adds to the engine's.

usage: PYTHONPATH=build/release/python compare_skimage.py [SIDE[,SIDE..] [REPEAT]]

The pictures are noise of two scales, SIDE x SIDE pixels at 8 and 16 bits: 4 and 20 megapixels by default. Times of
pollard are medians of REPEAT runs, those of scikit-image of one run; on a machine with other work, compare the times of
processors. "overhead" is the time of max_tree() in Python less that of the engine alone.
"""
import os
import statistics
import sys
import time

import numpy as np
from skimage import morphology

import pollard_morphology as pollard


def picture(side, dtype):
    rng = np.random.default_rng(1)
    coarse = np.kron(rng.random((side // 16 + 1, side // 16 + 1)), np.ones((16, 16)))[:side, :side]
    values = 0.7 * coarse + 0.3 * rng.random((side, side))
    return (values * np.iinfo(dtype).max).astype(dtype)


def seconds(call, repeat):
    """Medians of the time that passes and of the time of all processors together."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return [statistics.median(each) for each in zip(*times)]


def compare(side, repeat):
    print(f"{side} x {side} px, {pollard.devices()[-1]['device']}, load {os.getloadavg()[0]:.1f}, "
          f"scikit-image {sys.modules['skimage'].__version__}")
    for dtype in (np.uint8, np.uint16):
        image = picture(side, dtype)
        tree = pollard.max_tree(image, device="cpu")
        name = np.dtype(dtype).name
        for label, ours, theirs in [
                ("max_tree", lambda: pollard.max_tree(image, device="cpu"), lambda: morphology.max_tree(image)),
                ("area_opening", lambda: pollard.area_opening(image, 64), lambda: morphology.area_opening(image, 64)),
                ("diameter_opening", lambda: pollard.diameter_opening(image, 8), None),
                ("h_maxima", lambda: pollard.h_maxima(image, 20), lambda: morphology.h_maxima(image, 20)),
                ("filter of a tree", lambda: tree.filter("area >= 64"), None)]:
            mine = seconds(ours, repeat)
            line = f"{name:7} {label:17} {mine[0] * 1e3:9.1f} ms, {mine[1] * 1e3:9.1f} ms of processors"
            if theirs:
                other = seconds(theirs, 1)
                line += (f"; scikit-image {other[0] * 1e3:10.1f} ms ({other[0] / mine[0]:.0f} times), "
                         f"{other[1] * 1e3:.1f} ms of processors ({other[1] / mine[1]:.0f} times)")
            print(line, flush=True)
        beside = []
        for _ in range(repeat):
            tree = None  # whose memory is given back before
            start = time.perf_counter()
            tree = pollard.max_tree(image, device="cpu")
            whole = (time.perf_counter() - start) * 1e3
            beside.append((whole - tree.build_ms, tree.build_ms))
        added, engine = (statistics.median(values) for values in zip(*beside))
        print(f"{name:7} overhead {added:.2f} ms of {engine:.1f} ms ({added / engine:.1%})", flush=True)


def main():
    sides = sys.argv[1] if len(sys.argv) > 1 else "2048,4472"
    for side in sides.split(","):
        compare(int(side), int(sys.argv[2]) if len(sys.argv) > 2 else 9)


if __name__ == "__main__":
    main()
