#pragma once

#include "cuda/device/cuda_stream.hpp"
#include "cuda/device/device_memory.hpp"
#include "cuda/tree/pixel_views.hpp"
#include "engine/device_pixels.hpp"
#include "image/image.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <utility>
#include <variant>

namespace pollard::cuda {

/// Order between a session's stream, which fills and frees some memory, and another stream that reads it. Declare it
/// after the owner of the memory, so that it is destroyed first.
class ReadOrder {
public:
    /// @param owner the session's stream; work queued on it before this call fills the memory
    /// @throws Error(deviceFailed)
    explicit ReadOrder(cudaStream_t owner);
    /// Makes the session's stream wait for the last marked read before the memory is reused.
    ~ReadOrder();
    ReadOrder(const ReadOrder&) = delete;
    ReadOrder& operator=(const ReadOrder&) = delete;

    [[nodiscard]] bool isMadeOn(cudaStream_t stream) const noexcept { return owner_ == stream; }
    /// Makes work queued on @p reader after this call wait until the memory is filled.
    /// @throws Error(deviceFailed)
    void makeWait(cudaStream_t reader) const;
    /// Call after each read queued on a stream other than the session's. All readers use one stream, from one thread at
    /// a time.
    /// @throws Error(deviceFailed)
    void markRead(cudaStream_t reader) const;

private:
    cudaStream_t owner_;
    Event ready_;
    mutable Event consumed_;
    mutable std::atomic<bool> read_{false};
};

/// Views of this engine's DevicePixels for its kernels.
class CudaPixels {
public:
    using View = std::variant<FrameView<std::uint8_t>, FrameView<std::uint16_t>, NodeView>;

    /// @param slice less than the number of slices; 0 in an image
    [[nodiscard]] virtual View viewOf(std::uint32_t slice) const noexcept = 0;
    /// Orders reads on streams other than the session's.
    [[nodiscard]] virtual const ReadOrder& order() const noexcept = 0;

protected:
    ~CudaPixels() = default;
};

/// Node index of each pixel of a DeviceTree.
class CudaNodes final : public DevicePixels, public CudaPixels {
public:
    /// @param pixelNode (slices, height, width); filled by work queued on the session's stream, @p stream
    /// @throws Error(deviceFailed)
    CudaNodes(std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode, const Extent& extent, cudaStream_t stream)
        : pixelNode_(std::move(pixelNode)), extent_(extent), order_(stream) {}

    [[nodiscard]] TexelType texels() const noexcept override { return TexelType::u32; }
    [[nodiscard]] std::uint32_t width() const noexcept override { return extent_.width; }
    [[nodiscard]] std::uint32_t height() const noexcept override { return extent_.height; }
    [[nodiscard]] std::uint32_t slices() const noexcept override { return extent_.slices; }
    [[nodiscard]] View viewOf(std::uint32_t slice) const noexcept override {
        const std::size_t first = std::size_t{slice} * extent_.width * extent_.height;
        return NodeView{pixelNode_->data() + first, extent_.width, extent_.height};
    }
    [[nodiscard]] const ReadOrder& order() const noexcept override { return order_; }

private:
    std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode_;
    Extent extent_;
    ReadOrder order_;
};

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

    /// View of all slices, one below the other. @p T is the pixel type that type() names.
    template <class T> [[nodiscard]] FrameView<T> view() const noexcept { return rows<T>(0, image_.slices); }

    [[nodiscard]] View viewOf(std::uint32_t slice) const noexcept override;
    [[nodiscard]] const ReadOrder& order() const noexcept override { return order_; }

private:
    /// Rows of all slices, one below the other.
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
