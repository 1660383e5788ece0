#pragma once

#include "vm/filter/criteria_model.hpp"
#include "vm/tree/counted_plane.hpp"

#include "attributes/attribute.hpp"

#include <deque>
#include <optional>
#include <utility>

namespace pollard::vm {

/// Criteria of a filter from a rectangle on the plane of two attributes, and the rectangle from criteria. Rectangles
/// are remembered with their criteria, so that undo brings them back.
class PlaneCriteria {
public:
    using State = CriteriaModel::State;
    struct Found {
        PlaneRectangle rectangle;
        bool inverse = false;

        bool operator==(const Found&) const = default;
    };

    /// The criteria to which a rectangle is added.
    void begin(const State& present) { before_ = present; }
    [[nodiscard]] const State& before() const noexcept { return before_; }
    /// The criteria with a rectangle on these attributes.
    /// @param inverse for the nodes outside
    [[nodiscard]] const State& apply(const PlaneRectangle& rectangle, bool inverse, const AttributeColumn& x,
                                     const AttributeColumn& y);
    /// Whether the latest apply() was for the nodes outside.
    [[nodiscard]] bool isInverse() const noexcept { return rowX_ < 0; }
    void swapAxes() noexcept { std::swap(rowX_, rowY_); }
    /// Follows criteria that differ from those of the latest rectangle in its bounds or the selected row only.
    /// @returns false for others
    [[nodiscard]] bool follow(const State& present);
    /// Returns to the rectangle on these attributes that led to these criteria, if there is one.
    [[nodiscard]] std::optional<Found> recall(const State& present, AttributeId x, AttributeId y);
    /// The rectangle that the followed criteria select in the present tree; @p latest for the nodes outside.
    [[nodiscard]] PlaneRectangle rectangleIn(const CriteriaModel& criteria, const PlaneRectangle& latest) const;

private:
    struct Remembered {
        State applied;
        State before;
        PlaneRectangle rectangle;
        AttributeId x = AttributeId::area;
        AttributeId y = AttributeId::area;
        int rowX = -1;
        int rowY = -1;
        bool inverse = false;
    };

    State before_;  ///< criteria without the rectangle
    State applied_; ///< criteria with the rectangle
    int rowX_ = -1; ///< row of the criterion of the rectangle's x range; -1 if there is no single one
    int rowY_ = -1;
    std::deque<Remembered> remembered_; ///< the latest last
};

} // namespace pollard::vm
