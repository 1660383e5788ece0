#include "vm/filter/criterion_entry.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/filter/criterion_text.hpp"

#include "filter/filter_units.hpp"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::vm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Criterion criterionOf(AttributeId attribute, const ChosenBounds& bounds) {
    return {attribute, bounds.minimum.value_or(-kInfinity), bounds.maximum.value_or(kInfinity), bounds.unit};
}

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

} // namespace

AttributeDomain AttributeDomain::of(AttributeId id, const AttributeColumn* column) {
    const AttributeInfo& info = attributeInfo(id);
    const bool isWide = info.increasing || info.spread == Spread::decades;
    if (column == nullptr) {
        const double floor = id == AttributeId::area ? 1 : 0;
        return {ValueDomain::over(floor, floor, info.integral, isWide), false};
    }
    return {ValueDomain::over(column->minimum, column->maximum, info.integral, isWide), true};
}

double shownMinimum(const ChosenBounds& bounds, const AttributeDomain& domain) noexcept {
    if (!bounds.minimum) {
        return domain.values.minimum;
    }
    return domain.known ? domain.values.clamp(*bounds.minimum) : *bounds.minimum;
}

double shownMaximum(const ChosenBounds& bounds, const AttributeDomain& domain) noexcept {
    if (!bounds.maximum) {
        return domain.values.maximum;
    }
    return domain.known ? domain.values.clamp(*bounds.maximum) : *bounds.maximum;
}

std::optional<ChosenBounds> pixelBounds(AttributeId attribute, const ChosenBounds& bounds,
                                        const std::optional<PixelSize>& size) {
    if (bounds.unit == LengthUnit::pixel) {
        return bounds;
    }
    const Criterion criterion = criterionOf(attribute, bounds);
    if (!unitProblem(criterion, size).empty()) {
        return std::nullopt;
    }
    const Criterion pixels = inPixels(criterion, size);
    return ChosenBounds{finite(pixels.minimum), finite(pixels.maximum)};
}

Criterion statedCriterion(const CriterionEntry& entry, const AttributeDomain& domain) {
    const ChosenBounds bounds = entry.bounds();
    return bounds.unit == LengthUnit::pixel ? effectiveCriterion(entry, domain) : criterionOf(entry.attribute, bounds);
}

Criterion effectiveCriterion(const CriterionEntry& entry, const AttributeDomain& domain,
                             const std::optional<PixelSize>& size) {
    const ChosenBounds bounds = pixelBounds(entry.attribute, entry.bounds(), size).value_or(ChosenBounds{});
    Criterion criterion{entry.attribute, -kInfinity, kInfinity};
    const double minimum = shownMinimum(bounds, domain);
    const double maximum = shownMaximum(bounds, domain);
    if (bounds.minimum && (!domain.known || minimum > domain.values.minimum)) {
        criterion.minimum = minimum;
    }
    if (bounds.maximum && (!domain.known || maximum < domain.values.maximum)) {
        criterion.maximum = maximum;
    }
    return criterion;
}

bool isBounded(const Criterion& criterion) noexcept {
    return std::isfinite(criterion.minimum) || std::isfinite(criterion.maximum);
}

std::vector<Criterion> statedCriteria(std::span<const CriterionEntry> entries, Match match,
                                      const std::function<AttributeDomain(AttributeId)>& domainOf) {
    std::vector<Criterion> found;
    for (const CriterionEntry& entry : entries) {
        if (!entry.enabled) {
            continue;
        }
        const Criterion demanded = statedCriterion(entry, domainOf(entry.attribute));
        if (isBounded(demanded)) {
            found.push_back(demanded);
        } else if (match == Match::any) {
            return {}; // every node meets this criterion
        }
    }
    return found;
}

QString criterionText(const Criterion& criterion) {
    const QString name = fromUtf8(attributeInfo(criterion.attribute).name);
    return isBounded(criterion) ? boundedText(criterion, name, QLocale::c()) : QStringLiteral("any ") + name;
}

} // namespace pollard::vm
