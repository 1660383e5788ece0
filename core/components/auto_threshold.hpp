#pragma once

#include "base/job_control.hpp"
#include "components/threshold.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pollard {

/// How a threshold is found from the grey levels alone.
///
/// Every threshold t splits the levels that occur into those below t and those from t on, neither class empty. All
/// levels between two occupied ones split alike; the smallest is given.
enum class ThresholdMethod : std::uint8_t {
    /// The split whose means lie farthest apart, weighted by the numbers of pixels: largest variance between the
    /// classes; of equal ones the smallest t. (Otsu, "A threshold selection method from gray-level histograms", 1979)
    otsu,
    /// The corner of the histogram: between its peak and the end of its longer tail (of equally long ones the lower,
    /// of equal peaks the lowest), the level l whose count lies farthest below the line from the peak down to 0 at
    /// that end; of several the one next to the end. t = l + 1, but never so large that nothing is left from t on.
    /// For few objects on much background. (Zack, Rogers, Latt, "Automatic measurement of sister chromatid exchange
    /// frequency", 1977)
    triangle,
    /// Smallest cross entropy between the image and its two means: from the split at the mean of all pixels, t moves
    /// to (m1 - m0) / (ln m1 - ln m0) of the classes' means m0 < m1 until the split stays. Each step lowers the cross
    /// entropy, so it ends, in a local minimum. Levels are counted from the smallest that occurs, as in scikit-image:
    /// an offset of the camera plays no part. (Li, Tam, "An iterative algorithm for minimum cross entropy
    /// thresholding", 1998)
    li,
};

inline constexpr std::array kThresholdMethods{ThresholdMethod::otsu, ThresholdMethod::triangle, ThresholdMethod::li};

/// Stable name for options and files: "otsu", "triangle", "li".
[[nodiscard]] std::string_view nameOf(ThresholdMethod method) noexcept;
[[nodiscard]] std::optional<ThresholdMethod> findThresholdMethod(std::string_view name) noexcept;

/// The threshold of a method for so many pixels per level. Exact sums; doubles only in quotients and logarithms.
/// @throws Error(invalidArgument) if less than two levels occur
[[nodiscard]] std::uint16_t automaticThreshold(ThresholdMethod method, const LevelCounts& counts);

/// The same for the pixels of an image.
/// @param valid pixels that count; null for all
/// @throws Error(invalidArgument) if less than two levels occur or the mask has another size; Cancelled
[[nodiscard]] std::uint16_t automaticThreshold(ThresholdMethod method, const Image& image, const Mask* valid,
                                               const JobControl& control = {});

} // namespace pollard
