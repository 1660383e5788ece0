"""Makes the images of docs/gallery.md with the code of that page: gallery.py [--check]

PYTHONPATH names the folder of the built package. With --check it writes nothing, and the exit status is 1 if an image
differs from the one that is there. Needs NumPy, Pillow and tifffile.
"""
import io
import os
import re
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
WIDTH = 178  # of one of the two panels
GAP = 4
GREYS, COLOURS = 32, 64  # of the palette
TOLERANCE = 0.05  # mean difference of samples, for other roundings of scaled images
GREEN, ORANGE, BLUE = (70, 220, 90), (255, 150, 30), (70, 150, 255)


def grey(image, low=None, high=None):
    """(height, width, 3) uint8 of an image, from its value `low` to `high`."""
    low = np.percentile(image, 0.5) if low is None else low
    high = np.percentile(image, 99.7) if high is None else high
    shown = np.clip((image.astype(float) - low) / max(high - low, 1e-9), 0, 1) * 255
    return np.repeat(shown.astype(np.uint8)[..., np.newaxis], 3, axis=-1)


def same_window(before, after):
    """Two images from the same lowest to the same highest value."""
    low, high = np.percentile(before, 0.5), np.percentile(before, 99.7)
    return grey(before, low, high), grey(after, low, high)


def tinted(image, mask, colour):
    shown = image.copy()
    shown[mask] = (shown[mask] * 0.35 + np.array(colour) * 0.65).astype(np.uint8)
    return shown


def outlined(image, labels, colour_of):
    """Outlines of labels, two pixels wide, in the colour of each."""
    shown = image.copy()
    padded = np.pad(labels, 2, mode="edge")
    height, width = labels.shape
    is_edge = np.zeros(labels.shape, bool)
    for down, right in ((0, 2), (4, 2), (2, 0), (2, 4), (1, 1), (1, 3), (3, 1), (3, 3)):
        is_edge |= padded[down:down + height, right:right + width] != labels
    for label in range(1, int(labels.max()) + 1):
        shown[is_edge & (labels == label)] = colour_of(label)
    return shown


def coloured(image, labels):
    """Labels in a few colours over the image."""
    palette = [GREEN, ORANGE, BLUE, (230, 90, 220), (250, 230, 60), (80, 220, 220)]
    for label in range(1, int(labels.max()) + 1):
        image = tinted(image, labels == label, palette[label % len(palette)])
    return image


def with_contour(image, corners, colour):
    canvas = Image.fromarray(image)
    points = [(float(column), float(row)) for row, column in corners]
    ImageDraw.Draw(canvas).line([*points, points[0]], fill=colour, width=3)
    return np.asarray(canvas)


def with_marks(image, labels):
    """A disc at the centre of each label."""
    canvas = Image.fromarray(image)
    draw = ImageDraw.Draw(canvas)
    for label in range(1, int(labels.max()) + 1):
        row, column = np.argwhere(labels == label).mean(axis=0)
        draw.ellipse([column - 4, row - 4, column + 4, row + 4], fill=ORANGE)
    return np.asarray(canvas)


def power_of_ten(draw, power, left, top):
    """The number in digits of four columns; fonts differ between versions of Pillow."""
    draw.line([left, top, left, top + 7], fill="black")
    for zero in range(power):
        draw.rectangle([left + 3 + 6 * zero, top, left + 6 + 6 * zero, top + 7], outline="black")


def bars(share, edges, height):
    """A chart of shares per bin of a logarithmic axis, with a line and a number at each power of ten."""
    canvas = Image.new("RGB", (WIDTH, height), "white")
    draw = ImageDraw.Draw(canvas)
    left, right, top, bottom = 8, WIDTH - 22, 8, height - 16

    def place(value):
        return round(left + (right - left) * np.log(value / edges[0]) / np.log(edges[-1] / edges[0]))

    for power in range(round(np.log10(edges[0])), round(np.log10(edges[-1])) + 1):
        draw.line([place(10.0**power), top, place(10.0**power), bottom], fill=(200, 200, 200))
        power_of_ten(draw, power, place(10.0**power) - 3 * power, bottom + 5)
    for low, high, part in zip(edges, edges[1:], share / share.max()):
        draw.rectangle([place(low) + 1, bottom - round(part * (bottom - top)), place(high) - 1, bottom], fill=BLUE)
    draw.line([left, bottom, right, bottom], fill="black")
    return np.asarray(canvas)


