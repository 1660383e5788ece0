#include "vm/filter/criterion_entry.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/image_units.hpp"

#include "attributes/grey_values.hpp"
#include "io/metadata/scene_units.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

/// Smallest range for a logarithmic slider: a linear one would give most of its length to large values.
constexpr double kLogarithmicFrom = 100;

} // namespace

ValueDomain ValueDomain::over(double minimum, double maximum, bool integral, bool wide, int mostDecimals) {
    ValueDomain domain;
    domain.minimum = minimum;
    domain.maximum = std::max(minimum, maximum);
    domain.integral = integral;
    const double range = domain.maximum - domain.minimum;
    domain.logarithmic = wide && range >= kLogarithmicFrom;
    if (!integral && range > 0) {
        domain.decimals = std::clamp(static_cast<int>(std::ceil(3 - std::log10(range))), 0, mostDecimals);
    }
    return domain;
}

double ValueDomain::step() const noexcept { return integral ? 1 : std::pow(10, -decimals); }

double ValueDomain::clamp(double value) const noexcept {
    return std::isnan(value) ? minimum : std::clamp(value, minimum, maximum);
}

double ValueDomain::snap(double value) const noexcept {
    const double inside = clamp(value);
    const double half = step() / 2;
    // A spin box rounds the ends when displaying them; a rounded value must still be the end.
    if (inside - minimum < half) {
        return minimum;
    }
    if (maximum - inside < half) {
        return maximum;
    }
    return clamp(integral ? std::round(inside) : std::round(inside / step()) * step());
}

double ValueDomain::positionOf(double value) const noexcept {
    if (isSinglePoint()) {
        return 0;
    }
    const double offset = clamp(value) - minimum;
    const double range = maximum - minimum;
    return logarithmic ? std::log1p(offset) / std::log1p(range) : offset / range;
}

double ValueDomain::valueAt(double position) const noexcept {
    if (isSinglePoint() || !(position > 0)) {
        return minimum;
    }
    if (position >= 1) {
        return maximum;
    }
    const double range = maximum - minimum;
    return snap(minimum + (logarithmic ? std::expm1(position * std::log1p(range)) : position * range));
}

namespace {

QString filterText(const char* source) { return QCoreApplication::translate("FilterTexts", source); }

} // namespace

QString ruleTitle(Rule rule) { return filterText(ruleInfo(rule).title); }
QString ruleToolTip(Rule rule) { return filterText(ruleInfo(rule).details); }

QString outputTitle(Output output) {
    switch (output) {
    case Output::filtered:
        return filterText("Filtered");
    case Output::residue:
        return filterText("Residue");
    case Output::mask:
        return filterText("Mask");
    case Output::labels:
        return filterText("Labels");
    }
    return {};
}

QString outputToolTip(Output output) {
    switch (output) {
    case Output::filtered:
        return filterText("The image rebuilt from the kept components");
    case Output::residue:
        return filterText("The removed part: the difference between image and filtered image (top-hat)");
    case Output::mask:
        return filterText("White where a kept component meets the criteria, else black");
    case Output::labels:
        return filterText("The number of the outermost kept component that holds the pixel, else 0");
    }
    return {};
}

QString prominenceTitle(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return filterText("dynamics");
    case Prominence::extinctionArea:
        return filterText("area");
    case Prominence::extinctionVolume:
        return filterText("volume");
    }
    return {};
}

QString prominenceToolTip(Prominence measure) {
    switch (measure) {
    case Prominence::dynamics:
        return filterText("Descent from an extremum that leads to a higher one (Grimaud 1992)");
    case Prominence::extinctionArea:
        return filterText("The area at which an extremum meets one with a larger area (Vachier, Meyer 1995)");
    case Prominence::extinctionVolume:
        return filterText("The volume at which an extremum meets one with a larger volume (Vachier, Meyer 1995)");
    }
    return {};
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostDecimals = 300; ///< of values, which may be of any size

Criterion criterionOf(AttributeId attribute, const ChosenBounds& bounds) {
    return {
        attribute,   bounds.minimum.value_or(-kInfinity), bounds.maximum.value_or(kInfinity), bounds.unit, bounds.grey,
        bounds.cubed};
}

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
    const bool hasLength = criterion.unit != LengthUnit::pixel;
    const QString unit =
        hasLength ? unitText(criterion.unit, dimensionOf(criterion)) : QString::fromStdString(criterion.grey);
    if (unit.isEmpty()) {
        return {numberText(bound, locale), false};
    }
    const WrittenBound written = WrittenBound::of(bound);
    const bool strict = written.beyond == beyond;
    return {numberText(strict ? written.value : bound, locale) + u' ' + unit, strict};
}

} // namespace

