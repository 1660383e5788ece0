#pragma once

#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "parts/chunk/chunk_decisions.hpp"
#include "parts/chunk/chunk_leaves.hpp"
#include "parts/chunk/open_nodes.hpp"
#include "parts/part.hpp"
#include "parts/part_values.hpp"
#include "parts/prominent_leaves.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pollard {

/// The pixels of a chunk. Those without data have the level of the whole tree's root, see analysisImage().
struct ChunkImage {
    std::uint64_t chunk = 0; ///< number in the grid
    std::shared_ptr<const Image> image;
    /// Its box with the adjacent pixels of its neighbours, if the job needs OutlineTotals; else null.
    std::shared_ptr<const Image> surroundings;
};

/// The tree of a chunk, of which the nodes at its seams are open, see part.hpp.
class ChunkTree {
public:
    /// Builds the tree with an engine and decides on its closed nodes, as far as that does not depend on open ones.
    /// @throws as Session::buildTree() and Session::attribute()
    ChunkTree(const PartJob& job, ChunkImage image, Session& session, const std::string& algorithm,
              const JobControl& control);

    [[nodiscard]] std::uint64_t chunk() const noexcept { return image_.chunk; }
    [[nodiscard]] const Image& image() const noexcept { return *image_.image; }
    [[nodiscard]] const ComponentTree& tree() const noexcept { return *tree_; }
    [[nodiscard]] std::size_t openCount() const noexcept { return open_.count(); }
    [[nodiscard]] std::uint64_t closedCount() const noexcept { return tree_->nodeCount() - openCount(); }
    [[nodiscard]] bool isOpen(std::size_t node) const noexcept { return open_.isOpen(node); }
    /// Columns of PartJob::measured, valid for closed nodes; empty if all nodes are open.
    [[nodiscard]] const std::vector<std::shared_ptr<const AttributeColumn>>& measured() const noexcept {
        return measured_;
    }
    /// Memory of the tree and the decisions.
    [[nodiscard]] std::size_t bytes() const noexcept;

    /// The open nodes as a part, in the order of the tree.
    [[nodiscard]] Part part(const JobControl& control) const;

    /// Adds the leaves that do not survive in the chunk, see ProminentLeaves, for a job with FilterSpec::prominent.
    /// @param part of the chunk
    void addLeaves(const Part& part, ProminentLeaves& to) const;

    /// PartJob::ruleNeeds() of the open nodes, see decideStep().
    /// @param values of the open nodes
    [[nodiscard]] Summaries decisions(const PartValues& values, const JobControl& control) const;

    /// Results of all nodes.
    /// @param results of the open nodes, or of those that are left by cutPart()
    /// @param values of the open nodes; ignored unless PartJob::values has any
    /// @param kept is increased by the number of closed nodes that stay
    [[nodiscard]] PartResults resultsOf(const PartResults& results, const PartValues& values, std::uint64_t& kept,
                                        const JobControl& control) const;

    /// First pixels, in the whole picture, of the maximal kept components that begin in the chunk.
    [[nodiscard]] std::vector<std::uint64_t> firstPixels(const PartResults& results, const PartValues& values,
                                                         const JobControl& control) const;

private:
    void measure(Session& session, const JobControl& control);
    [[nodiscard]] std::shared_ptr<const AttributeColumn> columnOf(AttributeId id, Session& session,
                                                                  const JobControl& control) const;
    [[nodiscard]] Buffer<std::uint8_t> meetCriteria(Session& session, const JobControl& control) const;
    /// Values of all nodes. @param values of the open nodes
    [[nodiscard]] PartValues valuesOf(const PartValues& values, const JobControl& control) const;
    /// @param results of the open nodes that are left by cutPart()
    [[nodiscard]] PartResults resultsOfOpen(const PartResults& results, const JobControl& control) const;
    [[nodiscard]] ChunkDecisions decide(const PartValues& values, const JobControl& control) const;
    /// With the pixel of the whole picture.
    [[nodiscard]] LeafMeasure leafOf(Prominence measure, std::size_t node) const noexcept;
    void joinLeaves(Summaries& own) const;
    [[nodiscard]] std::uint64_t wholeIndex(std::uint32_t pixel) const noexcept;
    void findFirstPixels(Buffer<std::uint64_t>& first, const JobControl& control) const;
    void joinNodes(Part& part) const;

    const PartJob& job_;
    ChunkImage image_;
    ChunkBox box_;
    std::shared_ptr<const ComponentTree> tree_;
    OpenNodes open_;
    std::shared_ptr<const AttributeColumn> area_; ///< if the job needs PixelCount
    std::shared_ptr<const AttributeColumn> sum_;  ///< if the job needs LevelTotal
    std::vector<std::shared_ptr<const AttributeColumn>> measured_;
    ChunkDecisions
        decisions_;      ///< if PartJob::values has any, without the criteria that depend on ancestors and the rule
    ChunkLeaves leaves_; ///< if PartJob::values has any
};

} // namespace pollard
