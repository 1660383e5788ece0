#include "parts/part_cut.hpp"

#include "attributes/attribute.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace pollard {

namespace {

constexpr std::uint8_t kUndecided = 0; ///< the criteria may fail
constexpr std::uint8_t kDropped = 1;
constexpr std::uint8_t kRoot = 2; ///< kept in any case, and other nodes hang on it

/// Summaries of all pixels that the open nodes have in the part. Those of closed nodes are complete, so that numbers of
/// leaves and descendants are lower bounds, too.
Summaries totalsOf(const PartJob& job, const Part& part) {
    Summaries totals(job.needs, part.nodeCount());
    for (std::size_t i = part.nodeCount(); i-- > 0;) {
        totals.join(i, part.own, i);
        if (totals.has<Peak>()) {
            Peak::join(totals.of<Peak>()[i], part.height[i]);
        }
        if (part.parent[i] != Part::kNone) {
            totals.join(part.parent[i], totals, i);
        }
    }
    return totals;
}

/// Per node whether a cut drops it, keeps it as a root, or leaves it undecided.
Buffer<std::uint8_t> statesOf(const PartJob& job, const Part& part, const Summaries& totals) {
    Buffer<std::uint8_t> states(part.nodeCount());
    for (std::size_t i = 0; i < part.nodeCount(); ++i) {
        // Of a component whose parent is not known, heights and volumes above its own level are lower bounds.
        const bool meets = meetsCriteria(job, totals, i, part.height[i], part.height[i]);
        states[i] = meets ? kDropped : kUndecided;
        if (!meets && part.parent[i] != Part::kNone && states[part.parent[i]] == kDropped) {
            states[part.parent[i]] = kRoot;
        }
    }
    for (const Seam& seam : part.seams) {
        for (const std::uint32_t node : seam.node) {
            states[node] = states[node] == kDropped ? kRoot : states[node];
        }
    }
    return states;
}

} // namespace

bool canBeCut(const PartJob& job) noexcept {
    return job.measured.empty() && !job.values.any() && !job.filter.criteria.empty() &&
           std::ranges::all_of(job.filter.criteria, [](const Criterion& criterion) {
               return attributeInfo(criterion.attribute).increasing &&
                      criterion.maximum == std::numeric_limits<double>::infinity();
           });
}

CutPart cutPart(const PartJob& job, const Part& part) {
    const Summaries totals = totalsOf(job, part);
    const Buffer<std::uint8_t> states = statesOf(job, part, totals);
    CutPart cut{{}, Buffer<std::uint32_t>(part.nodeCount())};
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < part.nodeCount(); ++i) {
        cut.nodeOf[i] = states[i] == kDropped ? Part::kNone : count++;
    }
    cut.part = {Buffer<std::uint16_t>(count), Buffer<std::uint32_t>(count), Summaries(job.needs, count), {}};
    for (std::size_t i = 0; i < part.nodeCount(); ++i) {
        const std::uint32_t node = cut.nodeOf[i];
        if (node == Part::kNone) {
            continue;
        }
        const bool isRoot = states[i] == kRoot || part.parent[i] == Part::kNone;
        cut.part.height[node] = part.height[i];
        cut.part.parent[node] = isRoot ? Part::kNone : cut.nodeOf[part.parent[i]];
        cut.part.own.join(node, states[i] == kRoot ? totals : part.own, i);
    }
    for (const Seam& seam : part.seams) {
        cut.part.seams.push_back(seam.renumbered([&](std::uint32_t node) { return cut.nodeOf[node]; }));
    }
    return cut;
}

} // namespace pollard
