#include "components/outline_files/roi_outlines.hpp"

#include "base/error.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <numbers>
#include <optional>
#include <system_error>
#include <utility>

namespace pollard {
namespace {

[[noreturn]] void damaged(const std::string& why) { throw Error(ErrorCode::fileDamaged, why); }
[[noreturn]] void unsupported(const std::string& why) { throw Error(ErrorCode::formatUnsupported, why); }

/// Numbers in bytes, of which all must be there.
class Bytes {
public:
    Bytes(std::string_view bytes, bool isBigEndian) : bytes_(bytes), isBigEndian_(isBigEndian) {}

    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] std::string_view part(std::size_t at, std::size_t count) const {
        if (at > bytes_.size() || count > bytes_.size() - at) {
            damaged("it is cut off; copy it again");
        }
        return bytes_.substr(at, count);
    }
    [[nodiscard]] std::uint32_t number(std::size_t at, std::size_t count) const {
        std::uint32_t value = 0;
        const std::string_view own = part(at, count);
        for (std::size_t i = 0; i != count; ++i) {
            value = value << 8U | static_cast<unsigned char>(own[isBigEndian_ ? i : count - 1 - i]);
        }
        return value;
    }
    [[nodiscard]] std::int16_t signedShort(std::size_t at) const { return static_cast<std::int16_t>(number(at, 2)); }
    [[nodiscard]] double real(std::size_t at) const {
        const double value = std::bit_cast<float>(number(at, 4));
        if (!std::isfinite(value)) {
            damaged("a corner is no number");
        }
        return value;
    }

private:
    std::string_view bytes_;
    bool isBigEndian_;
};

/// The rings of a composite region.
OutlinePolygon compositeIn(const Bytes& roi, std::size_t at, std::size_t floats) {
    OutlinePolygon polygon;
    for (const std::size_t end = at + 4 * floats; at + 4 <= end;) {
        const double kind = roi.real(at);
        at += 4;
        if (kind == 4) {
            continue; // closes a ring
        }
        if (kind != 0 && kind != 1) {
            unsupported("a region has curves");
        }
        if (kind == 0) {
            polygon.emplace_back();
        }
        if (polygon.empty()) {
            damaged("a region begins with a line");
        }
        polygon.back().push_back({roi.real(at), roi.real(at + 4)});
        at += 8;
    }
    return polygon;
}

/// A rectangle whose corners are quarters of an ellipse of at most the sides @p wide and @p high.
OutlineLoop roundedIn(double left, double top, double right, double bottom, double wide, double high) {
    constexpr int kCorners = 720;
    const double radiusX = std::min(wide, right - left) / 2;
    const double radiusY = std::min(high, bottom - top) / 2;
    OutlineLoop ring;
    for (int i = 0; i != kCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kCorners;
        const double x = std::cos(angle);
        const double y = std::sin(angle);
        ring.push_back({(left + right) / 2 + std::copysign((right - left) / 2 - radiusX, x) + radiusX * x,
                        (top + bottom) / 2 + std::copysign((bottom - top) / 2 - radiusY, y) + radiusY * y});
    }
    return ring;
}

std::optional<std::uint32_t> wholeNumber(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The whole number that a name is, or that precedes "-SLICE" in it, as writeObjectRois() names regions.
std::optional<std::uint32_t> numberOfName(std::string_view name, std::optional<std::uint32_t> slice) {
    if (const std::size_t dash = name.rfind('-');
        slice && dash != std::string_view::npos && wholeNumber(name.substr(dash + 1)) == *slice + 1) {
        name = name.substr(0, dash);
    }
    const auto number = wholeNumber(name);
    return number && *number != 0 ? number : std::nullopt;
}

std::string inflatedEntry(std::string_view stored, std::size_t size) {
    constexpr std::size_t kExpansion = 1040; // of Deflate, at most
    if (size / kExpansion > stored.size()) {
        damaged("an entry of the zip file is damaged");
    }
    std::string bytes(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        throw std::bad_alloc();
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data())); // NOLINT
    stream.avail_in = static_cast<uInt>(stored.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data()); // NOLINT
    stream.avail_out = static_cast<uInt>(size);
    const int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (result != Z_STREAM_END || stream.avail_out != 0) {
        damaged("an entry of the zip file is damaged");
    }
    return bytes;
}

} // namespace

