#include "vm/tree/counted_plane.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"

#include "analysis/bins.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

QString countedPlaneText(const char* source) { return QCoreApplication::translate("CountedPlane", source); }

/// Places of the ends of a range on an axis.
std::pair<double, double> endsOf(const PlaneAxis& axis, const PlaneRange& range) {
    const auto place = [&](double value) {
        return std::clamp(axis.values.placeOf(std::max(value, axis.values.low)), 0.0, 1.0);
    };
    return {place(range.low), place(axis.integral ? range.high + 1 : range.high)};
}

QString rangeText(const PlaneAxis& axis, const PlaneRange& range) {
    const AttributeInfo& info = describedAttribute(axis.attribute);
    const QString low = shortValue(range.low);
    const QString high = shortValue(range.high);
    const QString values = low == high ? low : countedPlaneText("%1 to %2").arg(low, high);
    const QString named = QStringLiteral("%1 %2").arg(fromUtf8(info.name), values);
    return info.unit.empty() ? named : QStringLiteral("%1 %2").arg(named, fromUtf8(info.unit));
}

/// Range of values of the bins first..last.
PlaneRange valuesOf(const Bins& bins, bool integral, std::array<int, 2> cells) {
    const double low = bins.edges[static_cast<std::size_t>(cells[0])];
    const auto end = static_cast<std::size_t>(cells[1]) + 1;
    const double high = bins.edges[end];
    if (integral) {
        return {std::ceil(low), std::ceil(high) - 1};
    }
    return {low, end == bins.count() && bins.lastClosed ? high : std::nextafter(high, -kInfinity)};
}

/// The bin of a value, or the nearest one.
int binNear(const Bins& bins, double value) {
    const std::uint32_t bin = BinFinder(bins)(value);
    const int last = static_cast<int>(bins.count()) - 1;
    return bin == kAboveBins ? last : bin >= kNanBin ? 0 : static_cast<int>(bin);
}

/// The bins between the edges nearest to the two places; at least one.
std::array<int, 2> binsBetween(const Bins& bins, const PlaneAxis& axis, double low, double high) {
    const auto nearestEdge = [&](double place) {
        const int bin = binNear(bins, axis.values.valueAt(place));
        const auto placeOf = [&](int edge) { return axis.values.placeOf(bins.edges[static_cast<std::size_t>(edge)]); };
        return 2 * place < placeOf(bin) + placeOf(bin + 1) ? bin : bin + 1;
    };
    const int first = std::min(nearestEdge(low), static_cast<int>(bins.count()) - 1);
    return {first, std::max(first, nearestEdge(high) - 1)};
}

/// First and last bin after @p move bins, within the axis.
void shift(std::array<int, 2>& cells, int move, std::size_t bins) {
    const int step = std::clamp(move, -cells[0], static_cast<int>(bins) - 1 - cells[1]);
    cells = {cells[0] + step, cells[1] + step};
}

} // namespace

CountedPlane::CountedPlane(const PlaneRequest& request, const AttributePlane& counts)
    : plane(counts), x(PlaneAxis::of(request.x->id, counts.x)), y(PlaneAxis::of(request.y->id, counts.y)),
      columns(columnSums(counts)), rows(rowSums(counts)), largest(std::ranges::max(counts.counts)), valuesX(request.x),
      valuesY(request.y) {}

PlaneCells CountedPlane::cellsAt(const QRectF& places) const {
    const auto bin = [](const Bins& bins, const PlaneAxis& axis, double place) {
        return binNear(bins, axis.values.valueAt(place));
    };
    return {{bin(plane.x, x, places.left()), bin(plane.x, x, places.right())},
            {bin(plane.y, y, places.top()), bin(plane.y, y, places.bottom())}};
}

PlaneCells CountedPlane::cellsBetween(const QRectF& places) const {
    return {binsBetween(plane.x, x, places.left(), places.right()),
            binsBetween(plane.y, y, places.top(), places.bottom())};
}

PlaneCells CountedPlane::cellsOf(const PlaneRectangle& rectangle) const {
    return {{binNear(plane.x, rectangle.x.low), binNear(plane.x, rectangle.x.high)},
            {binNear(plane.y, rectangle.y.low), binNear(plane.y, rectangle.y.high)}};
}

PlaneRectangle CountedPlane::rectangleOf(const PlaneCells& cells) const {
    return {valuesOf(plane.x, x.integral, cells.x), valuesOf(plane.y, y.integral, cells.y)};
}

PlaneCells CountedPlane::moved(PlaneCells cells, int right, int up) const {
    shift(cells.x, right, plane.x.count());
    shift(cells.y, up, plane.y.count());
    return cells;
}

PlaneCells CountedPlane::resized(PlaneCells cells, int right, int up) const {
    cells.x[1] = std::clamp(cells.x[1] + right, cells.x[0], static_cast<int>(plane.x.count()) - 1);
    cells.y[1] = std::clamp(cells.y[1] + up, cells.y[0], static_cast<int>(plane.y.count()) - 1);
    return cells;
}

QRectF CountedPlane::placesOf(const PlaneRectangle& rectangle) const {
    const auto [left, right] = endsOf(x, rectangle.x);
    const auto [low, high] = endsOf(y, rectangle.y);
    return {QPointF(left, low), QPointF(right, high)};
}

std::optional<QPointF> CountedPlane::placeOf(std::uint32_t node) const {
    if (node >= valuesX->size() || !x.holds(valuesX->at(node)) || !y.holds(valuesY->at(node))) {
        return std::nullopt;
    }
    return QPointF(x.placeOf(valuesX->at(node)), y.placeOf(valuesY->at(node)));
}

std::uint64_t CountedPlane::nodesIn(const PlaneCells& cells) const {
    const auto ends = [](const std::array<int, 2>& bins) {
        return std::array{static_cast<std::size_t>(bins[0]), static_cast<std::size_t>(bins[1])};
    };
    return nodesInCells(plane, ends(cells.x), ends(cells.y));
}

std::vector<std::uint8_t> CountedPlane::marked(const NodeSet& nodes) const {
    const BinFinder binX(plane.x);
    const BinFinder binY(plane.y);
    std::vector<std::uint8_t> cells(plane.counts.size(), 0);
    for (const std::uint32_t node : nodes) {
        if (node >= valuesX->size()) {
            break; // they are of a newer tree, whose plane follows
        }
        const std::uint32_t column = binX(valuesX->at(node));
        const std::uint32_t row = binY(valuesY->at(node));
        if (column < plane.x.count() && row < plane.y.count()) {
            cells[row * plane.x.count() + column] = 1;
        }
    }
    return cells;
}

QString CountedPlane::textOf(const PlaneRectangle& rectangle) const {
    return countedPlaneText("%1, %2").arg(rangeText(x, rectangle.x), rangeText(y, rectangle.y));
}

QString CountedPlane::readout(const QPointF& place) const {
    if (!QRectF(0, 0, 1, 1).contains(place)) {
        return {};
    }
    const PlaneCells cell = cellsAt(QRectF(place, place));
    const PlaneRectangle values = rectangleOf(cell);
    return countedPlaneText("%1, %2: %3")
        .arg(rangeText(x, values.x), rangeText(y, values.y), componentsText(nodesIn(cell)));
}

QString componentsText(std::uint64_t nodes) {
    return nodes == 1 ? countedPlaneText("1 component")
                      : countedPlaneText("%1 components").arg(QLocale().toString(static_cast<qulonglong>(nodes)));
}

} // namespace pollard::vm
