#include "ranks/reduction.hpp"

#include "parts/merge_parts.hpp"
#include "parts/part_files.hpp"
#include "parts/step_values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace pollard::mpi {

Reduction::Reduction(const PictureChunks& chunks, Ranks& ranks, RankFacts& facts)
    : job_(chunks.job), memory_(chunks.mergeMemory()), ranks_(ranks), facts_(facts),
      identity_(hashOf(chunks.plan().job)) {}

template <class Write> void Reduction::send(int to, const JobControl& control, Write&& write) {
    std::vector<std::byte> message;
    write(message);
    ranks_.send(message, to, control);
}

template <class Read> auto Reduction::receive(int from, const JobControl& control, Read&& read) {
    const std::vector<std::byte> message = ranks_.receive(from, control);
    return read({message, "message of rank " + std::to_string(from)});
}

void Reduction::mergeUp(Part part, ProminentLeaves leaves, const JobControl& control) {
    for (int bit = 1; bit < ranks_.count(); bit *= 2) {
        if ((ranks_.rank() & bit) != 0) {
            parent_ = ranks_.rank() - bit;
            facts_.sentNodes = part.nodeCount();
            send(*parent_, control, [&](auto& to) {
                writePart(to, identity_, part);
                part = {};
            });
            if (job_.filter.prominent) {
                send(*parent_, control, [&](auto& to) { writeLeaves(to, identity_, leaves); });
            }
            return;
        }
        if (ranks_.rank() + bit < ranks_.count()) {
            merges_.push_back({ranks_.rank() + bit, {}, {}});
            part = merged(part, merges_.back(), leaves, control);
        }
    }
    lastProminent_ = leaves.last();
}

PartValues Reduction::valuesDown(const JobControl& control) {
    PartValues values =
        parent_ ? receive(*parent_, control,
                          [&](const RecordSource& from) { return std::move(readValues(from, identity_, job_).at(0)); })
                : PartValues(job_.values, 0, lastProminent_);
    for (auto merge = merges_.rbegin(); merge != merges_.rend(); ++merge) {
        merge->values = valuesOf(job_, merge->step, values);
        std::vector<PartValues> inputs = valuesOfInputs(job_, merge->step, merge->values);
        send(merge->rank, control, [&](auto& to) { writeValues(to, identity_, {&inputs[1], 1}); });
        values = std::move(inputs[0]);
        if (!job_.decidesUpwards()) {
            (void)decideStep(job_, merge->values, {}, merge->step);
        }
    }
    return values;
}

void Reduction::decideUpwards(Summaries open, const JobControl& control) {
    for (Merge& merge : merges_) {
        std::array inputs{std::move(open), receive(merge.rank, control, [&](const RecordSource& from) {
                              return std::move(readDecisions(from, identity_, job_).open);
                          })};
        open = decideStep(job_, merge.values, inputs, merge.step);
    }
    if (parent_) {
        send(*parent_, control, [&](auto& to) { writeDecisions(to, identity_, {}, open); });
    }
}

PartResults Reduction::resultsDown(const JobControl& control) {
    PartResults results;
    if (parent_) {
        results = receive(*parent_, control, [&](const RecordSource& from) {
            return std::move(readResults(from, identity_, job_).inputs.at(0));
        });
    }
    for (auto merge = merges_.crbegin(); merge != merges_.crend(); ++merge) {
        std::vector<PartResults> inputs = resultsOf(job_, merge->step, results, facts_.stream.keptNodes);
        facts_.stream.nodes += static_cast<std::uint64_t>(std::ranges::count(merge->step.openNode.span(), Part::kNone));
        StepResults theirs;
        theirs.inputs.push_back(std::move(inputs[1]));
        send(merge->rank, control, [&](auto& to) { writeResults(to, identity_, theirs); });
        results = std::move(inputs[0]);
    }
    return results;
}

Part Reduction::merged(const Part& mine, Merge& merge, ProminentLeaves& leaves, const JobControl& control) {
    const Part theirs =
        receive(merge.rank, control, [&](const RecordSource& from) { return readPart(from, identity_, job_); });
    const std::uint64_t vertices = mine.nodeCount() + theirs.nodeCount();
    requireMergeMemory(job_, vertices, memory_, "rank " + std::to_string(ranks_.rank()));
    facts_.mergedNodes += vertices;
    facts_.stream.mergedNodes += vertices;
    facts_.stream.largestMerge = std::max(facts_.stream.largestMerge, vertices);
    const std::array inputs{&mine, &theirs};
    Part part = mergeParts(job_, inputs, merge.step, control);
    if (isCutWorthwhile(job_, vertices, memory_)) {
        cutMerged(job_, part, merge.step);
        facts_.stream.isCut = true;
    }
    if (job_.filter.prominent) {
        leaves.add(
            receive(merge.rank, control, [&](const RecordSource& from) { return readLeaves(from, identity_, job_); }));
        leaves.add(inputs, merge.step, job_.filter.prominent->measure);
        leaves.requireMemory(memory_);
    }
    return part;
}

} // namespace pollard::mpi
