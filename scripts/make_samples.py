#!/usr/bin/env python3
"""Draws or cuts the sample images of resources/samples (see the tables there).

    scripts/make_samples.py --drawn resources/samples
    scripts/make_samples.py --hubble hubble_deep_field.jpg --retina retina.jpg --night citylights.tif resources/samples
    scripts/make_samples.py --coins coins.png --cell cell.png resources/samples

The drawn ones come from fixed seeds. The photographs are the files named in the table's column "source". Needs numpy,
Pillow, tifffile, and the fonts of DejaVu for the page.
"""
import argparse
import math
import pathlib

import numpy as np
import tifffile
from PIL import Image, ImageDraw, ImageFont

SUPERSAMPLING = 4
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"


def save(folder, name, pixels):
    tifffile.imwrite(folder / name, pixels, compression="zlib", predictor=True, photometric="minisblack",
                     software="", metadata=None)


def cells(size=384, count=60):
    """Fluorescent nuclei under a lamp that is brightest off the centre: 12-bit counts in 16 bits, and shot noise."""
    rng = np.random.default_rng(5)
    y, x = np.mgrid[0:size, 0:size].astype(float)
    background = 180 + 1500 * np.exp(-((x - 0.3 * size) ** 2 + (y - 0.35 * size) ** 2) / (2 * (0.42 * size) ** 2))
    image = background.copy()
    centres = []
    while len(centres) < count:
        centre = rng.uniform(14, size - 14, 2)
        if all(math.dist(centre, other) > 26 for other in centres):
            centres.append(centre)
    for cx, cy in centres:
        a, b, turn = rng.uniform(6.5, 9.5), rng.uniform(5.5, 7.5), rng.uniform(0, math.pi)
        u = (x - cx) * math.cos(turn) + (y - cy) * math.sin(turn)
        v = (y - cy) * math.cos(turn) - (x - cx) * math.sin(turn)
        distance = np.sqrt((u / a) ** 2 + (v / b) ** 2)
        image += rng.uniform(700, 1000) / (1 + np.exp(np.minimum((distance - 1) * 9, 50)))
    return rng.poisson(image).astype(np.uint16)


def touching_nuclei(size=256, clumps=14):
    """Fluorescent nuclei in clumps of one to four that touch, 8 bits with shot noise; and their labels."""
    rng = np.random.default_rng(23)
    y, x = np.mgrid[0:size, 0:size].astype(float)
    nuclei, nearest, labels = [], np.full((size, size), np.inf), np.zeros((size, size), np.uint16)
    image = np.full((size, size), 12.0)

    def apart(nucleus):
        """The smallest distance to another nucleus, in sums of radii."""
        return min((math.dist(nucleus[:2], other[:2]) / (nucleus[2] + other[2]) for other in nuclei), default=9)

    for _ in range(clumps):
        while True:
            first = (*rng.uniform(16, size - 16, 2), rng.uniform(8, 11))
            if apart(first) > 2.2:
                break
        clump, wanted = [first], int(rng.integers(1, 5))
        nuclei.append(first)
        for _ in range(60):
            if len(clump) == wanted:
                break
            cx, cy, near = clump[rng.integers(len(clump))]
            radius, angle = rng.uniform(7.5, 11), rng.uniform(0, 2 * math.pi)
            step = 0.92 * (near + radius)
            each = (cx + step * math.cos(angle), cy + step * math.sin(angle), radius)
            if 14 < min(each[:2]) and max(each[:2]) < size - 14 and apart(each) > 0.9:
                clump.append(each)
                nuclei.append(each)
    for number, (cx, cy, radius) in enumerate(nuclei, 1):
        a, b, turn = radius * rng.uniform(1, 1.15), radius * rng.uniform(0.88, 1), rng.uniform(0, math.pi)
        u = (x - cx) * math.cos(turn) + (y - cy) * math.sin(turn)
        v = (y - cy) * math.cos(turn) - (x - cx) * math.sin(turn)
        distance = np.hypot(u / a, v / b)
        labels = np.where((distance < 1) & (distance < nearest), number, labels).astype(np.uint16)
        nearest = np.minimum(nearest, distance)
        inside = (1 - 0.35 * distance**2).clip(0) / (1 + np.exp(np.minimum((distance - 1) * 10, 50)))
        image = np.maximum(image, 12 + rng.uniform(60, 150) * inside)
    return np.clip(rng.poisson(image * 2) / 2, 0, 255).astype(np.uint8), labels


