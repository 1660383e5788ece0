#pragma once

#include "io/write/atomic_file.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// CRC-32 of bytes, as in ISO 3309 and the zip format.
[[nodiscard]] std::uint32_t crc32Of(std::span<const std::byte> bytes) noexcept;

/// A zip archive of uncompressed files; it gets its name at commit(). (PKWARE, "APPNOTE.TXT - .ZIP File
/// Format Specification", version 2.0 features)
class StoredZip {
public:
    static constexpr std::size_t kMostFiles = 65535;

    /// @param what operation for messages, e.g. "write regions"
    /// @throws Error(writeFailed)
    StoredZip(const std::filesystem::path& target, std::string what);

    /// Adds a file.
    /// @param name ASCII
    /// @throws Error(limitExceeded) beyond kMostFiles or 4 GB; Error(writeFailed)
    void add(std::string_view name, std::span<const std::byte> content);
    /// @throws Error(limitExceeded) beyond 4 GB; Error(writeFailed)
    void commit();

private:
    struct Entry {
        std::string name;
        std::uint32_t crc = 0;
        std::uint32_t bytes = 0;
        std::uint32_t offset = 0;
    };
    void write(const std::vector<std::byte>& bytes);

    AtomicFile file_;
    std::string what_;
    std::vector<std::byte> buffer_;
    std::uint64_t written_ = 0; ///< including the buffer
    std::vector<Entry> entries_;
};

/// Types of regions in ImageJ's files.
enum class RoiType : std::uint8_t {
    polygon = 0,
    rectangle = 1, ///< also for composite regions
    traced = 8,    ///< along the edges of pixels
};

/// Bounding box of a region, px: right and bottom are one past the last pixel.
struct RoiBox {
    std::uint32_t left = 0;
    std::uint32_t top = 0;
    std::uint32_t right = 0;
    std::uint32_t bottom = 0;
};

/// A region in the format of ij.io.RoiEncoder, version 227: a header of 64 bytes, then coordinates; big-endian.
class RoiBytes {
public:
    static constexpr std::size_t kMostCorners = 65535; ///< with integer coordinates
    static constexpr std::uint32_t kMostCoordinate = 32767;

    /// @param corners number of integer coordinate pairs that follow
    /// @param composite number of floats of a composite region that follow; 0 for others
    RoiBytes(RoiType type, const RoiBox& box, std::size_t corners, std::size_t composite);

    /// Restricts the region to a slice of a stack. @param slice 0-based
    void placeInSlice(std::uint32_t slice);
    void u16(std::size_t value) { number(value, 2); }
    void u32(std::size_t value) { number(value, 4); }
    void real(float value) { u32(std::bit_cast<std::uint32_t>(value)); }
    [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

private:
    void number(std::size_t value, int bytes);

    std::vector<std::byte> bytes_;
};

/// A region bounded by one closed ring of pixel corners (with members x and y) in 0..RoiBytes::kMostCoordinate; at most
/// RoiBytes::kMostCorners.
template <class Point> [[nodiscard]] RoiBytes ringRoi(RoiType type, std::span<const Point> ring) {
    RoiBox box{std::numeric_limits<std::uint32_t>::max(), std::numeric_limits<std::uint32_t>::max(), 0, 0};
    for (const Point& point : ring) {
        const auto x = static_cast<std::uint32_t>(point.x);
        const auto y = static_cast<std::uint32_t>(point.y);
        box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x), std::max(box.bottom, y)};
    }
    RoiBytes roi(type, box, ring.size(), 0);
    for (const Point& point : ring) {
        roi.u16(static_cast<std::uint32_t>(point.x) - box.left);
    }
    for (const Point& point : ring) {
        roi.u16(static_cast<std::uint32_t>(point.y) - box.top);
    }
    return roi;
}

} // namespace pollard
