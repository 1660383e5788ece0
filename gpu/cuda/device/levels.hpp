#pragma once

#include "cuda/device/host_device.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

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