def parts(width=480, height=360):
    """Nine nuts and seven screws on a dark bench."""
    rng = np.random.default_rng(11)
    s = SUPERSAMPLING
    layer = Image.new("L", (width * s, height * s), 0)
    draw = ImageDraw.Draw(layer)

    def turned(points, centre, angle):
        c, n = math.cos(angle), math.sin(angle)
        return [((centre[0] + px * c - py * n) * s, (centre[1] + px * n + py * c) * s) for px, py in points]

    def disc(centre, radius, level):
        draw.ellipse([(centre[0] - radius) * s, (centre[1] - radius) * s, (centre[0] + radius) * s,
                      (centre[1] + radius) * s], fill=level)

    cells_of_grid = [(column, row) for row in range(4) for column in range(4)]
    rng.shuffle(cells_of_grid)
    for number, (column, row) in enumerate(cells_of_grid):
        centre = ((column + 0.5) * width / 4 + rng.uniform(-8, 8), (row + 0.5) * height / 4 + rng.uniform(-5, 5))
        angle = rng.uniform(0, 2 * math.pi)
        level = int(rng.integers(165, 205))
        if number < 9:
            radius = rng.uniform(19, 24)
            hexagon = [(radius * math.cos(k * math.pi / 3), radius * math.sin(k * math.pi / 3)) for k in range(6)]
            draw.polygon(turned(hexagon, centre, angle), fill=level - 25)
            disc(centre, 0.80 * radius, level)
            disc(centre, 0.47 * radius, 0)
        else:
            length = rng.uniform(52, 60)
            shank = [(-length / 2, -4.5), (length / 2 - 4, -4.5), (length / 2, 0), (length / 2 - 4, 4.5),
                     (-length / 2, 4.5)]
            head = [(-length / 2 - 9, -11), (-length / 2, -11), (-length / 2, 11), (-length / 2 - 9, 11)]
            draw.polygon(turned(shank, centre, angle), fill=level - 25)
            for thread in np.arange(-length / 2 + 6, length / 2 - 5, 3.2):
                ridge = [(thread, -5.5), (thread + 1.4, -5.5), (thread + 2.4, 5.5), (thread + 1.0, 5.5)]
                draw.polygon(turned(ridge, centre, angle), fill=level)
            draw.polygon(turned(head, centre, angle), fill=level)
    shapes = np.asarray(layer.resize((width, height), Image.Resampling.BOX)).astype(float)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    bench = 34 + 26 * x / width + 10 * y / height
    image = np.maximum(bench, shapes) + rng.normal(0, 2, shapes.shape)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


TEXT = ["A tree of components", "",
        "Every grey level cuts an image into regions that are",
        "at least as dark. With a brighter level the regions grow",
        "and join; what joins what is a tree. The letters of this",
        "page are small regions that end in paper. The shadow of",
        "its fold and the edge of the table reach the border of",
        "the image, and so they belong to the ground.", "",
        "Take away what is small and does not touch the border:",
        "the paper is left, with its stains and its uneven light.",
        "What was taken away is the text on an even ground."]


def page(width=480, height=320):
    """A photographed page: uneven light, a fold, a stain, and the table's edge."""
    rng = np.random.default_rng(3)
    s = SUPERSAMPLING
    layer = Image.new("L", (width * s, height * s), 0)
    draw = ImageDraw.Draw(layer)
    for number, line in enumerate(TEXT):
        font = ImageFont.truetype(FONT, (21 if number == 0 else 14) * s)
        draw.text((44 * s, (18 + 22 * number) * s), line, font=font, fill=255)
    ink = np.asarray(layer.resize((width, height), Image.Resampling.BOX)).astype(float) / 255
    y, x = np.mgrid[0:height, 0:width].astype(float)
    light = 232 - 95 * (x / width) ** 1.5 - 30 * y / height
    light -= 70 * np.exp(-x / 12)
    light -= 26 * np.exp(-(((x - 360) / 70) ** 2 + ((y - 215) / 45) ** 2) ** 2)
    light[height - 14:, :] = 40
    image = light * (1 - 0.72 * ink) + rng.normal(0, 1.6, light.shape)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def crop(path, left, top, width, height, channel=None):
    image = tifffile.imread(path) if path.suffix == ".tif" else np.asarray(Image.open(path))
    part = image[top:top + height, left:left + width]
    return np.ascontiguousarray(part if part.ndim == 2 else part[..., channel])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--drawn", action="store_true")
    for name in ("hubble", "retina", "night", "coins", "cell"):
        options.add_argument(f"--{name}", type=pathlib.Path)
    options.add_argument("folder", type=pathlib.Path)
    asked = options.parse_args()
    if asked.drawn:
        save(asked.folder, "cells_uneven_384_u16.tif", cells())
        nuclei, labels = touching_nuclei()
        save(asked.folder, "nuclei_touching_256_u8.tif", nuclei)
        save(asked.folder, "nuclei_touching_labels_256_u16.tif", labels)
        save(asked.folder, "nuts_and_screws_480x360_u8.tif", parts())
        save(asked.folder, "page_480x320_u8.tif", page())
    if asked.hubble:
        save(asked.folder, "deep_field_400_u8.tif", crop(asked.hubble, 420, 330, 400, 400, 1))
    if asked.retina:
        save(asked.folder, "retina_vessels_480x360_u8.tif", crop(asked.retina, 340, 190, 480, 360, 1))
    if asked.night:
        save(asked.folder, "city_lights_400x300_u16.tif", crop(asked.night, 3980, 2640, 400, 300))
    if asked.coins:
        save(asked.folder, "coins_384x303_u8.tif", crop(asked.coins, 0, 0, 384, 303))
    if asked.cell:
        save(asked.folder, "cell_phase_300_u8.tif", crop(asked.cell, 250, 225, 300, 300))


if __name__ == "__main__":
    main()
