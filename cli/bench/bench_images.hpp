#pragma once

#include "image/image.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pollard::cli {

/// Synthetic images that are easy or hard for tree algorithms; bit-identical on every machine.
enum class TestImage {
    smoothNoise, ///< hills and valleys with a little noise, like a photograph
    noise,       ///< independent uniform grey levels: most nodes per pixel
    ramp,        ///< diagonal ramp over all levels: the deepest tree
};

[[nodiscard]] std::string_view nameOf(TestImage image) noexcept;

/// Generates an image; 8 bits are the high byte of the 16-bit one.
[[nodiscard]] std::shared_ptr<const Image> makeImage(TestImage image, PixelType type, std::uint32_t width,
                                                     std::uint32_t height);

/// Random squares of @p granularity px with 16-bit noise: @p density percent of the squares have levels from 32768 on,
/// the others below 16384.
[[nodiscard]] std::shared_ptr<const Image> makeSquares(std::uint32_t granularity, std::uint32_t density,
                                                       std::uint32_t width, std::uint32_t height);

/// A disc in the middle with levels of about 1040 on a background of 1000, with Gaussian noise of standard deviation
/// 30; 16 bits.
struct NoisyDisc {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t perSide = 1; ///< discs per row and column
    double radius = 0;         ///< px; 0.3 of the shorter side of a disc's cell
    std::shared_ptr<const Image> image;

    /// Whether the centre of a pixel is in a disc.
    [[nodiscard]] bool holds(std::uint32_t x, std::uint32_t y) const noexcept {
        const double dx = x % cellWidth() + 0.5 - cellWidth() / 2.0;
        const double dy = y % cellHeight() + 0.5 - cellHeight() / 2.0;
        return dx * dx + dy * dy < radius * radius;
    }
    [[nodiscard]] std::uint32_t cellWidth() const noexcept { return width / perSide; }
    [[nodiscard]] std::uint32_t cellHeight() const noexcept { return height / perSide; }
};
/// @param perSide discs per row and column; remaining pixels on the right and at the bottom continue the pattern
[[nodiscard]] NoisyDisc makeDisc(std::uint32_t width, std::uint32_t height, std::uint32_t perSide = 1);

/// The image at another depth: 16 -> 8 bits keeps the high byte, 8 -> 16 bits multiplies by 257 (0..65535). Returns
/// @p image if it has this depth.
[[nodiscard]] std::shared_ptr<const Image> convertDepth(std::shared_ptr<const Image> image, PixelType type);

} // namespace pollard::cli
