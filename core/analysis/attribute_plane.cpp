#include "analysis/attribute_plane.hpp"

#include "analysis/bins.hpp"
#include "analysis/column_summary.hpp"
#include "attributes/attribute.hpp"
#include "base/error.hpp"
#include "filter/filter_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace pollard {

namespace {

/// @throws Error(invalidArgument) if the columns have different numbers of nodes
void requireSameTree(const AttributeColumn& x, const AttributeColumn& y) {
    if (x.size() != y.size()) {
        throw Error(ErrorCode::invalidArgument, "attribute plane: " + std::to_string(x.size()) + " values of '" +
                                                    std::string(attributeInfo(x.id).name) + "' for " +
                                                    std::to_string(y.size()) + " of '" +
                                                    std::string(attributeInfo(y.id).name) + "'");
    }
}

/// BinFinder with a table for small integers, which covers most values of integral attributes without a logarithm.
template <class T> class TabledFinder {
public:
    TabledFinder(const Bins& bins, std::size_t nodes) : find_(bins) {
        if constexpr (std::is_integral_v<T>) {
            table_.resize(std::min(nodes, kTable));
            for (std::size_t value = 0; value < table_.size(); ++value) {
                table_[value] = find_(static_cast<double>(value));
            }
        }
    }

    [[nodiscard]] std::uint32_t operator()(T value) const noexcept {
        if constexpr (std::is_integral_v<T>) {
            // Negative numbers wrap beyond the table.
            const auto place = static_cast<std::make_unsigned_t<T>>(value);
            if (place < table_.size()) {
                return table_[static_cast<std::size_t>(place)];
            }
        }
        return find_(static_cast<double>(value));
    }

private:
    static constexpr std::size_t kTable = std::size_t{1} << 16;

    BinFinder find_;
    std::vector<std::uint32_t> table_;
};

constexpr std::size_t kNodesPerTask = std::size_t{1} << 15;

Bins binsOf(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    const bool isInValues = attributeInfo(column.id).integral && !isIntegral(column);
    return planeBins(column.id, spec, columnRange(column, 0, spec.scale == BinScale::log, control), isInValues);
}

} // namespace

Bins planeBins(AttributeId attribute, const BinSpec& spec, const ColumnRange& range, bool isInValues) {
    const bool integral = attributeInfo(attribute).integral && !isInValues;
    Bins bins = histogramBins(integral, spec, range);
    if (!integral || spec.scale == BinScale::linear) {
        return bins;
    }
    std::ranges::transform(bins.edges, bins.edges.begin(), [](double edge) { return std::ceil(edge); });
    bins.edges.erase(std::unique(bins.edges.begin(), bins.edges.end()), bins.edges.end());
    if (bins.count() == 0) { // no integer lies between the bounds
        bins.edges.push_back(bins.edges.front() + 1);
    }
    return bins;
}

AttributePlane attributePlane(const AttributeColumn& columnX, const BinSpec& specX, const AttributeColumn& columnY,
                              const BinSpec& specY, const JobControl& control) {
    requireSameTree(columnX, columnY);
    Bins x = binsOf(columnX, specX, control);
    Bins y = binsOf(columnY, specY, control);
    requireFewCells(x, y);
    const PlaneSums sums(x.count(), y.count());
    std::vector<std::uint32_t> counts = std::visit(
        [&]<class X, class Y>(const Buffer<X>& valuesX, const Buffer<Y>& valuesY) {
            const TabledFinder<X> findX(x, valuesX.size());
            const TabledFinder<Y> findY(y, valuesY.size());
            return sumInBins<std::uint32_t>(sums.size(), 0, valuesX.size(), control,
                                            [&](std::vector<std::uint32_t>& part, std::size_t begin, std::size_t end) {
                                                for (std::size_t i = begin; i != end; ++i) {
                                                    sums.count(findX(valuesX[i]), findY(valuesY[i]),
                                                               [&](std::uint32_t place) { ++part[place]; });
                                                }
                                            });
        },
        columnX.values, columnY.values);
    return planeOf(columnX.id, columnY.id, std::move(x), std::move(y), std::move(counts));
}

