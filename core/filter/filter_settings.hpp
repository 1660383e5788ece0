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

/// Bounds chosen by the user; empty where there is none.
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

/// One criterion of a list: its attribute, and the bounds chosen for every attribute it has had, so that trying another
/// attribute loses none.
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

/// A list of criteria, on and off.
struct CriterionList {
    std::vector<CriterionEntry> entries{CriterionEntry{}}; ///< at least one
    int current = 0;                                       ///< index of the one that is edited
    Match match = Match::all;

    /// Whether both are equal apart from the edited one.
    [[nodiscard]] bool demandsAs(const CriterionList& other) const {
        return entries == other.entries && match == other.match;
    }

    bool operator==(const CriterionList&) const = default;
};

/// A component that was picked by hand.
struct FilterPick {
    /// Effect on a component.
    enum class Fate {
        removed, ///< removed with its descendants
        kept,    ///< kept regardless of the criteria
        only,    ///< everything outside such components is removed
    };
    std::uint32_t canonical = 0; ///< pixel, y * width + x
    Fate fate = Fate::removed;

    bool operator==(const FilterPick&) const = default;
};

/// All settings of a filter, including those without an effect at present.
struct FilterSettings {
    CriterionList criteria;
    std::vector<FilterPick> picks; ///< in order of creation
    bool prominentOnly = false;
    Prominent prominent{Prominence::dynamics, 20};
    Rule rule = Rule::direct;
    Output output = Output::filtered;
    bool enabled = true;

    bool operator==(const FilterSettings&) const = default;
};

} // namespace pollard
