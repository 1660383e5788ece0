#include "vm/filter/filter_state.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace pollard::vm {

CriteriaModel::State criteriaOf(const std::vector<Criterion>& criteria, Match match) {
    CriteriaModel::State state{std::vector<CriterionEntry>(std::max<std::size_t>(criteria.size(), 1)), 0, match};
    for (std::size_t i = 0; i < criteria.size(); ++i) {
        state.entries[i].take(criteria[i]);
    }
    return state;
}

std::vector<PicksModel::Pick> picksOf(const std::vector<std::uint32_t>& removed, const std::vector<std::uint32_t>& kept,
                                      const std::vector<std::uint32_t>& only) {
    std::vector<PicksModel::Pick> picks;
    picks.reserve(removed.size() + kept.size() + only.size());
    const auto add = [&](const std::vector<std::uint32_t>& pixels, PicksModel::Fate fate) {
        std::ranges::transform(pixels, std::back_inserter(picks), [fate](std::uint32_t canonical) {
            return PicksModel::Pick{canonical, fate};
        });
    };
    add(removed, PicksModel::Fate::removed);
    add(kept, PicksModel::Fate::kept);
    add(only, PicksModel::Fate::only);
    return picks;
}

FilterSpec specOf(const FilterViewModel::State& filter) {
    return specOf(filter, statedCriteria(filter.criteria.entries, filter.criteria.match,
                                         [](AttributeId) { return AttributeDomain{}; }));
}

FilterSpec specOf(const FilterViewModel::State& filter, std::vector<Criterion> criteria) {
    FilterSpec spec;
    spec.rule = filter.rule;
    spec.output = filter.output;
    if (!filter.enabled) {
        return spec;
    }
    spec.criteria = std::move(criteria);
    // Ignored for a single criterion: specs with the same effect must be equal.
    spec.match = spec.criteria.size() > 1 ? filter.criteria.match : Match::all;
    spec.prominent = filter.prominentOnly ? std::optional(filter.prominent) : std::nullopt;
    for (const PicksModel::Pick& pick : filter.picks) {
        (pick.fate == PicksModel::Fate::removed ? spec.removed
         : pick.fate == PicksModel::Fate::kept  ? spec.kept
                                                : spec.only)
            .push_back(pick.canonical);
    }
    for (std::vector<std::uint32_t>* picks : {&spec.removed, &spec.kept, &spec.only}) {
        std::ranges::sort(*picks);
    }
    return spec;
}

FilterViewModel::State stateOf(const FilterSpec& spec) {
    FilterViewModel::State state;
    state.criteria = criteriaOf(spec.criteria, spec.match);
    state.picks = picksOf(spec.removed, spec.kept, spec.only);
    state.prominentOnly = spec.prominent.has_value();
    state.prominent = spec.prominent.value_or(Prominent{Prominence::dynamics, 20});
    state.rule = spec.rule;
    state.output = spec.output;
    return state;
}

bool mayChange(const FilterSpec& spec) {
    FilterSpec nothing;
    nothing.rule = spec.rule;
    nothing.match = spec.match;
    return spec != nothing;
}

} // namespace pollard::vm