AttributePlane planeOf(AttributeId attributeX, AttributeId attributeY, Bins x, Bins y,
                       std::vector<std::uint32_t> sums) {
    const std::size_t cells = x.count() * y.count();
    const std::uint32_t* behindX = sums.data() + cells;
    const std::uint32_t* behindY = behindX + PlaneSums::kOfY;
    AttributePlane plane;
    plane.attributeX = attributeX;
    plane.attributeY = attributeY;
    plane.x = std::move(x);
    plane.y = std::move(y);
    plane.binlessX = {behindX[0], behindX[1], behindX[2]};
    plane.binlessY = {behindY[0], behindY[1], behindY[2]};
    plane.outside = behindX[PlaneSums::kOutside];
    sums.resize(cells);
    plane.counts = std::move(sums);
    return plane;
}

void requireFewCells(const Bins& x, const Bins& y) {
    if (x.count() * y.count() > AttributePlane::kMostCells) {
        throw Error(ErrorCode::invalidArgument, "attribute plane: " + std::to_string(x.count()) + " x " +
                                                    std::to_string(y.count()) + " cells are more than " +
                                                    std::to_string(AttributePlane::kMostCells));
    }
}

std::vector<std::uint64_t> columnSums(const AttributePlane& plane) {
    std::vector<std::uint64_t> sums(plane.x.count());
    for (std::size_t i = 0; i < plane.counts.size(); ++i) {
        sums[i % sums.size()] += plane.counts[i];
    }
    return sums;
}

std::vector<std::uint64_t> rowSums(const AttributePlane& plane) {
    std::vector<std::uint64_t> sums(plane.y.count());
    for (std::size_t i = 0; i < plane.counts.size(); ++i) {
        sums[i / plane.x.count()] += plane.counts[i];
    }
    return sums;
}

std::uint64_t nodesInCells(const AttributePlane& plane, std::array<std::size_t, 2> columns,
                           std::array<std::size_t, 2> rows) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t row = rows[0]; row <= rows[1]; ++row) {
        const std::uint32_t* cells = plane.counts.data() + row * plane.x.count();
        sum = std::accumulate(cells + columns[0], cells + columns[1] + 1, sum);
    }
    return sum;
}

PlaneAxis PlaneAxis::of(AttributeId attribute, const Bins& bins) {
    return {attribute,
            {bins.edges.front(), bins.edges.back(), bins.scale == BinScale::log},
            attributeInfo(attribute).integral,
            bins.lastClosed};
}

PlaneAxis PlaneAxis::of(const AttributeColumn& column, const Bins& bins) {
    PlaneAxis axis = of(column.id, bins);
    axis.integral = isIntegral(column);
    return axis;
}

double PlaneAxis::placeOf(double value) const noexcept {
    return integral ? (values.placeOf(value) + values.placeOf(value + 1)) / 2 : values.placeOf(value);
}

std::uint64_t countMeetingBoth(const AttributeColumn& columnX, const Criterion& x, const AttributeColumn& columnY,
                               const Criterion& y, const JobControl& control) {
    requireSameTree(columnX, columnY);
    return std::visit(
        [&]<class X, class Y>(const Buffer<X>& valuesX, const Buffer<Y>& valuesY) {
            const CriterionBounds<X> boundsX = boundsOf<X>(x);
            const CriterionBounds<Y> boundsY = boundsOf<Y>(y);
            if (boundsX.empty || boundsY.empty) {
                return std::uint64_t{0};
            }
            return tbb::parallel_reduce(
                tbb::blocked_range<std::size_t>(0, valuesX.size(), kNodesPerTask), std::uint64_t{0},
                [&](const auto& nodes, std::uint64_t count) {
                    control.throwIfStopped();
                    for (std::size_t i = nodes.begin(); i != nodes.end(); ++i) {
                        const bool meets = valuesX[i] >= boundsX.minimum && valuesX[i] <= boundsX.maximum &&
                                           valuesY[i] >= boundsY.minimum && valuesY[i] <= boundsY.maximum;
                        count += meets ? 1U : 0U;
                    }
                    return count;
                },
                std::plus<>());
        },
        columnX.values, columnY.values);
}

