#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "parts/chunk/open_nodes.hpp"
#include "parts/part_job.hpp"
#include "parts/summaries.hpp"
#include "tree/component_tree.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard {

/// Decisions about the nodes of a chunk; right for closed nodes.
struct ChunkDecisions {
    Buffer<std::uint8_t> bits;   ///< 1 for nodes that meet the criteria; applyRule() replaces them by NodeBits
    Buffer<std::int64_t> excess; ///< see Excess; empty unless the rule needs it

    [[nodiscard]] std::size_t bytes() const noexcept { return bits.bytes() + excess.bytes(); }
    void applyRule(const PartJob& job, const ComponentTree& tree, const OpenNodes& open, const JobControl& control);
    /// Joins Excess and AnyMeets of the closed children of open nodes, as far as @p to has them.
    void join(const ComponentTree& tree, const OpenNodes& open, Summaries& to) const;
};

} // namespace pollard
