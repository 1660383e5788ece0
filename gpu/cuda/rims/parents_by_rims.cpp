#include "cuda/rims/parents_by_rims.hpp"

#include "cuda/device/cuda_error.hpp"
#include "cuda/device/levels.hpp"
#include "cuda/kernels/device_loop.cuh"
#include "cuda/rims/engine_rim_shape.hpp"
#include "cuda/rims/rim_build.hpp"
#include "cuda/rims/rim_kernels.cuh"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

/// Runs the passes of RimBuild on the GPU.
class RimMachine {
public:
    template <class T> using Buffer = DeviceBuffer<T>;

    RimMachine(std::shared_ptr<DeviceMemory> memory, StageClock& clock, const JobControl& control,
               std::string operation)
        : memory_(std::move(memory)), clock_(clock), control_(control), operation_(std::move(operation)) {}

    template <class T> [[nodiscard]] DeviceBuffer<T> make(std::size_t count, const char* what) {
        return {memory_, count, what};
    }
    template <class T> void fill(T* data, std::size_t count, int byte) {
        require(cudaMemsetAsync(data, byte, count * sizeof(T), stream()));
    }
    template <class Pass> void tiles(const Pass& pass, std::uint32_t count) {
        control_.throwIfStopped();
        require(launchRimTiles(pass, count, stream()));
    }
    template <class Pass> void join(const Pass& pass, std::uint64_t most) {
        control_.report(0.3, "merges");
        require(launchRimJoin(pass, most, stream()));
    }
    template <class Step> void eachOf(const Step& step, const std::uint32_t* count, std::uint32_t most) {
        require(launchEachOf(step, count, most, stream()));
    }
    [[nodiscard]] const volatile std::uint32_t* stop() const { return memory_->stopFlag().view(); }
    void finish(const char* stage) { clock_.finish(stage); }

private:
    [[nodiscard]] cudaStream_t stream() const noexcept { return memory_->stream(); }
    void require(cudaError_t status) const { check(status, operation_); }

    std::shared_ptr<DeviceMemory> memory_;
    StageClock& clock_;
    const JobControl& control_;
    std::string operation_;
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

std::uint64_t estimateRimBytes(PixelType type, std::uint32_t width, std::uint32_t height, const TreeSpec& spec) {
    const auto capacity = RimCapacity::of<EngineRimShape>(width, height, spec.connectivity == Connectivity::eight);
    const std::uint64_t levels =
        type == PixelType::u8 ? blockBytes<std::uint8_t>(capacity.pixels) : blockBytes<std::uint16_t>(capacity.pixels);
    return blockBytes<RimCounts>(1) + blockBytes<std::uint16_t>(capacity.pixels) +
           blockBytes<std::uint32_t>(capacity.tiles) + blockBytes<SlotRecord::Word>(capacity.pixels) +
           3 * blockBytes<std::uint32_t>(capacity.pixels) + levels +
           blockBytes<RimEdge>(std::max<std::uint64_t>(capacity.edges, 1));
}

} // namespace pollard::cuda
