#include "filter/prominent_leaves.hpp"

#include "filter/node_rules.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace pollard {

std::vector<std::uint32_t> prominentLeaves(const ComponentTree& tree, const AttributeColumn& column,
                                           std::uint32_t count) {
    std::vector<std::uint32_t> leaves;
    leaves.reserve(tree.leafCount);
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        if (tree.subtreeEnd[node] == node + 1) {
            leaves.push_back(node);
        }
    }
    if (count >= leaves.size()) {
        return leaves;
    }
    std::visit(
        [&]<class T>(const Buffer<T>& values) {
            const auto before = [&](std::uint32_t a, std::uint32_t b) {
                if constexpr (std::is_floating_point_v<T>) {
                    if (std::isnan(values[a]) != std::isnan(values[b])) {
                        return std::isnan(values[b]);
                    }
                }
                if (values[a] > values[b] || values[a] < values[b]) {
                    return values[a] > values[b];
                }
                return tree.canonical[a] < tree.canonical[b];
            };
            std::ranges::nth_element(leaves, leaves.begin() + count, before);
        },
        column.values);
    leaves.resize(count);
    std::ranges::sort(leaves);
    return leaves;
}

Buffer<std::uint8_t> holdProminentLeaves(const ComponentTree& tree, const AttributeColumn& column, std::uint32_t count,
                                         const JobControl& control) {
    Buffer<std::uint8_t> holds(tree.nodeCount());
    std::fill(holds.begin(), holds.end(), std::uint8_t{0});
    for (const std::uint32_t leaf : prominentLeaves(tree, column, count)) {
        holds[leaf] = 1;
    }
    control.throwIfStopped();
    spreadToAncestors(tree, holds);
    control.throwIfStopped();
    return holds;
}

} // namespace pollard
