#pragma once

#include "cuda/device/host_device.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Rows of a volume in a mask whose slices lie below each other, each padded with clear rows to whole strips.
struct PaddedRows {
    std::uint32_t height;      ///< of a slice
    std::uint32_t rowsOfSlice; ///< with those of the padding
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

} // namespace pollard::cuda
