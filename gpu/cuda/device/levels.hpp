#pragma once

#include "cuda/device/host_device.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// The pixels of an image, row after row, as an algorithm for max-trees sees them: for a min-tree the order of the
/// grey levels is reversed, because the min-tree of an image is the max-tree of the image so reversed.
template <class T> struct LevelView {
    static_assert(std::is_unsigned_v<T>);

    const T* pixels;
    T flip; ///< 0, or all ones for a min-tree; flipping is its own inverse

    [[nodiscard]] POLLARD_HOST_DEVICE T operator[](std::size_t i) const { return static_cast<T>(pixels[i] ^ flip); }
};
static_assert(std::is_trivially_copyable_v<LevelView<std::uint16_t>>);

/// What LevelView::flip has to be for a kind of tree.
template <class T> [[nodiscard]] constexpr T flipOf(TreeKind kind) noexcept {
    return kind == TreeKind::min ? static_cast<T>(~T{0}) : T{0};
}

} // namespace pollard::cuda
