#include "parts/step_values.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

} // namespace

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
            handToParent(summaries, step.parent[node], summaries, node);
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

} // namespace pollard
