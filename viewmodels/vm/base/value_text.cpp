#include "vm/base/value_text.hpp"

#include "io/image_file.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <cmath>
#include <string>

namespace pollard::vm {
namespace {

/// "0.125" has no group of digits.
bool startsWithZero(const QString& number, const QLocale& locale) {
    static const QRegularExpression zero(QStringLiteral("^[+-]?0"));
    const auto match = zero.match(number);
    return match.hasMatch() && number.mid(match.capturedLength()).startsWith(locale.groupSeparator());
}

} // namespace

QString reasonOf(std::string_view message, std::string_view subject) {
    const std::string before = std::string(subject) + ": ";
    const std::size_t place = message.find(before);
    return fromUtf8(place == std::string_view::npos ? message : message.substr(place + before.size()));
}

QString withUnit(const QString& value, std::string_view unit) {
    return unit.empty() ? value : value + u' ' + fromUtf8(unit);
}

QString shortValue(double value) {
    const QLocale locale;
    if (std::abs(value) < 1e7 && value == std::floor(value)) {
        return locale.toString(static_cast<qlonglong>(value));
    }
    return locale.toString(value, 'g', 4);
}

QString greyNumber(double value, int digits) {
    constexpr double kMostWhole = 1e15; // exact as a double
    const QLocale locale;
    return value == std::floor(value) && std::abs(value) < kMostWhole ? locale.toString(static_cast<qlonglong>(value))
                                                                      : locale.toString(value, 'g', digits);
}

QString greyText(const std::optional<ValueMapping>& mapping, double level, int digits) {
    return withUnit(greyNumber(valueOf(mapping, level), digits), unitOf(mapping));
}

QString levelText(const std::optional<ValueMapping>& mapping, double level) {
    return mapping ? QCoreApplication::translate("ValueText", "level %1").arg(greyNumber(level)) : QString();
}

QString greyUnit(const std::optional<ValueMapping>& mapping) {
    const std::string unit = unitOf(mapping);
    return unit.empty() ? QCoreApplication::translate("Attribute", "grey") : fromUtf8(unit);
}

QString countText(std::uint64_t count) { return QLocale().toString(static_cast<qulonglong>(count)); }

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

QString lineText(QString text, qsizetype mostBytes) {
    for (QChar& letter : text) {
        letter = letter.unicode() < 0x20 || letter.unicode() == 0x7f ? QChar(u' ') : letter;
    }
    text = text.trimmed().left(mostBytes);
    if (!text.isEmpty() && text.back().isHighSurrogate()) {
        text.chop(1);
    }
    while (text.toUtf8().size() > mostBytes) {
        text.chop(text.back().isLowSurrogate() ? 2 : 1);
    }
    return text;
}

} // namespace pollard::vm
