#include "cuda/tree/cuda_frame.hpp"

#include <utility>

namespace pollard::cuda {

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
