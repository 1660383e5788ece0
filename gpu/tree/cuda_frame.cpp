#include "tree/cuda_frame.hpp"

#include <utility>

namespace pollard::cuda {

CudaFrame::CudaFrame(FrameImage image, std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode,
                     DeviceBuffer<std::uint16_t> valueOfNode, bool residue, cudaStream_t stream)
    : image_(std::move(image)), pixelNode_(std::move(pixelNode)), valueOfNode_(std::move(valueOfNode)),
      residue_(residue), stream_(stream) {
    ready_.record(stream);
}

CudaFrame::~CudaFrame() {
    if (read_.load(std::memory_order_acquire)) {
        try {
            consumed_.makeWait(stream_);
        } catch (...) { // the device is lost, and with it the memory
        }
    }
}

void CudaFrame::makeWait(cudaStream_t reader) const { ready_.makeWait(reader); }

void CudaFrame::markRead(cudaStream_t reader) const {
    consumed_.record(reader);
    read_.store(true, std::memory_order_release);
}

} // namespace pollard::cuda
