#pragma once

#include "vm/filter/filter_view_model.hpp"

#include "filter/filter_spec.hpp"

#include <cstdint>
#include <vector>

namespace pollard::vm {

/// Criteria that are all on; one without bounds if there are none.
[[nodiscard]] CriteriaModel::State criteriaOf(const std::vector<Criterion>& criteria, Match match);
[[nodiscard]] std::vector<PicksModel::Pick> picksOf(const std::vector<std::uint32_t>& removed,
                                                    const std::vector<std::uint32_t>& kept,
                                                    const std::vector<std::uint32_t>& only);

/// The filter of these settings, on any tree.
[[nodiscard]] FilterSpec specOf(const FilterViewModel::State& filter);
/// The same with the criteria of a tree.
[[nodiscard]] FilterSpec specOf(const FilterViewModel::State& filter, std::vector<Criterion> criteria);
/// Settings of a filter that is on.
[[nodiscard]] FilterViewModel::State stateOf(const FilterSpec& spec);

/// Whether a filter may change a picture.
[[nodiscard]] bool mayChange(const FilterSpec& spec);

} // namespace pollard::vm
