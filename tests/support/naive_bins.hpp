#pragma once

#include "analysis/bins.hpp"

#include <cmath>
#include <cstdint>

namespace pollard::testing {

/// The bin of a value by definition, edge by edge.
inline std::uint32_t naiveBin(const Bins& bins, double value) {
    if (std::isnan(value)) {
        return kNanBin;
    }
    for (std::uint32_t i = 0; i < bins.count(); ++i) {
        if (value >= bins.edges[i] && value < bins.edges[i + 1]) {
            return i;
        }
    }
    if (bins.lastClosed && value == bins.edges.back()) {
        return static_cast<std::uint32_t>(bins.count() - 1);
    }
    return value < bins.edges[0] ? kBelowBins : kAboveBins;
}

} // namespace pollard::testing
