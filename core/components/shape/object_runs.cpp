#include "components/shape/object_runs.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <new>

namespace pollard {

namespace {

constexpr std::size_t kRunRowsPerTask = 16;
constexpr std::size_t kSortedPerTask = 1024;

/// Calls `function(label, first, length)` for the runs of all rows, in parallel over rows.
template <class Function>
void forEachRun(const Components& components, const JobControl& control, const Function& function) {
    const std::uint32_t width = components.width;
    const auto findInRows = [&](std::size_t begin, std::size_t end) {
        for (std::size_t y = begin; y != end; ++y) {
            const std::uint32_t* const row = components.labels.data() + y * width;
            for (std::uint32_t x = 0; x < width;) {
                const std::uint32_t label = row[x];
                const std::uint32_t first = x++;
                while (x < width && row[x] == label) {
                    ++x;
                }
                if (label != 0) {
                    function(label, static_cast<std::uint32_t>(y * width + first), x - first);
                }
            }
        }
    };
    forEachRange(components.extent().rows(), control, findInRows, kRunRowsPerTask);
}

} // namespace

ObjectRuns::ObjectRuns(const Components& components, const JobControl& control) {
    if (components.count == 0) {
        return;
    }
    if (components.labels.empty()) {
        throw Error(ErrorCode::invalidArgument, "measure objects: there is no label image");
    }
    try {
        ends_.resize(components.count);
        forEachRun(components, control, [&](std::uint32_t label, std::uint32_t, std::uint32_t) {
            std::atomic_ref(ends_[label - 1]).fetch_add(1, std::memory_order_relaxed);
        });
        runs_ = Buffer<ObjectRun>(toOffsets(ends_));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::outOfMemory, "measure objects: not enough memory for their pixels");
    }
    // Adding a run advances the offset of its object, from its first run to its end.
    forEachRun(components, control, [&](std::uint32_t label, std::uint32_t first, std::uint32_t length) {
        runs_[std::atomic_ref(ends_[label - 1]).fetch_add(1, std::memory_order_relaxed)] = {first, length};
    });
    const auto sortRuns = [&](std::size_t object) {
        const std::span<const ObjectRun> found = of(static_cast<std::uint32_t>(object + 1));
        const std::span runs(runs_.data() + (found.data() - runs_.data()), found.size());
        if (!std::ranges::is_sorted(runs, {}, &ObjectRun::first)) {
            std::ranges::sort(runs, {}, &ObjectRun::first);
        }
    };
    forEachIndex(components.count, control, sortRuns, kSortedPerTask);
}

} // namespace pollard