def colour_image(channels):
    """Channels, each from 0 to its brightest pixels, as red, green and blue."""
    bright = np.sqrt(channels.astype(float))
    return np.stack([grey(bright[..., each], 0, np.percentile(bright[..., each], 98.5))[..., 0] for each in range(3)], -1)


# The two panels of each image, from the variables of the code.
PANELS = {
    "area": lambda v: same_window(v["image"], v["clean"]),
    "residue": lambda v: (grey(v["image"]), grey(v["flat"])),
    "elongation": lambda v: (grey(v["image"]), grey(v["vessels"], 0, 1)),
    "profile": lambda v: (grey(np.sqrt(v["image"])), colour_image(v["colours"])),
    "objects": lambda v: (grey(v["image"]), outlined(grey(v["image"]), v["found"].labels,
                                                     lambda label: GREEN if label in v["large"] else ORANGE)),
    "classes": lambda v: (grey(v["image"]), tinted(tinted(grey(v["image"]), v["nuts"], ORANGE), v["screws"], BLUE)),
    "contour": lambda v: (with_contour(grey(v["image"]), v["start"], ORANGE), with_contour(grey(v["image"]), v["end"], GREEN)),
    "volume": lambda v: (grey(v["volume"][10]), coloured(grey(v["volume"][10]), v["labels"][10])),
    "spectrum": lambda v: (grey(v["image"]), bars(v["share"], v["spectrum"].edges, height_of(v["image"]))),
    "h-maxima": lambda v: (grey(v["image"]), with_marks(grey(v["image"]), v["seeds"])),
    "recipe": lambda v: (grey(v["image"]), grey(v["letters"])),
    "mser": lambda v: (grey(v["image"]), coloured(grey(v["image"]), v["regions"].labels)),
}


def with_palette(pair):
    """The image with a palette of even greys and of the colours in it."""
    pixels = np.asarray(pair).reshape(-1, 3)
    vivid = pixels[np.ptp(pixels.astype(int), axis=1) > 24]
    palette = np.repeat(np.linspace(0, 255, GREYS).round().astype(np.uint8), 3)
    if len(vivid) != 0:
        chosen = Image.fromarray(vivid[np.newaxis]).quantize(COLOURS, Image.Quantize.MAXCOVERAGE).getpalette()[:3 * COLOURS]
        palette = np.concatenate([palette, np.array(chosen, np.uint8)])
    source = Image.new("P", (1, 1))
    source.putpalette(palette.tobytes())
    return pair.quantize(palette=source, dither=Image.Dither.NONE)


def height_of(panel):
    """Height of a panel that has WIDTH columns."""
    return round(WIDTH * panel.shape[0] / panel.shape[1])


def png_of(panels):
    """The bytes of a PNG with a palette: two panels side by side."""
    height = height_of(panels[0])
    pair = Image.new("RGB", (2 * WIDTH + GAP, height), "white")
    for at, panel in enumerate(panels):
        pair.paste(Image.fromarray(panel).resize((WIDTH, height), Image.LANCZOS), (at * (WIDTH + GAP), 0))
    kept = io.BytesIO()
    with_palette(pair).save(kept, "PNG", optimize=True)
    return kept.getvalue()


def images():
    """Names and bytes of the images of the page, by its code."""
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    space = {}
    os.chdir(ROOT)
    for code, name in re.findall(r"^```python\n(.*?)^```\n(?:\n!\[[^\]]+\]\(gallery-([\w-]+)\.png\))?", text, re.M | re.S):
        exec(compile(code, "docs/gallery.md", "exec"), space)  # pylint: disable=exec-used
        if name:
            yield f"gallery-{name}.png", png_of(PANELS[name](space))


def difference(new, path):
    """What differs between the bytes of an image and a file; "" for little."""
    if not path.exists():
        return "is missing"
    ours, theirs = (np.asarray(Image.open(each).convert("RGB"), float) for each in (io.BytesIO(new), path))
    if ours.shape != theirs.shape:
        return f"has the shape {theirs.shape}, the code of the page gives {ours.shape}"
    mean = np.abs(ours - theirs).mean()
    return f"differs by {mean:.2f} on the mean" if mean > TOLERANCE else ""


def main():
    made = dict(images())
    problems = [] if len(made) == len(PANELS) else ["docs/gallery.md: an image has no code before it"]
    for name, content in made.items():
        if "--check" not in sys.argv:
            (DOCS / name).write_bytes(content)
        elif difference(content, DOCS / name):
            problems.append(f"docs/{name}: {difference(content, DOCS / name)}; run scripts/gallery.py and look at it")
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
