"""Zarr and OME-Zarr: files of python3-zarr and of a small writer of Zarr 3 are read by pollard-cli with the same values,
and files that pollard-cli writes are read by python3-zarr with the same values.

usage: zarr_test.py POLLARD_CLI; exit status 77: NumPy or zarr is missing
"""

import csv
import gzip
import itertools
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

try:
    import numcodecs
    import numpy
    import zarr
except ImportError as problem:
    print(f"skipped: {problem}")
    sys.exit(77)

failures = []


def check(condition, message):
    if not condition:
        failures.append(message)
        print("FAILED:", message)


class Program:
    def __init__(self, path, folder):
        self.path = path
        self.folder = folder

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], capture_output=True, text=True)

    def info(self, path, *options):
        result = self.run("info", path, "--json", *options)
        check(result.returncode == 0, f"info {path}: {result.stderr}")
        return json.loads(result.stdout) if result.returncode == 0 else {}

    def values(self, path, *options):
        """Values of a page, or of a volume, by a NRRD file of the image that a filter left as it is."""
        out = os.path.join(self.folder, "values.nrrd")
        result = self.run("filter", path, "--keep", "area>=1", "-o", out, "--quiet", *options)
        check(result.returncode == 0, f"filter {path} {options}: {result.stderr}")
        if result.returncode != 0:
            return numpy.zeros(1)
        with open(out, "rb") as file:
            header, data = file.read().split(b"\n\n", 1)
        fields = dict(line.split(": ", 1) for line in header.decode().split("\n")[1:] if ": " in line)
        sizes = [int(size) for size in fields["sizes"].split()]
        kind = fields["type"].replace("float", "float32").replace("double", "float64")
        return numpy.frombuffer(gzip.decompress(data), kind).reshape(sizes[::-1])

    def refuses(self, path, what):
        """One line on stderr that holds the text, and exit status 1."""
        result = self.run("info", path)
        lines = result.stderr.strip().split("\n")
        check(result.returncode == 1 and len(lines) == 1 and what in lines[0], f"{path}: expected {what}: {lines}")


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


def encode3(codecs, chunk):
    """The bytes of a chunk by a list of codecs of Zarr 3; None where all is 0."""
    for codec in codecs:
        name, options = codec["name"], codec.get("configuration", {})
        if name == "transpose":
            chunk = chunk.transpose(options["order"])
        elif name == "bytes":
            order = {"little": "<", "big": ">", None: "|"}[options.get("endian")]
            chunk = chunk.astype(chunk.dtype.newbyteorder(order)).tobytes()
        elif name == "gzip":
            chunk = gzip.compress(chunk, options["level"])
        elif name == "zstd":
            chunk = numcodecs.Zstd(options["level"]).encode(chunk)
        elif name == "blosc":
            shuffle = {"noshuffle": 0, "shuffle": 1, "bitshuffle": 2}[options["shuffle"]]
            data = numpy.frombuffer(chunk, f"V{options['typesize']}") if options["typesize"] > 1 else chunk
            chunk = numcodecs.Blosc(options["cname"], options["clevel"], shuffle).encode(numpy.ascontiguousarray(data))
        elif name == "crc32c":
            chunk = bytes(chunk) + crc32c(chunk)
        elif name == "sharding_indexed":
            chunk = encode_shard(options, chunk)
    return bytes(chunk)


