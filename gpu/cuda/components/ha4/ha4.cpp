#include "cuda/components/ha4/ha4.hpp"

#include "base/error.hpp"
#include "cuda/components/ha4/ha4_build.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

template <class Word> DeviceComponents label(const char* algorithm, const LabellingInput& input,
                                             const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                             const JobControl& control) {
    PassMachine machine(memory, clock, control, requirePassInput(input, algorithm));
    Ha4Build<PassMachine, Word> build(machine, input.mask);
    const auto run = [&]<class Level>(const Level* grey) {
        auto objects = build.run(PassInput<Level>{input.mask, grey}, input.labels, input.features);
        return DeviceComponents{objects.count, objects.foreground, std::move(objects.labels),
                                std::move(objects.records)};
    };
    if (!input.grey) {
        return run(static_cast<const std::uint8_t*>(nullptr));
    }
    return dispatch(input.grey->type,
                    [&]<class Level>(Level) { return run(static_cast<const Level*>(input.grey->pixels)); });
}

} // namespace

std::string requirePassInput(const LabellingInput& input, const char* algorithm) {
    std::string operation = "objects of " + std::to_string(input.mask.width) + " x " +
                            std::to_string(input.mask.height) + " px (" + algorithm + ")";
    if (input.connectivity != Connectivity::four) {
        throw Error(ErrorCode::invalidArgument, operation + ": this algorithm is for connectivity 4 alone");
    }
    if (std::uint64_t{input.mask.width} * input.mask.height > 0xffffffffU) {
        throw Error(ErrorCode::limitExceeded, operation + ": it takes up to 4294967295 px");
    }
    return operation;
}

DeviceComponents labelByHa4With32(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                  StageClock& clock, const JobControl& control) {
    return label<std::uint32_t>("ha4-32", input, memory, clock, control);
}

DeviceComponents labelByHa4With64(const LabellingInput& input, const std::shared_ptr<DeviceMemory>& memory,
                                  StageClock& clock, const JobControl& control) {
    return label<std::uint64_t>("ha4-64", input, memory, clock, control);
}

std::uint64_t estimateHa4Bytes(const Extent& extent, const ComponentsSpec& spec, bool) {
    const std::uint64_t pixels = extent.pixelCount();
    const std::uint64_t words = DeviceMask{nullptr, extent.width, extent.height}.stride() * extent.height;
    const std::uint64_t roots = blockBytes<std::uint32_t>(words) + blockBytes<std::uint32_t>(words + 1);
    const std::uint64_t most = (pixels + 1) / 2;
    using Table = ha4::FeatureTable;
    const std::uint64_t records =
        blockBytes<ComponentRecord>(most) + blockBytes<std::uint64_t>(Table::wideCount * most) +
        blockBytes<std::uint32_t>(Table::leastCount * most) + blockBytes<std::uint32_t>(Table::mostCount * most);
    return blockBytes<std::uint32_t>(pixels) + roots + blockBytes<unsigned long long>(1) +
           std::max(scratchBytes(words), spec.features ? records : 0);
}

} // namespace pollard::cuda
