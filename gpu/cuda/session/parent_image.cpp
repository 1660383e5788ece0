#include "cuda/session/parent_image.hpp"

#include "base/error.hpp"
#include "cuda/boruvka/boruvka_tree.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_image.hpp"
#include "cuda/published/tile_kernels.cuh"
#include "cuda/rims/parents_by_rims.hpp"

#include <algorithm>
#include <limits>

namespace pollard::cuda {

namespace {

enum class Scheme { columns, base, border, halo };

/// Common context of a build's steps.
struct Build {
    const std::shared_ptr<DeviceMemory>& memory;
    StageClock& clock;
    const JobControl& control;
    BoundaryRule rule;
    std::string what; ///< "tree of 6000 x 4000 px (columns)"

    [[nodiscard]] cudaStream_t stream() const { return memory->stream(); }
    void check(cudaError_t status) const { cuda::check(status, what); }
    [[nodiscard]] const volatile std::uint32_t* stop() const { return memory->stopFlag().view(); }
};

/// Joins all tiles through the links of the image.
template <class Level> void joinTiles(const Build& build, const LevelView<Level>& levels, const ImageTiling& layout,
                                      BoundaryRule rule, PixelLinks links, bool horizontal) {
    const SeamPositions seam{layout, horizontal, rule.eight && !horizontal};
    build.check(launchJoinSeam(levels, seam, rule, links, build.stop(), build.stream()));
}

DeviceBuffer<PixelRecord::Word> makeLinks(const Build& build, const ImageTiling& layout) {
    return {build.memory, static_cast<std::size_t>(layout.pixels()), "the links between pixels"};
}

DeviceBuffer<std::uint32_t> makeParents(const Build& build, std::uint64_t pixels) {
    return {build.memory, static_cast<std::size_t>(pixels), "the parent image"};
}

template <class Level> DeviceBuffer<std::uint32_t> flatten(const Build& build, const LevelView<Level>& levels,
                                                           const ImageTiling& layout, PixelLinks links) {
    auto parent = makeParents(build, layout.pixels());
    build.check(launchFlatten(levels, layout.pixels(), links, parent.data(), build.stream()));
    build.clock.finish("flatten");
    return parent;
}

/// Tiles, then their boundaries: "base" and "columns".
template <class Level> DeviceBuffer<std::uint32_t> buildByTiles(const Build& build, const LevelView<Level>& levels,
                                                                const ImageTiling& layout, Scheme scheme) {
    auto buffer = makeLinks(build, layout);
    const PixelLinks links{buffer.data()};
    build.check(scheme == Scheme::base ? launchBaseTiles(levels, layout, build.rule, links, build.stream())
                                       : launchColumnTiles(levels, layout, build.rule, links, build.stream()));
    build.clock.finish("tiles");
    build.control.report(0.3, "merges");
    joinTiles(build, levels, layout, build.rule, links, true);
    joinTiles(build, levels, layout, build.rule, links, false);
    build.clock.finish("merges");
    return flatten(build, levels, layout, links);
}

/// Tiles with their border trees, which join the tiles of a column; columns are joined in the image.
template <class Level> DeviceBuffer<std::uint32_t> buildByBorders(const Build& build, const LevelView<Level>& levels,
                                                                  const ImageTiling& layout) {
    auto buffer = makeLinks(build, layout);
    const PixelLinks links{buffer.data()};
    {
        const std::size_t slots = std::size_t{layout.columns()} * layout.tileWidth * layout.height;
        const char* const what = "the border trees";
        DeviceBuffer<std::uint32_t> slotLinks(build.memory, slots, what);
        DeviceBuffer<std::uint32_t> slotPixels(build.memory, slots, what);
        DeviceBuffer<std::uint16_t> slotLevels(build.memory, slots, what);
        DeviceBuffer<std::uint32_t> tileStart(build.memory, std::size_t{layout.columns()} * layout.rows(), what);
        DeviceBuffer<std::uint32_t> columnSize(build.memory, layout.columns(), what);
        const BorderForest forest{layout,           slotLinks.data(), slotPixels.data(), slotLevels.data(),
                                  tileStart.data(), columnSize.data()};
        build.check(cudaMemsetAsync(columnSize.data(), 0, columnSize.bytes(), build.stream()));
        build.check(launchBorderTiles(levels, build.rule, links, forest, build.stream()));
        build.clock.finish("tiles");
        build.control.report(0.3, "merges");
        const SeamPositions seam{layout, true, false};
        build.check(launchJoinBorderSeam(levels, seam, build.rule, forest, build.stop(), build.stream()));
        build.clock.finish("merges");
        build.check(launchCommitBorder(forest, links, build.stream()));
        build.clock.finish("border");
    }
    joinTiles(build, levels, layout, build.rule, links, false);
    build.clock.finish("merges");
    return flatten(build, levels, layout, links);
}

HaloLayout haloLayout(std::uint32_t width, std::uint32_t height) {
    const HaloLayout halo{width, height, kColumnTileWidth, kColumnTileHeight};
    const ImageTiling tiles = halo.tiles();
    if (tiles.pixels() >= std::numeric_limits<std::uint32_t>::max()) {
        throw Error(ErrorCode::limitExceeded,
                    "tree of " + std::to_string(width) + " x " + std::to_string(height) +
                        " px (halo): the image with its doubled borders has more than 2^32 px");
    }
    return halo;
}

/// Tiles that overlap by one row and column; the copies of a pixel are joined.
template <class Level>
DeviceBuffer<std::uint32_t> buildWithHalo(const Build& build, const LevelView<Level>& levels, const HaloLayout& halo) {
    const ImageTiling layout = halo.tiles();
    DeviceBuffer<Level> widened(build.memory, static_cast<std::size_t>(layout.pixels()), "the image with its halo");
    build.check(launchWidenImage(levels, halo, widened.data(), build.stream()));
    build.clock.finish("halo");
    const LevelView<Level> copies{widened.data(), 0}; // levels of a min-tree are already reversed in the copy
    auto buffer = makeLinks(build, layout);
    const PixelLinks links{buffer.data()};
    build.check(launchColumnTiles(copies, layout, build.rule, links, build.stream()));
    build.clock.finish("tiles");
    build.control.report(0.3, "merges");
    // Tiles contain all edges of the image; only the copies of each pixel remain to be joined.
    const BoundaryRule copiesRule{false, build.rule.simplify};
    joinTiles(build, copies, layout, copiesRule, links, true);
    joinTiles(build, copies, layout, copiesRule, links, false);
    build.clock.finish("merges");
    widened.reset();
    const std::uint64_t pixels = std::uint64_t{halo.width} * halo.height;
    auto parent = makeParents(build, pixels);
    build.check(launchFlattenHalo(levels, halo, links, parent.data(), build.stream()));
    build.clock.finish("flatten");
    return parent;
}

ImageTiling layoutFor(Scheme scheme, std::uint32_t width, std::uint32_t height) {
    return scheme == Scheme::base ? ImageTiling{width, height, kBaseTileWidth, kBaseTileHeight}
                                  : ImageTiling{width, height, kColumnTileWidth, kColumnTileHeight};
}

template <Scheme kScheme> DeviceBuffer<std::uint32_t> parentsByTiles(const DeviceImage& image, const TreeSpec& spec,
                                                                     const std::shared_ptr<DeviceMemory>& memory,
                                                                     StageClock& clock, const JobControl& control) {
    const Build build{memory,
                      clock,
                      control,
                      {spec.connectivity == Connectivity::eight, spec.grid != GridSimplification::off},
                      "tree of " + std::to_string(image.width) + " x " + std::to_string(image.height) + " px (" +
                          spec.algorithm + ")"};
    return dispatch(image.type, [&]<class Level>(Level) {
        const LevelView<Level> levels{static_cast<const Level*>(image.pixels), flipOf<Level>(spec.kind)};
        const ImageTiling layout = layoutFor(kScheme, image.width, image.height);
        switch (kScheme) {
        case Scheme::border:
            return buildByBorders(build, levels, layout);
        case Scheme::halo:
            return buildWithHalo(build, levels, haloLayout(image.width, image.height));
        default:
            return buildByTiles(build, levels, layout, kScheme);
        }
    });
}

template <Scheme kScheme> std::uint64_t estimateTileBytes(PixelType type, const Extent& extent, const TreeSpec&) {
    const std::uint32_t width = extent.width;
    const std::uint32_t height = extent.height;
    const std::uint64_t pixels = std::uint64_t{width} * height;
    const std::uint64_t parents = blockBytes<std::uint32_t>(pixels);
    const auto links = [](std::uint64_t count) { return blockBytes<PixelRecord::Word>(count); };
    switch (kScheme) {
    case Scheme::border: {
        const ImageTiling layout = layoutFor(Scheme::border, width, height);
        const std::uint64_t slots = std::uint64_t{layout.columns()} * layout.tileWidth * height;
        const std::uint64_t trees = 2 * blockBytes<std::uint32_t>(slots) + blockBytes<std::uint16_t>(slots) +
                                    blockBytes<std::uint32_t>(std::uint64_t{layout.columns()} * layout.rows()) +
                                    blockBytes<std::uint32_t>(layout.columns());
        return links(pixels) + std::max(parents, trees);
    }
    case Scheme::halo: {
        const std::uint64_t copies = haloLayout(width, height).tiles().pixels();
        const std::uint64_t widened =
            type == PixelType::u8 ? blockBytes<std::uint8_t>(copies) : blockBytes<std::uint16_t>(copies);
        return links(copies) + std::max(widened, parents);
    }
    default:
        return links(pixels) + parents;
    }
}

constexpr MaxTreeAlgorithm kAlgorithms[] = {
    {"boruvka", "Pollard", &boruvkaParents, &estimateBranchParentBytes, &boruvkaTree, &estimateBranchTreeBytes, true},
    {"rims", "Pollard", &parentsByRims, &estimateRimBytes},
    {"columns", "Blin et al. 2022, s.5.1; Blin 2021, s.4", &parentsByTiles<Scheme::columns>,
     &estimateTileBytes<Scheme::columns>},
    {"base", "Blin et al. 2022, s.4", &parentsByTiles<Scheme::base>, &estimateTileBytes<Scheme::base>},
    {"border", "Blin 2021, s.6", &parentsByTiles<Scheme::border>, &estimateTileBytes<Scheme::border>},
    {"halo", "Blin et al. 2022, s.5.3", &parentsByTiles<Scheme::halo>, &estimateTileBytes<Scheme::halo>},
};

} // namespace

std::span<const MaxTreeAlgorithm> maxTrees() noexcept { return kAlgorithms; }

std::vector<std::string> maxTreeAlgorithms() {
    std::vector<std::string> names;
    for (const MaxTreeAlgorithm& each : kAlgorithms) {
        names.emplace_back(each.name);
    }
    return names;
}

const MaxTreeAlgorithm& maxTreeOf(const TreeSpec& spec, PixelType type, const Extent& extent) {
    const std::string fastest = type == PixelType::u8 && !extent.isVolume() ? "rims" : "boruvka";
    const std::string name = !spec.algorithm.empty() ? spec.algorithm : fastest;
    std::string known;
    for (const MaxTreeAlgorithm& each : kAlgorithms) {
        if (name == each.name) {
            if (!each.takesVolumes) {
                requireImage(extent, ("algorithm " + name).c_str());
            }
            return each;
        }
        known += (known.empty() ? "" : ", ") + std::string(each.name);
    }
    throw Error(ErrorCode::engineUnavailable, "build tree: algorithm '" + name + "': the CUDA engine has " + known);
}

DeviceBuffer<std::uint32_t> buildParentImage(const DeviceImage& image, const TreeSpec& spec,
                                             const std::shared_ptr<DeviceMemory>& memory, StageClock& clock,
                                             const JobControl& control) {
    const MaxTreeAlgorithm& algorithm = maxTreeOf(spec, image.type, image.extent());
    control.throwIfStopped();
    return algorithm.parents(image, spec, memory, clock, control);
}

std::uint64_t estimateParentImageBytes(PixelType type, const Extent& extent, const TreeSpec& spec) {
    return maxTreeOf(spec, type, extent).parentBytes(type, extent, spec);
}

} // namespace pollard::cuda
