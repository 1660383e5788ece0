#include "cuda/components/volumes/volume_strips.hpp"

#include "base/error.hpp"
#include "cuda/components/labelling.hpp"
#include "cuda/components/strips/strip_machine.hpp"
#include "cuda/components/strips/strips.hpp"
#include "cuda/components/volumes/volume_build.hpp"

#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

VolumeLayout layoutOf(const Extent& extent, const StripTuning& tuning) {
    const auto layout = VolumeLayout::of(extent, tuning.sharedBytes, tuning.joinThreads);
    if (!layout) {
        throw Error(ErrorCode::engineUnavailable,
                    "components: a volume of " + text(extent) + " is too wide or has too many rows for strips");
    }
    return *layout;
}

} // namespace

DeviceVolumeComponents labelVolumeByStrips(const VolumeLabellingInput& input,
                                           const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                           const JobControl& control) {
    static_assert(sizeof(StripTotals) <= LabellingInput::kPinnedBytes);
    const StripTuning tuning = tuningOfDevice();
    StripMachine machine({memory, clock, control, "objects of " + text(input.extent) + " (strips)"},
                         static_cast<StripTotals*>(input.pinned), nullptr);
    const VolumeInput job{input.mask,
                          input.grey ? input.grey->pixels : nullptr,
                          input.grey ? input.grey->type : PixelType::u8,
                          input.connectivity,
                          input.labels,
                          input.features};
    auto found = findInVolume(machine, job, tuning, layoutOf(input.extent, tuning));
    return {found.totals.objects, found.totals.foreground, std::move(found.labels), std::move(found.records)};
}

std::uint64_t estimateVolumeStripBytes(const Extent& extent, const ComponentsSpec& spec) {
    const VolumeLayout layout = layoutOf(extent, tuningOfDevice());
    const StripLayout& strips = layout.strips;
    const DeviceMask padded{nullptr, strips.width, strips.height};
    return (layout.rows.isPadded() ? blockBytes<std::uint32_t>(padded.stride() * padded.height) : 0) +
           (spec.labels ? blockBytes<std::uint32_t>(extent.pixelCount()) : 0) +
           blockBytes<std::uint32_t>(strips.words()) + blockBytes<std::uint16_t>(strips.nodes()) +
           2 * blockBytes<std::uint32_t>(strips.nodes()) + blockBytes<StripCounts>(strips.strips) +
           blockBytes<StripTotals>(1) + blockBytes<std::uint32_t>(1);
}

} // namespace pollard::cuda
