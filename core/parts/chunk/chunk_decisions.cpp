#include "parts/chunk/chunk_decisions.hpp"

#include "base/parallel.hpp"
#include "filter/rule_passes.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>

namespace pollard {

void ChunkDecisions::applyRule(const PartJob& job, const ComponentTree& tree, const OpenNodes& open,
                               const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    const bool raises = job.filter.rule == Rule::max;
    const bool weighs = job.filter.rule == Rule::viterbi;
    if (!raises && !weighs) {
        forEachIndex(n, control,
                     [&](std::size_t i) { bits[i] = bits[i] != 0 ? NodeBits::kKept | NodeBits::kMeets : 0; });
        return;
    }
    if (weighs) {
        excess = Buffer<std::int64_t>(n);
        forEachIndex(n, control, [&](std::size_t i) { excess[i] = excessAlone(bits[i]); });
    }
    const auto decide = [&](std::size_t i) {
        const std::uint8_t meets = bits[i] & 1U;
        const std::uint8_t raised = bits[i] >> 1U; // by a descendant
        const bool kept = weighs ? excess[i] <= 0 : (meets | raised) != 0;
        bits[i] = static_cast<std::uint8_t>((kept ? NodeBits::kKept : 0) | (meets != 0 ? NodeBits::kMeets : 0));
        return kept;
    };
    sweepUp(tree, control, [&](std::uint32_t i, std::uint32_t parent) {
        if (open.isOpen(i)) {
            return;
        }
        const bool kept = decide(i);
        if (weighs) {
            excess[i] = std::min<std::int64_t>(excess[i], 0);
            excess[parent] += excess[i];
        } else if (!open.isOpen(parent) && kept) {
            bits[parent] |= 2U;
        }
    });
    if (!open.isOpen(0)) {
        decide(0);
    }
}

void ChunkDecisions::join(const ComponentTree& tree, const OpenNodes& open, Summaries& to) const {
    if (to.has<Excess>()) {
        open.forEachClosedChild(tree,
                                [&](std::size_t i, std::uint32_t parent) { to.of<Excess>()[parent] += excess[i]; });
    }
    if (to.has<AnyMeets>()) {
        open.forEachClosedChild(tree, [&](std::size_t i, std::uint32_t parent) {
            to.of<AnyMeets>()[parent] |= static_cast<std::uint8_t>(bits[i] & NodeBits::kKept);
        });
    }
}

} // namespace pollard
