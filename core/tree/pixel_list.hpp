#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "base/wide_integer.hpp"
#include "tree/component_tree.hpp"

#include <cstdint>
#include <span>

namespace pollard {

/// The pixels sorted by node: those at the node's level are [start[n], start[n + 1]), and, because the nodes of a
/// component are an interval, those of its whole component are [start[n], start[subtreeEnd[n]]). The order within a
/// node depends on the threads.
struct PixelList {
    Buffer<std::uint32_t> start;  ///< nodes + 1 entries
    Buffer<std::uint32_t> pixels; ///< pixel indices y * width + x

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t node) const noexcept {
        return pixels.span().subspan(start[node], start[node + 1] - start[node]);
    }
};

/// Number of pixels at the node's level, per node. O(pixels), parallel.
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] Buffer<std::uint32_t> countOwnPixels(const ComponentTree& tree, const JobControl& control);

/// Counting sort. O(pixels), parallel.
/// @param own result of countOwnPixels()
/// @throws Cancelled, std::bad_alloc
[[nodiscard]] PixelList listPixels(const ComponentTree& tree, const Buffer<std::uint32_t>& own,
                                   const JobControl& control);

/// Column and row of pixel indices without division.
class PixelPlace {
public:
    explicit PixelPlace(std::uint32_t width) noexcept
        : width_(width), reciprocal_(width == 1 ? 0 : ~std::uint64_t{0} / width + 1) {}

    [[nodiscard]] std::uint32_t row(std::uint32_t pixel) const noexcept {
        return reciprocal_ == 0 ? pixel : static_cast<std::uint32_t>(UInt128{reciprocal_} * pixel >> 64);
    }
    [[nodiscard]] std::uint32_t column(std::uint32_t pixel, std::uint32_t row) const noexcept {
        return pixel - row * width_;
    }

private:
    std::uint32_t width_;
    std::uint64_t reciprocal_; ///< 2^64 / width, rounded up: exact for 32-bit numbers (Lemire, Kaser, Kurz 2019)
};

} // namespace pollard
