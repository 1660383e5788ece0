#include "cuda/session/host_transfers.hpp"

#include <tbb/info.h>

#include <algorithm>

namespace pollard::cuda {

HostTransfers::HostTransfers(int threads, std::shared_ptr<DeviceMemory> memory)
    : arena_(threads > 0 ? threads : tbb::task_arena::automatic), staging_(std::move(memory)) {
    if (threads > tbb::info::default_concurrency()) {
        moreThreads_.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
}

void HostTransfers::upload(void* device, const void* host, std::size_t bytes, const JobControl& control,
                           const std::string& operation) {
    StageTimer timer;
    arena_.execute([&] { staging_.upload(device, host, bytes, control, operation); });
    timer.finish("upload");
    addTime("upload", timer.totalMilliseconds());
}

void HostTransfers::download(void* host, const void* device, std::size_t bytes, const JobControl& control,
                             const std::string& operation) {
    StageTimer timer;
    arena_.execute([&] { staging_.download(host, device, bytes, control, operation); });
    timer.finish("download");
    addTime("download", timer.totalMilliseconds());
}

void HostTransfers::addTime(const std::string& stage, double milliseconds) {
    const auto same =
        std::find_if(times_.begin(), times_.end(), [&](const StageTime& each) { return each.name == stage; });
    if (same != times_.end()) {
        same->milliseconds += milliseconds;
    } else {
        times_.push_back({stage, milliseconds});
    }
}

void HostTransfers::addTimes(const std::vector<StageTime>& stages) {
    for (const StageTime& stage : stages) {
        addTime(stage.name, stage.milliseconds);
    }
}

} // namespace pollard::cuda
