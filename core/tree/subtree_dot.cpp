#include "tree/subtree_dot.hpp"

#include "base/error.hpp"
#include "tree/node_family.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pollard {

namespace {

std::string shortest(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    std::array<char, 32> digits{};
    const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), end};
}

/// The first nodes in breadth-first order; the last ones may lack children.
std::vector<std::uint32_t> nearestNodes(const ComponentTree& tree, std::uint32_t node, std::size_t most) {
    std::vector<std::uint32_t> nodes{node};
    for (std::size_t next = 0; next < nodes.size() && nodes.size() < most; ++next) {
        for (auto child = firstChild(tree, nodes[next]); child && nodes.size() < most;
             child = nextSibling(tree, *child)) {
            nodes.push_back(*child);
        }
    }
    return nodes;
}

std::size_t childrenOf(const ComponentTree& tree, std::uint32_t node) {
    std::size_t count = 0;
    for (auto child = firstChild(tree, node); child; child = nextSibling(tree, *child)) {
        ++count;
    }
    return count;
}

} // namespace

std::string subtreeDot(const ComponentTree& tree, std::uint32_t node, std::size_t most,
                       const std::vector<std::shared_ptr<const AttributeColumn>>& columns) {
    if (node >= tree.nodeCount()) {
        throw Error(ErrorCode::invalidArgument, "graph of the tree: node " + std::to_string(node) +
                                                    ": there are only " + std::to_string(tree.nodeCount()));
    }
    if (most == 0 || most > kMostDotNodes) {
        throw Error(ErrorCode::invalidArgument,
                    "graph of the tree: " + std::to_string(most) + " nodes: not 1 to " + std::to_string(kMostDotNodes));
    }
    const std::vector<std::uint32_t> nodes = nearestNodes(tree, node, most);
    std::vector<std::uint32_t> sorted = nodes;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> drawnChildren(sorted.size(), 0);
    std::string edges;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const std::uint32_t parent = tree.parent[nodes[i]];
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), parent) - sorted.begin();
        ++drawnChildren[static_cast<std::size_t>(place)];
        edges += "  n" + std::to_string(parent) + " -> n" + std::to_string(nodes[i]) + ";\n";
    }
    std::string dot = "digraph tree {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::uint32_t each = sorted[i];
        dot += "  n" + std::to_string(each) + " [label=\"" + std::to_string(each) + "\\nlevel " +
               std::to_string(tree.level[each]);
        for (const auto& column : columns) {
            dot.append("\\n").append(attributeInfo(column->id).name).append(" ").append(shortest(column->at(each)));
        }
        dot += drawnChildren[i] < childrenOf(tree, each) ? "\", style=dashed];\n" : "\"];\n";
    }
    return dot + edges + "}\n";
}

} // namespace pollard
