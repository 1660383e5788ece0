"""Small grey TIFF files from bytes, without libraries."""
import random
import struct
import zlib

ROWS = 64  # of a strip


def levels(pixels, bits, seed):
    """Random levels of few heights, so that components have many sizes."""
    data = random.Random(seed).randbytes(pixels * bits // 8)
    mask = b"\x07" if bits == 8 else b"\x03\x07"
    whole = int.from_bytes(data, "little") & int.from_bytes(mask * pixels, "little")
    return whole.to_bytes(len(data), "little")


def write(path, width, height, bits, data, damaged=False):
    """Writes a TIFF with deflated strips; the last one cannot be decoded if it is damaged."""
    row = width * bits // 8
    strips = [zlib.compress(data[y * row:min(height, y + ROWS) * row]) for y in range(0, height, ROWS)]
    if damaged:
        strips[-1] = bytes(len(strips[-1]))
    places, at = [], 8
    for strip in strips:
        places.append(at)
        at += len(strip)
    lists = struct.pack(f"<{len(strips)}I", *places) + struct.pack(f"<{len(strips)}I", *map(len, strips))
    at += at % 2
    tags = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, bits), (259, 3, 1, 8), (262, 3, 1, 1),
            (273, 4, len(strips), at), (277, 3, 1, 1), (278, 4, 1, ROWS),
            (279, 4, len(strips), at + 4 * len(strips))]
    directory = struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags) + bytes(4)
    body = b"".join(strips)
    with open(path, "wb") as file:
        file.write(struct.pack("<2sHI", b"II", 42, at + len(lists)) + body + bytes(len(body) % 2) + lists + directory)
