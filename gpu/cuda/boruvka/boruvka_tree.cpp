#include "cuda/boruvka/boruvka_tree.hpp"

#include "base/error.hpp"
#include "cuda/boruvka/branch_build.hpp"
#include "cuda/boruvka/branch_machine.hpp"
#include "cuda/boruvka/bricks/brick_domain.hpp"
#include "cuda/boruvka/bricks/brick_work.hpp"
#include "cuda/boruvka/plane_domain.hpp"
#include "cuda/boruvka/tile_work.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/kernels/device_machine.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pollard::cuda {

namespace {

// Pixels are numbered with 32 bits, and one value means none.
constexpr std::uint64_t kMostPixels = (std::uint64_t{1} << 32U) - 2;

/// Calls @p use with the domain of an image.
template <class Use> auto withDomain(Connectivity connectivity, const Use& use) {
    switch (connectivity) {
    case Connectivity::four:
        return use(PlaneDomain<EngineTile, false>{});
    case Connectivity::eight:
        return use(PlaneDomain<EngineTile, true>{});
    case Connectivity::six:
        return use(BrickDomain<EngineBrick, 6>{});
    case Connectivity::eighteen:
        return use(BrickDomain<EngineBrick, 18>{});
    default:
        return use(BrickDomain<EngineBrick, 26>{});
    }
}

/// Runs @p use on a build of the image.
template <class Use> auto withBuild(const DeviceImage& image, const TreeSpec& spec,
                                    const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                    const JobControl& control, const Use& use) {
    const std::string operation = "tree of " + text(image.extent()) + " (boruvka)";
    if (image.pixelCount() > kMostPixels) {
        throw Error(ErrorCode::limitExceeded, operation + ": it takes up to " + std::to_string(kMostPixels) + " px");
    }
    BranchMachine machine(memory, clock, control, operation);
    return dispatch(image.type, [&]<class Level>(Level) {
        const BranchInput<Level> input{static_cast<const Level*>(image.pixels), image.extent(),
                                       flipOf<Level>(spec.kind)};
        return withDomain(spec.connectivity, [&]<class Domain>(Domain) {
            return use(BranchBuild<BranchMachine, Level, Domain>(machine, input));
        });
    });
}

std::uint64_t four(std::uint64_t count) { return blockBytes<std::uint32_t>(count); }
std::uint64_t eightBytes(std::uint64_t count) { return blockBytes<std::uint64_t>(count); }

/// Peaks of the steps that a parent image and a tree have in common, bytes.
struct SharedPeaks {
    std::uint64_t most;     ///< up to the sorted pixels
    std::uint64_t listing;  ///< while runs are made of the sorted pixels
    std::uint64_t branches; ///< branches after that
    std::uint64_t runs;     ///< run of each pixel and table of runs, if every pixel is a run
};

BranchCapacity capacityOf(const Extent& extent, const TreeSpec& spec) {
    return withDomain(spec.connectivity, [&]<class Domain>(Domain) { return Domain::capacity(extent); });
}

SharedPeaks estimateShared(PixelType type, const Extent& extent, const TreeSpec& spec) {
    const BranchCapacity capacity = capacityOf(extent, spec);
    const std::uint64_t pixels = extent.pixelCount();
    const auto layout =
        KeyLayout::of(static_cast<std::uint32_t>(std::min(capacity.maxima, kMostPixels)),
                      type == PixelType::u8 ? 8 : 16, static_cast<std::uint32_t>(std::min(pixels, kMostPixels)));
    const std::uint64_t saddles = blockBytes<BranchCounts>(1) + four(capacity.maxima);
    const std::uint64_t edges = 2 * four(capacity.edges) + eightBytes(capacity.edges);
    const std::uint64_t hooks = eightBytes(capacity.frozen);
    const std::uint64_t components = 2 * hooks + four(capacity.frozen);
    const std::uint64_t joining = four(pixels) + edges + std::max(four(capacity.labels), edges + components);
    const std::uint64_t keys = eightBytes(pixels) + (layout.isPacked() ? 0 : four(pixels));
    const std::uint64_t table = 2 * four(pixels) + (type == PixelType::u8 ? blockBytes<std::uint8_t>(pixels)
                                                                          : blockBytes<std::uint16_t>(pixels));
    SharedPeaks peaks{};
    peaks.branches = 4 * four(capacity.maxima) + blockBytes<std::uint8_t>(capacity.maxima);
    peaks.runs = four(pixels) + table;
    // Bits of the trunk, counts of its blocks (a block has at least as many pixels as a word has bits), and the tables
    // of its levels.
    const std::uint64_t trunk = 2 * four(pixels / 32 + 2) + 3 * four(std::uint64_t{1} << 16U);
    const std::uint64_t making = components + four(pixels) + trunk + keys;
    const std::uint64_t sorting = hooks + 2 * keys + trunk + scratchBytes(pixels);
    const std::uint64_t listing =
        hooks + 2 * keys + trunk + (layout.isPacked() ? four(pixels) : 0) + table + peaks.branches;
    peaks.most = saddles + std::max({joining, making, sorting});
    peaks.listing = saddles + listing;
    return peaks;
}

} // namespace

