#pragma once

#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pollard {

/// Places of the pixels of an image in an array with a border, so that each neighbour of a pixel has a place: a column
/// after each row, a row after each slice, and as much before the first pixel and after the last one as the farthest
/// neighbours need.
class PaddedGrid {
public:
    explicit PaddedGrid(const Extent& extent) noexcept
        : extent_(extent), row_(std::size_t{extent.width} + 1),
          slice_(extent.isVolume() ? row_ * (std::size_t{extent.height} + 1) : 0), lead_(slice_ + row_ + 1) {}

    [[nodiscard]] const Extent& extent() const noexcept { return extent_; }
    /// Place of the first pixel of a row of all slices.
    [[nodiscard]] std::size_t row(std::size_t y) const noexcept {
        return lead_ + y / extent_.height * slice_ + y % extent_.height * row_;
    }
    [[nodiscard]] std::size_t size() const noexcept { return row(extent_.rows() - 1) + extent_.width + lead_; }
    /// Index of the pixel at a place.
    [[nodiscard]] std::size_t pixelAt(std::size_t place) const noexcept {
        const std::size_t behind = place - lead_;
        const std::size_t z = slice_ == 0 ? 0 : behind / slice_;
        const std::size_t inSlice = behind - z * slice_;
        return (z * extent_.height + inSlice / row_) * extent_.width + inSlice % row_;
    }

    /// Steps to the @p Count neighbours: 4, 8, 6, 18 or 26. The first lie in the row before, or in a volume in the
    /// slice before, the last in the one after.
    template <int Count> [[nodiscard]] std::array<std::ptrdiff_t, Count> steps() const noexcept {
        return stepsIn<Count>(row_, slice_);
    }
    /// The same from pixel to pixel.
    template <int Count> [[nodiscard]] std::array<std::ptrdiff_t, Count> pixelSteps() const noexcept {
        return stepsIn<Count>(extent_.width, std::size_t{extent_.width} * extent_.height);
    }

    /// Rows that hold neighbours, without the own.
    template <int Count> static constexpr std::size_t kRowsAround = Count == 4 || Count == 8 ? 2 : Count == 6 ? 4 : 8;
    /// Steps to the same column of these rows.
    template <int Count> [[nodiscard]] std::array<std::ptrdiff_t, kRowsAround<Count>> rowSteps() const noexcept {
        constexpr int kDepth = Count == 4 || Count == 8 ? 0 : 1;
        std::array<std::ptrdiff_t, kRowsAround<Count>> steps{};
        std::size_t next = 0;
        for (int z = -kDepth; z <= kDepth; ++z) {
            for (int y = -1; y <= 1; ++y) {
                if ((y != 0 || z != 0) && (Count != 6 || y == 0 || z == 0)) {
                    steps[next++] = z * static_cast<std::ptrdiff_t>(slice_) + y * static_cast<std::ptrdiff_t>(row_);
                }
            }
        }
        return steps;
    }

private:
    template <int Count>
    [[nodiscard]] static std::array<std::ptrdiff_t, Count> stepsIn(std::size_t row, std::size_t slice) noexcept {
        constexpr int kDepth = Count == 4 || Count == 8 ? 0 : 1;
        constexpr int kAxes = Count == 4 || Count == 6 ? 1 : Count == 26 ? 3 : 2;
        std::array<std::ptrdiff_t, Count> steps{};
        std::size_t next = 0;
        for (int z = -kDepth; z <= kDepth; ++z) {
            for (int y = -1; y <= 1; ++y) {
                for (int x = -1; x <= 1; ++x) {
                    const int axes = std::abs(x) + std::abs(y) + std::abs(z);
                    if (axes != 0 && axes <= kAxes) {
                        steps[next++] =
                            z * static_cast<std::ptrdiff_t>(slice) + y * static_cast<std::ptrdiff_t>(row) + x;
                    }
                }
            }
        }
        return steps;
    }

    Extent extent_;
    std::size_t row_;
    std::size_t slice_; ///< 0 in an image
    std::size_t lead_;
};

/// @param work for the message: "watershed"
/// @param inside may be null
/// @throws Error(invalidArgument) for a mask of another size, Error(limitExceeded) if an index of a PaddedGrid does not
/// fit 32 bits
void requireInGrid(const char* work, const Image& image, const Mask* inside);

/// Calls @p function with the number of neighbours as a constant.
template <class Function> decltype(auto) withNeighbours(Connectivity connectivity, const Function& function) {
    switch (connectivity) {
    case Connectivity::four:
        return function.template operator()<4>();
    case Connectivity::eight:
        return function.template operator()<8>();
    case Connectivity::six:
        return function.template operator()<6>();
    case Connectivity::eighteen:
        return function.template operator()<18>();
    case Connectivity::twentySix:
        break;
    }
    return function.template operator()<26>();
}

} // namespace pollard
