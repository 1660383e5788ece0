#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// An image as grey 8-bit pixels, shown from the 0.1 to the 99.9 percentile of its valid levels, for pictures with
/// contours drawn over it.
class ContourPicture {
public:
    /// @param valid pixels with data, null for all; others are black
    explicit ContourPicture(const Image& image, const Mask* valid = nullptr);

    /// Values of shape (height, width, 3): the contours as lines in colours that everybody can tell apart, a
    /// fourhundredth of the image wide and at least one px, with their nodes as larger squares.
    [[nodiscard]] std::vector<std::uint8_t> draw(std::span<const Contour> contours) const;

private:
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<std::uint8_t> grey_;
};

} // namespace pollard
