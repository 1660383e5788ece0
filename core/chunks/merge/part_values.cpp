#include "chunks/merge/part_values.hpp"

#include "base/error.hpp"
#include "filter/filter_columns.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = Part::kNone;

std::size_t openCountOf(const MergeStep& step) noexcept {
    return step.nodeCount() - static_cast<std::size_t>(std::ranges::count(step.openNode.span(), kNone));
}

Summaries joinInputs(const PartJob& job, std::span<const Summaries> inputs, const MergeStep& step) {
    Summaries joined(job.ruleNeeds(), step.nodeCount());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (inputs.size() != step.nodeOfInput.size() || inputs[k].size() != step.nodeOfInput[k].size()) {
            throw Error(ErrorCode::invalidArgument,
                        "decisions of a part: " + std::to_string(inputs[k].size()) + " do not fit its open nodes");
        }
        for (std::size_t i = 0; i < inputs[k].size(); ++i) {
            joined.join(step.nodeOfInput[k][i], inputs[k], i);
        }
    }
    return joined;
}

bool isBefore(const LeafMeasure& a, const LeafMeasure& b) noexcept { return a.isBefore(b); }

} // namespace

PartValues::PartValues(const ValueNeeds& needs, std::size_t nodes, const LeafMeasure& last)
    : depth(needs.depth ? nodes : 0), count(nodes), lastProminent(last) {
    for (const Prominence measure : kAllProminences) {
        if (needs.has(measure)) {
            extinction[static_cast<std::size_t>(measure)] = Buffer<LeafMeasure>(nodes);
        }
    }
}

void PartValues::copy(std::size_t to, const PartValues& from, std::size_t node) noexcept {
    for (std::size_t k = 0; k < kMeasures; ++k) {
        if (!extinction[k].empty()) {
            extinction[k][to] = from.extinction[k][node];
        }
    }
    if (!depth.empty()) {
        depth[to] = from.depth[node];
    }
}

void requireValues(const PartValues& values, std::size_t count) {
    if (values.count != count) {
        throw Error(ErrorCode::invalidArgument, "values of a part: " + std::to_string(values.count) + " for " +
                                                    std::to_string(count) + " open nodes");
    }
}

AncestorCriteria::AncestorCriteria(const PartJob& job) : all_(job.filter.match == Match::all) {
    for (const Criterion& criterion : job.filter.criteria) {
        if (dependsOnAncestors(criterion.attribute)) {
            bounds_.push_back({measureOf(criterion.attribute), boundsOf<std::uint64_t>(criterion)});
        }
    }
    if (job.filter.prominent) {
        prominent_ = job.filter.prominent->measure;
    }
}

bool AncestorCriteria::meet(bool others, const PartValues& values, std::size_t node) const noexcept {
    const auto extinctionOf = [&](Prominence measure) -> const LeafMeasure& {
        return values.extinction[static_cast<std::size_t>(measure)][node];
    };
    const auto isWithin = [&](const Bounds& bounds) {
        const std::uint64_t value = bounds.measure ? extinctionOf(*bounds.measure).measure : values.depth[node];
        return !bounds.interval.empty && value >= bounds.interval.minimum && value <= bounds.interval.maximum;
    };
    const bool meets =
        all_ ? others && std::ranges::all_of(bounds_, isWithin) : others || std::ranges::any_of(bounds_, isWithin);
    // A component contains a chosen leaf if its surviving leaf is one. The value of any other leaf is the measure of a
    // component inside it that did not survive. That measure is not larger than the measure, and so the value, of the
    // component that survived there; if they are equal, its pixel is larger.
    return meets && (!prominent_ || !values.lastProminent.isBefore(extinctionOf(*prominent_)));
}

PartValues valuesOf(const PartJob& job, const MergeStep& step, const PartValues& values) {
    requireValues(values, openCountOf(step));
    PartValues all(job.values, step.nodeCount(), values.lastProminent);
    for (std::size_t node = 0; node < step.nodeCount(); ++node) {
        if (step.openNode[node] != kNone) {
            all.copy(node, values, step.openNode[node]);
            continue;
        }
        const std::uint32_t parent = step.parent[node];
        all.close(node, parent == kNone ? PartValues::kNoParent : parent,
                  [&](Prominence measure) { return step.leaves[static_cast<std::size_t>(measure)][node]; });
    }
    return all;
}

std::vector<PartValues> valuesOfInputs(const PartJob& job, const MergeStep& step, const PartValues& values) {
    std::vector<PartValues> out;
    for (const Buffer<std::uint32_t>& nodes : step.nodeOfInput) {
        PartValues& part = out.emplace_back(job.values, nodes.size(), values.lastProminent);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            part.copy(i, values, nodes[i]);
        }
    }
    return out;
}

Summaries decideStep(const PartJob& job, const PartValues& values, std::span<const Summaries> inputs, MergeStep& step) {
    const AncestorCriteria criteria(job);
    Summaries summaries = joinInputs(job, inputs, step);
    for (std::size_t node = step.nodeCount(); node-- > 0;) {
        if (step.openNode[node] != kNone) {
            continue;
        }
        const bool meets = criteria.meet((step.bits[node] & NodeBits::kMeets) != 0, values, node);
        step.bits[node] = decideByRule(job.filter.rule, meets, summaries, node);
        if (step.parent[node] != kNone) {
            joinToParent(summaries, step.parent[node], summaries, node);
        }
    }
    Summaries open(job.ruleNeeds(), openCountOf(step));
    for (std::size_t node = 0; node < step.nodeCount(); ++node) {
        if (step.openNode[node] != kNone) {
            open.join(step.openNode[node], summaries, node);
        }
    }
    return open;
}

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
