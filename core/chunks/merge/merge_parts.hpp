#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "chunks/merge/part_values.hpp"
#include "chunks/part_job.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard {

/// Joins parts, adjacent or not, in any order. The result is the same part whatever the order of merges, up to the
/// numbering of nodes.
///
/// The tree of the union is the tree of a graph. Its vertices are the parts' open nodes. Its edges are their parent
/// links, at the height of the parent, and the pairs of adjacent pixels of different parts, at the smaller height.
/// Edges are taken by falling height into sets of vertices, each with its lowest vertex: if two sets join, their lowest
/// vertices are one node if their heights are equal, else the lower one is the parent of the other.
/// O((V + E) a(V)) for V vertices and E edges with the inverse Ackermann function a, at any depth. (Pollard; sorted
/// edges and union by Najman, Couprie 2006)
/// @param step receives all that resultsOf() needs
/// @throws Error(limitExceeded) for more than 2^32 - 2 open nodes, Error(invalidArgument) for overlapping parts;
/// std::bad_alloc; Cancelled
[[nodiscard]] Part mergeParts(const PartJob& job, std::span<const Part* const> parts, MergeStep& step,
                              const JobControl& control = {});

/// Cuts a merged part, see cutPart(). The nodes that are dropped become closed nodes of the step, which are kept.
void cutMerged(const PartJob& job, Part& merged, MergeStep& step);

/// Merges parts and checks the memory. Cuts the parts of chunks and the merged part if the job can be cut and the merge
/// would take more than half of the memory, unless the job chooses otherwise.
class PartMerge {
public:
    /// @param place of the merge, for messages: "row 1 of 8" @param memory limit of the merge, in bytes
    PartMerge(const PartJob& job, std::string place, std::uint64_t memory);
    /// Merge of a row of chunks with the rows before it.
    PartMerge(const PartJob& job, std::uint64_t row, std::uint64_t rows, std::uint64_t memory)
        : PartMerge(job, "row " + std::to_string(row + 1) + " of " + std::to_string(rows), memory) {}
    void setPlace(std::string place) { place_ = std::move(place); }

    /// Adds a part that is not cut. @throws Error(outOfMemory) if the merge of all parts takes too much memory
    void add(Part part);
    /// Adds the part of a chunk. @throws as add()
    void addChunk(Part part);
    [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; } ///< open nodes of all parts
    /// @param leaves of the parts; receives the leaves that do not survive in the merge, for FilterSpec::prominent
    /// @throws as mergeParts() and ProminentLeaves::requireMemory()
    [[nodiscard]] Part merged(MergeStep& step, ProminentLeaves& leaves, const JobControl& control) const;
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

/// Results of the open nodes of each merged part, from the results of the part that they became.
/// @param results of the merged part; empty if it is whole
/// @param kept is increased by the number of closed nodes that stay
[[nodiscard]] std::vector<PartResults> resultsOf(const PartJob& job, const MergeStep& step, const PartResults& results,
                                                 std::uint64_t& kept);

// If all criteria are lower bounds of increasing attributes, a filter with any rule keeps all ancestors of a node that
// it keeps. The pixels of a component in a part then give lower bounds of its attributes. If these meet the criteria,
// the open node and all its ancestors are kept, whatever the other parts contain. A cut drops such nodes, except the
// parents of undecided nodes and the nodes of pixels at seams. These become roots, and their summaries cover all their
// pixels in the part. So a criterion area >= a leaves at most a open nodes for each pixel at a seam, whatever the grey
// levels. (Pollard)

/// Whether cutPart() leaves all results of a job as they are.
[[nodiscard]] bool canBeCut(const PartJob& job) noexcept;

/// A part without the nodes that a cut drops, and the new numbers of its open nodes.
struct CutPart {
    Part part;
    Buffer<std::uint32_t> nodeOf; ///< per open node of the whole part; Part::kNone for dropped nodes

    /// Memory that cutPart() takes for a part with so many open nodes, at most, in bytes.
    [[nodiscard]] static std::uint64_t bytesFor(const PartJob& job, std::uint64_t nodes) noexcept {
        constexpr std::uint64_t kNodeBytes = 11; // states, numbers, heights and parents
        return nodes * (kNodeBytes + 2 * job.needs.bytes());
    }
    /// The result of a dropped node: the root is kept, too, so there is one component. @param height of the node
    [[nodiscard]] static NodeResult resultOfDropped(std::uint16_t height) noexcept {
        return {height, NodeResult::kStays | NodeResult::kMarked, FirstPixel::kOfRoot};
    }
};

/// Drops the open nodes of a part that the filter keeps in any case, for a job that canBeCut().
/// @throws std::bad_alloc
[[nodiscard]] CutPart cutPart(const PartJob& job, const Part& part);

} // namespace pollard
