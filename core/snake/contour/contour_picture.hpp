#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "snake/contour/contour.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// An image in 8-bit grey, scaled from the 0.1 to the 99.9 percentile of its valid levels, as background for contours.
class ContourPicture {
public:
    /// @param valid pixels with data, null for all; others become black
    explicit ContourPicture(const Image& image, const Mask* valid = nullptr);

    /// RGB values of shape (height, width, 3) with the contours as lines in colours distinguishable with colour vision
    /// deficiency, 1/400 of the image and at least one px wide, and their nodes as larger squares.
    [[nodiscard]] std::vector<std::uint8_t> draw(std::span<const Contour> contours) const;

private:
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<std::uint8_t> grey_;
};

} // namespace pollard