namespace {

constexpr int kCellsAlong = 256;
/// Positions within this distance of a side are tested individually; far above rounding errors.
constexpr double kMargin = 1e-9;

/// Divides the axis into cells of equal length; for integral attributes into cells with at least one integer.
Bins cellsOf(const PlaneAxis& axis) {
    Bins bins;
    bins.scale = axis.values.logarithmic ? BinScale::log : BinScale::linear;
    bins.lastClosed = axis.lastClosed;
    bins.edges.push_back(axis.values.low);
    for (int i = 1; i < kCellsAlong; ++i) {
        double edge = axis.values.valueAt(static_cast<double>(i) / kCellsAlong);
        edge = axis.integral ? std::ceil(edge) : edge;
        if (edge > bins.edges.back() && edge < axis.values.high) {
            bins.edges.push_back(edge);
        }
    }
    bins.edges.push_back(axis.values.high);
    return bins;
}

/// Interval of positions along an axis.
struct Span {
    double low = 0;
    double high = 0;
};

/// Positions that nodes of each cell can have. Neighbours touch or overlap; both ends are non-decreasing.
std::vector<Span> spansOf(const Bins& bins, const PlaneAxis& axis) {
    std::vector<Span> spans(bins.count());
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const double low = bins.edges[i];
        const double high = bins.edges[i + 1];
        Span& span = spans[i];
        span = {axis.values.placeOf(low), axis.values.placeOf(high)};
        if (axis.integral) { // an integer is placed at the centre of its interval
            span.low = std::min(span.low, axis.placeOf(std::ceil(low)));
            span.high = std::max(span.high, axis.placeOf(std::ceil(high) - 1));
        }
        span.low -= kMargin;
        span.high += kMargin;
    }
    return spans;
}

/// The cells [first, last) that overlap an interval of positions.
std::pair<std::size_t, std::size_t> touched(const std::vector<Span>& spans, double low, double high) {
    const auto first = std::partition_point(spans.begin(), spans.end(), [&](const Span& s) { return s.high < low; });
    const auto last = std::partition_point(first, spans.end(), [&](const Span& s) { return s.low <= high; });
    return {static_cast<std::size_t>(first - spans.begin()), static_cast<std::size_t>(last - spans.begin())};
}

enum class CellState : std::uint8_t { outside, inside, onTheLine };

/// State of every cell of a plane with respect to a lasso.
class LassoCells {
public:
    LassoCells(std::vector<Span> x, std::vector<Span> y, const RegionShape& polygon)
        : x_(std::move(x)), y_(std::move(y)), states_(x_.size() * y_.size(), CellState::outside),
          columnTaken_(x_.size(), 0) {
        const std::vector<RegionPoint>& corners = polygon.points;
        for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
            drawSide(corners[j], corners[i]);
        }
        for (std::size_t row = 0; row < y_.size(); ++row) {
            decideRow(row, polygon);
        }
    }

    [[nodiscard]] CellState at(std::uint32_t column, std::uint32_t row) const noexcept {
        return states_[std::size_t{row} * x_.size() + column];
    }
    /// Whether any cell of a column is not outside.
    [[nodiscard]] bool isColumnTaken(std::uint32_t column) const noexcept { return columnTaken_[column] != 0; }

