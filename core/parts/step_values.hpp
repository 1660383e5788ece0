#pragma once

#include "parts/part.hpp"
#include "parts/part_values.hpp"

#include <span>
#include <vector>

namespace pollard {

// Values and decisions of the nodes of a step that depend on their ancestors. If PartJob::values has any:
// - PartJob::decidesUpwards() is false: from the last step to the first, valuesOf(), decideStep() and resultsOf();
// - it is true: valuesOf() from the last step to the first; then decideStep() from the first to the last, whose inputs
// are
//   ChunkTree::decisions() and those of previous steps; then resultsOf() from the last to the first.

/// Values of all nodes of a step.
/// @param values of the merged part; for the whole picture PartValues(job.values, 0, last prominent leaf)
[[nodiscard]] PartValues valuesOf(const PartJob& job, const MergeStep& step, const PartValues& values);

/// Values of the open nodes of each merged part. @param values of all nodes of the step
[[nodiscard]] std::vector<PartValues> valuesOfInputs(const PartJob& job, const MergeStep& step,
                                                     const PartValues& values);

/// Replaces the bits of the closed nodes by those with all criteria.
/// @param values of all nodes of the step
/// @param inputs PartJob::ruleNeeds() of the open nodes of each merged part; may be empty unless the job
/// decidesUpwards()
/// @return those of the open nodes of the merged part
/// @throws Error(invalidArgument) if an input has another number of nodes than the step
Summaries decideStep(const PartJob& job, const PartValues& values, std::span<const Summaries> inputs, MergeStep& step);

} // namespace pollard
