#pragma once

#include "attributes/attribute.hpp"
#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "engine/engine.hpp"
#include "parts/part_job.hpp"
#include "parts/summaries.hpp"
#include "tree/component_tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

namespace pollard {

/// Prominence measures and surviving leaves of the nodes of a chunk's tree; right for closed nodes.
class ChunkLeaves {
public:
    ChunkLeaves() = default;
    /// @throws as Session::attribute()
    ChunkLeaves(const ValueNeeds& needs, Session& session, const ComponentTree& tree, const JobControl& control);

    /// The measure with the leaf as a pixel of the chunk. @param measure one that the job needs
    [[nodiscard]] LeafMeasure of(Prominence measure, std::size_t node) const noexcept {
        const OfMeasure& column = columns_[static_cast<std::size_t>(measure)];
        const auto value = [node](const auto& values) { return static_cast<std::uint64_t>(values[node]); };
        return {std::visit(value, column.values->values), column.leaf[node]};
    }
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    struct OfMeasure {
        std::shared_ptr<const AttributeColumn> values;
        Buffer<std::uint32_t> leaf; ///< per node
    };

    std::array<OfMeasure, kMeasures> columns_;
};

} // namespace pollard
