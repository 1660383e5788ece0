#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>
#include <zlib.h>

/// NIfTI, NRRD and MetaImage files, byte for byte.
namespace pollard::test {

/// The bytes of a number.
template <class T> std::string bytesOfNumber(T value, bool bigEndian) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (bigEndian != (std::endian::native == std::endian::big)) {
        std::reverse(bytes.begin(), bytes.end());
    }
    return bytes;
}

template <class T> std::string bytesOfNumbers(std::span<const T> values, bool bigEndian = false) {
    std::string bytes;
    for (const T value : values) {
        bytes += bytesOfNumber(value, bigEndian);
    }
    return bytes;
}

/// zlib's stream of the bytes, or a gzip member.
inline std::string deflated(const std::string& bytes, bool gzip) {
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, gzip ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// A header of NIfTI; fields as in the standard.
struct NiftiHeader {
    int version = 1;
    bool bigEndian = false;
    bool pair = false;
    std::vector<std::int64_t> dim{5, 4, 3}; ///< without the number of dimensions
    int datatype = 2;
    std::array<double, 8> pixdim{1, 1, 1, 1, 1, 1, 1, 1};
    double voxOffset = -1; ///< negative: directly after the header and its four bytes for extensions
    double slope = 0;
    double inter = 0;
    int xyztUnits = 0;
    int intent = 0;
    std::string descrip = {};
    int qform = 0;
    int sform = 0;
    std::array<double, 6> quaternion{}; ///< b, c, d and the offsets
    std::array<double, 12> srow{};
    int dimensions = -1; ///< dim[0]; negative: the size of dim

    [[nodiscard]] std::string bytes() const {
        const bool second = version == 2;
        std::string out(second ? 540 : 348, '\0');
        const auto put = [&](std::size_t place, const std::string& field) { out.replace(place, field.size(), field); };
        const auto integer16 = [&](std::size_t place, std::int64_t v) {
            put(place, bytesOfNumber(static_cast<std::int16_t>(v), bigEndian));
        };
        const auto integer32 = [&](std::size_t place, std::int64_t v) {
            put(place, bytesOfNumber(static_cast<std::int32_t>(v), bigEndian));
        };
        const auto integer64 = [&](std::size_t place, std::int64_t v) { put(place, bytesOfNumber(v, bigEndian)); };
        const auto reals = [&](std::size_t one, std::size_t two, auto&& values) {
            std::size_t i = 0;
            for (const double v : values) {
                second ? put(two + 8 * i, bytesOfNumber(v, bigEndian))
                       : put(one + 4 * i, bytesOfNumber(static_cast<float>(v), bigEndian));
                ++i;
            }
        };
        const std::int64_t count = dimensions < 0 ? static_cast<std::int64_t>(dim.size()) : dimensions;
        const double offset = voxOffset >= 0 ? voxOffset : pair ? 0 : static_cast<double>(out.size() + 4);
        integer32(0, static_cast<std::int64_t>(out.size()));
        if (second) {
            put(4, std::string(pair ? "ni2\0\r\n\032\n" : "n+2\0\r\n\032\n", 8));
            integer16(12, datatype);
            integer64(16, count);
            for (std::size_t i = 0; i < dim.size(); ++i) {
                integer64(24 + 8 * i, dim[i]);
            }
            integer64(168, static_cast<std::int64_t>(offset));
            put(240, descrip);
            integer32(344, qform);
            integer32(348, sform);
            integer32(500, xyztUnits);
            integer32(504, intent);
        } else {
            put(344, pair ? "ni1" : "n+1");
            integer16(40, count);
            for (std::size_t i = 0; i < dim.size(); ++i) {
                integer16(42 + 2 * i, dim[i]);
            }
            integer16(68, intent);
            integer16(70, datatype);
            reals(108, 0, std::array{offset});
            out[123] = static_cast<char>(xyztUnits);
            put(148, descrip);
            integer16(252, qform);
            integer16(254, sform);
        }
        reals(76, 104, pixdim);
        reals(112, 176, std::array{slope, inter});
        reals(256, 352, quaternion);
        reals(280, 400, srow);
        return pair ? out : out + std::string(4, '\0');
    }
};

} // namespace pollard::test
