#pragma once

#include "vm/base/value_domain.hpp"

namespace pollard::app {

/// The bound of a criterion one key press further (negative: so many back), a hundredth of the slider's length; never
/// stuck between two whole numbers of a logarithmic domain.
[[nodiscard]] inline double steppedBound(const vm::ValueDomain& domain, double value, int steps) {
    constexpr double kKeyStep = 0.01;
    const double wanted = domain.valueAt(domain.positionOf(value) + steps * kKeyStep);
    const bool stuck = steps > 0 ? wanted <= value : wanted >= value;
    return stuck ? domain.snap(value + steps * domain.step()) : wanted;
}

} // namespace pollard::app
