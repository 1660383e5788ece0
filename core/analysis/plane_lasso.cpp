#include "analysis/attribute_plane.hpp"
#include "analysis/plane_bins.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace pollard {

namespace {

constexpr std::size_t kNodesPerTask = std::size_t{1} << 15;
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
