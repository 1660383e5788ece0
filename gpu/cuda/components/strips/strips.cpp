#include "cuda/components/strips/strips.hpp"

#include "base/error.hpp"
#include "components/components.hpp"
#include "cuda/components/labelling.hpp"
#include "cuda/components/strips/strip_build.hpp"
#include "cuda/components/strips/strip_kernels.cuh"
#include "cuda/components/strips/strip_state.hpp"
#include "cuda/components/volumes/volume_build.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/cuda_stream.hpp"
#include "cuda/kernels/device_machine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

/// Runs the passes of a StripBuild on the GPU.
class StripMachine : public DeviceMachine {
public:
    /// @param pinned host memory that kernels can write
    /// @param kept LabellingInput::kept
    StripMachine(DeviceMachine base, StripTotals* pinned, DeviceBuffer<ComponentRecord>* kept)
        : DeviceMachine(std::move(base)), pinned_(pinned), kept_(kept) {}

    [[nodiscard]] DeviceBuffer<ComponentRecord> makeRecords(std::size_t count, const char* what) {
        return kept_ != nullptr && kept_->size() >= count ? std::move(*kept_) : make<ComponentRecord>(count, what);
    }
    template <class Pass> void blocks(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchBlocks(pass, count, bytes, stream()));
    }
    template <class Pass> void together(const Pass& pass, std::uint32_t count, std::size_t bytes) {
        require(launchTogether(pass, count, bytes, stream()));
    }
    [[nodiscard]] StripTotals* totals() const noexcept { return pinned_; }
    void markTotals() { written_.record(stream()); }
    [[nodiscard]] StripTotals takeTotals() {
        written_.wait(operation().c_str());
        control().throwIfStopped();
        return *pinned_;
    }

private:
    StripTotals* pinned_;
    DeviceBuffer<ComponentRecord>* kept_;
    Event written_;
};

int attributeOf(cudaDeviceAttr attribute, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, attribute, device), "ask for shared memory");
    return value;
}

VolumeStripLayout volumeLayoutOf(const Extent& extent, const StripTuning& tuning) {
    const auto layout = VolumeStripLayout::of(extent, tuning.sharedBytes, tuning.joinThreads);
    if (!layout) {
        throw Error(ErrorCode::engineUnavailable,
                    "components: a volume of " + text(extent) + " is too wide or has too many rows for strips");
    }
    return *layout;
}

StripLayout imageLayoutOf(const Extent& extent, const StripTuning& tuning) {
    return StripLayout::of(extent.width, extent.height, tuning.sharedBytes, tuning.joinThreads, tuning.inCluster);
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
    const Extent extent = input.extent();
    const bool inVolume = !isPlanar(input.connectivity);
    const std::string operation = "objects of " + text(extent) + " (strips)";
    StripMachine machine({memory, clock, control, operation}, static_cast<StripTotals*>(input.pinned), input.kept);
    const StripTuning tuning = tuningOfDevice();
    std::optional<MaskedLevels> levels = input.levels;
    if (levels && (inVolume || !imageLayoutOf(extent, tuning).isNarrow())) {
        check(launchThreshold(*levels, memory->stream()), operation);
        levels.reset();
    }
    const StripInput job{input.mask,
                         input.grey ? input.grey->pixels : nullptr,
                         input.grey ? input.grey->type : PixelType::u8,
                         levels,
                         input.connectivity,
                         input.labels,
                         input.features,
                         {input.expectedObjects, input.expectedParts}};
    if (inVolume) {
        auto found = findInVolume(machine, job, tuning, volumeLayoutOf(extent, tuning));
        return {found.totals.objects,    found.totals.foreground, std::move(found.labels), {}, 0,
                std::move(found.records)};
    }
    auto found = findByStrips(machine, job, tuning);
    return {found.totals.objects, found.totals.foreground, std::move(found.labels), std::move(found.records),
            found.totals.parts};
}

std::uint64_t estimateStripBytes(const Extent& extent, const ComponentsSpec& spec, bool) {
    const StripTuning tuning = tuningOfDevice();
    StripLayout layout{};
    std::uint64_t padding = 0;
    if (isPlanar(spec.connectivity)) {
        layout = imageLayoutOf(extent, tuning);
    } else {
        const VolumeStripLayout volume = volumeLayoutOf(extent, tuning);
        layout = volume.strips;
        const DeviceMask padded{nullptr, layout.width, layout.height};
        padding = volume.rows.isPadded() ? blockBytes<std::uint32_t>(padded.stride() * padded.height) : 0;
    }
    const std::uint64_t runs =
        layout.isNarrow() ? blockBytes<std::uint16_t>(layout.nodes()) : blockBytes<std::uint32_t>(layout.nodes());
    const std::uint64_t labels = spec.labels ? blockBytes<std::uint32_t>(extent.pixelCount()) : 0;
    return padding + blockBytes<std::uint32_t>(layout.words()) + runs + 2 * blockBytes<std::uint32_t>(layout.nodes()) +
           blockBytes<StripCounts>(layout.strips) + blockBytes<StripTotals>(1) + blockBytes<std::uint32_t>(1) + labels;
}

} // namespace pollard::cuda
