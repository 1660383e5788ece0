#include "chunks/sweeps/closed_sweep.hpp"

#include "base/parallel.hpp"
#include "chunks/merge/merge_parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace pollard {

namespace {

/// @param isClosed whether a node is closed, @p isRoot whether it is the root, @p heightOf its height, @p parentOf its
/// parent @param valueOf values of a column of PartJob::measured by its number
template <class IsClosed, class IsRoot, class HeightOf, class ParentOf, class ValueOf>
ClosedNodes collect(const PartJob& job, std::size_t count, const JobControl& control, IsClosed&& isClosed,
                    IsRoot&& isRoot, HeightOf&& heightOf, ParentOf&& parentOf, ValueOf&& valueOf) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < count; ++node) {
        if (isClosed(node)) {
            nodes.push_back(node);
        }
    }
    ClosedNodes closed;
    closed.hasRoot = !nodes.empty() && isRoot(nodes[0]);
    closed.rootLevel = closed.hasRoot ? job.levelAt(heightOf(nodes[0])) : std::uint16_t{0};
    closed.climb = Buffer<std::uint16_t>(nodes.size());
    forEachIndex(nodes.size(), control, [&](std::size_t i) {
        const std::uint16_t parent = heightOf(closed.hasRoot && i == 0 ? nodes[0] : parentOf(nodes[i]));
        closed.climb[i] = static_cast<std::uint16_t>(heightOf(nodes[i]) - parent);
    });
    for (std::size_t k = 0; k < job.measured.size(); ++k) {
        Buffer<double> values(nodes.size());
        if (!nodes.empty()) {
            valueOf(k, [&](auto&& value) {
                forEachIndex(nodes.size(), control, [&](std::size_t i) { values[i] = value(nodes[i]); });
            });
        }
        closed.columns.push_back({job.measured[k], std::move(values), 0, 0});
    }
    return closed;
}

} // namespace

ClosedNodes closedNodesOf(const PartJob& job, const ChunkTree& chunk, const JobControl& control) {
    const ComponentTree& tree = chunk.tree();
    return collect(
        job, tree.nodeCount(), control, [&](std::uint32_t node) { return !chunk.isOpen(node); },
        [](std::uint32_t node) { return node == 0; }, [&](std::uint32_t node) { return job.height(tree.level[node]); },
        [&](std::uint32_t node) { return tree.parent[node]; },
        [&](std::size_t k, auto&& fill) {
            std::visit(
                [&](const auto& values) {
                    fill([&](std::uint32_t node) { return static_cast<double>(values[node]); });
                },
                chunk.measured()[k]->values);
        });
}

ClosedNodes closedNodesOf(const PartJob& job, const MergeStep& step, const JobControl& control) {
    return collect(
        job, step.nodeCount(), control, [&](std::uint32_t node) { return step.openNode[node] == Part::kNone; },
        [&](std::uint32_t node) { return step.parent[node] == Part::kNone; },
        [&](std::uint32_t node) { return step.height[node]; }, [&](std::uint32_t node) { return step.parent[node]; },
        [&](std::size_t k, auto&& fill) {
            fill([&](std::uint32_t node) { return step.values[node * job.measured.size() + k]; });
        });
}

ClosedSweep::ClosedSweep(const PartJob& job, ChunkReader reader, ChunkTreeOptions options, std::uint64_t memory)
    : job_(job), trees_(job, std::move(reader), std::move(options)), memory_(memory) {}

ClosedSweep::Visit ClosedSweep::nodesTo(std::function<void(const ClosedNodes& nodes)> take,
                                        const JobControl& control) const {
    return {[this, take, control](const ChunkTree& chunk) { take(closedNodesOf(job_, chunk, control)); },
            [this, take, control](std::uint64_t, const MergeStep& step) { take(closedNodesOf(job_, step, control)); }};
}

void ClosedSweep::run(const Visit& visit, const JobControl& control) {
    report_ = {};
    Part frontier;
    const std::uint64_t rows = job_.grid.down() * job_.grid.deep();
    for (std::uint64_t row = 0; row < rows; ++row) {
        frontier = mergeRow(row, std::move(frontier), visit, control);
    }
    report_.builtTrees = trees_.built();
    ++sweeps_;
}

Part ClosedSweep::mergeRow(std::uint64_t row, Part frontier, const Visit& visit, const JobControl& control) {
    const std::uint64_t across = job_.grid.across();
    const std::uint64_t count = job_.grid.count();
    const bool fromLast = sweeps_ % 2 == 1;
    const auto chunkAt = [&](std::uint64_t place) { return fromLast ? count - 1 - place : place; };
    PartMerge merge(job_, row, count / across, memory_);
    if (row > 0) {
        merge.add(std::move(frontier));
    }
    for (std::uint64_t place = row * across; place < (row + 1) * across; ++place) {
        control.report(static_cast<double>(place) / static_cast<double>(count), "building trees");
        control.throwIfStopped();
        const auto next = place + 1 < count ? std::optional(chunkAt(place + 1)) : std::nullopt;
        LoadedChunk taken = trees_.take(chunkAt(place), next, control);
        visit.chunk(*taken.tree);
        report_.nodes += taken.tree->closedCount();
        merge.add(taken.tree->part(control));
        report_.openNodes += taken.tree->openCount();
        trees_.keep(std::move(taken));
    }
    MergeStep step;
    ProminentLeaves none(0);
    Part merged = merge.merged(step, none, control);
    report_.addMerge(merge.nodes(), merged.nodeCount());
    visit.merge(row, step);
    report_.nodes += static_cast<std::uint64_t>(std::ranges::count(step.openNode.span(), Part::kNone));
    return merged;
}

} // namespace pollard
