"""A short test of an installed package: ``python -m pollard_morphology.selftest``.

Small images and volumes are made, and results compared with plain NumPy. A line is printed for each check; the exit
status is 1 if one fails.
"""

import base64
import itertools
import pathlib
import struct
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Dict, List, Tuple

import numpy as np

import pollard_morphology as pollard

# An image of 8 x 8 pixels, and its files as other programs write them.
RAMP = np.add.outer(np.arange(8) * 16, np.arange(8) * 8).astype(np.uint8)
ENCODED = {
    "jpg":
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkK"
        "Cgr/wAALCAAIAAgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJx"
        "FDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZ"
        "mqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APk/9m3/AIJt/wDHv/xIPT/llX//"
        "2Q==",
    "jp2":
        "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAACAAAAAgAAQcHAAAAAAAPY29scgEAAAAAABEAAACzanAyY/9P"
        "/1EAKQAAAAAACAAAAAgAAAAAAAAAAAAAAAgAAAAIAAAAAAAAAAAAAQcBAf9SAAwAAAABAAMEBAAB/1wADUBASEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBi"
        "eSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAOAAB/5PPtAwG/3/D6gKPtAgEPwRfwfOEh9QGDQH/fws9hcD5AcHzgwAiGg8Df+v/2Q==",
    "webp":
        "UklGRiYAAABXRUJQVlA4TBoAAAAvB8ABAM1lRP8DRNo2g4Pzr/fsBiJiAnB3Aw==",
}


def neighbours(axes: int, connectivity: int) -> List[Tuple[int, ...]]:
    """Steps to the neighbours of a pixel."""
    steps = itertools.product((-1, 0, 1), repeat=axes)
    return [step for step in steps if 0 < sum(map(abs, step)) <= connectivity]


def labels_of(mask: np.ndarray, connectivity: int) -> np.ndarray:
    """Numbers each pixel of a mask by the last pixel of its component, counted from 1; 0 outside."""
    found = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    inner = tuple(slice(1, -1) for _ in mask.shape)
    while True:
        padded = np.pad(found, 1)
        spread = found
        for step in neighbours(mask.ndim, connectivity):
            spread = np.maximum(spread, np.roll(padded, step, range(mask.ndim))[inner])
        spread = np.where(mask, spread, 0)
        if np.array_equal(spread, found):
            return found
        found = spread


def opened_by_area(image: np.ndarray, area: int, connectivity: int) -> np.ndarray:
    """Area opening, one threshold after the other."""
    values = np.unique(image)
    result = np.full(image.shape, values[0])
    for value in values[1:]:
        labels = labels_of(image >= value, connectivity)
        sizes = np.bincount(labels.ravel())
        result[(labels > 0) & (sizes[labels] >= area)] = value
    return result


