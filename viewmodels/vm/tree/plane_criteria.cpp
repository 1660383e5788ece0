#include "vm/tree/plane_criteria.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace pollard::vm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
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
void addOutside(std::vector<CriterionEntry>& entries, const AttributeColumn& column, const PlaneRange& range) {
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

const PlaneCriteria::State& PlaneCriteria::apply(const PlaneRectangle& rectangle, bool inverse,
                                                 const AttributeColumn& x, const AttributeColumn& y) {
    State state = before_;
    rowX_ = rowY_ = -1;
    if (inverse) {
        state = {{}, 0, Match::any};
        addOutside(state.entries, x, rectangle.x);
        addOutside(state.entries, y, rectangle.y);
        if (state.entries.empty()) {
            state.entries.emplace_back();
        }
    } else {
        if (state.match == Match::any && state.entries.size() > 1) {
            state = {{}, 0, Match::all};
        }
        state.match = Match::all;
        rowX_ = demand(state, {x.id, rectangle.x.low, rectangle.x.high});
        rowY_ = demand(state, {y.id, rectangle.y.low, rectangle.y.high});
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
            const ChosenBounds bounds = criteria.entry(row).bounds();
            return PlaneRange{bounds.minimum.value_or(present.low), bounds.maximum.value_or(present.high)};
        }
        return PlaneRange{std::max(criterion.minimum, domain.values.minimum),
                          std::min(criterion.maximum, domain.values.maximum)};
    };
    return {range(rowX_, latest.x), range(rowY_, latest.y)};
}

} // namespace pollard::vm
