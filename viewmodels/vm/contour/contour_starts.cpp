#include "vm/contour/contour_starts.hpp"

#include "snake/contour/contour_start.hpp"

#include <utility>

namespace pollard::vm {

MakeContours outlinesOf(const std::shared_ptr<const FoundObjects>& objects, std::vector<std::uint32_t> labels,
                        const SnakeSpec& spec) {
    return [objects, labels = std::move(labels), spec](const JobControl& control) {
        requireFewContours(labels.size());
        return pollard::outlinesOf(objects->components, labels, spec, control);
    };
}

MakeContours outlinesOf(const std::shared_ptr<const ComponentTree>& tree, const std::shared_ptr<const NodeSet>& nodes,
                        const SnakeSpec& spec) {
    return [tree, nodes, spec](const JobControl& control) {
        const std::vector<NodeInterval> components = maximalComponents(*tree, *nodes);
        requireFewContours(components.size());
        ThinnedOutlines outlines(spec, tree->width, tree->height);
        for (const NodeInterval& component : components) {
            control.throwIfStopped();
            outlines.add(outlineOf(maskOfNodes(*tree, flagsOf(*tree, {component})), {}, control));
        }
        return outlines.take();
    };
}

} // namespace pollard::vm
