#pragma once

#include "cuda/tree/pixel_views.hpp"
#include "cuda/tree/read_order.hpp"

#include <cstdint>
#include <variant>

namespace pollard::cuda {

/// Views of this engine's DevicePixels for its kernels.
class CudaPixels {
public:
    using View = std::variant<FrameView<std::uint8_t>, FrameView<std::uint16_t>, NodeView>;

    [[nodiscard]] virtual View anyView() const noexcept = 0;
    /// Orders reads on streams other than the session's.
    [[nodiscard]] virtual const ReadOrder& order() const noexcept = 0;

protected:
    ~CudaPixels() = default;
};

} // namespace pollard::cuda
