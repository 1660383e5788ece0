#include "base/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace pollard {

void forEachRange(std::size_t count, const JobControl& control, RangeFunction function, std::size_t grain) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
        control.throwIfStopped();
        function(range.begin(), range.end());
    });
}

void touchPages(std::span<std::byte> memory, const JobControl& control) {
    constexpr std::size_t kPage = 4096;
    constexpr std::size_t kTogether = 512; // pages: a huge page
    const auto touch = [&](std::size_t begin, std::size_t end) {
        for (std::size_t page = begin; page != end; ++page) {
            memory[page * kPage] = std::byte{0};
        }
    };
    forEachRange((memory.size() + kPage - 1) / kPage, control, touch, kTogether);
}

std::uint32_t toOffsets(std::span<std::uint32_t> counts, const JobControl& control) {
    std::vector<std::uint32_t> before((counts.size() + kGrain - 1) / kGrain); // per block
    const auto blockOf = [&](std::size_t k) {
        return counts.subspan(k * kGrain, std::min(kGrain, counts.size() - k * kGrain));
    };
    const auto sum = [&](std::size_t k) {
        const std::span<const std::uint32_t> block = blockOf(k);
        before[k] = std::accumulate(block.begin(), block.end(), 0U);
    };
    forEachIndex(before.size(), control, sum, 1);
    const std::uint32_t total = toOffsets(before);
    const auto place = [&](std::size_t k) {
        const std::span<std::uint32_t> block = blockOf(k);
        std::exclusive_scan(block.begin(), block.end(), block.begin(), before[k]);
    };
    forEachIndex(before.size(), control, place, 1);
    return total;
}

std::size_t valuesAtOnce() { return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) * 2; }

void runInOrder(std::uint64_t count, std::size_t places, const JobControl& control, FunctionRef<std::uint64_t> make,
                FunctionRef<std::uint64_t> take) {
    // The pipeline transports only numbers, because it loses values when it is stopped. It has at most as many numbers
    // as there are places, and its last stage keeps their order, so each number has its own place.
    std::uint64_t next = 0;
    const auto number = [&](tbb::flow_control& flow) -> std::uint64_t {
        if (next == count) {
            flow.stop();
            return 0;
        }
        control.throwIfStopped();
        return next++;
    };
    const auto fill = [&](std::uint64_t i) {
        make(i);
        return i;
    };
    const auto empty = [&](std::uint64_t i) { take(i); };
    using Mode = tbb::filter_mode;
    tbb::parallel_pipeline(places, tbb::make_filter<void, std::uint64_t>(Mode::serial_in_order, number) &
                                       tbb::make_filter<std::uint64_t, std::uint64_t>(Mode::parallel, fill) &
                                       tbb::make_filter<std::uint64_t, void>(Mode::serial_in_order, empty));
}

struct ThreadArena::Threads {
    std::optional<tbb::global_control> more; ///< allows oneTBB more than one thread per core
    tbb::task_arena arena;
};

ThreadArena::ThreadArena(int threads) : threads_(std::make_unique<Threads>()) {
    if (threads > tbb::info::default_concurrency()) {
        threads_->more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    }
    threads_->arena.initialize(threads > 0 ? threads : tbb::task_arena::automatic);
}

ThreadArena::~ThreadArena() = default;

void ThreadArena::run(FunctionRef<> work) {
    threads_->arena.execute([&] { work(); });
}

} // namespace pollard
