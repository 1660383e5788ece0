#include "io/write/npy_writer.hpp"

#include "base/error.hpp"
#include "io/write/planes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pollard {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr std::size_t kAlignment = 64; ///< alignment of the first value in the file
constexpr std::size_t kLongestV1 = 65535;
constexpr std::size_t kPieceBytes = std::size_t{8} << 20U;

std::string headerOf(std::string_view descr, std::span<const std::size_t> shape) {
    std::string dictionary = "{'descr': ";
    dictionary.append(descr).append(", 'fortran_order': False, 'shape': (");
    for (const std::size_t side : shape) {
        dictionary += std::to_string(side) + ", ";
    }
    dictionary += "), }";
    // Version 2.0 has a 4-byte header length for long lists of columns.
    const bool isLong = dictionary.size() + kAlignment > kLongestV1;
    const std::size_t before = isLong ? 12 : 10;
    const std::size_t whole = (before + dictionary.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
    dictionary.append(whole - before - dictionary.size() - 1, ' ');
    dictionary += '\n';
    std::string header = "\x93NUMPY";
    header += static_cast<char>(isLong ? 2 : 1);
    header += '\0';
    for (std::size_t byte = 0; byte < before - 8; ++byte) {
        header += static_cast<char>(dictionary.size() >> (8 * byte) & 0xFFU);
    }
    return header + dictionary;
}

std::string typeText(ValueType type) { return "'" + std::string(sampleTypeOf(type).array) + "'"; }

std::vector<std::size_t> shapeOf(const Extent& extent, int planes) {
    std::vector<std::size_t> shape{extent.height, extent.width};
    if (extent.isVolume()) {
        shape.insert(shape.begin(), extent.slices);
    }
    if (planes > 1) {
        shape.insert(shape.begin(), static_cast<std::size_t>(planes));
    }
    return shape;
}

} // namespace

NpyFile::NpyFile(const std::filesystem::path& target, std::string what, std::string_view descr,
                 std::span<const std::size_t> shape)
    : file_(target, std::move(what)) {
    const std::string header = headerOf(descr, shape);
    write(header.data(), header.size());
}

void writeNpy(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    std::optional<NpyFile> file;
    Extent extent;
    ValueType type = ValueType::u8;
    std::vector<std::byte> piece;
    for (int number = 0; number < planes.count; ++number) {
        const double share = 1.0 / planes.count;
        const JobControl part = control.part(number * share, share);
        part.report(0, "writing");
        const PixelRows rows = inValues(planes.make(number, control.withoutProgress())).rows;
        if (!file) {
            extent = rows.extent;
            type = rows.type;
            file.emplace(path, "cannot write array", typeText(type), shapeOf(extent, planes.count));
        }
        if (rows.extent != extent || rows.type != type) {
            throw Error(ErrorCode::invalidArgument, "cannot write array: " + path.string() + ": plane " +
                                                        std::to_string(number) +
                                                        " differs in size or type from the first");
        }
        const std::uint64_t most = std::max<std::uint64_t>(1, kPieceBytes / rows.rowBytes());
        for (std::uint64_t first = 0; first < extent.rows(); first += most) {
            part.throwIfStopped();
            part.report(static_cast<double>(first) / static_cast<double>(extent.rows()), "writing");
            const auto count = static_cast<std::uint32_t>(std::min(most, extent.rows() - first));
            piece.resize(count * rows.rowBytes());
            rows.read(first, count, piece.data());
            file->write(piece.data(), piece.size());
        }
    }
    file->commit();
}

} // namespace pollard
