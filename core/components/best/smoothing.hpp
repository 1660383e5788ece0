#pragma once

#include "base/job_control.hpp"
#include "base/parallel.hpp"
#include "image/image.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// The sides of voxels in units of the smallest one, for lengths that do not depend on how a volume is sampled.
[[nodiscard]] VoxelSides inSmallestSide(const VoxelSides& sides) noexcept;

/// Gaussian filters in whole numbers.
struct GaussianWeights {
    static constexpr std::size_t kReach = 3; ///< px
    static constexpr int kBits = 16;

    /// At 0, 1, 2 and 3 px; the seven weights sum up to 2^kBits.
    std::array<std::uint64_t, kReach + 1> at{};

    /// @param sigma px
    explicit GaussianWeights(double sigma) noexcept;
};

/// The weights along the axes.
struct SmoothingWeights {
    GaussianWeights x;
    GaussianWeights y;
    GaussianWeights z;

    /// @param sigma in the smallest sides
    SmoothingWeights(double sigma, const VoxelSides& sides) noexcept;
};

/// Smooths an image or a volume; the pixels at its edges are continued beyond them. Exact in rows and columns: the
/// weighted sums of the numbers over 2^32, divided by 2^@p droppedBits and rounded down; then along the slices, rounded
/// down. Parallel, independent of the number of threads.
/// @param fill fills the numbers of row @p first of all slices, below 2^32
/// @throws Error(outOfMemory); Cancelled
void smoothRows(const Extent& extent, const SmoothingWeights& weights, int droppedBits,
                FunctionRef<std::size_t, std::span<std::uint32_t>> fill, std::span<std::uint32_t> out,
                const JobControl& control);

} // namespace pollard
