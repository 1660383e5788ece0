#include "cuda/components/strips/strips.hpp"

#include "cuda/components/strips/strip_build.hpp"
#include "cuda/components/strips/strip_machine.hpp"
#include "cuda/components/threshold_kernels.cuh"
#include "cuda/device/cuda_error.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

int attributeOf(cudaDeviceAttr attribute, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, attribute, device), "ask for shared memory");
    return value;
}

} // namespace

StripTuning tuningOfDevice() {
    int device = 0;
    check(cudaGetDevice(&device), "ask for the GPU");
    const int half = attributeOf(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device) / 2 -
                     attributeOf(cudaDevAttrReservedSharedMemoryPerBlock, device);
    const int most = attributeOf(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    StripTuning tuning{};
    tuning.sharedBytes = static_cast<std::size_t>(std::min(half, most));
    if (attributeOf(cudaDevAttrClusterLaunch, device) != 0) {
        static const std::uint32_t inCluster = mostInCluster(tuning.joinThreads, tuning.sharedBytes);
        tuning.inCluster = inCluster;
    }
    if (attributeOf(cudaDevAttrCooperativeLaunch, device) != 0) {
        // Every multiprocessor has room for at least one block.
        tuning.inGrid =
            std::min(tuning.fewStrips, static_cast<std::uint32_t>(attributeOf(cudaDevAttrMultiProcessorCount, device)));
    }
    return tuning;
}

DeviceComponents labelByStrips(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                               StageClock& clock, const JobControl& control) {
    static_assert(sizeof(StripTotals) <= LabellingInput::kPinnedBytes);
    const std::string operation =
        "objects of " + std::to_string(input.mask.width) + " x " + std::to_string(input.mask.height) + " px (strips)";
    StripMachine machine({memory, clock, control, operation}, static_cast<StripTotals*>(input.pinned), input.kept);
    const StripTuning tuning = tuningOfDevice();
    std::optional<MaskedLevels> levels = input.levels;
    if (levels &&
        !StripLayout::of(input.mask.width, input.mask.height, tuning.sharedBytes, tuning.joinThreads, tuning.inCluster)
             .isNarrow()) {
        check(launchThreshold(*levels, memory->stream()), operation);
        levels.reset();
    }
    const StripInput job{
        input.mask,     input.grey ? input.grey->pixels : nullptr,   input.grey ? input.grey->type : PixelType::u8,
        levels,         input.connectivity == Connectivity::eight,   input.labels,
        input.features, {input.expectedObjects, input.expectedParts}};
    auto found = findByStrips(machine, job, tuning);
    return {found.totals.objects, found.totals.foreground, std::move(found.labels), std::move(found.records),
            found.totals.parts};
}

std::uint64_t estimateStripBytes(std::uint32_t width, std::uint32_t height, const ComponentsSpec& spec, bool) {
    const StripTuning tuning = tuningOfDevice();
    const auto layout = StripLayout::of(width, height, tuning.sharedBytes, tuning.joinThreads, tuning.inCluster);
    const std::uint64_t runs =
        layout.isNarrow() ? blockBytes<std::uint16_t>(layout.nodes()) : blockBytes<std::uint32_t>(layout.nodes());
    const std::uint64_t labels = spec.labels ? blockBytes<std::uint32_t>(std::uint64_t{width} * height) : 0;
    return blockBytes<std::uint32_t>(layout.words()) + runs + 2 * blockBytes<std::uint32_t>(layout.nodes()) +
           blockBytes<StripCounts>(layout.strips) + blockBytes<StripTotals>(1) + blockBytes<std::uint32_t>(1) + labels;
}

} // namespace pollard::cuda
