#include "parts/sweeps/closed_nodes.hpp"

#include "base/parallel.hpp"

#include <utility>
#include <variant>

namespace pollard {

namespace {

/// Indices of the closed nodes, ascending.
template <class IsClosed> std::vector<std::uint32_t> closedOf(std::size_t nodes, IsClosed&& isClosed) {
    std::vector<std::uint32_t> closed;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (isClosed(node)) {
            closed.push_back(node);
        }
    }
    return closed;
}

template <class Value>
AttributeColumn columnOf(AttributeId id, std::size_t count, const JobControl& control, Value&& value) {
    Buffer<double> values(count);
    forEachIndex(count, control, [&](std::size_t i) { values[i] = value(i); });
    return {id, std::move(values), 0, 0};
}

/// @param heightOf height of a node, @p parentOf its parent
template <class HeightOf, class ParentOf> Buffer<std::uint16_t> climbsOf(const std::vector<std::uint32_t>& nodes,
                                                                         bool hasRoot, const JobControl& control,
                                                                         HeightOf&& heightOf, ParentOf&& parentOf) {
    Buffer<std::uint16_t> climb(nodes.size());
    forEachIndex(nodes.size(), control, [&](std::size_t i) {
        const bool isRoot = hasRoot && i == 0;
        climb[i] =
            isRoot ? std::uint16_t{0} : static_cast<std::uint16_t>(heightOf(nodes[i]) - heightOf(parentOf(nodes[i])));
    });
    return climb;
}

} // namespace

ClosedNodes closedNodesOf(const PartJob& job, const ChunkTree& chunk, const JobControl& control) {
    const ComponentTree& tree = chunk.tree();
    const std::vector<std::uint32_t> nodes =
        closedOf(tree.nodeCount(), [&](std::uint32_t node) { return !chunk.isOpen(node); });
    ClosedNodes closed;
    closed.hasRoot = !chunk.isOpen(0);
    closed.rootLevel = tree.level[0];
    closed.climb = climbsOf(
        nodes, closed.hasRoot, control, [&](std::uint32_t node) { return job.height(tree.level[node]); },
        [&](std::uint32_t node) { return tree.parent[node]; });
    for (std::size_t k = 0; k < job.measured.size(); ++k) {
        closed.columns.push_back(
            nodes.empty() ? AttributeColumn{job.measured[k], Buffer<double>(), 0, 0}
                          : std::visit(
                                [&](const auto& values) {
                                    return columnOf(job.measured[k], nodes.size(), control, [&](std::size_t i) {
                                        return static_cast<double>(values[nodes[i]]);
                                    });
                                },
                                chunk.measured()[k]->values));
    }
    return closed;
}

ClosedNodes closedNodesOf(const PartJob& job, const MergeStep& step, const JobControl& control) {
    const std::vector<std::uint32_t> nodes =
        closedOf(step.nodeCount(), [&](std::uint32_t node) { return step.openNode[node] == Part::kNone; });
    ClosedNodes closed;
    closed.hasRoot = !nodes.empty() && step.parent[nodes[0]] == Part::kNone;
    closed.rootLevel = closed.hasRoot ? job.levelAt(step.height[nodes[0]]) : std::uint16_t{0};
    closed.climb = climbsOf(
        nodes, closed.hasRoot, control, [&](std::uint32_t node) { return step.height[node]; },
        [&](std::uint32_t node) { return step.parent[node]; });
    const std::size_t measures = job.measured.size();
    for (std::size_t k = 0; k < measures; ++k) {
        closed.columns.push_back(columnOf(job.measured[k], nodes.size(), control,
                                          [&](std::size_t i) { return step.values[nodes[i] * measures + k]; }));
    }
    return closed;
}

} // namespace pollard
