#pragma once

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"
#include "image/length_unit.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pollard {

/// Bounds chosen by the user; an empty bound is unlimited.
struct ChosenBounds {
    std::optional<double> minimum;
    std::optional<double> maximum;
    LengthUnit unit = LengthUnit::pixel; ///< of both, see Criterion::unit
    std::string grey = {};               ///< of both, see Criterion::grey
    bool cubed = false;                  ///< of both, see Criterion::cubed

    /// Whether there is no bound, in any unit.
    [[nodiscard]] bool isEmpty() const noexcept { return !minimum && !maximum; }

    bool operator==(const ChosenBounds&) const = default;
};

/// One criterion of a list: its attribute, and the bounds chosen for every earlier attribute, so that trying another
/// attribute loses no bounds.
struct CriterionEntry {
    AttributeId attribute = AttributeId::area;
    std::map<AttributeId, ChosenBounds> chosen;
    bool enabled = true;

    [[nodiscard]] ChosenBounds bounds() const {
        const auto found = chosen.find(attribute);
        return found == chosen.end() ? ChosenBounds{} : found->second;
    }
    /// The bounds of a criterion; infinite ones become empty.
    void take(const Criterion& criterion) {
        const auto finite = [](double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; };
        attribute = criterion.attribute;
        chosen[attribute] = {finite(criterion.minimum), finite(criterion.maximum), criterion.unit, criterion.grey,
                             criterion.cubed};
    }

    bool operator==(const CriterionEntry&) const = default;
};

/// A list of criteria that can be switched on and off.
struct CriterionList {
    std::vector<CriterionEntry> entries{CriterionEntry{}}; ///< at least one
    int current = 0;                                       ///< index of the edited criterion
    Match match = Match::all;

    /// Whether both lists are equal apart from the index of the edited criterion.
    [[nodiscard]] bool isEquivalentTo(const CriterionList& other) const {
        return entries == other.entries && match == other.match;
    }

    bool operator==(const CriterionList&) const = default;
};

/// A component that was picked by hand.
struct FilterPick {
    /// Effect on a component.
    enum class PickEffect {
        removed, ///< removed with its descendants
        kept,    ///< kept regardless of the criteria
        only,    ///< everything outside such components is removed
    };
    std::uint32_t canonical = 0; ///< pixel, y * width + x
    PickEffect effect = PickEffect::removed;

    bool operator==(const FilterPick&) const = default;
};

/// All settings of a filter, including settings that have no effect at present.
struct FilterSettings {
    CriterionList criteria;
    std::vector<FilterPick> picks; ///< in order of creation
    bool prominentOnly = false;
    Prominent prominent{Prominence::dynamics, 20};
    Rule rule = Rule::direct;
    Output output = Output::filtered;
    bool enabled = true;
    Forest forest; ///< empty: none

    bool operator==(const FilterSettings&) const = default;
};

} // namespace pollard
