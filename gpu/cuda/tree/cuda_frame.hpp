#pragma once

#include "cuda/device/device_buffer.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "engine/device_pixels.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// An image in device memory, shared by the frames made from it.
struct FrameImage {
    std::shared_ptr<const DeviceBuffer<std::byte>> pixels; ///< row-major
    PixelType type = PixelType::u8;
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px
};

/// A filtered picture stored as one value per node of the tree, so that one gather writes it to host memory or straight
/// into a texture.
class CudaFrame final : public DeviceFrame, public CudaPixels {
public:
    /// @param pixelNode node index of each pixel
    /// @param valueOfNode filled by work queued on the session's stream, @p stream
    /// @throws Error(deviceFailed)
    CudaFrame(FrameImage image, std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode,
              DeviceBuffer<std::uint16_t> valueOfNode, bool residue, cudaStream_t stream);

    [[nodiscard]] PixelType type() const noexcept override { return image_.type; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return image_.width; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return image_.height; }

    /// @p T is the pixel type that type() names.
    template <class T> [[nodiscard]] FrameView<T> view() const noexcept {
        return {pixelNode_->data(), valueOfNode_.data(), reinterpret_cast<const T*>(image_.pixels->data()),
                image_.width,       image_.height,       residue_};
    }

    [[nodiscard]] View anyView() const noexcept override;
    [[nodiscard]] const ReadOrder& order() const noexcept override { return order_; }

private:
    FrameImage image_;
    std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode_;
    DeviceBuffer<std::uint16_t> valueOfNode_;
    bool residue_;
    ReadOrder order_;
};

} // namespace pollard::cuda
