#include "vm/filter/criterion_entry.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/picture_units.hpp"

#include "filter/filter_units.hpp"
#include "io/metadata/scene_units.hpp"

#include <QCoreApplication>
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

constexpr int kDigits = 7;             ///< of a non-integer number
constexpr double kSmallest = 1e-4;     ///< written without an exponent
constexpr double kLargestWhole = 1e15; ///< exact as a double

QString numberText(double value, const QLocale& locale) {
    const double size = std::abs(value);
    if (value == std::round(value) && size < kLargestWhole) {
        return locale.toString(value, 'f', 0);
    }
    if (size < kSmallest || size >= kLargestWhole) {
        return locale.toString(value, 'g', kDigits - 2);
    }
    const int before = std::max(1, static_cast<int>(std::floor(std::log10(size))) + 1);
    QString text = locale.toString(value, 'f', std::clamp(kDigits - before, 1, kDigits));
    while (text.endsWith(locale.zeroDigit())) {
        text.chop(1);
    }
    if (text.endsWith(locale.decimalPoint())) {
        text.chop(1);
    }
    return text;
}

/// A bound of a criterion with a unit, and whether the criterion excludes the number itself.
struct BoundText {
    QString number;
    bool strict = false;
};
BoundText boundText(const Criterion& criterion, double bound, int beyond, const QLocale& locale) {
    if (criterion.unit == LengthUnit::pixel) {
        return {numberText(bound, locale), false};
    }
    const WrittenBound written = WrittenBound::of(bound);
    const bool strict = written.beyond == beyond;
    return {numberText(strict ? written.value : bound, locale) + u' ' +
                unitText(criterion.unit, attributeInfo(criterion.attribute).dimension),
            strict};
}

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

QString boundedText(const Criterion& criterion, const QString& name, const QLocale& locale) {
    const bool low = std::isfinite(criterion.minimum);
    const bool high = std::isfinite(criterion.maximum);
    const BoundText from = low ? boundText(criterion, criterion.minimum, 1, locale) : BoundText{};
    const BoundText to = high ? boundText(criterion, criterion.maximum, -1, locale) : BoundText{};
    if (low && high) {
        return criterion.minimum == criterion.maximum
                   ? QStringLiteral("%1 = %2").arg(name, from.number)
                   : from.number + (from.strict ? QStringLiteral(" < ") : QStringLiteral(" <= ")) + name +
                         (to.strict ? QStringLiteral(" < ") : QStringLiteral(" <= ")) + to.number;
    }
    if (low) {
        return name + (from.strict ? QStringLiteral(" > ") : QStringLiteral(" >= ")) + from.number;
    }
    if (high) {
        return name + (to.strict ? QStringLiteral(" < ") : QStringLiteral(" <= ")) + to.number;
    }
    return {};
}

QString boundsText(const Criterion& criterion, const QLocale& locale) {
    const bool low = std::isfinite(criterion.minimum);
    const bool high = std::isfinite(criterion.maximum);
    if (low && high && criterion.minimum != criterion.maximum) {
        return QCoreApplication::translate("Criterion", "%1 to %2")
            .arg(boundText(criterion, criterion.minimum, 1, locale).number,
                 boundText(criterion, criterion.maximum, -1, locale).number);
    }
    return low    ? boundText(criterion, criterion.minimum, 1, locale).number
           : high ? boundText(criterion, criterion.maximum, -1, locale).number
                  : QString();
}

QString shownCriterion(const Criterion& criterion) {
    const QString title = attributeTitle(criterion.attribute);
    return isBounded(criterion) ? boundedText(criterion, title, QLocale())
                                : QCoreApplication::translate("Criterion", "%1: any value").arg(title);
}

} // namespace pollard::vm
