#pragma once

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

/// The possible values of a parameter, and the scale of its slider.
struct ValueDomain {
    double minimum = 0;
    double maximum = 0;
    bool logarithmic = false; ///< the slider follows log(1 + value - minimum)
    bool integral = false;    ///< integers only
    int decimals = 0;         ///< displayed digits after the point; values snap to them

    bool operator==(const ValueDomain&) const = default;

    /// A domain over [minimum, maximum] with suitable decimals. Logarithmic only if @p wide and the range is large.
    [[nodiscard]] static ValueDomain over(double minimum, double maximum, bool integral, bool wide,
                                          int mostDecimals = kMostDecimals);
    static constexpr int kMostDecimals = 6;

    [[nodiscard]] bool isSinglePoint() const noexcept { return !(maximum > minimum); }
    /// Nearest value in the domain; NaN becomes the minimum.
    [[nodiscard]] double clamp(double value) const noexcept;
    /// clamp(), then rounded to integers or to decimals. Within half a step of an end it is exactly that end.
    [[nodiscard]] double snap(double value) const noexcept;
    /// Slider position 0..1 of a value; exactly 0 and 1 at the ends. 0 for a single point.
    [[nodiscard]] double positionOf(double value) const noexcept;
    /// Snapped value at a slider position; exactly the ends at 0 and 1.
    [[nodiscard]] double valueAt(double position) const noexcept;
    /// Smallest step of the value: 1 for integral ones, else 10^-decimals.
    [[nodiscard]] double step() const noexcept;
};

/// The range of an attribute over the nodes of the present tree.
struct AttributeDomain {
    ValueDomain values;
    bool known = false; ///< false: there is no tree, or the attribute is not measured; `values` is then a single point

    bool operator==(const AttributeDomain&) const = default;

    /// The domain of a measured attribute, in the numbers of the column; unknown if @p column is null.
    /// @param mapping of the image, whose columns may be in values, see isColumnInValues()
    [[nodiscard]] static AttributeDomain of(AttributeId id, const AttributeColumn* column,
                                            const std::optional<ValueMapping>& mapping = {});
    /// The domain in values of an image, for fields in which numbers are typed.
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

/// A bound of a criterion; empty if it is infinite.
[[nodiscard]] std::optional<double> finiteBound(double value);

/// The criterion of the entry for nodes of the present tree, in numbers of the column: as displayed, infinite if a
/// bound is at the end of the domain or the bounds do not apply to the image.
[[nodiscard]] Criterion effectiveCriterion(const CriterionEntry& entry, const AttributeDomain& domain,
                                           const ImageUnits& units = {});

/// The criterion of the entry for the filter and for recipes: bounds in a unit or in values as chosen, others by
/// effectiveCriterion().
[[nodiscard]] Criterion statedCriterion(const CriterionEntry& entry, const AttributeDomain& domain,
                                        const ImageUnits& units = {});

/// Whether it removes any nodes.
[[nodiscard]] bool isBounded(const Criterion& criterion) noexcept;

/// The criteria that are on and not met by every node, by statedCriterion().
[[nodiscard]] std::vector<Criterion> statedCriteria(std::span<const CriterionEntry> entries, Match match,
                                                    const std::function<AttributeDomain(AttributeId)>& domainOf,
                                                    const ImageUnits& units = {});

/// "area >= 100", "10 <= area <= 100", "area > 15 µm²"; "any area" without a bound.
[[nodiscard]] QString criterionText(const Criterion& criterion);

/// A criterion with bounds: "10 <= NAME <= 100". Empty without bounds.
[[nodiscard]] QString boundedText(const Criterion& criterion, const QString& name, const QLocale& locale);

/// The bounds without the attribute: "100", "10 to 100". Empty without bounds.
[[nodiscard]] QString boundsText(const Criterion& criterion, const QLocale& locale);

/// A criterion in the user's language and locale: "Area >= 126,105"; "Area: any value" without bounds.
[[nodiscard]] QString shownCriterion(const Criterion& criterion);

/// Names for menus, and explanations.
[[nodiscard]] QString ruleTitle(Rule rule);
[[nodiscard]] QString ruleToolTip(Rule rule);
[[nodiscard]] QString outputTitle(Output output);
[[nodiscard]] QString outputToolTip(Output output);
[[nodiscard]] QString prominenceTitle(Prominence measure); ///< "dynamics", as in "by dynamics"
[[nodiscard]] QString prominenceToolTip(Prominence measure);

} // namespace pollard::vm
