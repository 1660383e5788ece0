#include "cuda/tree/cuda_frame.hpp"

#include <utility>

namespace pollard::cuda {

CudaFrame::CudaFrame(FrameImage image, std::shared_ptr<const DeviceBuffer<std::uint32_t>> pixelNode,
                     DeviceBuffer<std::uint16_t> valueOfNode, bool residue, cudaStream_t stream)
    : image_(std::move(image)), pixelNode_(std::move(pixelNode)), valueOfNode_(std::move(valueOfNode)),
      residue_(residue), order_(stream) {}

CudaPixels::View CudaFrame::anyView() const noexcept {
    if (image_.type == PixelType::u8) {
        return view<std::uint8_t>();
    }
    return view<std::uint16_t>();
}

} // namespace pollard::cuda