StoredOutline outlineOfRoi(std::string_view bytes, const std::string& name, bool inVolume) {
    const Bytes roi(bytes, true);
    if (roi.part(0, 4) != "Iout") {
        damaged("it is no region of ImageJ");
    }
    const std::uint32_t kind = roi.number(6, 1);
    const double top = roi.signedShort(8);
    const double left = roi.signedShort(10);
    const double bottom = roi.signedShort(12);
    const double right = roi.signedShort(14);
    const std::uint32_t position = roi.size() >= 60 ? roi.number(56, 4) : 0;
    StoredOutline outline;
    outline.takesRightEdge = true;
    if (inVolume && position != 0) {
        outline.slice = position - 1;
    }
    outline.number = numberOfName(name, outline.slice);
    if (const std::uint32_t floats = roi.number(36, 4); floats != 0) {
        outline.polygons.push_back(compositeIn(roi, 64, floats));
        return outline;
    }
    constexpr std::array kPolygons{0U, 7U, 8U}; // polygon, freehand, traced
    if (const double rounded = kind == 1 && roi.size() >= 56 ? roi.signedShort(54) : 0; rounded > 0) {
        outline.polygons.push_back({roundedIn(left, top, right, bottom, rounded, rounded)});
    } else if (kind == 1) {
        outline.polygons.push_back({{{left, top}, {right, top}, {right, bottom}, {left, bottom}}});
    } else if (kind == 2) {
        outline.polygons.push_back({roundedIn(left, top, right, bottom, right - left, bottom - top)});
    } else if (std::ranges::find(kPolygons, kind) != kPolygons.end()) {
        const std::size_t few = roi.number(16, 2);
        const std::size_t corners = few != 0 ? few : roi.number(18, 4);
        const bool isSubpixel = (roi.number(50, 2) & 128U) != 0 && roi.number(4, 2) >= 222;
        const std::size_t at = 64 + (isSubpixel ? 4 * corners : 0);
        const std::size_t bytesEach = isSubpixel ? 4 : 2;
        (void)roi.part(at, 2 * bytesEach * corners);
        OutlineLoop ring;
        for (std::size_t i = 0; i != corners; ++i) {
            const std::size_t x = at + bytesEach * i;
            const std::size_t y = x + bytesEach * corners;
            ring.push_back(isSubpixel ? OutlineCorner{roi.real(x), roi.real(y)}
                                      : OutlineCorner{left + roi.signedShort(x), top + roi.signedShort(y)});
        }
        outline.polygons.push_back({std::move(ring)});
    } else {
        unsupported("the region " + name + " has no area");
    }
    return outline;
}

std::vector<StoredOutline> outlinesOfZip(std::string_view file, bool inVolume) {
    constexpr std::string_view kEndMark = "PK\x05\x06";
    constexpr std::size_t kMostBytes = std::size_t{1} << 30U; ///< of all entries
    constexpr std::string_view kEntryMark = "PK\x01\x02";
    const std::size_t end = file.rfind(kEndMark);
    if (end == std::string_view::npos) {
        damaged("it is no zip file, or cut off");
    }
    const Bytes zip(file, false);
    std::vector<StoredOutline> outlines;
    std::size_t total = 0;
    std::size_t at = zip.number(end + 16, 4);
    for (std::uint32_t left = zip.number(end + 10, 2); left != 0; --left) {
        if (zip.part(at, 4) != kEntryMark) {
            damaged("the directory of the zip file is damaged");
        }
        const std::uint32_t method = zip.number(at + 10, 2);
        const std::size_t stored = zip.number(at + 20, 4);
        const std::size_t size = zip.number(at + 24, 4);
        const std::size_t nameBytes = zip.number(at + 28, 2);
        const std::filesystem::path name(std::string(zip.part(at + 46, nameBytes)));
        const std::size_t header = zip.number(at + 42, 4);
        const std::size_t begin = header + 30 + zip.number(header + 26, 2) + zip.number(header + 28, 2);
        at += 46 + nameBytes + zip.number(at + 30, 2) + zip.number(at + 32, 2);
        if (name.extension() != ".roi") {
            continue;
        }
        if (method != 0 && method != 8) {
            unsupported("an entry of the zip file is compressed in another way than by Deflate");
        }
        const std::string_view content = zip.part(begin, stored);
        total += std::max(stored, size);
        if (total > kMostBytes) {
            throw Error(ErrorCode::limitExceeded, "more than 1 GiB of regions are not read");
        }
        outlines.push_back(outlineOfRoi(method == 0 ? std::string(content) : inflatedEntry(content, size),
                                        name.stem().string(), inVolume));
    }
    return outlines;
}

} // namespace pollard
