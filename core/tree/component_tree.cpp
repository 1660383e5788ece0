#include "tree/component_tree.hpp"

#include "base/error.hpp"

namespace pollard {

Connectivity connectivityIn(const Extent& extent, Connectivity connectivity) {
    if (extent.isVolume()) {
        if (isPlanar(connectivity)) {
            throw Error(ErrorCode::invalidArgument, "connectivity: " + std::to_string(static_cast<int>(connectivity)) +
                                                        " neighbours are for pictures; a volume has 6, 18 or 26");
        }
        return connectivity;
    }
    return isPlanar(connectivity)              ? connectivity
           : connectivity == Connectivity::six ? Connectivity::four
                                               : Connectivity::eight;
}

Connectivity correspondingConnectivity(const Extent& extent, Connectivity connectivity) noexcept {
    if (!extent.isVolume()) {
        return connectivityIn(extent, connectivity);
    }
    return !isPlanar(connectivity)              ? connectivity
           : connectivity == Connectivity::four ? Connectivity::six
                                                : Connectivity::twentySix;
}

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
