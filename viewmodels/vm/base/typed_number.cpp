#include "vm/base/typed_number.hpp"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace pollard::vm {
namespace {

/// "0.125" has no group of digits.
bool startsWithZero(const QString& number, const QLocale& locale) {
    static const QRegularExpression zero(QStringLiteral("^[+-]?0"));
    const auto match = zero.match(number);
    return match.hasMatch() && number.mid(match.capturedLength()).startsWith(locale.groupSeparator());
}

} // namespace

std::optional<double> typedNumber(const QString& text, double least, double most) {
    QString number = text;
    number.removeIf([](QChar c) { return c.isSpace(); });
    const QLocale locale;
    bool isOwn = false;
    const double own = locale.toDouble(number, &isOwn);
    isOwn = isOwn && std::isfinite(own) && !startsWithZero(number, locale);
    bool isOther = false;
    const double other = QString(number).replace(u',', u'.').toDouble(&isOther);
    isOther = isOther && std::isfinite(other);
    const auto fits = [&](double value) { return value >= least && value <= most; };
    if (isOwn && (fits(own) || !isOther || !fits(other))) {
        return own;
    }
    return isOther ? std::optional(other) : std::nullopt;
}

} // namespace pollard::vm
