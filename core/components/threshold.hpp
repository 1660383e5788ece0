#pragma once

#include "base/job_control.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "image/value_mapping.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace pollard {

using LevelCounts = std::array<std::uint64_t, 65536>;

/// Histogram of the grey levels; 8-bit images use the first 256 entries.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if the mask has another size; Cancelled
[[nodiscard]] std::unique_ptr<LevelCounts> countLevels(const Image& image, const Mask* valid,
                                                       const JobControl& control = {});

/// The pixels with @p low <= level <= @p high. The mask of a volume has the rows of all slices.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if the mask has another size; Cancelled
[[nodiscard]] Mask thresholdMask(const Image& image, std::uint16_t low, std::uint16_t high, const Mask* valid,
                                 const JobControl& control = {});

/// Methods that compute a threshold from the histogram.
///
/// Every threshold t splits the occupied levels into those below t and those >= t, neither class empty. All levels
/// between two occupied ones split alike; the smallest is the result.
enum class ThresholdMethod : std::uint8_t {
    /// The split with the largest variance between the classes; at a tie the smallest t. (Otsu, "A threshold selection
    /// method from gray-level histograms", 1979)
    otsu,
    /// The corner of the histogram: between its peak (at a tie the lowest) and the end of its longer tail (at a tie the
    /// lower), the level l whose count lies farthest below the line from the peak to 0 at that end; at a tie the level
    /// nearest to the end. t = l + 1, limited so that the upper class is not empty. For few objects on a large
    /// background. (Zack, Rogers, Latt, "Automatic measurement of sister chromatid exchange frequency", 1977)
    triangle,
    /// Minimum cross entropy between the image and its two class means: from the split at the mean of all pixels, t
    /// moves to (m1 - m0) / (ln m1 - ln m0) with the class means m0 < m1 until the split is stable. Each step lowers
    /// the cross entropy, so this ends in a local minimum. Levels are counted from the smallest occupied one, as in
    /// scikit-image, which makes the result independent of a camera's offset. (Li, Tam, "An iterative algorithm for
    /// minimum cross entropy thresholding", 1998)
    li,
    /// As otsu, of the square roots of the values: the noise of photons grows with the square root, so on this axis it
    /// is as wide in bright as in dark objects. Values below 0 count as 0.
    otsuRoot,
};

inline constexpr std::array kThresholdMethods{ThresholdMethod::otsu, ThresholdMethod::otsuRoot,
                                              ThresholdMethod::triangle, ThresholdMethod::li};

/// Stable id for options and files: "otsu", "otsu-root", "triangle", "li".
[[nodiscard]] std::string_view nameOf(ThresholdMethod method) noexcept;
[[nodiscard]] std::optional<ThresholdMethod> findThresholdMethod(std::string_view name) noexcept;

/// Threshold of a method for a histogram. Sums are exact, but for sums of square roots; else doubles occur only in
/// quotients and logarithms. If the levels are ranks, distances are measured between their values, and triangle takes a
/// histogram of at most 65,536 bins of equal width between the values of the smallest and the largest occupied level.
/// Integers in a range of this size have a bin each.
/// @param mapping of the levels; unset if they are values. If the levels are ranks, values far beyond the quantiles
/// .0001 and .9999 count as these quantiles, see ValueMapping.
/// @throws Error(invalidArgument) if fewer than two levels are occupied
[[nodiscard]] std::uint16_t automaticThreshold(ThresholdMethod method, const LevelCounts& counts,
                                               const std::optional<ValueMapping>& mapping = {});

/// Threshold of a method for the pixels of an image.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if fewer than two levels are occupied or the mask has another size; Cancelled
[[nodiscard]] std::uint16_t automaticThreshold(ThresholdMethod method, const Image& image, const Mask* valid,
                                               const JobControl& control = {},
                                               const std::optional<ValueMapping>& mapping = {});

/// Sets the pixels of all holes: components of the unset pixels, in the complementary connectivity (8 for objects of
/// connectivity 4, 26 for 6, and vice versa; 6 for 18), that neither touch the border of the image nor contain a pixel
/// outside @p inside. Without @p inside and for objects of connectivity 8, 18 or 26 this equals
/// scipy.ndimage.binary_fill_holes with its default structure. Linear in rows and runs, parallel; takes as much memory
/// as labelling the complement. Independent of the number of threads.
/// @param mask subset of @p inside
/// @param inside pixels to consider; null: all
/// @param slices of a volume, whose rows the masks have, see thresholdMask()
/// @throws Error(invalidArgument) for masks of different sizes, Error(outOfMemory); Cancelled
void fillHoles(Mask& mask, const Mask* inside, Connectivity objects, const JobControl& control = {},
               std::uint32_t slices = 1);

} // namespace pollard
