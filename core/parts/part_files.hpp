#pragma once

#include "parts/part.hpp"
#include "parts/part_job.hpp"
#include "parts/part_values.hpp"
#include "parts/prominent_leaves.hpp"
#include "parts/record_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Text of a job in JSON. @param source identity of the picture
[[nodiscard]] std::string textOf(const PartJob& job, std::uint64_t source);

/// A job with the identity of its picture.
struct NamedPartJob {
    PartJob job;
    std::uint64_t source = 0;
};
/// @throws Error(invalidArgument) of one line for a text that textOf() does not write
[[nodiscard]] NamedPartJob parsePartJob(std::string_view text);

// Files of one job each, see RecordWriter. All are checked when they are read: nothing in a damaged or hostile file
// leads out of its arrays. @param identity hashOf() the job's text. @throws as RecordWriter and RecordReader

void writePart(const RecordTarget& target, std::uint64_t identity, const Part& part);
[[nodiscard]] Part readPart(const RecordSource& source, std::uint64_t identity, const PartJob& job);

void writeStep(const RecordTarget& target, std::uint64_t identity, const MergeStep& step);
[[nodiscard]] MergeStep readStep(const RecordSource& source, std::uint64_t identity, const PartJob& job);

/// Results of the inputs of a step.
struct StepResults {
    std::vector<PartResults> inputs;
    std::uint64_t nodes = 0; ///< that the step closed
    std::uint64_t kept = 0;  ///< of these, see NodeResult::kStays
};
void writeResults(const RecordTarget& target, std::uint64_t identity, const StepResults& results);
[[nodiscard]] StepResults readResults(const RecordSource& source, std::uint64_t identity, const PartJob& job);

/// Values of the inputs of a step. @param values at least one
void writeValues(const RecordTarget& target, std::uint64_t identity, std::span<const PartValues> values);
[[nodiscard]] std::vector<PartValues> readValues(const RecordSource& source, std::uint64_t identity,
                                                 const PartJob& job);

/// Results of decideStep().
struct StepDecisions {
    Buffer<std::uint8_t> bits; ///< MergeStep::bits; empty where only the open nodes count
    Summaries open;            ///< PartJob::ruleNeeds() of the open nodes
};
void writeDecisions(const RecordTarget& target, std::uint64_t identity, const Buffer<std::uint8_t>& bits,
                    const Summaries& open);
[[nodiscard]] StepDecisions readDecisions(const RecordSource& source, std::uint64_t identity, const PartJob& job);

void writeLeaves(const RecordTarget& target, std::uint64_t identity, const ProminentLeaves& leaves);
/// @param job with FilterSpec::prominent
[[nodiscard]] ProminentLeaves readLeaves(const RecordSource& source, std::uint64_t identity, const PartJob& job);

} // namespace pollard
