#pragma once

#include "base/buffer.hpp"
#include "filter/criterion_bounds.hpp"
#include "filter/filter_spec.hpp"
#include "parts/part_job.hpp"
#include "parts/summaries.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pollard {

/// Values of the nodes of a part that depend on their ancestors, see ValueNeeds. They come down from the whole picture
/// before PartResults, or with them.
struct PartValues {
    /// Per Prominence the extinction value, as the measure, and the surviving leaf; empty unless the job needs it.
    std::array<Buffer<LeafMeasure>, kMeasures> extinction;
    Buffer<std::uint32_t> depth; ///< edges from the root; empty unless the job needs it
    std::size_t count = 0;
    LeafMeasure lastProminent; ///< see ProminentLeaves::last(); the same for all parts

    static constexpr std::size_t kNoParent = std::numeric_limits<std::size_t>::max();

    PartValues() = default;
    PartValues(const ValueNeeds& needs, std::size_t nodes, const LeafMeasure& last);

    void copy(std::size_t to, const PartValues& from, std::size_t node) noexcept;

    /// Sets the values of a closed node.
    /// @param parent kNoParent for the root @param own LeafMeasure of the node for a Prominence
    template <class Own> void close(std::size_t node, std::size_t parent, Own&& own) noexcept {
        for (const Prominence measure : kAllProminences) {
            Buffer<LeafMeasure>& column = extinction[static_cast<std::size_t>(measure)];
            if (!column.empty()) {
                const LeafMeasure best = own(measure);
                const bool survives = parent != kNoParent && column[parent].leaf == best.leaf;
                column[node] = survives ? column[parent] : best;
            }
        }
        if (!depth.empty()) {
            depth[node] = parent == kNoParent ? 0 : depth[parent] + 1;
        }
    }
};

/// @throws Error(invalidArgument) unless there are values of @p count nodes
void requireValues(const PartValues& values, std::size_t count);

/// The criteria, and FilterSpec::prominent, that depend on the ancestors of a node.
class AncestorCriteria {
public:
    explicit AncestorCriteria(const PartJob& job);

    /// Whether a node meets all that the filter asks for, exactly as decideNodes() finds it in the whole tree.
    /// @param others whether it meets the other criteria, see meetsCriteria()
    [[nodiscard]] bool meet(bool others, const PartValues& values, std::size_t node) const noexcept;

private:
    struct Bounds {
        std::optional<Prominence> measure; ///< nothing: the depth
        CriterionBounds<std::uint64_t> interval;
    };

    std::vector<Bounds> bounds_;
    std::optional<Prominence> prominent_;
    bool all_;
};

} // namespace pollard
