#pragma once

#include "formats/tiff/tiff_tags.hpp"
#include "image/image.hpp"
#include "image/value_mapping.hpp"
#include "io/samples/row_sink.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace pollard {

/// A tile of an image or of one of its reduced versions.
struct TileKey {
    std::uint32_t level = 0;  ///< 0: full resolution
    std::uint64_t number = 0; ///< row by row from the top left

    bool operator==(const TileKey&) const = default;
};

/// Division of an image with one sample per pixel, and of its reduced versions, into square tiles. Each
/// level has half the width and height of the level before, rounded up; the last level is the first that fits one tile.
/// Tiles at the right and lower edge are stored in full size, filled with copies of the last column and row.
struct TileLayout {
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px
    int bits = 8;             ///< per pixel: 8, 16, 32 or 64
    std::uint32_t side = 512; ///< of a tile, px: a multiple of 16 up to kMaxSide
    TiffCompression compression = TiffCompression::deflate;
    /// Level of the codec, 1 to 9 for Deflate and 1 to 22 for Zstandard: higher levels give smaller files and take
    /// longer. Ignored without compression.
    int effort = 1;
    /// Bits of the sample of pixels without data. Means leave out such pixels and NaN; a mean that is equal to this
    /// sample is replaced by the first pixel with data.
    std::optional<std::uint64_t> noData = {};
    SampleKind kind = SampleKind::unsignedInteger; ///< of the samples; floating-point samples have 32 or 64 bits

    static constexpr std::uint32_t kMaxSide = 4096; ///< px

    /// Number of levels, at least 1.
    [[nodiscard]] std::uint32_t levels() const noexcept;
    [[nodiscard]] std::uint32_t widthAt(std::uint32_t level) const noexcept;   ///< px
    [[nodiscard]] std::uint32_t heightAt(std::uint32_t level) const noexcept;  ///< px
    [[nodiscard]] std::uint32_t columnsAt(std::uint32_t level) const noexcept; ///< tiles in a row
    [[nodiscard]] std::uint64_t tilesAt(std::uint32_t level) const noexcept;
    /// The part of the tile that is in the image, in px of the level.
    [[nodiscard]] PixelRegion regionOf(const TileKey& tile) const noexcept;
    [[nodiscard]] ValueType type() const noexcept;
    [[nodiscard]] std::size_t pixelBytes() const noexcept { return static_cast<std::size_t>(bits) / 8; }
    /// Bytes of a row of a tile.
    [[nodiscard]] std::size_t rowBytes() const noexcept { return side * pixelBytes(); }
    /// Bytes of the pixels of a whole tile.
    [[nodiscard]] std::size_t tileBytes() const noexcept { return rowBytes() * side; }

    /// The member that is outside the ranges above, e.g. "0 x 10 px"; empty if all is valid.
    [[nodiscard]] std::string problem() const;

    bool operator==(const TileLayout&) const = default;
};

} // namespace pollard
