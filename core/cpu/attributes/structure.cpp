#include "cpu/attributes/structure.hpp"

#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <cstring>

namespace pollard::cpu {

Buffer<std::uint32_t> depthsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> depth(tree.nodeCount());
    depth[0] = 0;
    sweepDown(tree, control, [&](std::uint32_t i, std::uint32_t parent) { depth[i] = depth[parent] + 1; });
    return depth;
}

Buffer<std::uint32_t> childCountsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    std::memset(count.data(), 0, count.bytes());
    sweepUp(tree, control, [&](std::uint32_t, std::uint32_t parent) { ++count[parent]; });
    return count;
}

Buffer<std::uint32_t> leafCountsOf(const ComponentTree& tree, const JobControl& control) {
    Buffer<std::uint32_t> count(tree.nodeCount());
    forEachIndex(count.size(), control, [&](std::size_t i) { count[i] = tree.subtreeEnd[i] == i + 1 ? 1 : 0; });
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) { count[parent] += count[i]; });
    return count;
}

} // namespace pollard::cpu
