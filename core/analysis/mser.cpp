#include "analysis/mser.hpp"

#include "analysis/ellipse.hpp"
#include "attributes/formulas.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "tree/stability.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace pollard {

namespace {

constexpr std::uint32_t kNoRegion = 0xffff'ffffU;
constexpr std::size_t kNodesPerTask = std::size_t{1} << 16;
constexpr std::uint32_t kRowsPerTask = 64;

/// MserSpec with defaults resolved.
struct Limits {
    std::uint16_t delta;
    std::uint64_t minArea;
    std::uint64_t maxArea;
};

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "maximally stable regions: " + why);
}

Limits limitsOf(const ComponentTree& tree, const MserSpec& spec) {
    Limits limits{};
    limits.delta = spec.delta.value_or(defaultStabilityDelta(tree.pixelType));
    limits.minArea = spec.minArea;
    limits.maxArea = spec.maxArea.value_or(tree.pixelCount() / 4);
    if (limits.delta == 0) {
        refuse("a delta of 0 levels; it must be 1 or more");
    }
    if (spec.maxArea && *spec.maxArea < spec.minArea) {
        refuse("the largest area " + std::to_string(*spec.maxArea) + " is less than the smallest one " +
               std::to_string(spec.minArea));
    }
    if (!(spec.maxVariation >= 0)) {
        refuse("a largest variation of " + std::to_string(spec.maxVariation) + "; it must be 0 or more");
    }
    if (!(spec.minDiversity >= 0 && spec.minDiversity <= 1)) {
        refuse("a smallest diversity of " + std::to_string(spec.minDiversity) + "; it must be between 0 and 1");
    }
    return limits;
}

const Buffer<std::uint32_t>& areasOf(const ComponentTree& tree, const AttributeColumn& area) {
    const auto* areas = std::get_if<Buffer<std::uint32_t>>(&area.values);
    if (area.id != AttributeId::area || areas == nullptr || areas->size() != tree.nodeCount()) {
        refuse("the column given as the area is not the area of this tree's nodes");
    }
    return *areas;
}

/// Nodes that meet condition 2 of findMser(); pairs of node and parent count if neither is the root and they are within
/// delta.
Buffer<std::uint8_t> localMinima(const ComponentTree& tree, const Buffer<double>& variation, std::uint16_t delta) {
    Buffer<std::uint8_t> minimal(tree.nodeCount());
    std::fill(minimal.begin(), minimal.end(), std::uint8_t{1});
    minimal[0] = 0;
    for (std::size_t i = 1; i < tree.nodeCount(); ++i) {
        const std::uint32_t parent = tree.parent[i];
        if (parent == 0 || std::abs(int{tree.level[i]} - int{tree.level[parent]}) > int{delta}) {
            continue;
        }
        minimal[variation[i] < variation[parent] ? parent : i] = 0;
    }
    return minimal;
}

/// Index of the smallest region that contains each node.
Buffer<std::uint32_t> regionOfNodes(const ComponentTree& tree, const std::vector<MserRegion>& regions) {
    Buffer<std::uint32_t> region(tree.nodeCount());
    std::size_t next = 0;
    for (std::size_t i = 0; i < tree.nodeCount(); ++i) {
        region[i] = i == 0 ? kNoRegion : region[tree.parent[i]];
        if (next < regions.size() && regions[next].node == i) {
            region[i] = static_cast<std::uint32_t>(next++);
        }
    }
    return region;
}

void addAtomically(std::uint64_t& sum, std::uint64_t value) {
    std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed);
}

/// Calls visit(first, last, row, region) for runs of pixels with the same smallest region, in parallel. Rows count
/// through the slices.
template <class Visit> void forEachRegionRun(const ComponentTree& tree, const Buffer<std::uint32_t>& regionOfNode,
                                             const JobControl& control, Visit&& visit) {
    const auto last = static_cast<std::uint32_t>(tree.extent().rows());
    forEachRange(
        last, control,
        [&](std::size_t begin, std::size_t end) {
            for (auto y = static_cast<std::uint32_t>(begin); y != end; ++y) {
                const std::uint32_t* row = tree.pixelNode.data() + std::size_t{y} * tree.width;
                for (std::uint32_t x = 0; x < tree.width;) {
                    const std::uint32_t region = regionOfNode[row[x]];
                    const std::uint32_t first = x;
                    while (x < tree.width && regionOfNode[row[x]] == region) {
                        ++x;
                    }
                    visit(first, x, y, region);
                }
            }
        },
        kRowsPerTask);
}

