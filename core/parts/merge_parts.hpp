#pragma once

#include "base/job_control.hpp"
#include "parts/part.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pollard {

/// Joins parts, adjacent or not, in any order. The result is the same part whatever the order of merges, up to the
/// numbering of nodes.
///
/// The tree of the union is that of the graph with the parts' open nodes as vertices and, as edges, their parent links,
/// at the height of the parent, and the pairs of adjacent pixels of different parts, at the smaller height. Its edges
/// are taken by falling height into sets of vertices, each with its lowest vertex: where two sets join, their
/// lowest vertices are one node if their heights are equal, else the lower one is the parent of the other.
/// O((V + E) a(V)) for V vertices and E edges with the inverse Ackermann function a, at any depth. (Pollard; sorted
/// edges and union by Najman, Couprie 2006)
/// @param step receives all that resultsOf() needs
/// @throws Error(limitExceeded) for more than 2^32 - 2 open nodes, Error(invalidArgument) for overlapping parts;
/// std::bad_alloc; Cancelled
[[nodiscard]] Part mergeParts(const PartJob& job, std::span<const Part* const> parts, MergeStep& step,
                              const JobControl& control = {});

/// Cuts a merged part, see cutPart(). The nodes that are dropped become closed nodes of the step, which are kept.
void cutMerged(const PartJob& job, Part& merged, MergeStep& step);

/// Whether a merge of so many open nodes should cut parts: where it takes more than half of the memory, unless the job
/// chooses, and if the job can be cut.
[[nodiscard]] bool isCutWorthwhile(const PartJob& job, std::uint64_t nodes, std::uint64_t memory) noexcept;

/// @param nodes open nodes of all parts to be merged @param memory that the merge may take, in bytes
/// @param place of the merge, for the message: "row 1 of 8"
/// @throws Error(outOfMemory) if that is too little
void requireMergeMemory(const PartJob& job, std::uint64_t nodes, std::uint64_t memory, const std::string& place);

/// Merge of the parts of a row of chunks with that of the rows before it. Cuts the parts of the chunks and the merged
/// part where that isCutWorthwhile().
class RowMerge {
public:
    /// @param row of @p rows, from 0 @param memory that the merge may take, in bytes
    RowMerge(const PartJob& job, std::uint64_t row, std::uint64_t rows, std::uint64_t memory);

    /// Adds a part that is not cut. @throws Error(outOfMemory), see requireMergeMemory()
    void add(Part part);
    /// Adds the part of a chunk. @throws as add()
    void addChunk(Part part);
    [[nodiscard]] std::vector<const Part*> parts() const;                 ///< in the order of add()
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; } ///< open nodes of all parts
    /// @throws as mergeParts()
    [[nodiscard]] Part merged(MergeStep& step, const JobControl& control) const;
    [[nodiscard]] bool isCut() const noexcept { return isCut_; }

private:
    /// Cuts the parts that were added last.
    void cutLast(std::size_t count);

    const PartJob& job_;
    std::string place_;
    std::uint64_t memory_;
    std::uint64_t nodes_ = 0;
    std::vector<Part> parts_;
    std::size_t chunks_ = 0; ///< parts of chunks, the last ones
    bool isCut_ = false;
};

/// Results of the open nodes of each merged part from those of the part that they became.
/// @param results of the merged part; empty if it is whole
/// @param kept is increased by the number of closed nodes that stay
[[nodiscard]] std::vector<PartResults> resultsOf(const PartJob& job, const MergeStep& step, const PartResults& results,
                                                 std::uint64_t& kept);

} // namespace pollard
