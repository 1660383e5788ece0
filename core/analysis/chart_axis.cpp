#include "analysis/chart_axis.hpp"

#include <cmath>

namespace pollard {

double ChartAxis::placeOf(double value) const noexcept {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

double ChartAxis::valueAt(double place) const noexcept {
    if (place <= 0 || place >= 1) {
        return place <= 0 ? low : high; // exact ends
    }
    return logarithmic ? low * std::pow(high / low, place) : low + place * (high - low);
}

} // namespace pollard
