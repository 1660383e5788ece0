#include "tree/node_family.hpp"

namespace pollard {

std::vector<std::uint32_t> chainOf(const ComponentTree& tree, std::uint32_t node) {
    std::vector<std::uint32_t> chain{node};
    while (node != 0) {
        node = tree.parent[node];
        chain.push_back(node);
    }
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

} // namespace pollard
