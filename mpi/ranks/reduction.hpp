#pragma once

#include "base/job_control.hpp"
#include "parts/picture_filter.hpp"
#include "parts/prominent_leaves.hpp"
#include "ranks/rank_facts.hpp"
#include "ranks/ranks.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pollard::mpi {

/// Merges the parts of all ranks, up and down a binary tree of ranks: in round s, rank r with bit s sends its part to
/// rank r - 2^s. The steps lie in memory. All functions throw as mergeParts() and Ranks, and Error(outOfMemory).
class Reduction {
public:
    /// @param facts receives counts @param chunks, ranks and facts outlive this
    Reduction(const PictureChunks& chunks, Ranks& ranks, RankFacts& facts);

    /// Merges the parts of other ranks with that of this one, and hands the merged part on.
    void mergeUp(Part part, ProminentLeaves leaves, const JobControl& control);

    /// For a job whose PartJob::values has any: brings down the values of nodes that depend on their ancestors.
    /// @return those of this rank's part
    [[nodiscard]] PartValues valuesDown(const JobControl& control);

    /// For a job that decidesUpwards(): decides on the nodes of the merges.
    /// @param open decisions about this rank's part, see StreamedFilter::decideUpwards()
    void decideUpwards(Summaries open, const JobControl& control);

    /// @return results of the open nodes of this rank's part
    [[nodiscard]] PartResults resultsDown(const JobControl& control);

private:
    struct Merge {
        int rank; ///< the other one
        MergeStep step;
        PartValues values; ///< of all nodes of the step, after valuesDown()
    };

    [[nodiscard]] Part merged(const Part& mine, Merge& merge, ProminentLeaves& leaves, const JobControl& control);
    /// @param write of a record file, into memory
    template <class Write> void send(int to, const JobControl& control, Write&& write);
    /// @param read of such a file
    template <class Read> [[nodiscard]] auto receive(int from, const JobControl& control, Read&& read);

    const PartJob& job_;
    std::uint64_t memory_;
    Ranks& ranks_;
    RankFacts& facts_;
    std::uint64_t identity_;
    std::vector<Merge> merges_;
    std::optional<int> parent_; ///< rank that the part goes to; none in rank 0
    LeafMeasure lastProminent_; ///< in rank 0
};

} // namespace pollard::mpi
