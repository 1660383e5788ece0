#include "io/write/fits_writer.hpp"

#include "base/number_text.hpp"
#include "io/samples/value_levels.hpp"
#include "io/write/atomic_file.hpp"
#include "io/write/name_ending.hpp"
#include "io/write/pixel_rows.hpp"
#include "io/write/sample_type.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard {

namespace {

constexpr const char* kWhat = "cannot write FITS";
constexpr std::size_t kBlock = 2880;
constexpr std::size_t kCard = 80;
constexpr std::size_t kPieceBytes = std::size_t{4} << 20U;

std::string card(std::string key, const std::string& value) {
    constexpr std::size_t kKey = 8;
    constexpr std::size_t kEnd = 30; // of a number
    key.resize(kKey, ' ');
    const std::size_t pad = key.size() + 2 + value.size() < kEnd ? kEnd - key.size() - 2 - value.size() : 0;
    std::string line = key + "= " + (value.front() == '\'' ? value : std::string(pad, ' ') + value);
    line.resize(kCard, ' ');
    return line;
}

std::string realText(double number) {
    std::string text = exactNumber(number);
    std::ranges::replace(text, 'e', 'E');
    return text.find_first_of(".E") == std::string::npos ? text + ".0" : text;
}

/// A text of printable ASCII characters in quotes; empty if it is none or too long.
std::string quoted(const std::string& text) {
    constexpr std::size_t kMost = 60;
    const auto isPlain = [](char letter) { return letter >= ' ' && letter <= '~' && letter != '\''; };
    if (text.empty() || text.size() > kMost || !std::ranges::all_of(text, isPlain)) {
        return {};
    }
    return '\'' + text + std::string(text.size() < kCard / 10 ? kCard / 10 - text.size() : 0, ' ') + '\'';
}

/// The number that is subtracted from samples of types that FITS does not have.
double zeroOf(ValueType type) {
    const bool isShifted = type == ValueType::i8 || (!isFloat(type) && !isSigned(type) && type != ValueType::u8);
    return !isShifted ? 0 : std::ldexp(type == ValueType::i8 ? -1.0 : 1.0, bitsOf(type) - 1);
}

std::string headerOf(const PixelRows& rows, const PlaneFacts& facts) {
    const bool isVolume = rows.extent.isVolume();
    const int bits = isFloat(rows.type) ? -bitsOf(rows.type) : bitsOf(rows.type);
    std::string header = card("SIMPLE", "T") + card("BITPIX", std::to_string(bits)) +
                         card("NAXIS", isVolume ? "3" : "2") + card("NAXIS1", std::to_string(rows.extent.width)) +
                         card("NAXIS2", std::to_string(rows.extent.height));
    if (isVolume) {
        header += card("NAXIS3", std::to_string(rows.extent.slices));
    }
    const double zero = zeroOf(rows.type);
    const double offset = facts.scale.valueOf(zero);
    if (offset != 0 || facts.scale.slope != 1) {
        // Unsigned integers by convention; a real number would be one of another type.
        const bool isWhole = facts.scale.slope == 1 && offset == zero && std::abs(zero) < std::ldexp(1.0, 63);
        header += card("BSCALE", facts.scale.slope == 1 ? "1" : realText(facts.scale.slope)) +
                  card("BZERO", isWhole ? std::to_string(static_cast<std::int64_t>(offset))
                                : offset == zero && facts.scale.slope == 1 ? "9223372036854775808"
                                                                           : realText(offset));
    }
    if (facts.noData && !isFloat(rows.type)) {
        header += card("BLANK", std::to_string(static_cast<std::int64_t>(*facts.noData - zero)));
    }
    if (const std::string unit = quoted(facts.scale.unit); !unit.empty()) {
        header += card("BUNIT", unit);
    }
    if (facts.sky) {
        for (std::string line : facts.sky->cardsFor(rows.extent.height)) {
            line.resize(kCard, ' ');
            header += line;
        }
    }
    header += "END";
    header.resize((header.size() + kBlock - 1) / kBlock * kBlock, ' ');
    return header;
}

/// Turns samples into those of the file, most significant byte first.
template <class T> void toFile(std::vector<std::byte>& bytes, bool isShifted) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof(T)));
        if (isShifted) {
            bytes[at] ^= std::byte{0x80}; // half of the range is subtracted
        }
    }
}

} // namespace

bool isFitsFile(const std::filesystem::path& path) {
    const std::string ending = knownEnding(path);
    return ending == ".fits" || ending == ".fit" || ending == ".fts";
}

void writeFits(const std::filesystem::path& path, const Planes& planes, const JobControl& control) {
    const Plane plane = withNan(planes.make(0, control));
    const PixelRows& rows = plane.rows;
    AtomicFile file(path, kWhat);
    const std::string header = headerOf(rows, plane.facts);
    file.writeAll(header.data(), header.size());
    const Extent& extent = rows.extent;
    const auto most =
        static_cast<std::uint32_t>(std::clamp<std::size_t>(kPieceBytes / rows.rowBytes(), 1, extent.height));
    const bool isShifted = zeroOf(rows.type) != 0;
    std::vector<std::byte> piece;
    std::uint64_t bytes = 0;
    for (std::uint32_t z = 0; z < extent.slices; ++z) {
        for (std::uint32_t end = extent.height; end > 0;) { // the last row comes first
            control.throwIfStopped();
            control.report(static_cast<double>(bytes) / static_cast<double>(extent.rows() * rows.rowBytes()),
                           "writing");
            const std::uint32_t count = std::min(most, end);
            end -= count;
            piece.resize(count * rows.rowBytes());
            rows.read(std::uint64_t{z} * extent.height + end, count, piece.data());
            for (std::uint32_t y = 0; y < count / 2; ++y) {
                const auto upper = piece.begin() + static_cast<std::ptrdiff_t>(y * rows.rowBytes());
                std::swap_ranges(upper, upper + static_cast<std::ptrdiff_t>(rows.rowBytes()),
                                 piece.begin() + static_cast<std::ptrdiff_t>((count - 1 - y) * rows.rowBytes()));
            }
            dispatch(rows.type, [&]<class T>(T) { toFile<T>(piece, isShifted); });
            file.writeAll(piece.data(), piece.size());
            bytes += piece.size();
        }
    }
    const std::vector<std::byte> rest((kBlock - bytes % kBlock) % kBlock);
    file.writeAll(rest.data(), rest.size());
    file.commit();
}

} // namespace pollard
