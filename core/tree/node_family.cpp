#include "tree/node_family.hpp"

#include <algorithm>

namespace pollard {

std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node) { return chainOf(tree, node, {}); }

std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node,
                                   std::span<const std::uint32_t> known) {
    std::vector<std::uint32_t> chain;
    auto rest = known.begin(); // ancestors have smaller indices
    for (;; node = tree.parent[node]) {
        rest = std::find_if(rest, known.end(), [node](std::uint32_t each) { return each <= node; });
        if (rest != known.end() && *rest == node) {
            break;
        }
        chain.push_back(node);
        if (node == 0) {
            break;
        }
    }
    chain.insert(chain.end(), rest, known.end());
    return chain;
}

std::optional<std::uint32_t> firstChild(const ComponentTree& tree, std::uint32_t node) noexcept {
    return node + 1 < tree.subtreeEnd[node] ? std::optional(node + 1) : std::nullopt;
}

std::optional<std::uint32_t> nextSibling(const ComponentTree& tree, std::uint32_t node) noexcept {
    const std::uint32_t next = tree.subtreeEnd[node];
    return node != 0 && next < tree.subtreeEnd[tree.parent[node]] ? std::optional(next) : std::nullopt;
}

std::optional<std::uint32_t> previousSibling(const ComponentTree& tree, std::uint32_t node) noexcept {
    if (node == 0 || node == tree.parent[node] + 1) {
        return std::nullopt;
    }
    std::uint32_t child = tree.parent[node] + 1;
    while (tree.subtreeEnd[child] != node) {
        child = tree.subtreeEnd[child];
    }
    return child;
}

std::vector<double> drawnPlaces(const ComponentTree& tree, std::uint32_t node) {
    const std::uint32_t end = tree.subtreeEnd[node];
    const auto isLeaf = [&tree](std::uint32_t n) { return tree.subtreeEnd[n] == n + 1; };
    std::vector<double> places(end - node);
    double leaves = 0;
    for (std::uint32_t n = node; n < end; ++n) {
        places[n - node] = isLeaf(n) ? leaves++ + 0.5 : 0;
    }
    std::vector<double> last(places.size()); // position of a node's last child
    for (std::uint32_t n = end; n-- > node;) {
        double& place = places[n - node];
        if (!isLeaf(n)) {
            place = (places[n + 1 - node] + last[n - node]) / 2;
        }
        if (n != node) {
            double& lastOfParent = last[tree.parent[n] - node];
            lastOfParent = std::max(lastOfParent, place); // siblings run from left to right
        }
    }
    for (double& place : places) {
        place /= leaves;
    }
    return places;
}

} // namespace pollard
