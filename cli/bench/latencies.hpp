#pragma once

#include <cstddef>
#include <vector>

namespace pollard::cli {

/// Latencies of the frames of a stream, from push to results in host memory.
class Latencies {
public:
    /// Frame interval of a camera with 200 frames per second (Algorithms 16(2), 80, 2023).
    static constexpr double kBoundMs = 5;

    void add(double milliseconds) { all_.push_back(milliseconds); }

    [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }
    /// 0 without frames.
    [[nodiscard]] double median() const { return quantile(0.5); }
    [[nodiscard]] double p95() const { return quantile(0.95); }
    [[nodiscard]] double longest() const { return quantile(1); }
    [[nodiscard]] std::size_t overBound() const;

private:
    /// Smallest value that at least this share of all values does not exceed.
    [[nodiscard]] double quantile(double share) const;

    std::vector<double> all_;
};

} // namespace pollard::cli
