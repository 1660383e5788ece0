#include "branches/parents_by_branches.hpp"

#include "base/error.hpp"
#include "branches/branch_build.hpp"
#include "branches/cuda_machine.hpp"
#include "branches/engine_tile.hpp"
#include "device/levels.hpp"
#include "tree/node_scans.hpp"

#include <algorithm>
#include <string>

namespace pollard::cuda {

namespace {

constexpr std::uint64_t kMostPixels = (std::uint64_t{1} << 31U) - 1;

template <class Level, bool kEight>
DeviceBuffer<std::uint32_t> build(CudaMachine& machine, const DeviceImage& image, TreeKind kind) {
    const BranchInput<Level> input{static_cast<const Level*>(image.pixels), image.width, image.height,
                                   flipOf<Level>(kind)};
    return BranchBuild<CudaMachine, Level, EngineTile, kEight>(machine, input).run();
}

} // namespace

DeviceBuffer<std::uint32_t> parentsByBranches(const DeviceImage& image, TreeKind kind, bool eight,
                                              const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                              const JobControl& control) {
    const std::string operation =
        "tree of " + std::to_string(image.width) + " x " + std::to_string(image.height) + " px (boruvka)";
    if (std::uint64_t{image.width} * image.height > kMostPixels) {
        throw Error(ErrorCode::limitExceeded, operation + ": it takes up to " + std::to_string(kMostPixels) + " px");
    }
    CudaMachine machine(memory, clock, control, operation);
    return dispatch(image.type, [&]<class Level>(Level) {
        return eight ? build<Level, true>(machine, image, kind) : build<Level, false>(machine, image, kind);
    });
}

std::uint64_t estimateBranchBytes(PixelType type, std::uint32_t width, std::uint32_t height, bool eight) {
    const auto capacity = BranchCapacity::of<EngineTile>(width, height, eight);
    const std::uint64_t pixels = std::uint64_t{width} * height;
    const auto four = [](std::uint64_t count) { return blockBytes<std::uint32_t>(count); };
    const auto eightBytes = [](std::uint64_t count) { return blockBytes<std::uint64_t>(count); };
    const auto layout =
        KeyLayout::of(static_cast<std::uint32_t>(std::min(capacity.maxima, kMostPixels)),
                      type == PixelType::u8 ? 8 : 16, static_cast<std::uint32_t>(std::min(pixels, kMostPixels)));

    const std::uint64_t always = blockBytes<BranchCounts>(1) + four(capacity.maxima);
    const std::uint64_t edges = 2 * four(capacity.edges) + eightBytes(capacity.edges);
    const std::uint64_t components = 2 * eightBytes(capacity.frozen) + four(capacity.frozen);
    const std::uint64_t joining = four(pixels) + edges + std::max(four(capacity.labels), edges + components);
    const std::uint64_t sorted = 2 * (eightBytes(pixels) + (layout.isPacked() ? 0 : four(pixels)));
    const std::uint64_t branches = 4 * four(capacity.maxima) + blockBytes<std::uint8_t>(capacity.maxima);
    const std::uint64_t nodes =
        components + sorted +
        std::max(scratchBytes(pixels), (layout.isPacked() ? four(pixels) : 0) + branches + scratchBytes(pixels) / 8);
    return always + std::max(joining, nodes);
}

} // namespace pollard::cuda
