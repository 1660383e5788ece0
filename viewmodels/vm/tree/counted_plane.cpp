#include "vm/tree/counted_plane.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"

#include "analysis/bins.hpp"
#include "attributes/grey_values.hpp"

#include <QCoreApplication>

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

QString rangeText(const PlaneAxis& axis, const PlaneRange& range, const std::optional<ValueMapping>& mapping) {
    const AttributeInfo& info = attributeInfo(axis.attribute);
    const auto text = [&](double number) { return shortValue(columnValue(axis.attribute, number, mapping)); };
    const QString low = text(range.low);
    const QString high = text(range.high);
    const QString values = low == high ? low : countedPlaneText("%1 to %2").arg(low, high);
    return withUnit(QStringLiteral("%1 %2").arg(fromUtf8(info.name), values), columnUnitText(axis.attribute, mapping));
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

constexpr std::size_t kMostRemembered = 256; ///< rectangles; a drag makes one per movement

/// The row of a criterion on an attribute: one that is on, else one without bounds, else a new one.
int demand(CriteriaModel::State& state, const Criterion& criterion) {
    const auto row = [&](const auto& fits) {
        return std::ranges::find_if(state.entries,
                                    [&](const CriterionEntry& entry) { return entry.enabled && fits(entry); });
    };
    auto found = row([&](const CriterionEntry& entry) { return entry.attribute == criterion.attribute; });
    if (found == state.entries.end()) {
        found = row([](const CriterionEntry& entry) { return entry.bounds() == ChosenBounds{}; });
    }
    if (found == state.entries.end()) {
        found = state.entries.insert(found, CriterionEntry{});
    }
    found->take(criterion);
    return static_cast<int>(found - state.entries.begin());
}

/// Adds criteria for the values below and above a range.
void addOutside(std::vector<CriterionEntry>& entries, const AttributeColumn& column, const PlaneRange& range,
                const std::optional<ValueMapping>& mapping) {
    const bool integral = attributeInfo(column.id).integral && !(mapping && isColumnInValues(column.id, *mapping));
    const Criterion ends = inValues({column.id, range.low, range.high}, mapping);
    const auto add = [&](double low, double high) {
        CriterionEntry entry;
        entry.take({column.id, low, high, LengthUnit::pixel, {}});
        entries.push_back(std::move(entry));
    };
    if (range.low > column.minimum) {
        add(-kInfinity,
            integral ? columnValue(column.id, range.low - 1, mapping) : std::nextafter(ends.minimum, -kInfinity));
    }
    if (range.high < column.maximum) {
        add(integral ? columnValue(column.id, range.high + 1, mapping) : std::nextafter(ends.maximum, kInfinity),
            kInfinity);
    }
}

} // namespace

CountedPlane::CountedPlane(const PlaneRequest& request, const AttributePlane& counts,
                           const std::optional<ValueMapping>& ofLevels)
    : plane(counts), x(PlaneAxis::of(request.x->id, counts.x)), y(PlaneAxis::of(request.y->id, counts.y)),
      columns(columnSums(counts)), rows(rowSums(counts)), largest(std::ranges::max(counts.counts)), valuesX(request.x),
      valuesY(request.y), mapping(ofLevels) {}

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
    return countedPlaneText("%1, %2").arg(rangeText(x, rectangle.x, mapping), rangeText(y, rectangle.y, mapping));
}

QString CountedPlane::readout(const QPointF& place) const {
    if (!QRectF(0, 0, 1, 1).contains(place)) {
        return {};
    }
    const PlaneCells cell = cellsAt(QRectF(place, place));
    const PlaneRectangle values = rectangleOf(cell);
    return countedPlaneText("%1, %2: %3")
        .arg(rangeText(x, values.x, mapping), rangeText(y, values.y, mapping), componentsText(nodesIn(cell)));
}

QString componentsText(std::uint64_t nodes) {
    return nodes == 1 ? countedPlaneText("1 component") : countedPlaneText("%1 components").arg(countText(nodes));
}

const PlaneCriteria::State& PlaneCriteria::apply(const PlaneRectangle& rectangle, bool inverse,
                                                 const AttributeColumn& x, const AttributeColumn& y,
                                                 const std::optional<ValueMapping>& mapping) {
    State state = before_;
    rowX_ = rowY_ = -1;
    if (inverse) {
        state = {{}, 0, Match::any};
        addOutside(state.entries, x, rectangle.x, mapping);
        addOutside(state.entries, y, rectangle.y, mapping);
        if (state.entries.empty()) {
            state.entries.emplace_back();
        }
    } else {
        if (state.match == Match::any && state.entries.size() > 1) {
            state = {{}, 0, Match::all};
        }
        state.match = Match::all;
        rowX_ = demand(state, inValues({x.id, rectangle.x.low, rectangle.x.high}, mapping));
        rowY_ = demand(state, inValues({y.id, rectangle.y.low, rectangle.y.high}, mapping));
    }
    applied_ = std::move(state);
    std::erase_if(remembered_, [this](const Remembered& each) { return each.applied == applied_; });
    if (remembered_.size() >= kMostRemembered) {
        remembered_.pop_front();
    }
    remembered_.push_back({applied_, before_, rectangle, x.id, y.id, rowX_, rowY_, inverse});
    return applied_;
}

bool PlaneCriteria::follow(const State& present) {
    State probe = present;
    probe.current = applied_.current;
    const bool sides = rowX_ >= 0 && probe.entries.size() == applied_.entries.size();
    for (const int row : {rowX_, rowY_}) {
        if (sides) {
            CriterionEntry& entry = probe.entries[static_cast<std::size_t>(row)];
            entry.chosen = applied_.entries[static_cast<std::size_t>(row)].chosen;
        }
    }
    if (probe != applied_) {
        return false;
    }
    applied_ = present;
    return true;
}

std::optional<PlaneCriteria::Found> PlaneCriteria::recall(const State& present, AttributeId x, AttributeId y) {
    const auto found = std::find_if(remembered_.rbegin(), remembered_.rend(), [&](const Remembered& each) {
        State probe = present;
        probe.current = each.applied.current; // the selected row does not matter
        return each.x == x && each.y == y && probe == each.applied;
    });
    if (found == remembered_.rend()) {
        return std::nullopt;
    }
    before_ = found->before;
    applied_ = present;
    rowX_ = found->rowX;
    rowY_ = found->rowY;
    return Found{found->rectangle, found->inverse};
}

PlaneRectangle PlaneCriteria::rectangleIn(const CriteriaModel& criteria, const PlaneRectangle& latest) const {
    if (rowX_ < 0) {
        return latest;
    }
    const auto range = [&](int row, const PlaneRange& present) {
        const Criterion criterion = criteria.criterion(row);
        const AttributeDomain domain = criteria.domainOf(criterion.attribute);
        if (!domain.known) {
            return PlaneRange{std::isfinite(criterion.minimum) ? criterion.minimum : present.low,
                              std::isfinite(criterion.maximum) ? criterion.maximum : present.high};
        }
        return PlaneRange{std::max(criterion.minimum, domain.values.minimum),
                          std::min(criterion.maximum, domain.values.maximum)};
    };
    return {range(rowX_, latest.x), range(rowY_, latest.y)};
}

} // namespace pollard::vm
