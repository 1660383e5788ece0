#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "parts/chunk_part.hpp"
#include "parts/part.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Nodes that a chunk or a merge of parts has closed: nodes of the whole tree, in any order but for the root. Each node
/// of the tree is closed once.
struct ClosedNodes {
    bool hasRoot = false;        ///< the first node is the root of the whole tree
    std::uint16_t rootLevel = 0; ///< if it has the root
    Buffer<std::uint16_t> climb; ///< per node its contrast to its parent; 0 for the root
    /// One per PartJob::measured, of doubles, as AttributeColumn::at() has them in the whole tree; without their range.
    std::vector<AttributeColumn> columns;

    [[nodiscard]] std::size_t count() const noexcept { return climb.size(); }
    [[nodiscard]] const Buffer<double>& values(std::size_t column) const {
        return std::get<Buffer<double>>(columns[column].values);
    }
};

/// @param job of measuringJob() @throws Cancelled
[[nodiscard]] ClosedNodes closedNodesOf(const PartJob& job, const ChunkTree& chunk, const JobControl& control);
[[nodiscard]] ClosedNodes closedNodesOf(const PartJob& job, const MergeStep& step, const JobControl& control);

} // namespace pollard
