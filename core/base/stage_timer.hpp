#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace pollard {

/// Wall time of one stage of a job.
struct StageTime {
    std::string name;
    double milliseconds = 0;

    bool operator==(const StageTime&) const = default;
};

/// Splits the time of a job into consecutive named stages.
class StageTimer {
public:
    /// Ends the current stage, which began at construction or at the last call, and records it as @p name.
    void finish(std::string_view name) {
        const auto now = Clock::now();
        stages_.push_back({std::string(name), std::chrono::duration<double, std::milli>(now - last_).count()});
        last_ = now;
    }

    [[nodiscard]] std::vector<StageTime> take() { return std::move(stages_); }

    [[nodiscard]] double totalMilliseconds() const {
        return std::chrono::duration<double, std::milli>(last_ - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
    std::vector<StageTime> stages_;
};

} // namespace pollard
