#include "criterion_entry.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pollard::vm {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDigits = 7;             ///< of a number that is no whole one
constexpr double kSmallest = 1e-4;     ///< that is written without an exponent
constexpr double kLargestWhole = 1e15; ///< that is exact

/// Attributes whose values spread over decades, most of them small.
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
    chosen[attribute] = {finite(criterion.minimum), finite(criterion.maximum)};
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

Criterion effectiveCriterion(const CriterionEntry& entry, const AttributeDomain& domain) {
    const ChosenBounds bounds = entry.bounds();
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
    if (low && high) {
        return criterion.minimum == criterion.maximum
                   ? QStringLiteral("%1 = %2").arg(name, numberText(criterion.minimum))
                   : QStringLiteral("%1 <= %2 <= %3")
                         .arg(numberText(criterion.minimum), name, numberText(criterion.maximum));
    }
    if (low) {
        return QStringLiteral("%1 >= %2").arg(name, numberText(criterion.minimum));
    }
    if (high) {
        return QStringLiteral("%1 <= %2").arg(name, numberText(criterion.maximum));
    }
    return QCoreApplication::translate("Criterion", "any %1").arg(name);
}

} // namespace pollard::vm
