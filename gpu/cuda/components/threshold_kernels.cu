#include "cuda/components/labelling.hpp"

#include "cuda/components/ha4/pass_launch.cuh"
#include "cuda/components/threshold_pass.hpp"

namespace pollard::cuda {

cudaError_t launchThreshold(const MaskedLevels& levels, cudaStream_t stream) {
    const auto launch = [&]<class Level>(Level) {
        using Pass = ThresholdPass<Level>;
        const DeviceImage& image = levels.image;
        return launchPass(Pass{static_cast<const Level*>(image.pixels), levels.words, image.width, image.height,
                               levels.range.low, levels.range.high},
                          Pass::blocks(image.width, image.height), stream);
    };
    return levels.image.type == PixelType::u8 ? launch(std::uint8_t{}) : launch(std::uint16_t{});
}

} // namespace pollard::cuda
