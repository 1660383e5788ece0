// AttributePlaneViewModel: conversion of a rectangle of bins to criteria and back.
#include "vm/tree/attribute_plane_view_model.hpp"

#include "vm/filter/filter_view_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

using Range = AttributePlaneViewModel::Range;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostRemembered = 256; ///< rectangles; a drag makes one per movement

/// Range of values of the bins first..last.
Range valuesOf(const Bins& bins, bool integral, std::array<int, 2> cells) {
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
void addOutside(std::vector<CriterionEntry>& entries, const AttributeColumn& column, const Range& range) {
    const bool integral = attributeInfo(column.id).integral;
    const auto add = [&](double low, double high) {
        CriterionEntry entry;
        entry.take({column.id, low, high});
        entries.push_back(std::move(entry));
    };
    if (range.low > column.minimum) {
        add(-kInfinity, integral ? range.low - 1 : std::nextafter(range.low, -kInfinity));
    }
    if (range.high < column.maximum) {
        add(integral ? range.high + 1 : std::nextafter(range.high, kInfinity), kInfinity);
    }
}

} // namespace

AttributePlaneViewModel::Cells AttributePlaneViewModel::cellsOf(const QRectF& places) const {
    const auto bin = [](const Bins& bins, const PlaneAxis& axis, double place) {
        return binNear(bins, axis.values.valueAt(place));
    };
    const AttributePlane& plane = counted_->plane;
    return {{bin(plane.x, counted_->x, places.left()), bin(plane.x, counted_->x, places.right())},
            {bin(plane.y, counted_->y, places.top()), bin(plane.y, counted_->y, places.bottom())}};
}

AttributePlaneViewModel::Cells AttributePlaneViewModel::cellsOf(const Rectangle& rectangle) const {
    const AttributePlane& plane = counted_->plane;
    return {{binNear(plane.x, rectangle.x.low), binNear(plane.x, rectangle.x.high)},
            {binNear(plane.y, rectangle.y.low), binNear(plane.y, rectangle.y.high)}};
}

AttributePlaneViewModel::Rectangle AttributePlaneViewModel::rectangleOf(const Cells& cells) const {
    return {valuesOf(counted_->plane.x, counted_->x.integral, cells.x),
            valuesOf(counted_->plane.y, counted_->y.integral, cells.y)};
}

void AttributePlaneViewModel::brush(const QRectF& places) {
    if (counted_) {
        take(cellsOf(places.normalized()));
    }
}

void AttributePlaneViewModel::reshape(const QRectF& places) {
    if (counted_ && rectangle_) {
        const AttributePlane& plane = counted_->plane;
        take({binsBetween(plane.x, counted_->x, places.left(), places.right()),
              binsBetween(plane.y, counted_->y, places.top(), places.bottom())});
    }
}

void AttributePlaneViewModel::moveBy(int columns, int rows) {
    if (!counted_ || !rectangle_) {
        return;
    }
    Cells cells = cellsOf(*rectangle_);
    shift(cells.x, columns, counted_->plane.x.count());
    shift(cells.y, rows, counted_->plane.y.count());
    take(cells);
}

void AttributePlaneViewModel::resizeBy(int columns, int rows) {
    if (!counted_ || !rectangle_) {
        return;
    }
    Cells cells = cellsOf(*rectangle_);
    cells.x[1] = std::clamp(cells.x[1] + columns, cells.x[0], static_cast<int>(counted_->plane.x.count()) - 1);
    cells.y[1] = std::clamp(cells.y[1] + rows, cells.y[0], static_cast<int>(counted_->plane.y.count()) - 1);
    take(cells);
}

void AttributePlaneViewModel::take(const Cells& cells) {
    const Rectangle wanted = rectangleOf(cells);
    if (wanted == rectangle_) {
        return;
    }
    if (!rectangle_) {
        before_ = filter_.criteria().state();
    }
    rectangle_ = wanted;
    countInside();
    applyRectangle();
    emit rectangleChanged();
}

