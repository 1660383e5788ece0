#include "filter/output_values.hpp"

#include "base/parallel.hpp"
#include "filter/component_labels.hpp"

#include <atomic>
#include <cstdlib>

namespace pollard {

Buffer<std::uint16_t> outputValues(const ComponentTree& tree, const FilterSpec& spec, const NodeDecision& decision,
                                   const JobControl& control) {
    const std::uint16_t maxLevel = maxLevelOf(tree.pixelType);
    if (spec.output == Output::filtered || spec.output == Output::residue) {
        Buffer<std::uint16_t> values = filteredLevels(tree, spec.rule, decision.keep);
        if (spec.output == Output::residue) {
            forEachIndex(values.size(), control, [&](std::size_t i) {
                values[i] = static_cast<std::uint16_t>(std::abs(int{tree.level[i]} - int{values[i]}));
            });
        }
        return values;
    }
    Buffer<std::uint16_t> values(tree.nodeCount());
    if (spec.output == Output::mask) {
        values[0] = decision.rootCounts ? maxLevel : std::uint16_t{0};
        for (std::size_t i = 1; i < values.size(); ++i) {
            values[i] = decision.keep[i] != 0 ? maxLevel : values[tree.parent[i]];
        }
    } else {
        const NodeLabels labels = labelNodes(tree, decision, control);
        forEachIndex(values.size(), control, [&](std::size_t i) {
            const std::uint32_t label = labels.label[i];
            values[i] = static_cast<std::uint16_t>(label == 0 ? 0 : 1 + (label - 1) % maxLevel);
        });
    }
    return values;
}

std::uint64_t countChangedPixels(const ComponentTree& tree, const Buffer<std::uint16_t>& levels,
                                 const AttributeColumn& area) {
    const auto isChanged = [&](std::size_t node) { return levels[node] != tree.level[node]; };
    const auto areaOf = [&](std::size_t node) { return static_cast<std::uint64_t>(area.at(node)); };
    // A changed component without those of its children has changed pixels only; so the sum over the tree telescopes.
    std::uint64_t changed = isChanged(0) ? areaOf(0) : 0;
    for (std::size_t node = 1; node < tree.nodeCount(); ++node) {
        const bool here = isChanged(node);
        if (here != isChanged(tree.parent[node])) {
            changed += here ? areaOf(node) : -areaOf(node);
        }
    }
    return changed;
}

} // namespace pollard
