#include "components/frame_workers.hpp"

#include "components/threshold.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace pollard {

namespace {

class HostFrameWorker final : public FrameWorker {
public:
    HostFrameWorker(LabelMask label, ComponentsSpec spec, int threads)
        : label_(std::move(label)), spec_(std::move(spec)), arena_(threads) {}

    [[nodiscard]] Components find(const StreamFrame& frame, const JobControl& control) override {
        return arena_.execute([&] {
            const Mask mask = thresholdMask(*frame.image, frame.low, frame.high, frame.valid.get(), control);
            return label_(mask, *frame.image, spec_, control);
        });
    }

private:
    LabelMask label_;
    ComponentsSpec spec_;
    tbb::task_arena arena_;
};

} // namespace

std::vector<std::unique_ptr<FrameWorker>> makeFrameWorkers(const LabelMask& label, const ComponentsSpec& spec,
                                                           int inFlight, int threads) {
    const int all = threads > 0 ? threads : tbb::info::default_concurrency();
    const int count = std::clamp(inFlight, 1, all);
    std::vector<std::unique_ptr<FrameWorker>> workers;
    for (int i = 0; i < count; ++i) {
        workers.push_back(std::make_unique<HostFrameWorker>(label, spec, all / count + (i < all % count ? 1 : 0)));
    }
    return workers;
}

} // namespace pollard
