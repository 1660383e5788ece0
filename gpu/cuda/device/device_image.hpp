#pragma once

#include "base/compiler.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// An image in device memory, slice by slice and row by row.
struct DeviceImage {
    const void* pixels; ///< of `type`
    PixelType type;
    std::uint32_t width, height; ///< of a slice, px
    std::uint32_t slices = 1;

    [[nodiscard]] Extent extent() const noexcept { return {width, height, slices}; }
    [[nodiscard]] std::uint64_t pixelCount() const noexcept { return extent().pixelCount(); }
    /// Number of rows of all slices.
    [[nodiscard]] std::uint32_t rows() const noexcept { return height * slices; }
};

/// Pixels of an image, row-major, as seen by the max-tree algorithms: for a min-tree the order of the grey levels is
/// reversed, since the min-tree of an image is the max-tree of the reversed image.
template <class T> struct LevelView {
    static_assert(std::is_unsigned_v<T>);

    const T* pixels;
    T flip; ///< 0, or all ones for a min-tree; flipping twice restores the value

    [[nodiscard]] POLLARD_HOST_DEVICE T operator[](std::size_t i) const { return static_cast<T>(pixels[i] ^ flip); }
};
static_assert(std::is_trivially_copyable_v<LevelView<std::uint16_t>>);

/// Value of LevelView::flip for a kind of tree.
template <class T> [[nodiscard]] constexpr T flipOf(TreeKind kind) noexcept {
    return kind == TreeKind::min ? static_cast<T>(~T{0}) : T{0};
}

} // namespace pollard::cuda