void AttributePlaneViewModel::applyRectangle() {
    CriteriaModel::State state = before_;
    rowX_ = rowY_ = -1;
    if (inverse_) {
        state = {{}, 0, Match::any};
        addOutside(state.entries, *counted_->valuesX, rectangle_->x);
        addOutside(state.entries, *counted_->valuesY, rectangle_->y);
        if (state.entries.empty()) {
            state.entries.emplace_back();
        }
    } else {
        if (state.match == Match::any && state.entries.size() > 1) {
            state = {{}, 0, Match::all};
        }
        state.match = Match::all;
        rowX_ = demand(state, {attribute(Side::x), rectangle_->x.low, rectangle_->x.high});
        rowY_ = demand(state, {attribute(Side::y), rectangle_->y.low, rectangle_->y.high});
    }
    setCriteria(state);
    remember();
}

void AttributePlaneViewModel::remember() {
    std::erase_if(remembered_, [this](const Remembered& each) { return each.applied == applied_; });
    if (remembered_.size() >= kMostRemembered) {
        remembered_.pop_front();
    }
    remembered_.push_back(
        {applied_, before_, *rectangle_, attribute(Side::x), attribute(Side::y), rowX_, rowY_, inverse_});
}

bool AttributePlaneViewModel::recall(const CriteriaModel::State& criteria) {
    const auto found = std::find_if(remembered_.rbegin(), remembered_.rend(), [&](const Remembered& each) {
        CriteriaModel::State probe = criteria;
        probe.current = each.applied.current; // the selected row does not matter
        return each.x == attribute(Side::x) && each.y == attribute(Side::y) && probe == each.applied;
    });
    if (found == remembered_.rend()) {
        return false;
    }
    before_ = found->before;
    applied_ = criteria;
    rowX_ = found->rowX;
    rowY_ = found->rowY;
    const bool turned = std::exchange(inverse_, found->inverse) != found->inverse;
    rectangle_ = found->rectangle;
    rectangle_ = demanded();
    countInside();
    if (turned) {
        emit inverseChanged();
    }
    emit rectangleChanged();
    return true;
}

AttributePlaneViewModel::Rectangle AttributePlaneViewModel::demanded() const {
    const CriteriaModel& criteria = filter_.criteria();
    if (rowX_ < 0) {
        return *rectangle_; // the criteria select the outside
    }
    const auto range = [&](int row, const Range& present) {
        const Criterion criterion = criteria.criterion(row);
        const AttributeDomain domain = criteria.domainOf(criterion.attribute);
        if (!domain.known) {
            const ChosenBounds bounds = criteria.entry(row).bounds();
            return Range{bounds.minimum.value_or(present.low), bounds.maximum.value_or(present.high)};
        }
        return Range{std::max(criterion.minimum, domain.values.minimum),
                     std::min(criterion.maximum, domain.values.maximum)};
    };
    return {range(rowX_, rectangle_->x), range(rowY_, rectangle_->y)};
}

void AttributePlaneViewModel::setCriteria(const CriteriaModel::State& state) {
    applied_ = state;
    applying_ = true;
    filter_.criteria().setState(state);
    filter_.setEnabled(true);
    applying_ = false;
}

void AttributePlaneViewModel::clear() {
    if (!rectangle_) {
        return;
    }
    rectangle_.reset();
    inside_.reset();
    setCriteria(before_);
    emit rectangleChanged();
}

void AttributePlaneViewModel::letGo() {
    if (rectangle_) {
        rectangle_.reset();
        inside_.reset();
        emit rectangleChanged();
    }
}

void AttributePlaneViewModel::onCriteria() {
    if (applying_) {
        return;
    }
    const CriteriaModel& criteria = filter_.criteria();
    const CriteriaModel::State present = criteria.state();
    if (!rectangle_) {
        (void)recall(present);
        return;
    }
    // The selected row does not matter, and bounds changed elsewhere move the rectangle.
    CriteriaModel::State probe = present;
    probe.current = applied_.current;
    const bool sides = rowX_ >= 0 && probe.entries.size() == applied_.entries.size();
    for (const int row : {rowX_, rowY_}) {
        if (sides) {
            CriterionEntry& entry = probe.entries[static_cast<std::size_t>(row)];
            entry.chosen = applied_.entries[static_cast<std::size_t>(row)].chosen;
        }
    }
    if (probe != applied_) {
        if (!recall(present)) {
            letGo();
        }
        return;
    }
    applied_ = present;
    // So does another tree: bounds are clamped to the values of its nodes.
    if (const Rectangle wanted = demanded(); wanted != rectangle_) {
        rectangle_ = wanted;
        countInside();
        emit rectangleChanged();
    }
}

} // namespace pollard::vm
