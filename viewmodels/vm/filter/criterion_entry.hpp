#pragma once

#include "vm/base/value_domain.hpp"

#include "attributes/attribute.hpp"
#include "filter/filter_settings.hpp"
#include "filter/filter_spec.hpp"
#include "filter/filter_units.hpp"
#include "image/value_mapping.hpp"

#include <QString>

#include <functional>
#include <optional>
#include <span>
#include <vector>

class QLocale;

namespace pollard::vm {

/// The range of an attribute over the nodes of the present tree.
struct AttributeDomain {
    ValueDomain values;
    bool known = false; ///< false: there is no tree, or the attribute is not measured; `values` is then a single point

    bool operator==(const AttributeDomain&) const = default;

    /// Of a measured attribute; unknown if @p column is null. In the numbers of the column.
    /// @param mapping of the image, whose columns may be in values, see isColumnInValues()
    [[nodiscard]] static AttributeDomain of(AttributeId id, const AttributeColumn* column,
                                            const std::optional<ValueMapping>& mapping = {});
    /// The same in values of an image, for fields in which numbers are typed.
    [[nodiscard]] ValueDomain inValues(AttributeId id, const std::optional<ValueMapping>& mapping) const;
};

/// The displayed bound: clamped to the domain if known, at its end without a bound.
[[nodiscard]] double shownMinimum(const ChosenBounds& bounds, const AttributeDomain& domain) noexcept;
[[nodiscard]] double shownMaximum(const ChosenBounds& bounds, const AttributeDomain& domain) noexcept;

/// Whether the bounds are numbers of the attribute's column in such an image: in pixels, or in levels that are values.
[[nodiscard]] bool areOfColumn(AttributeId attribute, const ChosenBounds& bounds, const ImageUnits& units);

/// The bounds in numbers of the attribute's column, pixels and levels; empty if they do not apply to such an image,
/// see unitProblem().
[[nodiscard]] std::optional<ChosenBounds> pixelBounds(AttributeId attribute, const ChosenBounds& bounds,
                                                      const ImageUnits& units);

/// A criterion in numbers of the attribute's column, in pixels, as one in values of the image.
[[nodiscard]] Criterion inValues(Criterion ofColumn, const std::optional<ValueMapping>& mapping);

/// The criterion with bounds in values and their unit, for texts: bounds of levels become values.
[[nodiscard]] Criterion readable(Criterion criterion, const std::optional<ValueMapping>& mapping);

/// The criterion of the entry for nodes of the present tree, in numbers of the column: as displayed, infinite where a
/// bound is at the end of the domain, and where the bounds do not apply to the image.
[[nodiscard]] Criterion effectiveCriterion(const CriterionEntry& entry, const AttributeDomain& domain,
                                           const ImageUnits& units = {});

/// The criterion of the entry for the filter and for recipes: bounds in a unit or in values as chosen, others by
/// effectiveCriterion().
[[nodiscard]] Criterion statedCriterion(const CriterionEntry& entry, const AttributeDomain& domain,
                                        const ImageUnits& units = {});

/// Whether it removes any nodes.
[[nodiscard]] bool isBounded(const Criterion& criterion) noexcept;

/// The criteria that are on, by statedCriterion(), without those met by every node.
[[nodiscard]] std::vector<Criterion> statedCriteria(std::span<const CriterionEntry> entries, Match match,
                                                    const std::function<AttributeDomain(AttributeId)>& domainOf,
                                                    const ImageUnits& units = {});

/// "area >= 100", "10 <= area <= 100", "area > 15 µm²"; "any area" without a bound.
[[nodiscard]] QString criterionText(const Criterion& criterion);

/// A criterion with bounds: "10 <= NAME <= 100". Empty without bounds.
[[nodiscard]] QString boundedText(const Criterion& criterion, const QString& name, const QLocale& locale);

/// The bounds alone: "100", "10 to 100". Empty without bounds.
[[nodiscard]] QString boundsText(const Criterion& criterion, const QLocale& locale);

/// A criterion in the user's language and locale: "Area >= 126,105"; "Area: any value" without bounds.
[[nodiscard]] QString shownCriterion(const Criterion& criterion);

} // namespace pollard::vm
