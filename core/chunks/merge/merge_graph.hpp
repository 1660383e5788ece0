#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "chunks/part_job.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pollard {

/// The open nodes of all parts of a merge, one part after another.
struct Vertices {
    std::vector<std::uint32_t> start; ///< of each part, and the end
    Buffer<std::uint16_t> height;
    Buffer<std::uint32_t> parent; ///< Part::kNone without one

    /// @throws Error(limitExceeded) for more than 2^32 - 2 vertices
    explicit Vertices(std::span<const Part* const> parts);
    [[nodiscard]] std::size_t size() const noexcept { return height.size(); }
};

/// Two vertices that are in one component at the smaller of their heights.
struct VertexEdge {
    std::uint32_t a, b;
};

/// The tree of the vertices, see mergeParts(). Its nodes are in the order of their heights.
struct VertexTree {
    std::size_t count = 0;        ///< of nodes
    Buffer<std::uint32_t> nodeOf; ///< per vertex; equal vertices are one node
    Buffer<std::uint32_t> parent; ///< per node; Part::kNone without one

    /// @param seamEdges all edges except the parent links @throws Cancelled
    VertexTree(const Vertices& vertices, const std::vector<VertexEdge>& seamEdges, const JobControl& control);
};

/// A seam of one of the parts of a merge.
struct PlacedSeam {
    const Seam* seam;
    std::uint32_t part;
};

/// The seams of all parts of a merge.
struct MergedSeams {
    std::vector<VertexEdge> edges;   ///< pairs of adjacent pixels of different parts, without implied pairs
    std::vector<PlacedSeam> staying; ///< seams of the merged part, ascending by chunk and direction

    /// @throws Error(invalidArgument) for overlapping parts, or parts of different grids
    MergedSeams(const PartJob& job, std::span<const Part* const> parts, const Vertices& vertices);
};

} // namespace pollard
