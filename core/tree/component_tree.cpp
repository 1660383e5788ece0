#include "tree/component_tree.hpp"

namespace pollard {

Buffer<std::uint32_t> canonicalParentImage(const ComponentTree& tree) {
    Buffer<std::uint32_t> parent(tree.pixelCount());
    for (std::size_t p = 0; p < tree.pixelCount(); ++p) {
        const std::uint32_t node = tree.pixelNode[p];
        const std::uint32_t own = tree.canonical[node];
        parent[p] = own == p ? tree.canonical[tree.parent[node]] : own;
    }
    return parent;
}

} // namespace pollard
