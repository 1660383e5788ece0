#include "vm/base/value_domain.hpp"

#include <algorithm>
#include <cmath>

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

} // namespace pollard::vm
