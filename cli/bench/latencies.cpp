#include "bench/latencies.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::cli {

std::size_t Latencies::overBound() const {
    return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), [](double ms) { return ms > kBoundMs; }));
}

double Latencies::quantile(double share) const {
    if (all_.empty()) {
        return 0;
    }
    std::vector<double> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    const double rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

} // namespace pollard::cli
