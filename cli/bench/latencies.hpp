#pragma once

#include <cstddef>
#include <vector>

namespace pollard::cli {

/// How long the frames of a stream took, each from being handed in to its results in host memory.
class Latencies {
public:
    /// A camera of 200 frames a second waits no longer (Algorithms 16(2), 80, 2023).
    static constexpr double kBoundMs = 5;

    void add(double milliseconds) { all_.push_back(milliseconds); }

    [[nodiscard]] std::size_t count() const noexcept { return all_.size(); }
    /// Each 0 without frames.
    [[nodiscard]] double median() const { return quantile(0.5); }
    [[nodiscard]] double p95() const { return quantile(0.95); }
    [[nodiscard]] double longest() const { return quantile(1); }
    [[nodiscard]] std::size_t overBound() const;

private:
    /// The smallest of the values that so large a share of all does not exceed.
    [[nodiscard]] double quantile(double share) const;

    std::vector<double> all_;
};

} // namespace pollard::cli
