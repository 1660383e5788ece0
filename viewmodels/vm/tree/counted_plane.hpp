#pragma once

#include "vm/document/job_types.hpp"

#include "analysis/attribute_plane.hpp"
#include "tree/node_set.hpp"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
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

    CountedPlane(const PlaneRequest& request, const AttributePlane& counts);

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
    /// Empty if the node is outside the plane.
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

} // namespace pollard::vm
