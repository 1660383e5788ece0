#pragma once

#include "analysis/bins.hpp"
#include "analysis/chart_axis.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/region_shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Nodes that an attribute leaves without a bin.
struct BinlessNodes {
    std::uint64_t below = 0; ///< under the first edge; on a log scale those of value 0 or less as well
    std::uint64_t above = 0; ///< beyond the last edge
    std::uint64_t nan = 0;   ///< without a value

    [[nodiscard]] std::uint64_t total() const noexcept { return below + above + nan; }
    bool operator==(const BinlessNodes&) const = default;
};

/// How many nodes of a tree have which values of two attributes: a joint histogram.
struct AttributePlane {
    /// Most cells of a plane.
    static constexpr std::size_t kMostCells = std::size_t{1} << 20;

    AttributeId attributeX = AttributeId::area;
    AttributeId attributeY = AttributeId::area;
    Bins x;
    Bins y;
    std::vector<std::uint32_t> counts; ///< nodes per cell, shape (y.count(), x.count()), row-major, smallest y first
    BinlessNodes binlessX;             ///< whatever their y
    BinlessNodes binlessY;             ///< whatever their x
    std::uint64_t outside = 0;         ///< nodes without a cell: one of the attributes leaves them without a bin

    [[nodiscard]] std::uint32_t at(std::size_t binX, std::size_t binY) const noexcept {
        return counts[binY * x.count() + binX];
    }
    bool operator==(const AttributePlane&) const = default;
};

/// Counts the nodes of a tree in cells, the root among them. Whole numbers get bins that hold at least one of them, so
/// there may be fewer bins than the request has. O(nodes), parallel; the same for any number of threads.
/// @throws Error(invalidArgument) as makeBins(), for columns of different trees, or for more than kMostCells cells;
///         Cancelled
[[nodiscard]] AttributePlane attributePlane(const AttributeColumn& columnX, const BinSpec& specX,
                                            const AttributeColumn& columnY, const BinSpec& specY,
                                            const JobControl& control = {});

/// Bins of one axis of a plane for values of this range: as histogramBins(), and on a log scale the edges between whole
/// numbers are whole.
/// @throws Error(invalidArgument) as makeBins()
[[nodiscard]] Bins planeBins(AttributeId attribute, const BinSpec& spec, const ColumnRange& range);

/// A plane from its counts, for engines that count themselves.
/// @param sums as PlaneSums lists them
[[nodiscard]] AttributePlane planeOf(AttributeId attributeX, AttributeId attributeY, Bins x, Bins y,
                                     std::vector<std::uint32_t> sums);
/// @throws Error(invalidArgument) if a plane would have more cells than it may
void requireFewCells(const Bins& x, const Bins& y);

/// Nodes in each bin of x, or of y, that have a cell: the sums of the columns, or rows.
[[nodiscard]] std::vector<std::uint64_t> columnSums(const AttributePlane& plane);
[[nodiscard]] std::vector<std::uint64_t> rowSums(const AttributePlane& plane);

/// An attribute's axis of a plane: places run from 0 at the first edge to 1 at the last one.
struct PlaneAxis {
    AttributeId attribute = AttributeId::area;
    ChartAxis values;
    bool integral = false;   ///< a whole number v fills the axis from v to v + 1
    bool lastClosed = false; ///< the last edge is part of the axis

    [[nodiscard]] static PlaneAxis of(AttributeId attribute, const Bins& bins);

    /// Whether nodes of this value have a bin.
    [[nodiscard]] bool holds(double value) const noexcept {
        return value >= values.low && (value < values.high || (lastClosed && value == values.high));
    }
    /// Where nodes of this value lie: of whole numbers the middle of what they fill.
    /// @param value that the axis holds
    [[nodiscard]] double placeOf(double value) const noexcept;
};

/// Nodes in the cells of some columns and rows, ends included.
[[nodiscard]] std::uint64_t nodesInCells(const AttributePlane& plane, std::array<std::size_t, 2> columns,
                                         std::array<std::size_t, 2> rows) noexcept;

/// Nodes that meet both criteria. O(nodes), parallel.
/// @throws Error(invalidArgument) for columns of different trees; Cancelled
[[nodiscard]] std::uint64_t countMeetingBoth(const AttributeColumn& columnX, const Criterion& x,
                                             const AttributeColumn& columnY, const Criterion& y,
                                             const JobControl& control = {});

/// The nodes that lie inside a polygon of places (even-odd rule, see contains()), ascending. O(nodes + nodes in the
/// cells that its line crosses * corners), parallel.
/// @param polygon corners in order, x and y in places 0..1 of the two axes; fewer than three hold nothing
/// @throws Error(invalidArgument) for columns of different trees; Cancelled
[[nodiscard]] std::vector<std::uint32_t> nodesInPolygon(const AttributeColumn& columnX, const PlaneAxis& axisX,
                                                        const AttributeColumn& columnY, const PlaneAxis& axisY,
                                                        const std::vector<RegionPoint>& polygon,
                                                        const JobControl& control = {});

} // namespace pollard
