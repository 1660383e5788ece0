#include "io/write/npy_writer.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

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

} // namespace

NpyFile::NpyFile(const std::filesystem::path& target, std::string what, std::string_view descr,
                 std::span<const std::size_t> shape)
    : file_(target, std::move(what)) {
    const std::string header = headerOf(descr, shape);
    write(header.data(), header.size());
}

void writeNpy32(const std::filesystem::path& path, std::span<const std::uint32_t> values, const Extent& extent,
                const JobControl& control) {
    if (values.size() != extent.pixelCount()) {
        throw Error(ErrorCode::invalidArgument, "cannot write array: " + path.string() + ": " +
                                                    std::to_string(values.size()) + " values for " + text(extent));
    }
    const std::array<std::size_t, 3> shape{extent.slices, extent.height, extent.width};
    NpyFile file(path, "cannot write array", "'<u4'", std::span(shape).subspan(extent.isVolume() ? 0 : 1));
    constexpr std::size_t kPiece = kPieceBytes / sizeof(std::uint32_t);
    for (std::size_t first = 0; first < values.size(); first += kPiece) {
        control.throwIfStopped();
        control.report(static_cast<double>(first) / static_cast<double>(values.size()), "");
        const auto piece = values.subspan(first, std::min(kPiece, values.size() - first));
        file.write(piece.data(), piece.size_bytes());
    }
    file.commit();
}

} // namespace pollard
