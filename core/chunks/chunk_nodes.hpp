#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "chunks/part_job.hpp"
#include "chunks/summaries.hpp"
#include "engine/engine.hpp"
#include "image/image.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace pollard {

/// Tells which nodes of a chunk's tree are open, see Part, and numbers them in the order of the tree.
class OpenNodes {
public:
    OpenNodes(const PartJob& job, std::uint64_t chunk, const ComponentTree& tree, const JobControl& control);

    [[nodiscard]] std::size_t count() const noexcept { return list_.size(); }
    /// The open nodes by their numbers.
    [[nodiscard]] std::span<const std::uint32_t> list() const noexcept { return list_; }
    [[nodiscard]] bool isOpen(std::size_t node) const noexcept { return open_[node] != 0; }
    /// Number of the nearest open node among a node and its ancestors; Part::kNone if all are closed.
    [[nodiscard]] std::uint32_t nearest(std::size_t node) const noexcept { return nearest_[node]; }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return nearest_.bytes() + open_.bytes() + list_.size() * sizeof(std::uint32_t);
    }

    /// Calls visit(node, number of the nearest open ancestor) for all closed nodes except the root.
    template <class Visit> void forEachClosed(Visit&& visit) const {
        for (std::size_t i = 1; i < open_.size(); ++i) {
            if (open_[i] == 0) {
                visit(i, nearest_[i]);
            }
        }
    }
    /// Calls visit(node, number of the parent) for the closed children of open nodes.
    template <class Visit> void forEachClosedChild(const ComponentTree& tree, Visit&& visit) const {
        forEachClosed([&](std::size_t i, std::uint32_t to) {
            if (open_[tree.parent[i]] != 0) {
                visit(i, to);
            }
        });
    }

private:
    Buffer<std::uint32_t> nearest_; ///< per node
    Buffer<std::uint8_t> open_;     ///< per node 1 if it is open
    std::vector<std::uint32_t> list_;
};

/// Decisions about the nodes of a chunk; right for closed nodes.
struct ChunkDecisions {
    Buffer<std::uint8_t> bits;   ///< 1 for nodes that meet the criteria; applyRule() replaces them by NodeBits
    Buffer<std::int64_t> excess; ///< see Excess; empty unless the rule needs it

    [[nodiscard]] std::size_t bytes() const noexcept { return bits.bytes() + excess.bytes(); }
    void applyRule(const PartJob& job, const ComponentTree& tree, const OpenNodes& open, const JobControl& control);
    /// Joins Excess and AnyMeets of the closed children of open nodes, if @p to has these columns.
    void join(const ComponentTree& tree, const OpenNodes& open, Summaries& to) const;
};

/// Prominence measures and surviving leaves of the nodes of a chunk's tree; right for closed nodes.
class ChunkLeaves {
public:
    ChunkLeaves() = default;
    /// @throws as Session::attribute()
    ChunkLeaves(const ValueNeeds& needs, Session& session, const ComponentTree& tree, const JobControl& control);

    /// The measure, and the leaf as a pixel of the chunk. @param measure that the job needs
    [[nodiscard]] LeafMeasure of(Prominence measure, std::size_t node) const noexcept {
        const MeasureColumn& column = columns_[static_cast<std::size_t>(measure)];
        const auto value = [node](const auto& values) { return static_cast<std::uint64_t>(values[node]); };
        return {std::visit(value, column.values->values), column.leaf[node]};
    }
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    struct MeasureColumn {
        std::shared_ptr<const AttributeColumn> values;
        Buffer<std::uint32_t> leaf; ///< per node
    };

    std::array<MeasureColumn, kMeasures> columns_;
};

/// Joins the summaries of each pixel of a chunk to the summaries of the nearest open node that contains it, except
/// PixelCount and LevelTotal.
/// @param surroundings of the chunk, see ChunkImage; may be null unless SummaryNeeds::hasNeighbours()
/// @param own of the open nodes
void joinPixels(const PartJob& job, const ChunkBox& box, const Image& image, const Image* surroundings,
                const ComponentTree& tree, const OpenNodes& open, Summaries& own, const JobControl& control);

} // namespace pollard
