#pragma once

#include "base/job_control.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace pollard::cli {

/// Median of at least one value.
[[nodiscard]] inline double median(std::vector<double> values) {
    std::ranges::sort(values);
    return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// Times of stages over repeated runs.
class SampleTable {
public:
    void add(const std::string& stage, double milliseconds) {
        auto found = std::ranges::find(samples_, stage, &Samples::stage);
        if (found == samples_.end()) {
            samples_.push_back({stage, {}});
            found = samples_.end() - 1;
        }
        found->milliseconds.push_back(milliseconds);
    }

    /// Median per stage, in order of first appearance.
    [[nodiscard]] std::vector<StageTime> medians() const {
        std::vector<StageTime> result;
        for (const Samples& samples : samples_) {
            result.push_back({samples.stage, median(samples.milliseconds)});
        }
        return result;
    }

private:
    struct Samples {
        std::string stage;
        std::vector<double> milliseconds;
    };

    std::vector<Samples> samples_; // in order of first appearance
};

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
    [[nodiscard]] std::size_t overBound() const {
        return static_cast<std::size_t>(std::ranges::count_if(all_, [](double ms) { return ms > kBoundMs; }));
    }

private:
    /// Smallest value that at least this share of all values does not exceed.
    [[nodiscard]] double quantile(double share) const {
        if (all_.empty()) {
            return 0;
        }
        std::vector<double> sorted = all_;
        std::ranges::sort(sorted);
        const double rank = std::ceil(share * static_cast<double>(sorted.size()));
        return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
    }

    std::vector<double> all_;
};

} // namespace pollard::cli