DeviceBuffer<std::uint32_t> boruvkaParents(const DeviceImage& image, const TreeSpec& spec,
                                           const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                           const JobControl& control) {
    return withBuild(image, spec, memory, clock, control, [](auto&& build) { return build.parents(); });
}

DeviceTree boruvkaTree(const DeviceImage& image, const TreeSpec& spec, const std::shared_ptr<DeviceMemory>& memory,
                       StageClock& clock, const JobControl& control) {
    return withBuild(image, spec, memory, clock, control, [](auto&& build) {
        BranchTree<BranchMachine> tree = build.tree();
        DeviceTree result;
        result.nodeCount = tree.nodes;
        result.leafCount = tree.leaves;
        result.depth = tree.depth;
        result.rootLevel = tree.rootLevel;
        result.pixelNode = std::make_shared<DeviceBuffer<std::uint32_t>>(std::move(tree.pixelNode));
        result.parent = std::move(tree.parent);
        result.subtreeEnd = std::move(tree.subtreeEnd);
        result.canonical = std::move(tree.canonical);
        result.level = std::move(tree.level);
        return result;
    });
}

std::uint64_t leastBranchTreeBytes(const Extent& extent, const TreeSpec& spec) {
    const BranchCapacity capacity = capacityOf(extent, spec);
    return four(extent.pixelCount()) + four(capacity.maxima) + 2 * four(capacity.edges) + eightBytes(capacity.edges) +
           four(capacity.labels);
}

std::uint64_t estimateBranchParentBytes(PixelType type, const Extent& extent, const TreeSpec& spec) {
    const SharedPeaks shared = estimateShared(type, extent, spec);
    return shared.most; // writing the parents, beside one copy of the keys, takes less
}

std::uint64_t estimateBranchTreeBytes(PixelType type, const Extent& extent, const TreeSpec& spec) {
    const SharedPeaks shared = estimateShared(type, extent, spec);
    const std::uint64_t pixels = extent.pixelCount();
    // Every branch has a maximum of its tile or brick: at most BranchCapacity::maxima, half of the pixels.
    const std::uint64_t branches = capacityOf(extent, spec).maxima;
    const std::uint64_t number = four(pixels + 1);
    const std::uint64_t sums = 2 * four(branches + 1);
    const std::uint64_t list = eightBytes(branches) + four(branches);
    const std::uint64_t sorting = four(branches) + 2 * eightBytes(branches) + scratchBytes(branches);
    const std::uint64_t placing = number + sums + list + 4 * four(branches) + scratchBytes(pixels) / 8;
    const std::uint64_t numbering = number + sums + 2 * four(branches) + four(pixels);
    const std::uint64_t tables = number + 2 * four(branches) + 3 * four(pixels) + blockBytes<std::uint16_t>(pixels);
    return std::max(
        {shared.most, shared.listing, shared.runs + shared.branches + std::max({sorting, placing, numbering, tables})});
}

} // namespace pollard::cuda
