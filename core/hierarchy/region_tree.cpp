#include "hierarchy/region_tree.hpp"

#include "base/disjoint_sets.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace pollard {

namespace {

/// The basin that ceases to stand for a region, per merge.
Buffer<std::uint32_t> joinedBasins(const Hierarchy& hierarchy, const JobControl& control) {
    Buffer<std::uint32_t> basins(hierarchy.strengths().size());
    const std::span<const Hierarchy::Join> joins = hierarchy.joins();
    forEachIndex(joins.size(), control, [&](std::size_t basin) {
        if (joins[basin].merge != Hierarchy::kNoMerge) {
            basins[joins[basin].merge] = static_cast<std::uint32_t>(basin);
        }
    });
    return basins;
}

/// One node a merge.
RegionTree binaryTree(const Hierarchy& hierarchy, const JobControl& control) {
    const std::size_t leaves = hierarchy.basinCount();
    const std::vector<std::uint64_t>& strengths = hierarchy.strengths();
    const Buffer<std::uint32_t> joined = joinedBasins(hierarchy, control);
    RegionTree tree{leaves, Buffer<std::uint32_t>(leaves + strengths.size()),
                    Buffer<std::uint64_t>(leaves + strengths.size()), Buffer<std::uint32_t>(strengths.size())};
    std::ranges::fill_n(tree.strength.data(), static_cast<std::ptrdiff_t>(leaves), 0);
    std::ranges::copy(strengths, tree.strength.data() + leaves);
    std::iota(tree.parent.begin(), tree.parent.end(), 0U);
    std::iota(tree.mergeNode.begin(), tree.mergeNode.end(), static_cast<std::uint32_t>(leaves));
    std::vector<std::uint32_t> top(leaves); // the node of the region that a basin stands for
    std::iota(top.begin(), top.end(), 0U);
    for (std::size_t merge = 0; merge < joined.size(); ++merge) {
        const std::uint32_t into = hierarchy.joins()[joined[merge]].into;
        const std::uint32_t node = tree.mergeNode[merge];
        tree.parent[top[joined[merge]]] = node;
        tree.parent[top[into]] = node;
        top[into] = node;
    }
    return tree;
}

/// Makes one node of parents and children with the same strength.
RegionTree mergedTree(const RegionTree& binary, const JobControl& control) {
    const auto leaves = static_cast<std::uint32_t>(binary.leafCount);
    const auto nodes = static_cast<std::uint32_t>(binary.nodeCount());
    Buffer<std::uint32_t> first(nodes); // leaf of the region
    for (std::uint32_t node = 0; node < nodes; ++node) {
        first[node] = node < leaves ? node : RegionTree::kNone;
    }
    sumUp(binary, first, [](std::uint32_t& sum, std::uint32_t value) { sum = std::min(sum, value); });
    const auto stays = [&](std::uint32_t node) {
        return binary.isRoot(node) || binary.strength[node] != binary.strength[binary.parent[node]];
    };
    std::vector<std::uint32_t> order; // of the nodes that stay
    for (std::uint32_t node = leaves; node < nodes; ++node) {
        if (stays(node)) {
            order.push_back(node);
        }
    }
    control.throwIfStopped();
    tbb::parallel_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(binary.strength[a], first[a]) < std::tie(binary.strength[b], first[b]);
    });
    control.throwIfStopped();
    Buffer<std::uint32_t>& number = first; // of the nodes, from here on
    std::iota(number.begin(), number.begin() + leaves, 0U);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        number[order[i]] = leaves + i;
    }
    for (std::uint32_t node = nodes; node-- > leaves;) {
        number[node] = stays(node) ? number[node] : number[binary.parent[node]];
    }
    const std::size_t count = leaves + order.size();
    RegionTree tree{leaves, Buffer<std::uint32_t>(count), Buffer<std::uint64_t>(count),
                    Buffer<std::uint32_t>(nodes - leaves)};
    forEachIndex(count, control, [&](std::size_t i) {
        const std::uint32_t node = i < leaves ? static_cast<std::uint32_t>(i) : order[i - leaves];
        tree.parent[i] = number[binary.parent[node]];
        tree.strength[i] = binary.strength[node];
    });
    forEachIndex(tree.mergeNode.size(), control,
                 [&](std::size_t merge) { tree.mergeNode[merge] = number[leaves + merge]; });
    return tree;
}

void requireOnePerNode(const RegionTree& tree, const std::vector<std::uint8_t>& keep) {
    if (keep.size() != tree.nodeCount()) {
        throw Error(ErrorCode::invalidArgument, "regions to keep: " + std::to_string(keep.size()) + " values for " +
                                                    std::to_string(tree.nodeCount()) + " nodes");
    }
}

} // namespace

RegionTree makeRegionTree(const Hierarchy& hierarchy, RegionForm form, const JobControl& control) try {
    constexpr std::uint64_t kBasinBytes = 72;
    requireAvailable("tree of regions: " + std::to_string(hierarchy.basinCount()) + " basins",
                     kBasinBytes * hierarchy.basinCount());
    RegionTree binary = binaryTree(hierarchy, control);
    return form == RegionForm::binary ? std::move(binary) : mergedTree(binary, control);
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::outOfMemory,
                "tree of regions: not enough memory for " + std::to_string(hierarchy.basinCount()) + " basins");
}

