#include "cuda/components/tmk/tmk.hpp"

#include "cuda/components/ha4/ha4.hpp"
#include "cuda/components/tmk/tmk_build.hpp"

#include <utility>

namespace pollard::cuda {

DeviceComponents labelByTmk(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                            const JobControl& control) {
    PassMachine machine(memory, clock, control, requirePassInput(input, "tmk"));
    const auto run = [&]<class Level>(const Level* grey) {
        auto objects = TmkBuild<PassMachine, kTmkNodes>(machine, input.mask)
                           .run(PassInput<Level>{input.mask, grey}, input.labels, input.features);
        return DeviceComponents{objects.count, objects.foreground, std::move(objects.labels),
                                std::move(objects.records)};
    };
    if (!input.grey) {
        return run(static_cast<const std::uint8_t*>(nullptr));
    }
    return dispatch(input.grey->type,
                    [&]<class Level>(Level) { return run(static_cast<const Level*>(input.grey->pixels)); });
}

std::uint64_t estimateTmkBytes(const Extent& extent, const ComponentsSpec& spec, bool grey) {
    ComponentsSpec labelling = spec;
    labelling.features = false;
    std::uint64_t bytes = estimateHa4Bytes(extent, labelling, grey);
    if (spec.features) {
        const std::uint64_t nodes = std::uint64_t{tmk::nodesOfRow(extent.width)} * extent.height;
        const std::uint64_t most = (extent.pixelCount() + 1) / 2;
        const std::uint64_t trees = nodes / kTmkNodes + 1;
        bytes += blockBytes<tmk::Links>(nodes) + blockBytes<FeatureSums>(nodes) + blockBytes<std::uint32_t>(nodes) +
                 blockBytes<std::uint32_t>(trees) + blockBytes<std::uint32_t>(trees / 2 + 1) +
                 blockBytes<std::uint32_t>(most) + 2 * blockBytes<FeatureSums>(most) + blockBytes<std::uint32_t>(1);
    }
    return bytes;
}

} // namespace pollard::cuda
