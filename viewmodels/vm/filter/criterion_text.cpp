#include "vm/filter/criterion_text.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/picture_units.hpp"
#include "vm/filter/criterion_entry.hpp"

#include "io/metadata/scene_units.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace pollard::vm {

namespace {

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