std::optional<double> finiteBound(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

AttributeDomain AttributeDomain::of(AttributeId id, const AttributeColumn* column,
                                    const std::optional<ValueMapping>& mapping) {
    const AttributeInfo& info = attributeInfo(id);
    const bool isWide = info.increasing || info.spread == Spread::decades;
    if (column == nullptr) {
        const double floor = id == AttributeId::area ? 1 : 0;
        return {ValueDomain::over(floor, floor, info.integral, isWide), false};
    }
    const bool hasValues = mapping && isColumnInValues(id, *mapping);
    return {ValueDomain::over(column->minimum, column->maximum, info.integral && !hasValues, isWide,
                              hasValues ? kMostDecimals : ValueDomain::kMostDecimals),
            true};
}

ValueDomain AttributeDomain::inValues(AttributeId id, const std::optional<ValueMapping>& mapping) const {
    constexpr int kMoreDecimals = 3; // more than for a slider: numbers are typed
    const bool whole = isWhole(id, mapping);
    ValueDomain domain = ValueDomain::over(columnValue(id, values.minimum, mapping),
                                           columnValue(id, values.maximum, mapping), whole, false, kMostDecimals);
    domain.decimals = whole ? 0 : std::min(domain.decimals + kMoreDecimals, kMostDecimals);
    return domain;
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

std::optional<ChosenBounds> pixelBounds(AttributeId attribute, const ChosenBounds& bounds, const ImageUnits& units) {
    if (areOfColumn(attribute, bounds, units)) {
        return ChosenBounds{bounds.minimum, bounds.maximum};
    }
    const Criterion criterion = criterionOf(attribute, bounds);
    if (!unitProblem(criterion, units).empty()) {
        return std::nullopt;
    }
    const Criterion pixels = inPixels(criterion, units);
    return ChosenBounds{finiteBound(pixels.minimum), finiteBound(pixels.maximum)};
}

bool areOfColumn(AttributeId attribute, const ChosenBounds& bounds, const ImageUnits& units) {
    const bool isGrey = attributeInfo(attribute).grey != Grey::none;
    const bool areLevels = !units.mapping && (bounds.grey.empty() || bounds.grey == kLevels);
    return bounds.unit == LengthUnit::pixel && (!isGrey || areLevels);
}

Criterion inValues(Criterion ofColumn, const std::optional<ValueMapping>& mapping) {
    if (attributeInfo(ofColumn.attribute).grey != Grey::none) {
        for (double* bound : {&ofColumn.minimum, &ofColumn.maximum}) {
            *bound = std::isinf(*bound) ? *bound : columnValue(ofColumn.attribute, *bound, mapping);
        }
        ofColumn.grey.clear();
    }
    return ofColumn;
}

Criterion readable(Criterion criterion, const std::optional<ValueMapping>& mapping) {
    if (attributeInfo(criterion.attribute).grey == Grey::none ||
        (!criterion.grey.empty() && criterion.grey != kLevels && criterion.grey != unitOf(mapping))) {
        return criterion;
    }
    criterion = criterion.grey == kLevels ? inValues(std::move(criterion), mapping) : criterion;
    criterion.grey = unitOf(mapping).empty() ? std::string() : columnUnit(criterion.attribute, mapping);
    return criterion;
}

Criterion statedCriterion(const CriterionEntry& entry, const AttributeDomain& domain, const ImageUnits& units) {
    const ChosenBounds bounds = entry.bounds();
    return areOfColumn(entry.attribute, bounds, units) ? effectiveCriterion(entry, domain, units)
                                                       : criterionOf(entry.attribute, bounds);
}

Criterion effectiveCriterion(const CriterionEntry& entry, const AttributeDomain& domain, const ImageUnits& units) {
    const ChosenBounds bounds = pixelBounds(entry.attribute, entry.bounds(), units).value_or(ChosenBounds{});
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
                                      const std::function<AttributeDomain(AttributeId)>& domainOf,
                                      const ImageUnits& units) {
    std::vector<Criterion> found;
    for (const CriterionEntry& entry : entries) {
        if (!entry.enabled) {
            continue;
        }
        const Criterion demanded = statedCriterion(entry, domainOf(entry.attribute), units);
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
