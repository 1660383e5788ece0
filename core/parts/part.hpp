#pragma once

#include "base/buffer.hpp"
#include "parts/part_job.hpp"
#include "parts/summaries.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace pollard {

// A part is a set of chunks with the tree of their pixels; a forest if they are apart. A node is closed if its
// component has no neighbour outside the part: then it is a node of the whole tree, and nothing about it or its
// descendants can change. All others are open; with each open node, all its ancestors are.

/// Node per pixel of a SeamLayer of a chunk in a part, whose neighbour in this direction is not in the part.
struct Seam {
    std::uint64_t chunk = 0;
    Direction direction;
    Buffer<std::uint32_t> node; ///< open node that the pixel belongs to

    /// The seam with other nodes. @param nodeOf returns the one in place of a node
    template <class NodeOf> [[nodiscard]] Seam renumbered(NodeOf&& nodeOf) const {
        Seam out{chunk, direction, Buffer<std::uint32_t>(node.size())};
        std::ranges::transform(node.span(), out.node.begin(), nodeOf);
        return out;
    }
};

/// The open nodes of a part.
struct Part {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    Buffer<std::uint16_t> height; ///< see PartJob::height()
    Buffer<std::uint32_t> parent; ///< smaller than the node; kNone without one
    Summaries own;                ///< of the node's pixels and those of its closed descendants
    std::vector<Seam> seams;      ///< ascending by chunk and direction

    [[nodiscard]] std::size_t nodeCount() const noexcept { return height.size(); }
    /// Whether it is the whole picture: all nodes are closed.
    [[nodiscard]] bool isWhole() const noexcept { return seams.empty(); }
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// How some parts became one: the tree of their open nodes. Its nodes are in the order of their heights.
struct MergeStep {
    Buffer<std::uint16_t> height;
    Buffer<std::uint32_t> parent;   ///< smaller than the node; Part::kNone without one
    Buffer<std::uint8_t> bits;      ///< NodeBits of closed nodes
    Buffer<std::uint32_t> openNode; ///< node of the merged part; Part::kNone for closed ones
    Buffer<std::uint64_t> first;    ///< FirstPixel of closed nodes if the job needs it; else empty
    /// Per Prominence BestLeaf if the job needs it; else empty.
    std::array<Buffer<LeafMeasure>, kMeasures> leaves;
    Buffer<double> values;                          ///< per closed node those of PartJob::measured
    std::vector<Buffer<std::uint32_t>> nodeOfInput; ///< per part that was merged, per open node of it

    [[nodiscard]] std::size_t nodeCount() const noexcept { return height.size(); }
    [[nodiscard]] std::size_t bytes() const noexcept;
};

/// Results of the open nodes of a part.
struct PartResults {
    Buffer<std::uint16_t> height;
    Buffer<std::uint8_t> flags;
    Buffer<std::uint64_t> component; ///< empty unless the job labels components

    PartResults() = default;
    PartResults(std::size_t count, bool withComponents)
        : height(count), flags(count), component(withComponents ? count : 0) {}

    [[nodiscard]] NodeResult at(std::size_t node) const noexcept {
        return {height[node], flags[node], component.empty() ? NodeResult::kNone : component[node]};
    }
    void set(std::size_t node, const NodeResult& result) noexcept {
        height[node] = result.height;
        flags[node] = result.flags;
        if (!component.empty()) {
            component[node] = result.component;
        }
    }
};

/// @throws Error(invalidArgument) unless there are @p count results
void requireResults(const PartResults& results, std::size_t count);

} // namespace pollard
