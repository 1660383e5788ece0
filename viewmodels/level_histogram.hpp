#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"

#include <cstdint>
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

/// Fractions of the pixels that the automatic window lets go black and white.
inline constexpr double kAutoWindowLow = 0.001;
inline constexpr double kAutoWindowHigh = 0.999;

/// The window from the 0.1 % to the 99.9 % percentile. Where those are equal (few bright pixels on an even ground) the
/// range that occurs; for a constant image one level below to one above, within what the pixel type holds.
[[nodiscard]] LevelWindow autoWindow(const LevelHistogram& histogram);

/// Level that 99.9 % of the pixels above 0 do not exceed, from a sample of at most a million pixels; 0 if the sample
/// has none above 0. A residue is 0 nearly everywhere, its ordinary percentiles say nothing.
[[nodiscard]] std::uint16_t brightLevel(const Image& image);

} // namespace pollard::vm
