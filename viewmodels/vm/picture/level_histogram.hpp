#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/pixel_region.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Pair of grey levels between which the display stretches, low < high.
struct LevelWindow {
    double low = 0;
    double high = 255;

    bool operator==(const LevelWindow&) const = default;
};

/// How many pixels of an image have each grey level.
struct LevelHistogram {
    std::vector<std::uint64_t> counts; ///< one per level, 256 or 65,536
    std::uint64_t pixels = 0;
    std::uint16_t minimum = 0; ///< smallest level that occurs
    std::uint16_t maximum = 0;

    [[nodiscard]] std::uint16_t maxLevel() const noexcept {
        return counts.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(counts.size() - 1);
    }
    /// Smallest level v such that at least fraction * pixels pixels are <= v.
    [[nodiscard]] std::uint16_t percentile(double fraction) const noexcept;
};

/// Counts all pixels.
/// @throws Cancelled
[[nodiscard]] LevelHistogram countLevels(const Image& image, const JobControl& control = {});

/// Pixels of an image that are counted: those that lie in all parts that are given.
struct CountedArea {
    std::optional<PixelRegion> rectangle; ///< clipped to the image
    const Mask* region = nullptr;         ///< of the image's size
    const Mask* valid = nullptr;          ///< of the image's size
};

/// Counts the pixels of a part of the image; minimum and maximum are 0 if there are none.
/// @throws Cancelled
[[nodiscard]] LevelHistogram countLevels(const Image& image, const CountedArea& area, const JobControl& control = {});

/// Pixels whose value reached an end of what the file can hold: their true value may lie beyond.
struct Saturation {
    std::uint64_t black = 0;
    std::uint64_t white = 0;
    std::uint64_t pixels = 0; ///< all that were counted

    bool operator==(const Saturation&) const = default;
};

/// @param bits depth of the file, 1..16: white is the level 2^bits - 1
[[nodiscard]] Saturation saturationOf(const LevelHistogram& histogram, int bits);

/// Part of a level by which levels beside the window still count as reaching it, as in the shader that marks them.
inline constexpr double kMarkRounding = 0.05;

/// Pixels at or beyond a window: black from its low level down, white from its high level up.
[[nodiscard]] Saturation clippedBy(const LevelWindow& window, const LevelHistogram& histogram);

/// Fractions of the pixels that the automatic window lets go black and white.
inline constexpr double kAutoWindowLow = 0.001;
inline constexpr double kAutoWindowHigh = 0.999;

/// The window from a low to a high percentile (fractions, low < high). Where those are equal (few bright pixels on an
/// even ground) the range that occurs; for a constant image one level below to one above, within what the pixel type
/// holds.
[[nodiscard]] LevelWindow autoWindow(const LevelHistogram& histogram, double lowFraction = kAutoWindowLow,
                                     double highFraction = kAutoWindowHigh);

/// Level that 99.9 % of the pixels above 0 do not exceed, from a sample of at most a million pixels; 0 if the sample
/// has none above 0. A residue is 0 nearly everywhere, its ordinary percentiles say nothing.
[[nodiscard]] std::uint16_t brightLevel(const Image& image);

/// Fraction of the changed pixels whose difference the automatic range holds: a filter changes a few pixels by much and
/// most by little.
inline constexpr double kDifferenceShare = 0.99;

/// Level that 99 % of the absolute differences above 0 of two images of one type and size do not exceed, from a sample
/// as above; 0 if no pixel of the sample differs.
[[nodiscard]] std::uint16_t brightDifference(const Image& a, const Image& b);

} // namespace pollard::vm
