#pragma once

#include "base/compiler.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_layout.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "image/image.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pollard::cuda {

/// Rows of a volume in a mask whose slices lie below each other, each padded with clear rows to whole strips.
struct PaddedRows {
    std::uint32_t height;      ///< of a slice
    std::uint32_t rowsOfSlice; ///< with the padding
    std::uint32_t slices;

    [[nodiscard]] bool isPadded() const noexcept { return rowsOfSlice != height; }
};

/// The rows of a padded mask for PaintLabels.
struct RowsOfSlices {
    PaddedRows rows;

    [[nodiscard]] POLLARD_DEVICE bool has(std::uint32_t row) const { return row % rows.rowsOfSlice < rows.height; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t of(std::uint32_t row) const {
        return row / rows.rowsOfSlice * rows.height + row % rows.rowsOfSlice;
    }
};

/// Division of a volume by the algorithm "strips": strips of several rows, each in one slice.
struct VolumeStripLayout {
    StripLayout strips; ///< of the padded mask
    PaddedRows rows;

    [[nodiscard]] std::uint32_t stripsOfSlice() const noexcept { return rows.rowsOfSlice >> strips.rowBits; }

    /// @return nothing if the rows are too long for strips of several, or 32 bits cannot number the nodes
    [[nodiscard]] static std::optional<VolumeStripLayout> of(const Extent& extent, std::size_t sharedBytes,
                                                             std::uint32_t mostThreads) {
        const StripLayout tall =
            StripLayout::of(extent.width, 1U << StripLayout::kMostRowBits, sharedBytes, mostThreads);
        if (!tall.isNarrow()) {
            return std::nullopt;
        }
        const auto wanted = static_cast<std::uint32_t>(std::bit_width(std::max(2U, extent.height) - 1));
        const std::uint32_t rowBits = std::min(tall.rowBits, wanted);
        const std::uint64_t ofSlice = ((std::uint64_t{extent.height} - 1) >> rowBits << rowBits) + (1U << rowBits);
        const std::uint64_t rows = ofSlice * extent.slices;
        if (rows >= kNoComponent) {
            return std::nullopt;
        }
        VolumeStripLayout layout{
            StripLayout::ofRows(extent.width, static_cast<std::uint32_t>(rows), rowBits, mostThreads),
            {extent.height, static_cast<std::uint32_t>(ofSlice), extent.slices}};
        const bool fits = layout.strips.nodes() < kNoComponent && layout.strips.words() < kNoComponent;
        return fits ? std::optional(layout) : std::nullopt;
    }
};

} // namespace pollard::cuda
