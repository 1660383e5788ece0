#include "formats/tiff/tiles/tile_layout.hpp"

#include "io/write/planes.hpp"

#include <algorithm>

namespace pollard {

namespace {

/// A side of a reduced version.
std::uint32_t halved(std::uint32_t pixels, std::uint32_t level) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{pixels} + (std::uint64_t{1} << level) - 1) >> level);
}

} // namespace

std::uint32_t TileLayout::levels() const noexcept {
    std::uint32_t levels = 1;
    while (widthAt(levels - 1) > side || heightAt(levels - 1) > side) {
        ++levels;
    }
    return levels;
}

std::uint32_t TileLayout::widthAt(std::uint32_t level) const noexcept { return halved(width, level); }

std::uint32_t TileLayout::heightAt(std::uint32_t level) const noexcept { return halved(height, level); }

std::uint32_t TileLayout::columnsAt(std::uint32_t level) const noexcept { return (widthAt(level) - 1) / side + 1; }

std::uint64_t TileLayout::tilesAt(std::uint32_t level) const noexcept {
    return std::uint64_t{columnsAt(level)} * ((heightAt(level) - 1) / side + 1);
}

ValueType TileLayout::type() const noexcept {
    const ValueType type = unsignedType(bits);
    return kind == SampleKind::real            ? (bits == 32 ? ValueType::f32 : ValueType::f64)
           : kind == SampleKind::signedInteger ? signedType(type)
                                               : type;
}

PixelRegion TileLayout::regionOf(const TileKey& tile) const noexcept {
    const std::uint32_t columns = columnsAt(tile.level);
    const auto x = static_cast<std::uint32_t>(tile.number % columns * side);
    const auto y = static_cast<std::uint32_t>(tile.number / columns * side);
    return {x, y, std::min(side, widthAt(tile.level) - x), std::min(side, heightAt(tile.level) - y)};
}

std::string TileLayout::problem() const {
    constexpr std::uint32_t kMaxPixels = 0x7fff'ffff; // so that a side rounded up to tiles fits 32 bits
    if (width == 0 || height == 0 || width > kMaxPixels || height > kMaxPixels) {
        return std::to_string(width) + " x " + std::to_string(height) + " px";
    }
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        return std::to_string(bits) + " bits per pixel";
    }
    if (kind == SampleKind::real && bits < 32) {
        return "floating-point samples of " + std::to_string(bits) + " bits";
    }
    if (side == 0 || side % 16 != 0 || side > kMaxSide) {
        return "tiles of " + std::to_string(side) + " px (multiples of 16 up to " + std::to_string(kMaxSide) + ")";
    }
    if (tilesAt(0) > 0xffff'ffffU) {
        return std::to_string(tilesAt(0)) + " tiles";
    }
    if (!isAvailable(compression)) {
        return "a compression that libtiff lacks here";
    }
    const int most = compression == TiffCompression::zstd ? 22 : 9;
    if (compression != TiffCompression::none && (effort < 1 || effort > most)) {
        return "compression of level " + std::to_string(effort) + " (1 to " + std::to_string(most) + ")";
    }
    return {};
}

} // namespace pollard
