#pragma once

#include "vm/document/jobs/job_types.hpp"
#include "vm/filter/criteria_model.hpp"

#include "analysis/attribute_plane.hpp"
#include "attributes/attribute.hpp"
#include "image/value_mapping.hpp"
#include "tree/node_set.hpp"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pollard::vm {

/// Values from low to high, inclusive.
struct PlaneRange {
    double low = 0;
    double high = 0;

    bool operator==(const PlaneRange&) const = default;
};
struct PlaneRectangle {
    PlaneRange x;
    PlaneRange y;

    bool operator==(const PlaneRectangle&) const = default;
};
/// First and last bin of both axes.
struct PlaneCells {
    std::array<int, 2> x{};
    std::array<int, 2> y{};

    bool operator==(const PlaneCells&) const = default;
};

/// A plane with its input. Places are from 0 to 1 on both axes, y upwards.
struct CountedPlane {
    AttributePlane plane;
    PlaneAxis x;
    PlaneAxis y;
    std::vector<std::uint64_t> columns; ///< nodes per bin of x
    std::vector<std::uint64_t> rows;    ///< nodes per bin of y
    std::uint32_t largest = 0;          ///< largest count of a cell
    std::shared_ptr<const AttributeColumn> valuesX;
    std::shared_ptr<const AttributeColumn> valuesY;
    std::optional<ValueMapping> mapping; ///< of the levels of the image, for texts

    CountedPlane(const PlaneRequest& request, const AttributePlane& counts,
                 const std::optional<ValueMapping>& ofLevels = {});

    /// The cells touched by the places.
    [[nodiscard]] PlaneCells cellsAt(const QRectF& places) const;
    /// The cells between the edges nearest to the places; at least one.
    [[nodiscard]] PlaneCells cellsBetween(const QRectF& places) const;
    [[nodiscard]] PlaneCells cellsOf(const PlaneRectangle& rectangle) const;
    [[nodiscard]] PlaneRectangle rectangleOf(const PlaneCells& cells) const;
    /// Moved, or with another upper right corner, within the plane.
    [[nodiscard]] PlaneCells moved(PlaneCells cells, int right, int up) const;
    [[nodiscard]] PlaneCells resized(PlaneCells cells, int right, int up) const;
    [[nodiscard]] QRectF placesOf(const PlaneRectangle& rectangle) const;
    /// The place of a node; empty if it is outside the plane.
    [[nodiscard]] std::optional<QPointF> placeOf(std::uint32_t node) const;
    [[nodiscard]] std::uint64_t nodesIn(const PlaneCells& cells) const;
    /// 1 for cells that contain one of the nodes.
    [[nodiscard]] std::vector<std::uint8_t> marked(const NodeSet& nodes) const;

    /// "area 32 to 35 px, height 12 grey"
    [[nodiscard]] QString textOf(const PlaneRectangle& rectangle) const;
    /// "area 32 to 35 px, height 12 grey: 1,234 components"; empty outside the plane.
    [[nodiscard]] QString readout(const QPointF& place) const;
};

/// "1,234 components"
[[nodiscard]] QString componentsText(std::uint64_t nodes);

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
    /// @param mapping of the levels of the image: criteria are in its values
    [[nodiscard]] const State& apply(const PlaneRectangle& rectangle, bool inverse, const AttributeColumn& x,
                                     const AttributeColumn& y, const std::optional<ValueMapping>& mapping = {});
    /// Whether the latest apply() was for the nodes outside.
    [[nodiscard]] bool isInverse() const noexcept { return rowX_ < 0; }
    void swapAxes() noexcept { std::swap(rowX_, rowY_); }
    /// Follows criteria that differ from the criteria of the latest rectangle only in its bounds or in the selected
    /// row.
    /// @returns false for other changes
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
