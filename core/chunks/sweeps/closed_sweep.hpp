#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "chunks/chunk_trees.hpp"
#include "chunks/chunked_filter.hpp"
#include "chunks/part_job.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pollard {

/// Nodes that a chunk or a merge of parts has closed: nodes of the whole tree, in any order but for the root. Each node
/// of the tree is closed once.
struct ClosedNodes {
    bool hasRoot = false;        ///< the first node is the root of the whole tree
    std::uint16_t rootLevel = 0; ///< if it contains the root
    Buffer<std::uint16_t> climb; ///< per node its contrast to its parent; 0 for the root
    /// One column of doubles per PartJob::measured. Values match AttributeColumn::at() for the whole tree; minimum and
    /// maximum are not set.
    std::vector<AttributeColumn> columns;

    [[nodiscard]] std::size_t count() const noexcept { return climb.size(); }
    [[nodiscard]] const Buffer<double>& values(std::size_t column) const {
        return std::get<Buffer<double>>(columns[column].values);
    }
};

/// @param job of measuringJob() @throws Cancelled
[[nodiscard]] ClosedNodes closedNodesOf(const PartJob& job, const ChunkTree& chunk, const JobControl& control);
[[nodiscard]] ClosedNodes closedNodesOf(const PartJob& job, const MergeStep& step, const JobControl& control);

/// Visits all nodes of the tree of an image or volume larger than memory: each chunk becomes a part, and the parts of a
/// row of chunks are merged with the part of all rows before.
class ClosedSweep {
public:
    /// Callbacks for each chunk and each merge, which close nodes. Called on the calling thread.
    struct Visit {
        std::function<void(const ChunkTree& chunk)> chunk;
        std::function<void(std::uint64_t row, const MergeStep& step)> merge;
    };
    /// Receives the closed nodes of chunks and merges.
    [[nodiscard]] Visit nodesTo(std::function<void(const ClosedNodes& nodes)> take, const JobControl& control) const;

    /// @param job of measuringJob(), must outlive this
    /// @param memory that merges may take, in bytes
    ClosedSweep(const PartJob& job, ChunkReader reader, ChunkTreeOptions options, std::uint64_t memory);

    /// Visits each chunk and each merge. Every other sweep goes from the last chunk to the first, because the last
    /// trees may be kept.
    /// @throws Error(outOfMemory) if the open nodes need more memory than allowed; exceptions of the reader and the
    /// engines; Cancelled
    void run(const Visit& visit, const JobControl& control);

    /// Facts of the last sweep, and the number of trees built in all sweeps.
    [[nodiscard]] const ChunkCounts& report() const noexcept { return report_; }
    [[nodiscard]] int sweeps() const noexcept { return sweeps_; }
    /// Name of the engine that built the last tree; empty if none was built.
    [[nodiscard]] std::string engine() const { return trees_.engine(); }
    [[nodiscard]] ChunkTrees& trees() noexcept { return trees_; }

private:
    [[nodiscard]] Part mergeRow(std::uint64_t row, Part frontier, const Visit& visit, const JobControl& control);

    const PartJob& job_;
    ChunkTrees trees_;
    std::uint64_t memory_;
    ChunkCounts report_;
    int sweeps_ = 0;
};

} // namespace pollard
