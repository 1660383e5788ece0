#pragma once

#include "vm/base/value_domain.hpp"

namespace pollard::app {

/// The bound after @p steps key presses (negative: backwards) of a hundredth of the slider's length each; if rounding
/// to integers prevents a change, moves by @p steps steps of the domain.
[[nodiscard]] inline double steppedBound(const vm::ValueDomain& domain, double value, int steps) {
    constexpr double kKeyStep = 0.01;
    const double wanted = domain.valueAt(domain.positionOf(value) + steps * kKeyStep);
    const bool stuck = steps > 0 ? wanted <= value : wanted >= value;
    return stuck ? domain.snap(value + steps * domain.step()) : wanted;
}

} // namespace pollard::app
