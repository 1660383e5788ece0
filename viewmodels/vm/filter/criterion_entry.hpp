#pragma once

#include "vm/base/value_domain.hpp"

#include "attributes/attribute.hpp"
#include "filter/filter_spec.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <map>
#include <optional>

namespace pollard::vm {

/// Bounds as a person chose them; none where there is no bound.
struct ChosenBounds {
    std::optional<double> minimum;
    std::optional<double> maximum;
    LengthUnit unit = LengthUnit::pixel; ///< of both, see Criterion::unit

    /// Whether there is no bound, whatever the unit.
    [[nodiscard]] bool isEmpty() const noexcept { return !minimum && !maximum; }

    bool operator==(const ChosenBounds&) const = default;
};

/// What an attribute takes over the nodes of the present tree.
struct AttributeDomain {
    ValueDomain values;
    bool known = false; ///< false: there is no tree, or it is not measured; `values` is then a single point

    bool operator==(const AttributeDomain&) const = default;

    /// Of a measured attribute; not known if @p column is null.
    [[nodiscard]] static AttributeDomain of(AttributeId id, const AttributeColumn* column);
};

/// One criterion of a list: the attribute it is about, and the numbers that were chosen for every attribute it was
/// about before, so that none are lost by looking at another one.
struct CriterionEntry {
    AttributeId attribute = AttributeId::area;
    std::map<AttributeId, ChosenBounds> chosen;
    bool enabled = true;

    [[nodiscard]] ChosenBounds bounds() const;
    /// The bounds of a criterion, infinite ones being none.
    void take(const Criterion& criterion);

    bool operator==(const CriterionEntry&) const = default;
};

/// A bound as it is shown: within the domain where that is known, at its end where there is no bound.
[[nodiscard]] double shownMinimum(const ChosenBounds& bounds, const AttributeDomain& domain) noexcept;
[[nodiscard]] double shownMaximum(const ChosenBounds& bounds, const AttributeDomain& domain) noexcept;

/// The bounds in pixels of this size; nothing if they have no meaning for it, see unitProblem().
[[nodiscard]] std::optional<ChosenBounds> pixelBounds(AttributeId attribute, const ChosenBounds& bounds,
                                                      const std::optional<PixelSize>& size);

/// The demand of the entry on the nodes of the present tree, in pixels of this size: as it is shown, infinite where a
/// bound stands at the end of the domain, and where the bounds have no meaning for the picture.
[[nodiscard]] Criterion effectiveCriterion(const CriterionEntry& entry, const AttributeDomain& domain,
                                           const std::optional<PixelSize>& size = {});

/// The demand of the entry for the filter and for recipes: bounds in a unit as they were chosen, others as
/// effectiveCriterion() has them.
[[nodiscard]] Criterion statedCriterion(const CriterionEntry& entry, const AttributeDomain& domain);

/// Whether it removes anything at all.
[[nodiscard]] bool isBounded(const Criterion& criterion) noexcept;

/// "area >= 100", "10 <= area <= 100", "area > 15 µm²"; "any area" without a bound.
[[nodiscard]] QString criterionText(const Criterion& criterion);

} // namespace pollard::vm
