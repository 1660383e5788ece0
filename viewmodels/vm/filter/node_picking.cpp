#include "vm/filter/node_picking.hpp"

#include "filter/node_decision.hpp"

namespace pollard::vm {

std::optional<std::uint32_t> pickNode(const ComponentTree& tree, const PickQuestion& question,
                                      const std::function<bool(std::uint32_t node)>& isLargeEnough) {
    if (question.pixel >= tree.pixelCount()) {
        return std::nullopt;
    }
    const auto isSeen = [&](std::uint32_t node) {
        if (!question.shownLevel) {
            return true;
        }
        return tree.kind == TreeKind::max ? tree.level[node] <= *question.shownLevel
                                          : tree.level[node] >= *question.shownLevel;
    };
    std::uint32_t node = tree.pixelNode[question.pixel];
    while (node != 0 && (!isSeen(node) || !isLargeEnough(node))) {
        node = tree.parent[node];
    }
    // Leaves removed components: each pass rules out at least one of them.
    for (bool outside = false; !outside;) {
        outside = true;
        for (const std::uint32_t canonical : question.removed) {
            const auto removed = nodeOfCanonical(tree, canonical);
            if (removed && *removed != 0 && tree.contains(*removed, node)) {
                node = tree.parent[*removed];
                outside = false;
            }
        }
    }
    return node == 0 ? std::nullopt : std::optional(node);
}

} // namespace pollard::vm