def made_image(shape: Tuple[int, ...], values: int = 9, seed: int = 1) -> np.ndarray:
    """Random values from 0 on in patches of two pixels a side."""
    small = np.random.default_rng(seed).integers(0, values, [-(-side // 2) for side in shape], dtype=np.uint8)
    for axis in range(len(shape)):
        small = small.repeat(2, axis)
    return small[tuple(slice(side) for side in shape)]


def expect(condition: object, what: str) -> None:
    """Raises AssertionError, with and without ``python -O``."""
    if not np.all(condition):
        raise AssertionError(what)


def images() -> str:
    """Area openings of images and volumes."""
    shapes = [((60,), 1), ((23, 31), 1), ((23, 31), 2), ((9, 11, 13), 1), ((9, 11, 13), 3)]
    for shape, connectivity in shapes:
        image = made_image(shape)
        for area in (2, 6, 40):
            found = pollard.area_opening(image, area, connectivity)
            expect(found == opened_by_area(image, area, connectivity), f"{shape}, area {area}, connectivity {connectivity}")
    return f"{len(shapes)} kinds, 3 areas each"


def types() -> str:
    """Results have the type of the image, and the values of an opening."""
    image = made_image((20, 24))
    kinds = ["u1", "u2", "u4", "i1", "i2", "i4", "i8", "f4", "f8", ">u2"]
    for kind in kinds:
        typed = image.astype(kind)
        if typed.dtype.kind in "if":
            typed -= 4
        found = pollard.area_opening(typed, 6, 1)
        expect(found.dtype == typed.dtype.newbyteorder("="), f"{kind}: the result is {found.dtype}")
        expect(found == opened_by_area(typed, 6, 1), kind)
    return ", ".join(kinds)


def trees() -> str:
    """Nodes, areas and a filter of a tree and of the tree of the inverted image."""
    image = made_image((40, 50))
    tree = pollard.max_tree(image)
    peaks = sum(np.unique(labels_of(image >= value, 1)).size - 1 for value in np.unique(image))
    expect(tree.num_nodes <= peaks, f"{tree.num_nodes} nodes, but {peaks} components")
    expect(tree["area"].max() == image.size, "the root has not all pixels")
    expect(tree.filter("area >= 30") == opened_by_area(image, 30, 1), "area >= 30")
    closed = 255 - opened_by_area(255 - image, 30, 1)
    expect(pollard.max_tree(image, kind="min").filter("area >= 30") == closed, "min-tree, area >= 30")
    return f"{tree.num_nodes} nodes"


def threads() -> str:
    """Calls from eight threads at once."""
    sources = [made_image((64, 64), seed=seed) for seed in range(8)]
    alone = [pollard.area_opening(image, 20, 1) for image in sources]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda image: pollard.area_opening(image, 20, 1), sources * 4))
    expect([np.array_equal(found, alone[index % 8]) for index, found in enumerate(together)], "threads disturb each other")
    return "8 threads, 32 calls"


def objects() -> str:
    """Labels and areas of the objects of a mask."""
    mask = made_image((40, 50)) > 4
    labels = labels_of(mask, 1)
    numbers, first = np.unique(labels[mask], return_index=True)
    ordered = numbers[np.argsort(first)]
    found = pollard.objects(mask, connectivity=1)
    expect(found.labels[mask] == np.argsort(np.argsort(first))[np.searchsorted(numbers, labels[mask])] + 1, "labels")
    expect(found.labels[~mask] == 0, "labels outside")
    expect(found.table["area"] == np.bincount(labels.ravel())[ordered], "areas")
    return f"{numbers.size} objects"


def png_of(image: np.ndarray) -> bytes:
    """PNG file of 8-bit grey."""
    height, width = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def tiff_of(image: np.ndarray) -> bytes:
    """TIFF file of 8-bit grey, compressed with Deflate."""
    height, width = image.shape
    data = zlib.compress(image.tobytes())
    entries = [(256, width), (257, height), (258, 8), (259, 8), (262, 1), (273, 8), (277, 1), (278, height), (279, len(data))]
    directory = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
    return struct.pack("<2sHI", b"II", 42, 8 + len(data)) + data + struct.pack("<H", len(entries)) + directory + bytes(4)


def recipes() -> str:
    """A recipe on an array, saved, read and run on files of five formats."""
    step = {"id": "filter", "version": 1, "parameters": {"criteria": ["area>=20"], "match": "all", "rule": "direct"}}
    tree = {"id": "tree", "version": 1, "parameters": {"kind": "max", "connectivity": 4}}
    recipe = pollard.Recipe(repr({"pollard_recipe": 1, "name": "Openings", "steps": [tree, step]}).replace("'", '"'))
    expect(recipe(RAMP) == opened_by_area(RAMP, 20, 1), "a recipe on an array")
    files = {name: base64.b64decode(text) for name, text in ENCODED.items()}
    files.update(png=png_of(RAMP), tif=tiff_of(RAMP))
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "recipe.json"
        recipe.save(saved)
        again = pollard.Recipe.load(saved)
        expect(again.json() == recipe.json(), "a recipe after saving")
        for name, data in files.items():
            path = pathlib.Path(folder) / f"image.{name}"
            path.write_bytes(data)
            found = again.run(path).image.astype(int)
            lossy = 1 if name == "jpg" else 0
            expect(np.abs(found - opened_by_area(RAMP, 20, 1)) <= lossy, name)
    return ", ".join(sorted(files))


def errors() -> str:
    """Wrong arguments are refused with a sentence."""
    wrong: Dict[str, Callable[[], object]] = {
        "four axes": lambda: pollard.max_tree(np.zeros((2, 2, 2, 2))),
        "complex numbers": lambda: pollard.max_tree(np.zeros((2, 2), complex)),
        "an attribute": lambda: pollard.max_tree(RAMP).filter("girth >= 3"),
        "a recipe": lambda: pollard.Recipe("{}"),
    }
    for name, call in wrong.items():
        try:
            call()
        except (TypeError, ValueError) as refusal:
            expect(len(str(refusal)) > 10, name)
        else:
            raise AssertionError(f"{name}: not refused")
    return f"{len(wrong)} refusals"


def main() -> int:
    """Runs all checks. Returns the exit status."""
    start = time.monotonic()
    print(f"pollard_morphology {pollard.__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}")
    print("devices: " + "; ".join(f"{each['name']}, {each['unusable'] or each['device']}" for each in pollard.devices()))
    failed = 0
    for check in (images, types, trees, threads, objects, recipes, errors):
        try:
            print(f"ok      {check.__name__}: {check()}")
        except Exception as problem:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED  {check.__name__}: {type(problem).__name__}: {problem}")
    print(f"{failed or 'no'} failures, {time.monotonic() - start:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
