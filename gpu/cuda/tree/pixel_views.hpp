#pragma once

#include "base/compiler.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pollard::cuda {

/// A filtered image as seen by kernels.
template <class T> struct FrameView {
    const std::uint32_t* pixelNode;   ///< per pixel
    const std::uint16_t* valueOfNode; ///< per node
    const T* pixels;                  ///< the original image; read for a residue only
    std::uint32_t width;              ///< px
    std::uint32_t height;
    bool residue; ///< the image is |original - filtered|

    /// Value of the image at pixel @p index = y * width + x.
    [[nodiscard]] POLLARD_HOST_DEVICE T value(std::size_t index) const noexcept {
        const auto filtered = static_cast<T>(valueOfNode[pixelNode[index]]);
        if (!residue) {
            return filtered;
        }
        const T original = pixels[index];
        return static_cast<T>(original > filtered ? original - filtered : filtered - original);
    }
};
static_assert(std::is_trivially_copyable_v<FrameView<std::uint8_t>>);

/// Node indices of an image as seen by kernels.
struct NodeView {
    const std::uint32_t* pixelNode; ///< per pixel
    std::uint32_t width;            ///< px
    std::uint32_t height;           ///< px

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t value(std::size_t index) const noexcept { return pixelNode[index]; }
};
static_assert(std::is_trivially_copyable_v<NodeView>);

} // namespace pollard::cuda
