#pragma once

#include "parts/merge/vertex_tree.hpp"
#include "parts/part.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// A seam of one of the parts of a merge.
struct PlacedSeam {
    const Seam* seam;
    std::uint32_t part;
};

/// The seams of all parts of a merge.
struct MergedSeams {
    std::vector<VertexEdge> edges;   ///< pairs of adjacent pixels of different parts, without those that others imply
    std::vector<PlacedSeam> staying; ///< seams of the merged part, ascending by chunk and direction

    /// @throws Error(invalidArgument) for overlapping parts, or parts of different grids
    MergedSeams(const PartJob& job, std::span<const Part* const> parts, const Vertices& vertices);
};

} // namespace pollard
