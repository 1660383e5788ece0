#include "vm/tree/decided_nodes.hpp"

#include "filter/node_decision.hpp"

namespace pollard::vm {

NodeSet decidedNodes(const ComponentTree& tree, const FilterSpec& spec, const FilterColumns& columns, bool kept,
                     const JobControl& control) {
    const NodeDecision decision = decideNodes(tree, spec, columns, control);
    NodeSet nodes;
    for (std::uint32_t node = 0; node < tree.nodeCount(); ++node) {
        const bool stays = node == 0 ? decision.rootCounts : decision.keep[node] != 0;
        if (stays == kept) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

} // namespace pollard::vm
