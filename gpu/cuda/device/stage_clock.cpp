#include "cuda/device/stage_clock.hpp"

#include <algorithm>
#include <numeric>

namespace pollard::cuda {

StageClock::StageClock(cudaStream_t stream) : stream_(stream) { mark({}); }

void StageClock::finish(std::string_view name) { mark(name); }

void StageClock::mark(std::string_view name) {
    Event event(Event::Timing::on);
    event.record(stream_);
    marks_.push_back({std::string(name), std::move(event)});
}

std::vector<StageTime> StageClock::take() {
    marks_.back().event.wait("wait for GPU work");
    std::vector<StageTime> stages;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
        const double milliseconds = elapsedMs(marks_[i - 1].event, marks_[i].event);
        const auto same = std::find_if(stages.begin(), stages.end(),
                                       [&](const StageTime& stage) { return stage.name == marks_[i].name; });
        if (same != stages.end()) {
            same->milliseconds += milliseconds;
        } else {
            stages.push_back({marks_[i].name, milliseconds});
        }
    }
    marks_.clear();
    mark({});
    return stages;
}

double totalMilliseconds(const std::vector<StageTime>& stages) noexcept {
    return std::accumulate(stages.begin(), stages.end(), 0.0,
                           [](double sum, const StageTime& stage) { return sum + stage.milliseconds; });
}

} // namespace pollard::cuda
