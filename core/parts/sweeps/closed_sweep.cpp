#include "parts/sweeps/closed_sweep.hpp"

#include "parts/merge_parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace pollard {

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
    RowMerge merge(job_, row, count / across, memory_);
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
    Part merged = merge.merged(step, control);
    report_.addMerge(merge.nodes(), merged.nodeCount());
    visit.merge(row, step);
    report_.nodes += static_cast<std::uint64_t>(std::ranges::count(step.openNode.span(), Part::kNone));
    return merged;
}

} // namespace pollard