Buffer<std::uint32_t> smallestKept(const RegionTree& tree, const std::vector<std::uint8_t>& keep) {
    requireOnePerNode(tree, keep);
    Buffer<std::uint32_t> kept(tree.nodeCount());
    for (auto node = static_cast<std::uint32_t>(kept.size()); node-- > 0;) {
        const std::uint32_t above = tree.isRoot(node) ? RegionTree::kNone : kept[tree.parent[node]];
        kept[node] = keep[node] != 0 ? node : above;
    }
    return kept;
}

Buffer<std::uint32_t> largestKept(const RegionTree& tree, const std::vector<std::uint8_t>& keep) {
    requireOnePerNode(tree, keep);
    Buffer<std::uint32_t> kept(tree.nodeCount());
    for (auto node = static_cast<std::uint32_t>(kept.size()); node-- > 0;) {
        const std::uint32_t above = tree.isRoot(node) ? RegionTree::kNone : kept[tree.parent[node]];
        const std::uint32_t own = keep[node] != 0 ? node : RegionTree::kNone;
        kept[node] = above != RegionTree::kNone ? above : own;
    }
    return kept;
}

LabelImage labelsOf(const Hierarchy& hierarchy, const RegionTree& tree, const std::vector<std::uint8_t>& keep,
                    const JobControl& control) try {
    const Extent& extent = hierarchy.extent();
    const Buffer<std::uint32_t> kept = largestKept(tree, keep);
    LabelImage found{Buffer<std::uint32_t>(extent.pixelCount()), extent.width, extent.height, 0, extent.slices};
    std::vector<std::uint32_t> label(tree.nodeCount());
    std::vector<std::uint32_t> ofBasin(tree.leafCount); // basins are in the order of their first pixels
    for (std::size_t basin = 0; basin < ofBasin.size(); ++basin) {
        if (const std::uint32_t node = kept[basin]; node != RegionTree::kNone) {
            label[node] = label[node] == 0 ? ++found.count : label[node];
            ofBasin[basin] = label[node];
        }
    }
    forEachIndex(found.labels.size(), control,
                 [&](std::size_t pixel) { found.labels[pixel] = ofBasin[hierarchy.basins()[pixel]]; });
    return found;
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::outOfMemory,
                "labels of regions: not enough memory for an image of " + text(hierarchy.extent()));
}

Buffer<std::uint32_t> basinAreas(const Hierarchy& hierarchy, const Mask* valid, const JobControl& control) {
    const Extent& extent = hierarchy.extent();
    Buffer<std::uint32_t> areas(hierarchy.basinCount());
    std::ranges::fill(areas, 0U);
    const std::uint32_t* row = hierarchy.basins().data();
    for (std::uint32_t y = 0; y < extent.height * extent.slices; ++y, row += extent.width) {
        control.throwIfStopped();
        const auto count = [&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t x = first; x < last; ++x) {
                ++areas[row[x]];
            }
        };
        if (valid == nullptr) {
            count(0, extent.width);
        } else {
            forEachRun(*valid, y, true, count);
        }
    }
    return areas;
}

Hierarchy withoutSmallRegions(const Hierarchy& hierarchy, const Buffer<std::uint32_t>& areas, std::uint64_t area,
                              const JobControl& control) try {
    const std::size_t basins = hierarchy.basinCount();
    if (areas.size() != basins) {
        throw Error(ErrorCode::invalidArgument, "small regions: " + std::to_string(areas.size()) + " areas for " +
                                                    std::to_string(basins) + " basins");
    }
    const Buffer<std::uint32_t> joined = joinedBasins(hierarchy, control);
    std::vector<std::uint32_t> size(areas.begin(), areas.end()); // of the region that a basin stands for
    DisjointSets same(basins);                                   // by their first basins
    std::vector<Hierarchy::Merge> merges;
    for (std::size_t merge = 0; merge < joined.size(); ++merge) {
        const std::uint32_t basin = joined[merge];
        const std::uint32_t into = hierarchy.joins()[basin].into;
        if (size[basin] < area || size[into] < area) {
            const std::uint32_t a = same.find(hierarchy.edges()[merge].first);
            const std::uint32_t b = same.find(hierarchy.edges()[merge].second);
            same.join(std::max(a, b), std::min(a, b));
        } else {
            merges.push_back(
                {hierarchy.strengths()[merge], hierarchy.edges()[merge].first, hierarchy.edges()[merge].second});
        }
        size[into] += size[basin];
    }
    control.throwIfStopped();
    Hierarchy::Counts counts{0, hierarchy.regionsAt(0) - (joined.size() - merges.size())};
    std::vector<std::uint32_t> number(basins);
    for (std::uint32_t basin = 0; basin < basins; ++basin) {
        const std::uint32_t first = same.find(basin);
        number[basin] = first == basin ? static_cast<std::uint32_t>(counts.basins++) : number[first];
    }
    for (Hierarchy::Merge& merge : merges) {
        merge.basin = number[merge.basin];
        merge.other = number[merge.other];
    }
    Buffer<std::uint32_t> pixels(hierarchy.basins().size());
    forEachIndex(pixels.size(), control, [&](std::size_t pixel) { pixels[pixel] = number[hierarchy.basins()[pixel]]; });
    return {hierarchy.extent(), std::move(pixels), counts, std::move(merges), control};
} catch (const std::bad_alloc&) {
    throw Error(ErrorCode::outOfMemory, "small regions: not enough memory for an image of " + text(hierarchy.extent()));
}

} // namespace pollard
