#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "hierarchy/hierarchy.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pollard {

/// What becomes of regions that merge at one strength.
enum class RegionForm : std::uint8_t {
    merged, ///< they merge at once: a node may have more than two children
    binary, ///< they merge one by one, in the order of Hierarchy::strengths(): a binary partition tree
};

/// Tree of the regions of a hierarchy. The leaves are its basins, 0 .. leafCount - 1, as in Hierarchy::basins(). The
/// other nodes are unions of two or more regions; they follow by strength, and, with RegionForm::merged, by their first
/// pixel, so that the tree of flat zones does not depend on the order of equal edges. Hence a parent has a larger
/// number than its children. A region that never merges is its own parent: the last node, if all pixels have data.
///
/// It is no ComponentTree: strengths exceed 16 bits, most nodes have no pixel of their own, and the pixel that would
/// name a node is in its ancestors, too. Higra's trees have this order, with the pixels as leaves.
///
/// Salembier and Garrido, "Binary partition tree as an efficient representation for image processing, segmentation, and
/// information retrieval", 2000; Najman, Cousty and Perret, "Playing with Kruskal", 2013.
struct RegionTree {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    std::size_t leafCount = 0;
    Buffer<std::uint32_t> parent;    ///< per node
    Buffer<std::uint64_t> strength;  ///< per node, of the boundaries that vanish where it is formed; 0 for leaves
    Buffer<std::uint32_t> mergeNode; ///< per merge of the hierarchy the node that it forms

    [[nodiscard]] std::size_t nodeCount() const noexcept { return parent.size(); }
    [[nodiscard]] bool isRoot(std::uint32_t node) const noexcept { return parent[node] == node; }
};

/// O(basins), or O(basins log basins) with RegionForm::merged. @throws Error(outOfMemory), Cancelled
[[nodiscard]] RegionTree makeRegionTree(const Hierarchy& hierarchy, RegionForm form = RegionForm::merged,
                                        const JobControl& control = {});

/// Adds the value of each node to its parent's, children first: `add(parent's value, value)`. O(nodes)
/// @param values per node: of the leaves, and a neutral element at all other nodes
template <class Value, class Add> void sumUp(const RegionTree& tree, Buffer<Value>& values, const Add& add) {
    for (std::uint32_t node = 0; node < values.size(); ++node) {
        if (const std::uint32_t parent = tree.parent[node]; parent != node) {
            add(values[parent], values[node]);
        }
    }
}

/// Per node the smallest of the kept regions that contain it; kNone without one. O(nodes)
/// @param keep per node, not 0 for kept regions
/// @throws Error(invalidArgument) for another number of values
[[nodiscard]] Buffer<std::uint32_t> smallestKept(const RegionTree& tree, const std::vector<std::uint8_t>& keep);
/// As smallestKept(), the largest kept region: such regions are not in one another.
[[nodiscard]] Buffer<std::uint32_t> largestKept(const RegionTree& tree, const std::vector<std::uint8_t>& keep);

/// Labels of the largest kept regions, 1 .. count in the order of their first pixels; 0 for all other pixels.
/// @param keep as of smallestKept() @throws as smallestKept(); Error(outOfMemory), Cancelled
[[nodiscard]] LabelImage labelsOf(const Hierarchy& hierarchy, const RegionTree& tree,
                                  const std::vector<std::uint8_t>& keep, const JobControl& control = {});

/// Pixels with data per basin. @param valid as of makeHierarchy()
[[nodiscard]] Buffer<std::uint32_t> basinAreas(const Hierarchy& hierarchy, const Mask* valid,
                                               const JobControl& control = {});

/// The hierarchy without small regions: a merge gets the strength 0 if one of its regions has fewer than @p area
/// pixels, so that the two basins at its edge become one. The other merges keep their strengths. O(basins log basins)
/// @param areas per basin its pixels with data
/// @throws Error(invalidArgument) for another number of areas; Error(outOfMemory), Cancelled
[[nodiscard]] Hierarchy withoutSmallRegions(const Hierarchy& hierarchy, const Buffer<std::uint32_t>& areas,
                                            std::uint64_t area, const JobControl& control = {});

} // namespace pollard
