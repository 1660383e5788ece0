#include "filter/node_levels.hpp"

namespace pollard {

Buffer<std::uint16_t> filteredLevels(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint16_t> out(n);
    out[0] = tree.level[0];
    if (rule == Rule::subtractive) {
        for (std::size_t i = 1; i < n; ++i) {
            const std::uint32_t p = tree.parent[i];
            const int step = keep[i] != 0 ? tree.level[i] - tree.level[p] : 0;
            out[i] = static_cast<std::uint16_t>(out[p] + step);
        }
    } else {
        for (std::size_t i = 1; i < n; ++i) {
            out[i] = keep[i] != 0 ? tree.level[i] : out[tree.parent[i]];
        }
    }
    return out;
}

} // namespace pollard
