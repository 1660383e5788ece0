#include "chunks/merge/merge_parts.hpp"

#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "chunks/merge/merge_graph.hpp"
#include "io/read_support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace pollard {

namespace {

constexpr std::uint32_t kNone = Part::kNone;
/// Memory of a merge per vertex besides its summaries: vertices, edges, sets and the step.
constexpr std::uint64_t kVertexBytes = 80;

std::uint64_t mergeBytes(const PartJob& job, std::uint64_t nodes) noexcept {
    return nodes * (kVertexBytes + 2 * job.needs.bytes());
}

/// @throws Error(outOfMemory)
void requireMemory(std::uint64_t needed, std::uint64_t nodes, std::uint64_t memory, const std::string& place) {
    if (needed > memory) {
        throw Error(ErrorCode::outOfMemory,
                    "work in chunks: " + place + ": " + std::to_string(nodes) +
                        " nodes reach over the seams and need " + sizeText(needed) + ", " + sizeText(memory) +
                        " are allowed; allow more memory, use larger chunks or fewer grey levels");
    }
}

/// Whether a merge of so many open nodes should cut parts: the job can be cut and the merge takes more than half of the
/// memory, unless the job chooses.
bool isCutWorthwhile(const PartJob& job, std::uint64_t nodes, std::uint64_t memory) noexcept {
    switch (job.cut) {
    case Cut::always:
        return canBeCut(job);
    case Cut::never:
        return false;
    case Cut::whereShort:
        break;
    }
    return mergeBytes(job, nodes) > memory / 2 && canBeCut(job);
}

/// Closes the nodes of a step that are not marked as open, and makes a part of the others.
/// @param open per node 1 if it is open
Part closeNodes(const PartJob& job, const Buffer<std::uint8_t>& open, Summaries& summaries, MergeStep& step) {
    const std::size_t count = step.nodeCount();
    step.bits = Buffer<std::uint8_t>(count);
    step.openNode = Buffer<std::uint32_t>(count);
    const std::size_t measures = job.measured.size();
    step.values = Buffer<double>(count * measures);
    std::uint32_t openCount = 0;
    for (std::size_t node = 0; node < count; ++node) {
        step.openNode[node] = open[node] != 0 ? openCount++ : kNone;
    }
    for (std::size_t node = count; node-- > 0;) {
        step.bits[node] = 0;
        if (open[node] != 0) {
            continue;
        }
        const std::uint32_t parent = step.parent[node];
        const std::uint16_t parentHeight = parent == kNone ? step.height[node] : step.height[parent];
        step.bits[node] = closeNode(job, summaries, node, step.height[node], parentHeight);
        if (measures > 0) {
            measureNode(job, summaries, node, step.height[node], parentHeight,
                        step.values.span().subspan(node * measures, measures));
        }
        if (parent != kNone) {
            joinToParent(summaries, parent, summaries, node);
        }
    }
    Part part{Buffer<std::uint16_t>(openCount), Buffer<std::uint32_t>(openCount), Summaries(job.needs, openCount), {}};
    for (std::size_t node = 0; node < count; ++node) {
        const std::uint32_t place = step.openNode[node];
        if (place != kNone) {
            part.height[place] = step.height[node];
            part.parent[place] = step.parent[node] == kNone ? kNone : step.openNode[step.parent[node]];
            part.own.join(place, summaries, node);
        }
    }
    if (summaries.has<FirstPixel>()) {
        step.first = std::move(summaries.of<FirstPixel>());
    }
    for (const Prominence measure : kAllProminences) {
        step.leaves[static_cast<std::size_t>(measure)] = std::move(summaries.bestLeaf(measure));
    }
    return part;
}

constexpr std::uint8_t kUndecided = 0; ///< the criteria may fail
constexpr std::uint8_t kDropped = 1;
constexpr std::uint8_t kRoot = 2; ///< kept in any case, and other nodes hang on it

/// Summaries of all pixels that the open nodes have in the part. Summaries of closed nodes are complete, so numbers of
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
        // If the parent of a component is not known, heights and volumes above the component's own level are lower
        // bounds.
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

std::size_t Part::bytes() const noexcept {
    std::size_t sum = height.bytes() + parent.bytes() + own.needs().bytes() * nodeCount();
    for (const Seam& seam : seams) {
        sum += seam.node.bytes();
    }
    return sum;
}

std::size_t MergeStep::bytes() const noexcept {
    std::size_t sum =
        height.bytes() + parent.bytes() + bits.bytes() + openNode.bytes() + first.bytes() + values.bytes();
    for (const Buffer<LeafMeasure>& column : leaves) {
        sum += column.bytes();
    }
    for (const Buffer<std::uint32_t>& nodes : nodeOfInput) {
        sum += nodes.bytes();
    }
    return sum;
}

void requireResults(const PartResults& results, std::size_t count) {
    if (results.height.size() != count) {
        throw Error(ErrorCode::invalidArgument, "results of a part: " + std::to_string(results.height.size()) +
                                                    " for " + std::to_string(count) + " open nodes");
    }
}

Part mergeParts(const PartJob& job, std::span<const Part* const> parts, MergeStep& step, const JobControl& control) {
    const Vertices vertices(parts);
    const MergedSeams seams(job, parts, vertices);
    control.throwIfStopped();
    VertexTree tree(vertices, seams.edges, control);

    step = {};
    step.height = Buffer<std::uint16_t>(tree.count);
    step.parent = std::move(tree.parent);
    Summaries summaries(job.needs, tree.count);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const std::size_t inputs = parts[k]->nodeCount();
        Buffer<std::uint32_t> nodes(inputs);
        for (std::size_t i = 0; i < inputs; ++i) {
            const std::size_t v = vertices.start[k] + i;
            nodes[i] = tree.nodeOf[v];
            step.height[nodes[i]] = vertices.height[v];
            summaries.join(nodes[i], parts[k]->own, i);
        }
        step.nodeOfInput.push_back(std::move(nodes));
    }
    control.throwIfStopped();

