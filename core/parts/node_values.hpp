#pragma once

#include "attributes/attribute.hpp"
#include "attributes/attribute_table.hpp"
#include "filter/filter_spec.hpp"
#include "parts/part_job.hpp"
#include "parts/summaries.hpp"

#include <cstddef>
#include <cstdint>
#include <variant>

namespace pollard {

/// Summaries that an attribute follows from.
[[nodiscard]] SummaryNeeds needsOf(AttributeId id);

using NodeValue = std::variant<std::uint64_t, std::int64_t, double>;

/// The attributes of a complete summary, by the formulas of the engines with sums of 64 and 128 bits.
class NodeValues {
public:
    /// @param height of the node, @p parentHeight that of its parent; of the root its own
    NodeValues(const PartJob& job, const Summaries& summaries, std::size_t node, std::uint16_t height,
               std::uint16_t parentHeight)
        : s_(summaries), i_(node), level_{job.levelAt(height), job.levelAt(parentHeight)} {
        climb_ = static_cast<std::uint16_t>(height - parentHeight);
        if (s_.has<Peak>()) {
            peak_ = static_cast<std::uint16_t>(s_.of<Peak>()[i_] - parentHeight);
        }
    }

    /// @param id one that is known when a node is closed and whose needsOf() the summaries have
    [[nodiscard]] NodeValue of(AttributeId id) const;
    [[nodiscard]] std::uint64_t of(Prominence measure) const noexcept;

private:
    [[nodiscard]] NodeValue momentValue(AttributeId id) const;
    [[nodiscard]] std::uint64_t area() const noexcept { return s_.of<PixelCount>()[i_]; }
    [[nodiscard]] std::uint64_t sum() const noexcept { return s_.of<LevelTotal>()[i_]; }
    [[nodiscard]] const MomentTotals::Value& moments() const noexcept { return s_.of<MomentTotals>()[i_]; }
    [[nodiscard]] const OutlineTotals::Value& outline() const noexcept { return s_.of<OutlineTotals>()[i_]; }
    [[nodiscard]] NodeBox box() const noexcept {
        const BoundingBox::Value& box = s_.of<BoundingBox>()[i_];
        return {box.left, box.top, box.right, box.bottom};
    }
    [[nodiscard]] std::uint64_t volume() const noexcept {
        const auto difference = static_cast<std::int64_t>(sum() - std::uint64_t{level_.parent} * area());
        return static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
    }

    const Summaries& s_;
    std::size_t i_;
    Levels level_;
    std::uint16_t climb_ = 0; ///< height above the parent
    std::uint16_t peak_ = 0;  ///< largest height above the parent
};

} // namespace pollard
