#pragma once

#include "cuda/device/device_buffer.hpp"
#include "cuda/tree/cuda_pixels.hpp"
#include "engine/device_pixels.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace pollard::cuda {

/// Node index of each pixel of a DeviceTree.
class CudaNodes final : public DevicePixels, public CudaPixels {
public:
    /// @param pixelNode (height, width); filled by work queued on the session's stream, @p stream
    /// @throws Error(deviceFailed)
    CudaNodes(std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode, std::uint32_t width, std::uint32_t height,
              cudaStream_t stream)
        : pixelNode_(std::move(pixelNode)), width_(width), height_(height), order_(stream) {}

    [[nodiscard]] TexelType texels() const noexcept override { return TexelType::u32; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return width_; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return height_; }
    [[nodiscard]] View anyView() const noexcept override { return NodeView{pixelNode_->data(), width_, height_}; }
    [[nodiscard]] const ReadOrder& order() const noexcept override { return order_; }

private:
    std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode_;
    std::uint32_t width_;
    std::uint32_t height_;
    ReadOrder order_;
};

} // namespace pollard::cuda
