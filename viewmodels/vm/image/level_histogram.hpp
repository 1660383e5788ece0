#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Grey levels at the ends of the display range, low < high.
struct LevelWindow {
    double low = 0;
    double high = 255;

    bool operator==(const LevelWindow&) const = default;
};

/// Number of pixels per grey level of an image.
struct LevelHistogram {
    std::vector<std::uint64_t> counts; ///< one per level, 256 or 65,536
    std::uint64_t pixels = 0;
    std::uint16_t minimum = 0; ///< smallest level of any pixel
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

/// The counted pixels of an image: pixels inside all given parts; in a volume in the rows of all slices.
struct CountedArea {
    std::optional<PixelRegion> rectangle; ///< clipped to the image
    const Mask* region = nullptr;         ///< of the image's size
    const Mask* valid = nullptr;          ///< of the image's size
};

/// Counts the pixels of a part of the image; minimum and maximum are 0 if there are none.
/// @throws Cancelled
[[nodiscard]] LevelHistogram countLevels(const Image& image, const CountedArea& area, const JobControl& control = {});

/// Pixels at an end of the file's range: their true value may be beyond.
struct Saturation {
    std::uint64_t black = 0;
    std::uint64_t white = 0;
    std::uint64_t pixels = 0; ///< number of counted ones

    bool operator==(const Saturation&) const = default;
};

/// @param bits depth of the file, 1..16: white is the level 2^bits - 1
[[nodiscard]] Saturation saturationOf(const LevelHistogram& histogram, int bits);

/// Fraction of a level by which levels inside the window still count as reaching its end, as in the shader that marks
/// them.
inline constexpr double kMarkRounding = 0.05;

/// Pixels at or beyond a window: black from its low level down, white from its high level up.
[[nodiscard]] Saturation clippedBy(const LevelWindow& window, const LevelHistogram& histogram);

/// Fractions of the pixels below and above the automatic window.
inline constexpr double kAutoWindowLow = 0.001;
inline constexpr double kAutoWindowHigh = 0.999;

/// The window from a low to a high percentile (fractions, low < high). If they are equal (few bright pixels on a
/// uniform background), the full range of levels; for a constant image one level below to one above, within the range
/// of the pixel type.
[[nodiscard]] LevelWindow autoWindow(const LevelHistogram& histogram, double lowFraction = kAutoWindowLow,
                                     double highFraction = kAutoWindowHigh);

/// Level not exceeded by 99.9 % of the pixels above 0, from a sample of at most a million pixels; 0 if the sample has
/// none above 0. For residues, which are 0 nearly everywhere, ordinary percentiles are useless.
[[nodiscard]] std::uint16_t brightLevel(const Image& image);

/// Fraction of the changed pixels inside the automatic difference range: a filter changes a few pixels by much and most
/// by little.
inline constexpr double kDifferenceShare = 0.99;

/// Level not exceeded by 99 % of the non-zero absolute differences of two images of one type and size, from a sample as
/// above; 0 if no pixel of the sample differs.
[[nodiscard]] std::uint16_t brightDifference(const Image& a, const Image& b);

/// Levels for display: if levels are ranks of values, displayed levels are in proportion to the values, so that tones
/// and histograms follow these. Levels of other images are displayed as they are.
using EvenLevels = std::shared_ptr<const std::vector<std::uint16_t>>;

/// The displayed level of every level, from 0 for the smallest value to @p last for the largest; null if levels are
/// displayed as they are.
[[nodiscard]] EvenLevels evenLevelsOf(const std::optional<ValueMapping>& mapping, std::uint16_t last);

/// How displayed levels belong to values.
[[nodiscard]] std::optional<ValueMapping> evenMappingOf(std::optional<ValueMapping> mapping, std::uint16_t last);

/// The image or volume in displayed levels; itself without ranks.
[[nodiscard]] std::shared_ptr<const Image> inEvenLevels(std::shared_ptr<const Image> image,
                                                        const std::optional<ValueMapping>& mapping);
[[nodiscard]] LevelHistogram inEvenLevels(LevelHistogram histogram, const std::optional<ValueMapping>& mapping);

} // namespace pollard::vm
