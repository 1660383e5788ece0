#include "widgets/value_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pollard::app {
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

} // namespace pollard::app
