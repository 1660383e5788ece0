#!/usr/bin/env python3
"""Packs the PNG files of the icon into pollard.ico, for Windows: pollard_ico.py FOLDER"""
import pathlib
import struct
import sys

SIDES = (16, 24, 32, 48, 64, 128, 256)


def main():
    folder = pathlib.Path(sys.argv[1])
    images = [(folder / f"pollard-{side}.png").read_bytes() for side in SIDES]
    offset = 6 + 16 * len(SIDES)
    head = struct.pack("<HHH", 0, 1, len(SIDES))
    for side, image in zip(SIDES, images):
        head += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(image), offset)
        offset += len(image)
    (folder / "pollard.ico").write_bytes(head + b"".join(images))


if __name__ == "__main__":
    main()
