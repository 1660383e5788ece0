#pragma once

#include "base/buffer.hpp"
#include "image/image.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// A label image as runs of equal numbers in raster order.
struct LabelRuns {
    std::uint32_t width = 0;
    std::uint32_t height = 0; ///< of a slice
    std::uint32_t slices = 1;
    std::vector<std::uint32_t> runs; ///< numbers and counts of pixels in turn

    [[nodiscard]] static LabelRuns of(std::span<const std::uint32_t> labels, const Extent& extent);
    [[nodiscard]] Extent extent() const noexcept { return {width, height, slices}; }
    /// Whether the runs have the pixels of the image.
    [[nodiscard]] bool areComplete() const noexcept;
    /// The number of each pixel. @pre areComplete()
    [[nodiscard]] Buffer<std::uint32_t> numbers() const;

    bool operator==(const LabelRuns&) const = default;
};

} // namespace pollard
