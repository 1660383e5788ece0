#include "zarr_seeds.hpp"

#include "formats/zarr/zarr_codecs.hpp"

#include <algorithm>
#include <cstddef>
#include <lz4.h>
#include <span>
#include <zlib.h>
#include <zstd.h>

namespace pollard::fuzz {

namespace {

using Store = std::map<std::string, std::string>;

constexpr std::size_t kChunk = 6 * 5 * 2; ///< bytes of 6 x 5 samples

std::string samples() {
    std::string bytes(kChunk, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(i * i % 7);
    }
    return bytes;
}

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (; bytes > 0; --bytes, value >>= 8U) {
        text += static_cast<char>(value & 0xffU);
    }
    return text;
}

std::string blosc(const std::string& in) {
    const std::vector<std::byte> out = bloscCompressed(std::as_bytes(std::span(in)), 2);
    return {reinterpret_cast<const char*>(out.data()), out.size()};
}

std::string zstd(const std::string& in) {
    std::string out(ZSTD_compressBound(in.size()), '\0');
    out.resize(ZSTD_compress(out.data(), out.size(), in.data(), in.size(), 1));
    return out;
}

std::string lz4(const std::string& in) {
    std::string out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(in.size()))), '\0');
    out.resize(static_cast<std::size_t>(
        LZ4_compress_default(in.data(), out.data(), static_cast<int>(in.size()), static_cast<int>(out.size()))));
    return number(in.size(), 4) + out;
}

std::string deflated(const std::string& in) {
    uLongf size = compressBound(in.size());
    std::string out(size, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(in.data()), in.size());
    out.resize(size);
    return out;
}

std::string checked(const std::string& in) { return in + number(crc32cOf(std::as_bytes(std::span(in))), 4); }

std::string array2(const std::string& compressor, const std::string& order = "C") {
    return R"({"zarr_format": 2, "shape": [11, 9], "chunks": [6, 5], "dtype": "<u2", "fill_value": 3, "order": ")" +
           order + R"(", "filters": null, "dimension_separator": "/", "compressor": )" + compressor + "}";
}

std::string array3(const std::string& codecs) {
    return R"({"zarr_format": 3, "node_type": "array", "shape": [11, 9], "data_type": "int16", "fill_value": -3,
 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [6, 5]}},
 "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "codecs": [)" +
           codecs + R"(], "dimension_names": ["y", "x"], "attributes": {}})";
}

constexpr const char* kBytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";

/// A chunk of 6 x 5 samples as a shard of two rows of chunks.
std::string shard() {
    const std::string half = checked(samples().substr(0, kChunk / 2));
    return half + checked(number(0, 8) + number(half.size(), 8) + number(~0ULL, 8) + number(~0ULL, 8));
}

std::string multiscales(const std::string& axes, const std::string& version) {
    return R"("multiscales": [{"version": ")" + version + R"(", "name": "cells", "axes": [)" + axes +
           R"(], "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [0.5, 0.5]}]}]}],
 "omero": {"channels": [{"label": "DAPI", "color": "0000FF", "window": {"start": 1, "end": 9, "min": 0, "max": 255}}]})";
}

} // namespace

std::vector<Store> zarrStores() {
    std::vector<Store> stores;
    const std::string plain = samples();
    const auto add2 = [&](const std::string& compressor, const std::string& chunk, const std::string& order = "C") {
        stores.push_back({{".zarray", array2(compressor, order)}, {"0/0", chunk}, {"1/1", chunk}});
    };
    add2("null", plain, "F");
    add2(R"({"id": "zstd", "level": 1})", zstd(plain));
    add2(R"({"id": "zlib", "level": 1})", deflated(plain));
    add2(R"({"id": "lz4", "acceleration": 1})", lz4(plain));
    add2(R"({"id": "blosc", "cname": "zstd", "clevel": 3, "shuffle": 1, "blocksize": 0})", blosc(plain));
    const auto add3 = [&](const std::string& codecs, const std::string& chunk) {
        stores.push_back({{"zarr.json", array3(codecs)}, {"c/0/0", chunk}, {"c/1/0", chunk}});
    };
    add3(std::string(R"({"name": "transpose", "configuration": {"order": [1, 0]}}, )") + kBytes, plain);
    add3(std::string(kBytes) + R"(, {"name": "crc32c"}, {"name": "zstd", "configuration": {"level": 1}})",
         zstd(checked(plain)));
    add3(std::string(kBytes) + R"(, {"name": "gzip", "configuration": {"level": 1}})", deflated(plain));
    add3(std::string(R"({"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 5], "index_location": "end",
 "codecs": [)") +
             kBytes + R"(, {"name": "crc32c"}], "index_codecs": [)" + kBytes + R"(, {"name": "crc32c"}]}})",
         shard());

    const std::string axes = R"({"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type": "space"})";
    const Store array{{"0/.zarray", array2("null")}, {"0/1/1", plain}};
    Store image = array;
    image[".zgroup"] = R"({"zarr_format": 2})";
    image[".zattrs"] = "{" + multiscales(axes, "0.4") + "}";
    image["labels/.zattrs"] = R"({"labels": ["nuclei"]})";
    stores.push_back(image);
    stores.push_back({{"zarr.json", R"({"zarr_format": 3, "node_type": "group", "attributes": {"ome": {)" +
                                        multiscales(axes, "0.5") + "}}}"},
                      {"0/zarr.json", array3(kBytes)},
                      {"0/c/0/0", plain}});
    Store scaled = image;
    scaled["0/.zattrs"] = R"({"scale_factor": 0.5, "add_offset": [-3], "units": "K", "_FillValue": 7})";
    stores.push_back(scaled);
    scaled["0/.zattrs"] = R"({"units": "1", "_FillValue": "AAAAAICHw8A="})";
    stores.push_back(scaled);
    Store plate{
        {".zattrs", R"({"plate": {"name": "p", "rows": [{"name": "A"}, {"name": "B"}], "columns": [{"name": "1"}],
 "wells": [{"path": "B/1", "rowIndex": 1, "columnIndex": 0}, {"path": "A/1", "rowIndex": 0, "columnIndex": 0}]}})"},
        {"A/1/.zattrs", R"({"well": {"images": [{"path": "0"}, {"path": "1"}]}})"}};
    for (const auto& [key, value] : image) {
        plate["A/1/0/" + key] = value;
    }
    stores.push_back(plate);
    Store series{{".zattrs", R"({"bioformats2raw.layout": 3})"}, {"OME/.zattrs", R"({"series": ["0"]})"}};
    for (const auto& [key, value] : image) {
        series["0/" + key] = value;
    }
    stores.push_back(series);
    return stores;
}

} // namespace pollard::fuzz
