#include "cuda/components/device_frame_workers.hpp"

#include "cuda/components/device_labeller.hpp"
#include "cuda/components/labelling.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace pollard::cuda {

namespace {

constexpr int kMostInFlight = 3;

class DeviceFrameWorker final : public FrameWorker {
public:
    DeviceFrameWorker(const ComponentsSpec& spec, int threads) : spec_(spec), arena_(threads) {}

    [[nodiscard]] Components find(const StreamFrame& frame, const JobControl& control) override {
        return arena_.execute([&] { return labeller_.label(frame, spec_, control); });
    }

private:
    ComponentsSpec spec_;
    tbb::task_arena arena_;
    DeviceLabeller labeller_;
};

} // namespace

std::vector<std::unique_ptr<FrameWorker>> makeDeviceFrameWorkers(const ComponentsSpec& spec, int inFlight,
                                                                 int threads) {
    static_cast<void>(labellingAlgorithmNamed(spec.algorithm));
    const int all = threads > 0 ? threads : tbb::info::default_concurrency();
    const int count = std::clamp(inFlight, 1, kMostInFlight);
    std::vector<std::unique_ptr<FrameWorker>> workers;
    for (int i = 0; i < count; ++i) {
        workers.push_back(std::make_unique<DeviceFrameWorker>(spec, std::max(1, all / count)));
    }
    return workers;
}

} // namespace pollard::cuda
