#include "cuda/tree/cuda_pixels.hpp"

#include <utility>

namespace pollard::cuda {

ReadOrder::ReadOrder(cudaStream_t owner) : owner_(owner) { ready_.record(owner); }

ReadOrder::~ReadOrder() {
    if (read_.load(std::memory_order_acquire)) {
        try {
            consumed_.makeWait(owner_);
        } catch (...) { // the device is lost, and its memory with it
        }
    }
}

void ReadOrder::makeWait(cudaStream_t reader) const { ready_.makeWait(reader); }

void ReadOrder::markRead(cudaStream_t reader) const {
    consumed_.record(reader);
    read_.store(true, std::memory_order_release);
}

CudaFrame::CudaFrame(FrameImage image, std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode,
                     DeviceBuffer<std::uint16_t> valueOfNode, bool residue, cudaStream_t stream)
    : image_(std::move(image)), pixelNode_(std::move(pixelNode)), valueOfNode_(std::move(valueOfNode)),
      residue_(residue), order_(stream) {}

CudaPixels::View CudaFrame::viewOf(std::uint32_t slice) const noexcept {
    if (image_.type == PixelType::u8) {
        return rows<std::uint8_t>(slice, 1);
    }
    return rows<std::uint16_t>(slice, 1);
}

} // namespace pollard::cuda
