#pragma once

#include "base/stage_timer.hpp"

#include <algorithm>
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

} // namespace pollard::cli
