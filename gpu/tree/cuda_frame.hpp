#pragma once

#include "device/cuda_event.hpp"
#include "device/device_buffer.hpp"
#include "engine/device_frame.hpp"
#include "tree/frame_view.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace pollard::cuda {

/// An image in device memory that pictures made of it may share.
struct FrameImage {
    std::shared_ptr<const DeviceBuffer<std::byte>> pixels; ///< row after row
    PixelType type = PixelType::u8;
    std::uint32_t width = 0;  ///< px
    std::uint32_t height = 0; ///< px
};

/// A filtered picture as the values of the tree's nodes, so that one gather writes it wherever it is wanted: into host
/// memory or straight into a texture.
class CudaFrame final : public DeviceFrame {
public:
    /// @param pixelNode per pixel the number of its node
    /// @param valueOfNode filled by work queued on the session's stream, @p stream
    /// @throws Error(deviceFailed)
    CudaFrame(FrameImage image, std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode,
              DeviceBuffer<std::uint16_t> valueOfNode, bool residue, cudaStream_t stream);
    /// Memory is used again only when those who read the picture on other streams are done.
    ~CudaFrame() override;

    [[nodiscard]] PixelType type() const noexcept override { return image_.type; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return image_.width; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return image_.height; }

    /// @p T is the type of type().
    template <class T> [[nodiscard]] FrameView<T> view() const noexcept {
        return {pixelNode_->data(), valueOfNode_.data(), reinterpret_cast<const T*>(image_.pixels->data()),
                image_.width,       image_.height,       residue_};
    }

    /// Whether the session that works on @p stream made it.
    [[nodiscard]] bool isMadeOn(cudaStream_t stream) const noexcept { return stream_ == stream; }
    /// Makes work queued on @p reader from now on wait until the picture's values are there.
    /// @throws Error(deviceFailed)
    void makeWait(cudaStream_t reader) const;
    /// To be called after each reading queued on another stream than the session's: the memory is not used again before
    /// that reading is done. All readers use one stream, from one thread at a time.
    /// @throws Error(deviceFailed)
    void markRead(cudaStream_t reader) const;

private:
    FrameImage image_;
    std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode_;
    DeviceBuffer<std::uint16_t> valueOfNode_;
    bool residue_;
    cudaStream_t stream_;
    Event ready_;
    mutable Event consumed_;
    mutable std::atomic<bool> read_{false};
};

} // namespace pollard::cuda
