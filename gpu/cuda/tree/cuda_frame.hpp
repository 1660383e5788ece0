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
    std::shared_ptr<const DeviceBuffer<std::byte>> pixels; ///< slice by slice and row by row
    PixelType type = PixelType::u8;
    std::uint32_t width = 0;  ///< of a slice, px
    std::uint32_t height = 0; ///< of a slice, px
    std::uint32_t slices = 1;
};

/// A filtered image or volume stored as one value per node of the tree, so that one gather writes it to host memory
/// or straight into a texture.
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
    [[nodiscard]] std::uint32_t slices() const noexcept override { return image_.slices; }

    /// All slices below each other. @p T is the pixel type that type() names.
    template <class T> [[nodiscard]] FrameView<T> view() const noexcept { return rows<T>(0, image_.slices); }

    [[nodiscard]] View viewOf(std::uint32_t slice) const noexcept override;
    [[nodiscard]] const ReadOrder& order() const noexcept override { return order_; }

private:
    /// Slices below each other.
    template <class T> [[nodiscard]] FrameView<T> rows(std::uint32_t firstSlice, std::uint32_t slices) const noexcept {
        const std::size_t first = std::size_t{firstSlice} * image_.width * image_.height;
        return {pixelNode_->data() + first,
                valueOfNode_.data(),
                reinterpret_cast<const T*>(image_.pixels->data()) + first,
                image_.width,
                image_.height * slices,
                residue_};
    }

    FrameImage image_;
    std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode_;
    DeviceBuffer<std::uint16_t> valueOfNode_;
    bool residue_;
    ReadOrder order_;
};

} // namespace pollard::cuda
