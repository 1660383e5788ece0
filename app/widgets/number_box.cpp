#include "widgets/number_box.hpp"

#include "io/metadata/length_units.hpp"

#include <QFontMetrics>
#include <QLocale>

#include <algorithm>
#include <cmath>
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

namespace {

/// Larger whole numbers are written with an exponent.
constexpr double kLargestPlain = 1e9;
/// Fraction of the range per arrow step.
constexpr double kArrowStep = 0.01;

} // namespace

ValueBox::ValueBox(QWidget* parent) : NumberBox(parent) {
    setKeyboardTracking(false);
    setGroupSeparatorShown(true);
    setDecimals(0);
}

void ValueBox::setScale(double minimum, double maximum, double step) {
    const double largest = std::max({std::abs(minimum), std::abs(maximum), step});
    step_ = step;
    whole_ = step == std::floor(step) && minimum == std::floor(minimum) && largest < kLargestPlain;
    digits_ = std::clamp(static_cast<int>(std::ceil(std::log10(largest / step))) + 1, 4,
                         std::numeric_limits<double>::digits10);
    // The box rounds to its decimals: as many as the smallest difference has, and one more.
    const int decimals = whole_ ? 0 : std::clamp(static_cast<int>(std::ceil(-std::log10(step))) + 1, 0, 300);
    setDecimals(decimals);
    setRange(minimum, maximum);
    setSingleStep(std::max(step, (maximum - minimum) * kArrowStep));
}

QString ValueBox::textFromValue(double value) const {
    return whole_ ? NumberBox::textFromValue(value) : locale().toString(value, 'g', digits_);
}

void ValueBox::stepBy(int steps) {
    if (whole_ && step_ == 1) {
        // Relative to the value: 1 below 10, 10 below 100 ...
        setSingleStep(std::max(1.0, std::pow(10.0, std::floor(std::log10(std::max(std::abs(value()), 1.0))) - 1)));
    }
    NumberBox::stepBy(steps);
}

namespace {

constexpr int kDigits = 6;
constexpr int kLetters = 9; ///< visible, without the arrows
constexpr int kFrame = 34;  ///< px of frame and arrows

} // namespace

LengthBox::LengthBox(double largest, const QString& nothing, QWidget* parent) : ValueBox(parent) {
    setScale(0, largest, kSmallestSide);
    setSpecialValueText(nothing);
    setStepType(AdaptiveDecimalStepType);
}

QString LengthBox::textFromValue(double value) const { return locale().toString(value, 'g', kDigits); }

QSize LengthBox::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(u'0') * kLetters + kFrame, ValueBox::minimumSizeHint().height()};
}

} // namespace pollard::app
