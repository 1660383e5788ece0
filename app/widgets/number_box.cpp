#include "widgets/number_box.hpp"

#include <QLocale>

#include <limits>

namespace pollard::app {
namespace {

bool hasAtMost(int decimals, double value) {
    if (decimals >= std::numeric_limits<double>::digits10) {
        return true;
    }
    const double scaled = value * std::pow(10.0, decimals);
    return std::abs(scaled - std::round(scaled)) <= 1e-9 * std::max(1.0, std::abs(scaled));
}

} // namespace

QValidator::State stateOfTyped(const QString& number, double least, double most, int decimals) {
    if (const auto value = vm::typedNumber(number, least, most)) {
        const bool isComplete = number.back().isDigit() || number.back().isSpace();
        return isComplete && *value >= least && *value <= most && hasAtMost(decimals, *value)
                   ? QValidator::Acceptable
                   : QValidator::Intermediate;
    }
    const QLocale locale;
    const QString signs = QStringLiteral("+-eE.,") + locale.groupSeparator() + locale.decimalPoint() +
                          locale.negativeSign() + locale.exponential();
    const bool mayBecomeOne = std::all_of(number.begin(), number.end(),
                                          [&](QChar c) { return c.isDigit() || c.isSpace() || signs.contains(c); });
    return mayBecomeOne ? QValidator::Intermediate : QValidator::Invalid;
}

QValidator::State NumberValidator::validate(QString& text, int&) const {
    return stateOfTyped(text, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(),
                        std::numeric_limits<double>::max_digits10);
}

} // namespace pollard::app