def boxes(shape, chunk):
    counts = [-(-side // part) for side, part in zip(shape, chunk)]
    for numbers in itertools.product(*map(range, counts)):
        yield numbers, tuple(slice(n * part, (n + 1) * part) for n, part in zip(numbers, chunk))


def encode_shard(options, shard):
    index = []
    data = b""
    at_start = options.get("index_location", "end") == "start"
    count = int(numpy.prod([s // c for s, c in zip(shard.shape, options["chunk_shape"])]))
    first = 16 * count + 4 if at_start else 0
    for _, box in boxes(shard.shape, options["chunk_shape"]):
        if not shard[box].any():
            index += [2**64 - 1, 2**64 - 1]
            continue
        chunk = encode3(options["codecs"], shard[box])
        index += [first + len(data), len(chunk)]
        data += chunk
    table = struct.pack(f"<{len(index)}Q", *index)
    table += crc32c(table)
    return table + data if at_start else data + table


def write3(folder, array, chunk, codecs, separator="/", encoding="default", fill=0, names=None):
    os.makedirs(folder)
    metadata = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": array.shape,
        "data_type": array.dtype.name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
        "chunk_key_encoding": {"name": encoding, "configuration": {"separator": separator}},
        "fill_value": fill,
        "codecs": codecs,
        "attributes": {},
    }
    if names:
        metadata["dimension_names"] = names
    with open(os.path.join(folder, "zarr.json"), "w") as file:
        json.dump(metadata, file)
    for numbers, box in boxes(array.shape, chunk):
        part = array[box]
        whole = numpy.full(chunk, fill, array.dtype)
        whole[tuple(slice(0, side) for side in part.shape)] = part
        if (part == fill).all():
            continue
        key = separator.join((["c"] if encoding == "default" else []) + [str(n) for n in numbers])
        path = os.path.join(folder, *key.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(encode3(codecs, whole))


def test_image(kind, shape=(61, 83), seed=1):
    """Some values of the whole range; a corner of zeros is a missing chunk."""
    random = numpy.random.default_rng(seed)
    kind = numpy.dtype(kind)
    if kind.kind == "f":
        array = random.integers(-1000, 1000, shape).astype(kind)
    elif kind.itemsize <= 2:
        limits = numpy.iinfo(kind)
        array = random.integers(limits.min, limits.max, shape, endpoint=True).astype(kind)
    else:
        array = random.integers(0 if kind.kind == "u" else -30000, 30000, shape).astype(kind)
    array[..., :20, :30] = 0
    return array


def same(found, array):
    return found.shape == array.shape and numpy.abs(found.astype("f8") - array.astype("f8")).max() <= 1e-6 * 65536


def test_version2(program):
    codecs = [
        None,
        numcodecs.Zstd(3),
        numcodecs.GZip(5),
        numcodecs.Zlib(5),
        numcodecs.LZ4(),
        *[numcodecs.Blosc(name, 5, shuffle) for name in ("zstd", "lz4", "lz4hc", "zlib", "blosclz") for shuffle in (0, 1, 2)],
    ]
    for number, codec in enumerate(codecs):
        path = os.path.join(program.folder, f"codec{number}.zarr")
        array = test_image("u2", seed=number)
        zarr.save_array(path, array, chunks=(20, 30), compressor=codec, write_empty_chunks=False, fill_value=0)
        check(not os.path.exists(os.path.join(path, "0.0")), "a missing chunk")
        check(same(program.values(path), array), f"{codec}: values")
    for kind in ("u1", "i1", "<u2", ">u2", "<i2", ">i2", "<u4", ">u4", "<i4", "<f4", ">f4", "<f8", ">f8", "<i8", "<u8"):
        for order in "CF":
            path = os.path.join(program.folder, f"type{kind[-2:]}{kind[0] == '>'}{order}.zarr")
            array = test_image(kind)
            store = zarr.NestedDirectoryStore(path) if order == "F" else zarr.DirectoryStore(path)
            zarr.save_array(store, array, chunks=(20, 30), order=order, write_empty_chunks=False, fill_value=0)
            check(same(program.values(path), array), f"{kind} {order}: values")
    # A fill value is a value.
    path = os.path.join(program.folder, "fill.zarr")
    filled = zarr.open_array(path, "w", shape=(40, 50), chunks=(16, 16), dtype="i2", fill_value=-7)
    filled[3:9, 4:20] = 100
    check(same(program.values(path), filled[:]), "fill value")
    # Zip files, stored and deflated, with the hierarchy at the top or in a folder.
    array = test_image("u2")
    for number, (method, prefix) in enumerate(itertools.product((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED), ("", "a.zarr/"))):
        path = os.path.join(program.folder, f"zipped{number}.zip")
        with zipfile.ZipFile(path, "w", method) as archive:
            source = os.path.join(program.folder, "codec1.zarr")
            for name in os.listdir(source):
                archive.write(os.path.join(source, name), prefix + name)
        check(same(program.values(path), test_image("u2", seed=1)), f"{path}: values")


def test_version3(program):
    little = {"name": "bytes", "configuration": {"endian": "little"}}
    big = {"name": "bytes", "configuration": {"endian": "big"}}
    zstd = {"name": "zstd", "configuration": {"level": 3, "checksum": False}}
    packed = {"name": "gzip", "configuration": {"level": 5}}
    blosc = {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 2, "blocksize": 0}}
    check32 = {"name": "crc32c"}
    turned = {"name": "transpose", "configuration": {"order": [1, 0]}}
    chains = [[little], [big], [little, zstd], [little, packed], [little, blosc], [little, zstd, check32],
              [little, check32, zstd], [turned, big, zstd], [little, zstd, packed]]
    for where in ("start", "end"):
        for inner in ([little], [turned, little, zstd]):
            index = [little, check32]
            chains.append([{"name": "sharding_indexed", "configuration": {"chunk_shape": [10, 15], "codecs": inner, "index_codecs": index, "index_location": where}}])
    for number, chain in enumerate(chains):
        path = os.path.join(program.folder, f"three{number}.zarr")
        array = test_image("u2", seed=number)
        write3(path, array, (20, 30), chain, *((".", "v2") if number % 3 == 1 else ("/",)))
        check(same(program.values(path), array), f"Zarr 3, {chain}: values")
    for kind in ("u1", "i1", "i2", "u4", "i4", "f4", "f8"):
        path = os.path.join(program.folder, f"three{kind}.zarr")
        array = test_image(kind)
        write3(path, array, (20, 30), [little if array.itemsize > 1 else {"name": "bytes"}, zstd])
        check(same(program.values(path), array), f"Zarr 3, {kind}: values")
    # Three axes with a permutation that is not its own inverse.
    path = os.path.join(program.folder, "turned.zarr")
    array = test_image("u2", (5, 21, 33))
    write3(path, array, (2, 8, 16), [{"name": "transpose", "configuration": {"order": [2, 0, 1]}}, little], names=["z", "y", "x"])
    check(same(program.values(path, "--volume"), array), "transposed volume")


def ome(version, levels, axes, scales, omero=None):
    datasets = [{"path": path, "coordinateTransformations": [{"type": "scale", "scale": scale}]} for path, scale in zip(levels, scales)]
    attributes = {"multiscales": [{"axes": axes, "datasets": datasets, "name": "cells"}]}
    if version == "0.4":
        attributes["multiscales"][0]["version"] = version
    else:
        attributes["version"] = version
    if omero:
        attributes["omero"] = omero
    return attributes


def write_ome4(path, arrays, **options):
    group = zarr.open_group(zarr.NestedDirectoryStore(path), "w")
    for number, array in enumerate(arrays):
        chunks = options.get("chunks", (1,) * (array.ndim - 2) + (20, 30))
        group.create_dataset(str(number), data=array, chunks=chunks, dimension_separator="/")
    names = options["names"]
    types = {"t": "time", "c": "channel"}
    axes = [{"name": name, "type": types.get(name, "space"), **({} if name in "tc" else {"unit": "micrometer"})} for name in names]
    scales = [[{"z": 2.0, "y": 0.5 * 2**level, "x": 0.5 * 2**level}.get(name, 1.0) for name in names] for level in range(len(arrays))]
    group.attrs.put(ome("0.4", [str(n) for n in range(len(arrays))], axes, scales, options.get("omero")))
    return group


def test_ome(program):
    random = numpy.random.default_rng(8)
    array = random.integers(0, 60000, (2, 3, 4, 41, 53)).astype("u2")
    channels = {"channels": [{"label": name, "color": colour, "active": True, "window": {"min": 0, "max": 65535, "start": 10, "end": 5000 + i}}
                             for i, (name, colour) in enumerate((("DAPI", "0000FF"), ("GFP", "00FF00"), ("RFP", "FF0000")))]}
    path = os.path.join(program.folder, "five.zarr")
    group = write_ome4(path, [array, array[..., ::2, ::2]], names="tczyx", omero=channels)
    info = program.info(path)
    check(info["format"] == "OME-Zarr 0.4" and info["pages"] == 24, f"info: {info}")
    check([(axis["name"], axis["count"]) for axis in info["axes"]] == [("z", 4), ("c", 3), ("t", 2)], f"axes: {info['axes']}")
    check(info["pixel_size"]["x"] == 0.5 and info["pixel_size"]["unit"] == "µm" and info["pixel_size"]["z"] == 2, f"{info['pixel_size']}")
    check([channel["name"] for channel in info["channels"]] == ["DAPI", "GFP", "RFP"], "channels")
    for t, c, z in itertools.product(range(2), range(3), range(4)):
        page = z + 4 * (c + 3 * t)
        check(same(program.values(f"{path}[{page}]"), array[t, c, z]), f"page {page}")
    check(same(program.values(path, "--channel", "GFP", "--volume"), array[0, 1]), "volume of a channel")
    check(same(program.values(path, "--level", "1"), array[0, 0, 0, ::2, ::2]), "level 1")
    check(same(program.values(path, "--region", "10,5,30,20"), array[0, 0, 0, 5:25, 10:40]), "region")
    # The metadata of a folder in its place.
    check(same(program.values(os.path.join(path, ".zattrs")), array[0, 0, 0]), ".zattrs")
    # Labels open as images.
    labels = group.create_group("labels")
    labels.attrs.put({"labels": ["nuclei"]})
    nuclei = (random.integers(0, 5, (41, 53)) * 70000).astype("u4")
    inner = write_ome4(os.path.join(path, "labels", "nuclei"), [nuclei], names="yx")
    check("nuclei" in str(program.info(path)), "facts name labels")
    check(len(numpy.unique(program.values(os.path.join(path, "labels", "nuclei")))) == 5, "labels")
    # Chunks of several slices.
    path = os.path.join(program.folder, "deep.zarr")
    volume = random.integers(0, 250, (10, 41, 53)).astype("u1")
    write_ome4(path, [volume], names="zyx", chunks=(4, 20, 30))
    check(same(program.values(path, "--volume"), volume), "deep chunks")
    path = os.path.join(program.folder, "real.zarr")
    write_ome4(path, [volume.astype("f4") - 100], names="zyx", chunks=(4, 20, 30))
    found = program.values(path, "--volume")
    check(found.shape == volume.shape and abs(found - (volume - 100.0)).max() < 0.01, "deep chunks of floats")
    path = os.path.join(program.folder, "objects.zarr")
    objects = (100000 + random.integers(0, 60000, (10, 41, 53))).astype("u4")
    objects[4:] -= 40000
    objects = numpy.minimum(objects, objects.min() + 65535)
    group = write_ome4(path, [objects], names="zyx", chunks=(4, 20, 30))
    check(same(program.values(path, "--volume"), objects), "deep chunks of labels, exactly")
    attributes = group.attrs.asdict()
    for axis in attributes["multiscales"][0]["axes"]:
        axis["unit"] = "angstrom"
    group.attrs.put(attributes)
    size = program.info(path)["pixel_size"]
    check(abs(size["x"] - 5e-5) < 1e-12 and abs(size["z"] - 2e-4) < 1e-12 and size["unit"] == "µm", f"angstrom: {size}")
    # NGFF 0.5 in Zarr 3, in a zip file.
    path = os.path.join(program.folder, "five3.zarr")
    chain = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd", "configuration": {"level": 1}}]
    write3(os.path.join(path, "s0"), array, (1, 1, 2, 20, 30), chain)
    axes = [{"name": "t", "type": "time"}, {"name": "c", "type": "channel"}] + [{"name": n, "type": "space", "unit": "nanometer"} for n in "zyx"]
    with open(os.path.join(path, "zarr.json"), "w") as file:
        json.dump({"zarr_format": 3, "node_type": "group", "attributes": {"ome": ome("0.5", ["s0"], axes, [[1, 1, 50, 20, 20]], channels)}}, file)
    shutil.make_archive(os.path.join(program.folder, "five3"), "zip", path)
    for name in ("five3.zarr", "five3.zip"):
        path = os.path.join(program.folder, name)
        info = program.info(path)
        check(info["format"] == "OME-Zarr 0.5" and info["pixel_size"]["x"] == 20 and info["pixel_size"]["unit"] == "nm", f"{info}")
        check(same(program.values(path + "[23]"), array[1, 2, 3]), f"{name}: values")


def test_plate(program):
    path = os.path.join(program.folder, "plate.zarr")
    group = zarr.open_group(zarr.NestedDirectoryStore(path), "w")
    group.attrs.put({"plate": {"name": "screen", "version": "0.4", "rows": [{"name": "A"}, {"name": "B"}], "columns": [{"name": "1"}],
                               "wells": [{"path": "A/1", "rowIndex": 0, "columnIndex": 0}, {"path": "B/1", "rowIndex": 1, "columnIndex": 0}]}})
    fields = {}
    for well, field in itertools.product(("A/1", "B/1"), ("0", "1")):
        fields[well, field] = test_image("u1", seed=len(fields))
        group.require_group(well).attrs.put({"well": {"images": [{"path": "0"}, {"path": "1"}], "version": "0.4"}})
        write_ome4(os.path.join(path, well, field), [fields[well, field]], names="yx")
    text = program.run("info", path).stdout
    check("A/1, B/1" in text and "screen" in text, f"wells: {text}")
    check(same(program.values(path), fields["A/1", "0"]), "the first field")
    check(same(program.values(os.path.join(path, "B", "1")), fields["B/1", "0"]), "a well")
    check(same(program.values(os.path.join(path, "B", "1", "1")), fields["B/1", "1"]), "a field")
    series = os.path.join(program.folder, "series.zarr")
    zarr.open_group(series, "w").attrs.put({"bioformats2raw.layout": 3})
    for name in ("0", "1"):
        write_ome4(os.path.join(series, name), [fields["A/1", name]], names="yx")
    # A recipe runs on all wells and fields of a plate, and names the results by their places.
    recipe = os.path.join(program.folder, "keep.json")
    with open(recipe, "w") as file:
        json.dump({"pollard_recipe": 1, "name": "keep", "steps": [{"id": "filter", "version": 1, "parameters": {"criteria": ["area >= 1"]}}]}, file)
    results = os.path.join(program.folder, "wells")
    result = program.run("run", recipe, path, "-o", results, "--quiet")
    check(result.returncode == 0, f"a recipe on a plate: {result.stderr}")
    names = sorted(f"plate_{well.replace('/', '_')}_{field}.tif" for well, field in fields)
    check(sorted(os.listdir(results)) == names, f"{os.listdir(results)} are not {names}")
    for (well, field), array in fields.items():
        name = os.path.join(results, f"plate_{well.replace('/', '_')}_{field}.tif")
        check(same(program.values(name), array), f"{name}: values")
    check("0, 1" in program.run("info", series).stdout, "series")
    check(same(program.values(os.path.join(series, "1")), fields["A/1", "1"]), "an image of a series")


def test_damage(program):
    def damaged(change, name=".zarray"):
        path = os.path.join(program.folder, "damaged.zarr")
        shutil.rmtree(path, ignore_errors=True)
        zarr.save_array(path, test_image("u2"), chunks=(20, 30), compressor=numcodecs.Zstd(1))
        place = os.path.join(path, name)
        with open(place, "rb") as file:
            data = file.read()
        if callable(change):
            metadata = json.loads(data)
            change(metadata)
            data = json.dumps(metadata).encode()
        else:
            data = change
        with open(place, "wb") as file:
            file.write(data)
        return path

    cases = [
        (lambda m: m.update(shape=[61]), "axes"),
        (lambda m: m.update(shape=[61, 0]), "shape"),
        (lambda m: m.update(shape=[61, -3]), "shape"),
        (lambda m: m.update(shape=[2**40, 2**40]), "limit"),
        (lambda m: m.update(chunks=[20]), "chunks"),
        (lambda m: m.update(chunks=[2**20, 2**20]), "2 GB"),
        (lambda m: m.update(dtype="<c8"), "not supported"),
        (lambda m: m.update(dtype="<f2"), "not supported"),
        (lambda m: m.update(compressor={"id": "lzma"}), "codec"),
        (lambda m: m.update(filters=[{"id": "delta"}]), "filters"),
        (lambda m: m.update(fill_value=70000), "fill_value"),
        (lambda m: m.update(order="X"), "order"),
        (lambda m: m.update(zarr_format=9), "zarr_format"),
        (lambda m: m.pop("shape"), "shape"),
        (b"{", "no JSON"),
        (b"[" * 5000, "deep"),
    ]
    for change, what in cases:
        program.refuses(damaged(change), what)
    for data in (b"", b"junk", numcodecs.Zstd(1).encode(b"short"), numcodecs.Zstd(1).encode(bytes(1 << 20))):
        path = damaged(data, "1.1")
        result = program.run("filter", path, "--keep", "area>=1", "-o", os.path.join(program.folder, "x.tif"))
        check(result.returncode == 1 and "chunk 1.1" in result.stderr and result.stderr.count("\n") == 1, f"damaged chunk: {result.stderr}")
    empty = os.path.join(program.folder, "empty.zarr")
    zarr.open_group(empty, "w")
    program.refuses(empty, "without an image")
    outside = os.path.join(program.folder, "outside.zarr")
    zarr.open_group(outside, "w").attrs.put(ome("0.4", ["../codec1.zarr"], [{"name": "y", "type": "space"}, {"name": "x", "type": "space"}], [[1, 1]]))
    program.refuses(outside, "leads out")
    plain = os.path.join(program.folder, "plain.zip")
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("a.txt", "text")
    program.refuses(plain, "no Zarr group")
    with open(plain, "r+b") as file:
        file.truncate(40)
    program.refuses(plain, "zip")


def read_ours(path):
    """The arrays of a group and its attributes, by python3-zarr."""
    group = zarr.open_group(path, "r")
    attributes = group.attrs.asdict()
    arrays = [group[dataset["path"]][:] for dataset in attributes["multiscales"][0]["datasets"]]
    check_rules(path, arrays, attributes)
    return arrays, attributes


def check_rules(path, arrays, attributes):
    """Rules of NGFF 0.4 for the metadata of an image."""
    [multiscale] = attributes["multiscales"]
    axes = [axis["name"] for axis in multiscale["axes"]]
    order = [{"time": 0, "channel": 1, "space": 2}[axis["type"]] for axis in multiscale["axes"]]
    check(multiscale["version"] == "0.4" and {"name", "type", "metadata"} <= set(multiscale), f"{path}: {multiscale}")
    check(order == sorted(order) and 2 <= order.count(2) <= 3 and axes == sorted(axes, key="tczyx".index), f"{path}: axes {axes}")
    for number, dataset in enumerate(multiscale["datasets"]):
        scale, *moves = dataset["coordinateTransformations"]
        check(scale["type"] == "scale" and len(scale["scale"]) == len(axes) == arrays[number].ndim, f"{path}: {scale}")
        check(all(len(move["translation"]) == len(axes) for move in moves) and len(moves) < 2, f"{path}: {moves}")
    if "c" in axes:
        channels = attributes["omero"]["channels"]
        check(len(channels) == arrays[0].shape[axes.index("c")], f"{path}: channels")
        for channel in channels:
            check({"min", "max", "start", "end"} == set(channel["window"]) and len(bytes.fromhex(channel["color"])) == 3, f"{path}: {channel}")
    rows = attributes.get("image-label", {}).get("properties", [])
    labels = [row["label-value"] for row in rows]
    check(len(set(labels)) == len(labels) and set(labels) <= set(numpy.unique(arrays[0])), f"{path}: label-value")


def test_writing(program):
    path = os.path.join(program.folder, "five.zarr")
    array = zarr.open_group(path, "r")["0"][:]
    out = os.path.join(program.folder, "out.zarr")
    result = program.run("filter", path, "--channel", "GFP", "--keep", "area>=1", "-o", out, "--quiet")
    check(result.returncode == 0, f"write: {result.stderr}")
    arrays, attributes = read_ours(out)
    check(arrays[0].dtype == "u2" and (arrays[0] == array[0, 1, 0]).all(), "written values")
    multiscale = attributes["multiscales"][0]
    check([axis["name"] for axis in multiscale["axes"]] == ["c", "y", "x"] and multiscale["axes"][2]["unit"] == "micrometer", f"{multiscale}")
    check(multiscale["datasets"][0]["coordinateTransformations"][0]["scale"] == [1, 0.5, 0.5], "scale")
    channel = attributes["omero"]["channels"][0]
    check(channel["label"] == "GFP" and channel["color"] == "00FF00" and channel["window"]["end"] == 5001, f"{channel}")
    check(program.info(out)["pixel_size"]["x"] == 0.5 and program.info(out)["channels"][0]["name"] == "GFP", "read again")
    result = program.run("filter", path, "--keep", "area>=1", "-o", out)
    check(result.returncode == 1 and "it is a folder" in result.stderr, f"an existing folder stays: {result.stderr}")
    check(not [name for name in os.listdir(program.folder) if ".part-" in name], "no temporary folder is left")
    # A volume of signed values, and large images with reduced versions.
    volume = test_image("i2", (3, 700, 1100))
    source = os.path.join(program.folder, "large.zarr")
    write_ome4(source, [volume], names="zyx", chunks=(1, 256, 256))
    out = os.path.join(program.folder, "large_out.zarr")
    result = program.run("filter", source, "--volume", "--keep", "area>=1", "-o", out, "--quiet")
    check(result.returncode == 0, f"write volume: {result.stderr}")
    arrays, attributes = read_ours(out)
    check(arrays[0].dtype == "i2" and (arrays[0] == volume).all(), "written volume")
    check([a.shape for a in arrays] == [(3, 700, 1100), (3, 350, 550), (3, 175, 275)], f"levels: {[a.shape for a in arrays]}")
    blocks = volume.astype("i8").reshape(3, 350, 2, 550, 2).sum((2, 4))
    check((arrays[1] == (blocks + 2) // 4).all(), "means")
    check(same(program.values(out, "--volume"), volume), "a written volume is read")
    check(attributes["multiscales"][0]["datasets"][0]["coordinateTransformations"][0]["scale"] == [2, 0.5, 0.5], "scale of the volume")
    # Labels.
    out = os.path.join(program.folder, "labels.zarr")
    result = program.run("filter", source, "--keep", "area>=5", "--output", "labels", "-o", out, "--quiet")
    check(result.returncode == 0, f"labels: {result.stderr}")
    arrays, attributes = read_ours(out)
    check(arrays[0].dtype == "u4" and (arrays[1] == arrays[0][::2, ::2]).all() and "image-label" in attributes, "labels")


def test_channels(program):
    """All channels in one image, from memory and in chunks."""
    random = numpy.random.default_rng(11)
    array = random.integers(0, 300, (3, 540, 601)).astype("u2")
    omero = {"channels": [{"label": name, "color": colour, "active": True, "window": {"min": 0, "max": 65535, "start": 1, "end": 299}}
                          for name, colour in (("DAPI", "0000FF"), ("GFP", "00FF00"), ("RFP", "FF0000"))]}
    path = os.path.join(program.folder, "three.zarr")
    write_ome4(path, [array], names="cyx", omero=omero)
    out = os.path.join(program.folder, "three", "out.zarr")
    os.mkdir(os.path.dirname(out))
    result = program.run("filter", path, "--channel", "all", "--keep", "GFP:area>=30", "-o", out, "--quiet")
    check(result.returncode == 0, f"channels: {result.stderr}")
    arrays, attributes = read_ours(out)
    gfp = program.values(path, "--channel", "GFP", "--keep", "area>=30").reshape(540, 601)
    check([a.shape for a in arrays] == [(3, 540, 601), (3, 270, 301)], f"channels: {[a.shape for a in arrays]}")
    check((arrays[0][::2] == array[::2]).all() and (arrays[0][1] == gfp).all() and (gfp != array[1]).any(), "values of channels")
    check(attributes["omero"] == omero, f"{attributes['omero']}")
    check([channel["name"] for channel in program.info(out)["channels"]] == ["DAPI", "GFP", "RFP"], "channels are read")
    chunks = os.path.join(program.folder, "chunked", "out.zarr")
    os.mkdir(os.path.dirname(chunks))
    result = program.run("filter", path, "--channel", "all", "--keep", "GFP:area>=30", "--stream", "--chunk", "256", "-o", chunks, "--quiet")
    check(result.returncode == 0 and content(chunks) == content(out), f"channels in chunks: {result.stderr}")
    # Other types and transparency are no channels of one image.
    mixed = os.path.join(program.folder, "mixed.zarr")
    write_ome4(mixed, [numpy.stack([array[0] * 0.5, array[1] * 1e30]).astype("f4")], names="cyx")
    out = os.path.join(program.folder, "mixed_out.zarr")
    result = program.run("filter", mixed, "--channel", "all", "--keep", "area>=2", "-o", out, "--quiet")
    check(result.returncode == 0 or "differ in size or in the type" in result.stderr, f"mixed: {result.stderr}")
    for suffix in (".nrrd", ".png"):
        result = program.run("filter", path, "--channel", "all", "--keep", "area>=2", "-o", os.path.join(program.folder, "x" + suffix))
        check(result.returncode == 2 and "must end in .tif" in result.stderr, f"{suffix}: {result.stderr}")


def test_label_properties(program):
    """Labels with the numbers of the table."""
    random = numpy.random.default_rng(12)
    blobs = numpy.kron(random.integers(0, 2, (9, 21, 30)), numpy.ones((1, 2, 2), int)).astype("u1") * 200
    source = os.path.join(program.folder, "blobs.zarr")
    write_ome4(source, [blobs], names="zyx")
    cases = [
        (["--threshold", "100"], blobs[0]),
        (["--threshold", "100", "--features", "area,border,perimeter"], blobs[0]),
        (["--threshold", "100", "--where", "area>=12", "--class", "long:elongation>=2"], blobs[0]),
        (["--threshold", "100", "--unit", "um", "--features", "all"], blobs[0]),
        (["--threshold", "100", "--volume"], blobs),
        (["--threshold", "100", "--volume", "--unit", "um", "--features", "area,surface,euler"], blobs),
    ]
    for number, (options, values) in enumerate(cases):
        out = os.path.join(program.folder, f"properties{number}.zarr")
        table = os.path.join(program.folder, "properties.csv")
        result = program.run("components", source, *options, "--labels", out, "--csv", table, "--quiet")
        check(result.returncode == 0, f"{options}: {result.stderr}")
        arrays, attributes = read_ours(out)
        with open(table) as file:
            lines = list(csv.DictReader(file))
        rows = attributes["image-label"]["properties"]
        sums = {"sum_x", "sum_y", "sum_xx", "sum_xy", "sum_yy"}
        for row, line in zip(rows, lines):
            line.setdefault("label", str(row["label-value"]))
            told = {name: text for name, text in line.items() if name not in sums and text != ""}
            told["label-value"] = told.pop("label")
            same_values = all(name in row and (str(row[name]) == text or float(row[name]) == float(text)) for name, text in told.items())
            check(set(row) == set(told) and same_values, f"{options}: {row} is not {told}")
        check(len(rows) == len(lines) > 5, f"{options}: {len(rows)} rows, {len(lines)} lines")
        found, counts = numpy.unique(arrays[0][arrays[0] > 0], return_counts=True)
        if "um" not in options:
            check({row["label-value"]: row["area"] for row in rows} == dict(zip(found.tolist(), counts.tolist())), f"{options}: areas")
        check(arrays[0].shape == values.shape, f"{options}: shape")


def test_many_labels(program):
    """Too many properties for the metadata are left out with a note; fewer columns fit, and are read again."""
    dots = numpy.zeros((500, 900), "u1")
    dots[::2, ::2] = 9  # 112,500 objects
    source = os.path.join(program.folder, "dots.zarr")
    write_ome4(source, [dots], names="yx", chunks=(250, 300))
    for number, (features, written) in enumerate([((), False), (("--features", "area,left,top"), True)]):
        out = os.path.join(program.folder, f"dots{number}.zarr")
        result = program.run("components", source, "--threshold", "5", *features, "--labels", out)
        check(result.returncode == 0 and ("too many for properties" in result.stderr) != written, f"{features}: {result.stderr}")
        with open(os.path.join(out, ".zattrs")) as file:
            text = file.read()
        rows = json.loads(text)["image-label"].get("properties", [])
        check(len(rows) == (112500 if written else 0) and len(text) < 64 << 20, f"{features}: {len(rows)} rows, {len(text)} bytes")
        check(program.run("info", out).returncode == 0, f"{features}: the labels are read")


def content(folder):
    """The bytes of all files in a folder by their names."""
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                files[os.path.relpath(os.path.join(place, name), folder)] = file.read()
    return files


def test_streams(program):
    """Filters in chunks leave the bytes of those in memory."""
    five, large = (os.path.join(program.folder, name) for name in ("five.zarr", "large.zarr"))
    cases = [
        (five, ["--channel", "GFP"]),
        (large, []),
        (large, ["--output", "residue"]),
        (large, ["--output", "mask"]),
        (large, ["--output", "labels"]),
        (large, ["--volume"]),
        (large, ["--volume", "--output", "labels"]),
    ]
    for number, (source, options) in enumerate(cases):
        folders = []
        for more in ([], ["--stream", "--chunk", "512"]):
            folder = os.path.join(program.folder, f"stream{number}-{len(more)}")
            os.mkdir(folder)
            result = program.run("filter", source, "--keep", "area>=20", *options, *more, "-o", os.path.join(folder, "out.zarr"), "--quiet")
            check(result.returncode == 0, f"{options} {more}: {result.stderr}")
            folders.append(content(folder))
        check("out.zarr/0/.zarray" in folders[0] and folders[0] == folders[1], f"chunks differ from memory: {options}")
    gaps = os.path.join(program.folder, "gaps.zarr")
    values = test_image("f4", (700, 900))
    values[3, 5] = numpy.nan
    zarr.open_array(gaps, "w", shape=values.shape, dtype="f4")[:] = values
    for more in ([], ["--stream"]):
        out = os.path.join(program.folder, f"gaps_out{len(more)}.zarr")
        result = program.run("filter", gaps, "--keep", "area>=1", *more, "-o", out)
        check(result.returncode == 0, f"no data {more}: {result.stderr}")
        kept = numpy.squeeze(zarr.open(out, "r")["0"][:])
        check(kept.dtype == numpy.float32 and numpy.array_equal(kept, values, equal_nan=True), f"no data {more}: samples differ")
    out = os.path.join(program.folder, "none.zarr")
    result = program.run("filter", large, "--keep", "area>=20", "--stream", "--compression", "none", "-o", out)
    check(result.returncode == 2 and "Zstandard" in result.stderr and not os.path.exists(out), f"compression: {result.stderr}")
    result = program.run("filter", large, "--keep", "area>=20", "--stream", "-o", large)
    check(result.returncode == 2 and "also the input" in result.stderr, f"onto the input: {result.stderr}")


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        program = Program(os.path.abspath(path), folder)
        if "Zarr" not in program.run("info", "--help").stdout:
            print("skipped: pollard-cli is built without Zarr")
            return 77
        for test in (test_version2, test_version3, test_ome, test_plate, test_damage, test_writing, test_channels, test_label_properties, test_many_labels,
                     test_streams):
            test(program)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