private:
    void drawSide(RegionPoint a, RegionPoint b) {
        if (a.x > b.x) {
            std::swap(a, b);
        }
        const auto [first, last] = touched(x_, a.x, b.x);
        for (std::size_t column = first; column < last; ++column) {
            const auto heightAt = [&](double place) {
                const double x = std::clamp(place, a.x, b.x);
                return b.x > a.x ? a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y) : a.y;
            };
            double low = b.x > a.x ? heightAt(x_[column].low) : a.y;
            double high = b.x > a.x ? heightAt(x_[column].high) : b.y;
            if (low > high) {
                std::swap(low, high);
            }
            const auto [from, to] = touched(y_, low - kMargin, high + kMargin);
            for (std::size_t row = from; row < to; ++row) {
                states_[row * x_.size() + column] = CellState::onTheLine;
            }
            if (from < to) {
                columnTaken_[column] = 1;
            }
        }
    }

    /// Adjacent cells of a row that no side crosses share their state.
    void decideRow(std::size_t row, const RegionShape& polygon) {
        const std::span<CellState> cells(states_.data() + row * x_.size(), x_.size());
        bool known = false;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            if (cells[column] == CellState::onTheLine) {
                known = false;
                continue;
            }
            if (known) {
                cells[column] = cells[column - 1];
            } else {
                const RegionPoint middle{(x_[column].low + x_[column].high) / 2, (y_[row].low + y_[row].high) / 2};
                cells[column] = contains(polygon, middle) ? CellState::inside : CellState::outside;
                known = true;
            }
            if (cells[column] == CellState::inside) {
                columnTaken_[column] = 1;
            }
        }
    }

    std::vector<Span> x_;
    std::vector<Span> y_;
    std::vector<CellState> states_; ///< row-major
    std::vector<std::uint8_t> columnTaken_;
};

} // namespace

std::vector<std::uint32_t> nodesInPolygon(const AttributeColumn& columnX, const PlaneAxis& axisX,
                                          const AttributeColumn& columnY, const PlaneAxis& axisY,
                                          const std::vector<RegionPoint>& polygon, const JobControl& control) {
    requireSameTree(columnX, columnY);
    if (polygon.size() < 3) {
        return {};
    }
    const RegionShape shape{RegionShape::Kind::polygon, polygon};
    const Bins binsX = cellsOf(axisX);
    const Bins binsY = cellsOf(axisY);
    const LassoCells cells(spansOf(binsX, axisX), spansOf(binsY, axisY), shape);
    std::vector<std::vector<std::uint32_t>> parts((columnX.size() + kNodesPerTask - 1) / kNodesPerTask);
    std::visit(
        [&]<class X, class Y>(const Buffer<X>& valuesX, const Buffer<Y>& valuesY) {
            const TabledFinder<X> findX(binsX, valuesX.size());
            const TabledFinder<Y> findY(binsY, valuesY.size());
            const auto isIn = [&](std::size_t node) {
                const std::uint32_t column = findX(valuesX[node]);
                if (column >= binsX.count() || !cells.isColumnTaken(column)) {
                    return false;
                }
                const std::uint32_t row = findY(valuesY[node]);
                if (row >= binsY.count()) {
                    return false;
                }
                const CellState state = cells.at(column, row);
                return state == CellState::inside ||
                       (state == CellState::onTheLine &&
                        contains(shape, {axisX.placeOf(static_cast<double>(valuesX[node])),
                                         axisY.placeOf(static_cast<double>(valuesY[node]))}));
            };
            tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t part) {
                control.throwIfStopped();
                const std::size_t end = std::min(valuesX.size(), (part + 1) * kNodesPerTask);
                for (std::size_t node = part * kNodesPerTask; node != end; ++node) {
                    if (isIn(node)) {
                        parts[part].push_back(static_cast<std::uint32_t>(node));
                    }
                }
            });
        },
        columnX.values, columnY.values);
    std::vector<std::uint32_t> nodes;
    for (const std::vector<std::uint32_t>& part : parts) {
        nodes.insert(nodes.end(), part.begin(), part.end());
    }
    return nodes;
}

} // namespace pollard
