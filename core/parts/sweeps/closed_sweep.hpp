#pragma once

#include "base/job_control.hpp"
#include "parts/chunk_trees.hpp"
#include "parts/part_job.hpp"
#include "parts/streamed_filter.hpp"
#include "parts/sweeps/closed_nodes.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace pollard {

/// Visits all nodes of the tree of a picture or volume larger than memory: each chunk becomes a part, and the parts of
/// a row of chunks are merged with that of all rows before.
class ClosedSweep {
public:
    /// Called for each chunk and each merge, which close nodes, on the calling thread.
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

    /// Facts of the last sweep, and the trees built in all of them.
    [[nodiscard]] const StreamedReport& report() const noexcept { return report_; }
    [[nodiscard]] int sweeps() const noexcept { return sweeps_; }
    /// Name of the engine that built the last tree; empty if none was built.
    [[nodiscard]] std::string engine() const { return trees_.engine(); }
    [[nodiscard]] ChunkTrees& trees() noexcept { return trees_; }

private:
    [[nodiscard]] Part mergeRow(std::uint64_t row, Part frontier, const Visit& visit, const JobControl& control);

    const PartJob& job_;
    ChunkTrees trees_;
    std::uint64_t memory_;
    StreamedReport report_;
    int sweeps_ = 0;
};

} // namespace pollard
