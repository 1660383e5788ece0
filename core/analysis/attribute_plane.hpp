#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "filter/filter_spec.hpp"
#include "image/region_shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pollard {

/// Nodes outside the bins of an attribute.
struct BinlessNodes {
    std::uint64_t below = 0; ///< below the first edge; on a log scale including values <= 0
    std::uint64_t above = 0; ///< above the last edge
    std::uint64_t nan = 0;   ///< value NaN

    [[nodiscard]] std::uint64_t total() const noexcept { return below + above + nan; }
    bool operator==(const BinlessNodes&) const = default;
};

/// Joint histogram: number of nodes of a tree per pair of bins of two attributes.
struct AttributePlane {
    /// Largest number of cells.
    static constexpr std::size_t kMostCells = std::size_t{1} << 20;

    AttributeId attributeX = AttributeId::area;
    AttributeId attributeY = AttributeId::area;
    Bins x;
    Bins y;
    std::vector<std::uint32_t> counts; ///< nodes per cell, shape (y.count(), x.count()), row-major, smallest y first
    BinlessNodes binlessX;             ///< for any y
    BinlessNodes binlessY;             ///< for any x
    std::uint64_t outside = 0;         ///< nodes without a cell, i.e. outside the bins of x or y

    [[nodiscard]] std::uint32_t at(std::size_t binX, std::size_t binY) const noexcept {
        return counts[binY * x.count() + binX];
    }
    bool operator==(const AttributePlane&) const = default;
};

/// Counts the nodes of a tree per cell, including the root. Every bin of an integral attribute contains an integer, so
/// there may be fewer bins than requested. O(nodes), parallel; independent of the number of threads.
/// @throws Error(invalidArgument) as makeBins(), for columns of different trees, or for more than kMostCells cells;
/// Cancelled
[[nodiscard]] AttributePlane attributePlane(const AttributeColumn& columnX, const BinSpec& specX,
                                            const AttributeColumn& columnY, const BinSpec& specY,
                                            const JobControl& control = {});

/// Bins of one axis over this range of values: as histogramBins(), but on a log scale the edges of integral attributes
/// are integers.
/// @param isInValues whether the column is in values of the image, see isColumnInValues()
/// @throws Error(invalidArgument) as makeBins()
[[nodiscard]] Bins planeBins(AttributeId attribute, const BinSpec& spec, const ColumnRange& range,
                             bool isInValues = false);

/// Makes a plane from counts, for engines that count themselves.
/// @param sums in the order of PlaneSums
[[nodiscard]] AttributePlane planeOf(AttributeId attributeX, AttributeId attributeY, Bins x, Bins y,
                                     std::vector<std::uint32_t> sums);
/// @throws Error(invalidArgument) for more than AttributePlane::kMostCells cells
void requireFewCells(const Bins& x, const Bins& y);

/// Nodes with a cell per bin of x (columnSums) or of y (rowSums).
[[nodiscard]] std::vector<std::uint64_t> columnSums(const AttributePlane& plane);
[[nodiscard]] std::vector<std::uint64_t> rowSums(const AttributePlane& plane);

/// Axis of a plane: positions run from 0 at the first edge to 1 at the last.
struct PlaneAxis {
    AttributeId attribute = AttributeId::area;
    ChartAxis values;
    bool integral = false;   ///< an integer v covers the axis from v to v + 1
    bool lastClosed = false; ///< the axis includes its last edge

    [[nodiscard]] static PlaneAxis of(AttributeId attribute, const Bins& bins);
    [[nodiscard]] static PlaneAxis of(const AttributeColumn& column, const Bins& bins);

    /// Whether the value is within the axis.
    [[nodiscard]] bool holds(double value) const noexcept {
        return value >= values.low && (value < values.high || (lastClosed && value == values.high));
    }
    /// Position of nodes with this value; for integers the centre of the interval they cover.
    /// @param value with holds(value)
    [[nodiscard]] double placeOf(double value) const noexcept;
};

/// Nodes in the cells of a range of columns and rows, both ends included.
[[nodiscard]] std::uint64_t nodesInCells(const AttributePlane& plane, std::array<std::size_t, 2> columns,
                                         std::array<std::size_t, 2> rows) noexcept;

/// Number of nodes that meet both criteria. O(nodes), parallel.
/// @throws Error(invalidArgument) for columns of different trees; Cancelled
[[nodiscard]] std::uint64_t countMeetingBoth(const AttributeColumn& columnX, const Criterion& x,
                                             const AttributeColumn& columnY, const Criterion& y,
                                             const JobControl& control = {});

/// The nodes with a position inside a polygon (even-odd rule, see contains()), ascending. O(nodes + nodes in the cells
/// on its border * corners), parallel.
/// @param polygon corners in order, as positions 0..1 on the two axes; fewer than three contain nothing
/// @throws Error(invalidArgument) for columns of different trees; Cancelled
[[nodiscard]] std::vector<std::uint32_t> nodesInPolygon(const AttributeColumn& columnX, const PlaneAxis& axisX,
                                                        const AttributeColumn& columnY, const PlaneAxis& axisY,
                                                        const std::vector<RegionPoint>& polygon,
                                                        const JobControl& control = {});

} // namespace pollard
