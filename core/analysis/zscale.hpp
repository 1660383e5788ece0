#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Values for black and white.
struct DisplayRange {
    double low = 0;
    double high = 0;

    bool operator==(const DisplayRange&) const = default;
};

/// Levels of about a thousand pixels at equal distances in raster order.
/// @param valid pixels with data, as fits(); null: all. Others of these pixels are left out.
[[nodiscard]] std::vector<std::uint16_t> zscaleSamples(const Image& image, const Mask* valid);

/// The range around the median by the algorithm zscale of IRAF: a line is fitted to the sorted values without those
/// that are far from it, and its slope divided by the contrast of 0.25 gives the range. Equal to ZScaleInterval of
/// astropy with its defaults. Ends of the values if too few are near the line.
/// @param values of zscaleSamples(); {0, 0} if there are none
[[nodiscard]] DisplayRange zscale(std::vector<double> values);

} // namespace pollard