void measure(const ComponentTree& tree, std::vector<MserRegion>& regions, const JobControl& control) {
    const Buffer<std::uint32_t> regionOfNode = regionOfNodes(tree, regions);
    std::vector<PixelSums> sums(regions.size());
    std::vector<std::uint64_t> slices(regions.size()); // sums of z
    const bool isVolume = tree.extent().isVolume();
    forEachRegionRun(tree, regionOfNode, control,
                     [&](std::uint32_t first, std::uint32_t last, std::uint32_t row, std::uint32_t region) {
                         if (region == kNoRegion) {
                             return;
                         }
                         const PixelSums run = sumsOfRun(first, last, row % tree.height);
                         if (isVolume) {
                             addAtomically(slices[region], run.area * (row / tree.height));
                         }
                         PixelSums& sum = sums[region];
                         addAtomically(sum.area, run.area);
                         addAtomically(sum.x, run.x);
                         addAtomically(sum.y, run.y);
                         addAtomically(sum.xx, run.xx);
                         addAtomically(sum.xy, run.xy);
                         addAtomically(sum.yy, run.yy);
                     });
    for (std::size_t i = regions.size(); i-- > 0;) {
        const std::uint32_t around = regionOfNode[tree.parent[regions[i].node]];
        if (around != kNoRegion) {
            sums[around] += sums[i];
            slices[around] += slices[i];
        }
        if (isVolume) {
            const auto area = static_cast<double>(sums[i].area);
            regions[i].x = static_cast<double>(sums[i].x) / area;
            regions[i].y = static_cast<double>(sums[i].y) / area;
            regions[i].z = static_cast<double>(slices[i]) / area;
            continue;
        }
        const Ellipse ellipse = ellipseOf(sums[i]);
        regions[i].x = ellipse.x;
        regions[i].y = ellipse.y;
        regions[i].major = ellipse.major;
        regions[i].minor = ellipse.minor;
        regions[i].angle = ellipse.angle;
    }
}

} // namespace

std::vector<MserRegion> findMser(const ComponentTree& tree, const AttributeColumn& area, const MserSpec& spec,
                                 const JobControl& control) {
    const Limits limits = limitsOf(tree, spec);
    const Buffer<std::uint32_t>& areas = areasOf(tree, area);
    if (!tree.extent().isVolume() && !pixelSumsFit(tree.width, tree.height)) { // of squares, which volumes do not need
        throw Error(ErrorCode::limitExceeded, "maximally stable regions: an image of " + std::to_string(tree.width) +
                                                  " x " + std::to_string(tree.height) +
                                                  " px is too long for sums of squares in 64 bits");
    }
    const std::size_t n = tree.nodeCount();
    Buffer<double> variation(n);
    {
        const Buffer<std::uint32_t> lower = ancestorsWithin(tree, limits.delta, control);
        forEachIndex(
            n, control, [&](std::size_t i) { variation[i] = stabilityOf(areas[i], areas[lower[i]]); }, kNodesPerTask);
    }
    const Buffer<std::uint8_t> minimal = localMinima(tree, variation, limits.delta);
    control.throwIfStopped();

    std::vector<MserRegion> regions;
    Buffer<std::uint32_t> around(n); // node of the smallest chosen region that contains the node
    for (std::size_t i = 0; i < n; ++i) {
        around[i] = i == 0 ? kNoRegion : around[tree.parent[i]];
        if (minimal[i] == 0 || areas[i] < limits.minArea || areas[i] > limits.maxArea ||
            variation[i] > spec.maxVariation) {
            continue;
        }
        if (around[i] != kNoRegion) {
            const std::uint32_t outer = areas[around[i]];
            if (static_cast<double>(outer - areas[i]) < spec.minDiversity * outer) {
                continue;
            }
        }
        around[i] = static_cast<std::uint32_t>(i);
        MserRegion region;
        region.node = static_cast<std::uint32_t>(i);
        region.level = tree.level[i];
        region.area = areas[i];
        region.variation = variation[i];
        regions.push_back(region);
    }
    measure(tree, regions, control);
    return regions;
}

Buffer<std::uint32_t> mserLabels(const ComponentTree& tree, const std::vector<MserRegion>& regions,
                                 const JobControl& control) {
    const Buffer<std::uint32_t> regionOfNode = regionOfNodes(tree, regions);
    Buffer<std::uint32_t> labels(tree.pixelCount());
    forEachRegionRun(tree, regionOfNode, control,
                     [&](std::uint32_t first, std::uint32_t last, std::uint32_t y, std::uint32_t region) {
                         std::uint32_t* row = labels.data() + std::size_t{y} * tree.width;
                         std::fill(row + first, row + last, region == kNoRegion ? 0 : region + 1);
                     });
    return labels;
}

} // namespace pollard
