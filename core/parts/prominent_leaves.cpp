#include "parts/prominent_leaves.hpp"

#include "base/error.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace pollard {

namespace {

bool isBefore(const LeafMeasure& a, const LeafMeasure& b) noexcept { return a.isBefore(b); }

} // namespace

void ProminentLeaves::add(const LeafMeasure& leaf) {
    if (leaves_.size() < count_) {
        leaves_.push_back(leaf);
        std::ranges::push_heap(leaves_, isBefore);
    } else if (count_ > 0 && leaf.isBefore(leaves_.front())) {
        std::ranges::pop_heap(leaves_, isBefore);
        leaves_.back() = leaf;
        std::ranges::push_heap(leaves_, isBefore);
    }
}

void ProminentLeaves::add(std::span<const Part* const> parts, const MergeStep& step, Prominence measure) {
    const Buffer<LeafMeasure>& best = step.leaves[static_cast<std::size_t>(measure)];
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Buffer<LeafMeasure>& candidates = parts[k]->own.bestLeaf(measure);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const std::uint64_t leaf = candidates[i].leaf;
            if (leaf != LeafMeasure::kNoLeaf && leaf != best[step.nodeOfInput[k][i]].leaf) {
                add(candidates[i]);
            }
        }
    }
    for (std::size_t node = 0; node < step.nodeCount(); ++node) {
        const std::uint32_t parent = step.parent[node];
        if (step.openNode[node] == Part::kNone && (parent == Part::kNone || best[parent].leaf != best[node].leaf)) {
            add(best[node]);
        }
    }
}

void ProminentLeaves::add(const ProminentLeaves& others) {
    for (const LeafMeasure& leaf : others.leaves_) {
        add(leaf);
    }
}

void ProminentLeaves::requireMemory(std::uint64_t memory) const {
    if (const std::size_t bytes = leaves_.capacity() * sizeof(LeafMeasure); bytes > memory) {
        throw Error(ErrorCode::outOfMemory, "filter in chunks: the most prominent " + std::to_string(count_) +
                                                " extrema need " + sizeText(bytes) + " and more, " + sizeText(memory) +
                                                " are allowed");
    }
}

LeafMeasure ProminentLeaves::last() const noexcept {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    if (count_ == 0) {
        return {kMost, 0}; // before all leaves
    }
    return leaves_.size() < count_ ? LeafMeasure{0, kMost} : leaves_.front();
}

} // namespace pollard
