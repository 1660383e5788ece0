#include "vm/filter/criterion_entry.hpp"

#include "vm/document/picture_units.hpp"

#include "filter/filter_units.hpp"
#include "io/metadata/scene_units.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pollard::vm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDigits = 7;             ///< of a non-integer number
constexpr double kSmallest = 1e-4;     ///< written without an exponent
constexpr double kLargestWhole = 1e15; ///< exact as a double

/// Attributes whose values span decades, most of them small.
bool isWide(AttributeId id) {
    constexpr std::array kOthers{AttributeId::contrast,  AttributeId::sum,        AttributeId::variance,
                                 AttributeId::inertia,   AttributeId::major,      AttributeId::minor,
                                 AttributeId::perimeter, AttributeId::elongation, AttributeId::holes,
                                 AttributeId::children,  AttributeId::stability};
    return attributeInfo(id).increasing || std::ranges::find(kOthers, id) != kOthers.end();
}

QString numberText(double value) {
    const double size = std::abs(value);
    if (value == std::round(value) && size < kLargestWhole) {
        return QString::number(value, 'f', 0);
    }
    if (size < kSmallest || size >= kLargestWhole) {
        return QString::number(value, 'g', kDigits - 2);
    }
    const int before = std::max(1, static_cast<int>(std::floor(std::log10(size))) + 1);
    QString text = QString::number(value, 'f', std::clamp(kDigits - before, 1, kDigits));
    while (text.endsWith(u'0')) {
        text.chop(1);
    }
    if (text.endsWith(u'.')) {
        text.chop(1);
    }
    return text;
}

Criterion criterionOf(AttributeId attribute, const ChosenBounds& bounds) {
    return {attribute, bounds.minimum.value_or(-kInfinity), bounds.maximum.value_or(kInfinity), bounds.unit};
}

/// A bound of a criterion with a unit, and whether the criterion excludes the number itself.
struct BoundText {
    QString number;
    bool strict = false;
};
BoundText boundText(const Criterion& criterion, double bound, int beyond) {
    if (criterion.unit == LengthUnit::pixel) {
        return {numberText(bound), false};
    }
    const WrittenBound written = WrittenBound::of(bound);
    const bool strict = written.beyond == beyond;
    return {numberText(strict ? written.value : bound) + u' ' +
                unitText(criterion.unit, attributeInfo(criterion.attribute).dimension),
            strict};
}

std::optional<double> finite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

} // namespace

AttributeDomain AttributeDomain::of(AttributeId id, const AttributeColumn* column) {
    const AttributeInfo& info = attributeInfo(id);
    if (column == nullptr) {
        const double floor = id == AttributeId::area ? 1 : 0;
        return {ValueDomain::over(floor, floor, info.integral, isWide(id)), false};
    }
    return {ValueDomain::over(column->minimum, column->maximum, info.integral, isWide(id)), true};
}

ChosenBounds CriterionEntry::bounds() const {
    const auto found = chosen.find(attribute);
    return found == chosen.end() ? ChosenBounds{} : found->second;
}

void CriterionEntry::take(const Criterion& criterion) {
    attribute = criterion.attribute;
    chosen[attribute] = {finite(criterion.minimum), finite(criterion.maximum), criterion.unit};
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

QString criterionText(const Criterion& criterion) {
    const std::string_view id = attributeInfo(criterion.attribute).name;
    const QString name = QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
    const bool low = std::isfinite(criterion.minimum);
    const bool high = std::isfinite(criterion.maximum);
    const BoundText from = low ? boundText(criterion, criterion.minimum, 1) : BoundText{};
    const BoundText to = high ? boundText(criterion, criterion.maximum, -1) : BoundText{};
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
    return QCoreApplication::translate("Criterion", "any %1").arg(name);
}

} // namespace pollard::vm