    Buffer<std::uint8_t> open(tree.count);
    std::ranges::fill(open.span(), std::uint8_t{0});
    for (const PlacedSeam& placed : seams.staying) {
        for (const std::uint32_t node : placed.seam->node) {
            open[step.nodeOfInput[placed.part][node]] = 1;
        }
    }
    for (std::size_t node = tree.count; node-- > 0;) {
        if (open[node] != 0 && step.parent[node] != kNone) {
            open[step.parent[node]] = 1;
        }
    }
    Part part = closeNodes(job, open, summaries, step);
    for (const PlacedSeam& placed : seams.staying) {
        part.seams.push_back(placed.seam->renumbered(
            [&](std::uint32_t node) { return step.openNode[step.nodeOfInput[placed.part][node]]; }));
    }
    return part;
}

void cutMerged(const PartJob& job, Part& merged, MergeStep& step) {
    CutPart cut = cutPart(job, merged);
    for (std::size_t node = 0; node < step.nodeCount(); ++node) {
        std::uint32_t& open = step.openNode[node];
        if (open != kNone) {
            open = cut.nodeOf[open];
            step.bits[node] = open == kNone ? NodeBits::kKept | NodeBits::kMeets : 0;
        }
    }
    merged = std::move(cut.part);
}

PartMerge::PartMerge(const PartJob& job, std::string place, std::uint64_t memory)
    : job_(job), place_(std::move(place)), memory_(memory) {}

void PartMerge::add(Part part) {
    nodes_ += part.nodeCount();
    parts_.push_back(std::move(part));
    isCut_ = isCut_ || isCutWorthwhile(job_, nodes_, memory_);
    requireMemory(mergeBytes(job_, nodes_), nodes_, memory_, place_);
}

void PartMerge::addChunk(Part part) {
    nodes_ += part.nodeCount();
    parts_.push_back(std::move(part));
    ++chunks_;
    if (isCut_) {
        cutLast(1);
    } else if (isCutWorthwhile(job_, nodes_, memory_)) {
        isCut_ = true;
        cutLast(chunks_);
    }
    requireMemory(mergeBytes(job_, nodes_), nodes_, memory_, place_);
}

void PartMerge::cutLast(std::size_t count) {
    for (Part& part : std::span(parts_).last(count)) {
        requireMemory(CutPart::bytesFor(job_, part.nodeCount()), part.nodeCount(), memory_, place_);
        nodes_ -= part.nodeCount();
        part = std::move(cutPart(job_, part).part);
        nodes_ += part.nodeCount();
    }
}

Part PartMerge::merged(MergeStep& step, ProminentLeaves& leaves, const JobControl& control) const {
    std::vector<const Part*> parts;
    std::ranges::transform(parts_, std::back_inserter(parts), [](const Part& part) { return &part; });
    Part whole = mergeParts(job_, parts, step, control);
    if (isCut_) {
        cutMerged(job_, whole, step);
    }
    if (job_.filter.prominent) {
        leaves.add(parts, step, job_.filter.prominent->measure);
        leaves.requireMemory(memory_);
    }
    return whole;
}

std::vector<PartResults> resultsOf(const PartJob& job, const MergeStep& step, const PartResults& results,
                                   std::uint64_t& kept) {
    const bool labels = job.filter.output == Output::labels;
    requireResults(results,
                   step.nodeCount() - static_cast<std::size_t>(std::ranges::count(step.openNode.span(), kNone)));
    PartResults all(step.nodeCount(), labels);
    for (std::size_t node = 0; node < step.nodeCount(); ++node) {
        const std::uint32_t open = step.openNode[node];
        if (open != kNone) {
            all.set(node, results.at(open));
            continue;
        }
        const std::uint32_t parent = step.parent[node];
        NodeResult result;
        if (parent == kNone) {
            result = resultOf(job.filter.rule, step.bits[node], step.height[node], FirstPixel::kOfRoot,
                              step.height[node], nullptr);
            ++kept;
        } else {
            const std::uint64_t first = labels ? step.first[node] : NodeResult::kNone;
            const NodeResult above = all.at(parent);
            result = resultOf(job.filter.rule, step.bits[node], step.height[node], first, step.height[parent], &above);
            kept += (result.flags & NodeResult::kStays) != 0 ? 1 : 0;
        }
        all.set(node, result);
    }
    std::vector<PartResults> out;
    for (const Buffer<std::uint32_t>& nodes : step.nodeOfInput) {
        PartResults& part = out.emplace_back(nodes.size(), labels);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            part.set(i, all.at(nodes[i]));
        }
    }
    return out;
}

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
