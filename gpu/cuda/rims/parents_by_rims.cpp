#include "cuda/rims/parents_by_rims.hpp"

#include "cuda/device/device_image.hpp"
#include "cuda/kernels/device_machine.hpp"
#include "cuda/rims/rim_build.hpp"
#include "cuda/rims/rim_kernels.cuh"
#include "cuda/rims/rim_tile.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace pollard::cuda {

namespace {

/// Runs the passes of RimBuild on the GPU.
class RimMachine : public DeviceMachine {
public:
    using DeviceMachine::DeviceMachine;

    template <class Pass> void tiles(const Pass& pass, std::uint32_t count) {
        control().throwIfStopped();
        require(launchRimTiles(pass, count, stream()));
    }
    template <class Pass> void join(const Pass& pass, std::uint64_t most) {
        control().report(0.3, "merges");
        require(launchRimJoin(pass, most, stream()));
    }
};

template <class Level, bool kEight>
DeviceBuffer<std::uint32_t> build(RimMachine& machine, const DeviceImage& image, TreeKind kind) {
    const LevelView<Level> levels{static_cast<const Level*>(image.pixels), flipOf<Level>(kind)};
    return RimBuild<RimMachine, Level, EngineRimShape, kEight>(machine, levels, image.width, image.height).run();
}

} // namespace

DeviceBuffer<std::uint32_t> parentsByRims(const DeviceImage& image, const TreeSpec& spec,
                                          const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                          const JobControl& control) {
    RimMachine machine(memory, clock, control,
                       "tree of " + std::to_string(image.width) + " x " + std::to_string(image.height) + " px (rims)");
    return dispatch(image.type, [&]<class Level>(Level) {
        return spec.connectivity == Connectivity::eight ? build<Level, true>(machine, image, spec.kind)
                                                        : build<Level, false>(machine, image, spec.kind);
    });
}

std::uint64_t estimateRimBytes(PixelType type, const Extent& extent, const TreeSpec& spec) {
    const auto capacity =
        RimCapacity::of<EngineRimShape>(extent.width, extent.height, spec.connectivity == Connectivity::eight);
    const std::uint64_t levels =
        type == PixelType::u8 ? blockBytes<std::uint8_t>(capacity.pixels) : blockBytes<std::uint16_t>(capacity.pixels);
    return blockBytes<RimCounts>(1) + blockBytes<std::uint16_t>(capacity.pixels) +
           blockBytes<std::uint32_t>(capacity.tiles) + blockBytes<SlotRecord::Word>(capacity.pixels) +
           3 * blockBytes<std::uint32_t>(capacity.pixels) + levels +
           blockBytes<RimEdge>(std::max<std::uint64_t>(capacity.edges, 1));
}

} // namespace pollard::cuda
