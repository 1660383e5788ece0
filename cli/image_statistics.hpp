#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"

#include <array>
#include <cstdint>

namespace pollard::cli {

/// Statistics from the histogram of an image.
struct ImageStatistics {
    /// Percentages in percentiles.
    static constexpr std::array kPercentages{0.1, 1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0, 99.9};

    std::uint16_t minimum = 0;
    std::uint16_t maximum = 0;
    double mean = 0;
    double standardDeviation = 0; ///< population standard deviation
    std::uint32_t distinctLevels = 0;
    /// Smallest level that at least this percentage of the pixels does not exceed.
    std::array<std::uint16_t, kPercentages.size()> percentiles{};
};

/// One pass over the pixels of @p valid, or all pixels if it is null. All zero if no pixel is valid.
[[nodiscard]] ImageStatistics statisticsOf(const Image& image, const Mask* valid = nullptr);

} // namespace pollard::cli
