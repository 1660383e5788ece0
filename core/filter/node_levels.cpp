#include "filter/node_levels.hpp"

#include "filter/rule_passes.hpp"

namespace pollard {

Buffer<std::uint16_t> filteredLevels(const ComponentTree& tree, Rule rule, const Buffer<std::uint8_t>& keep) {
    return levelsFromRoot(tree, rule, keep);
}

} // namespace pollard
