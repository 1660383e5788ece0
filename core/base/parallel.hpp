#pragma once

#include "base/job_control.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// Items per task: few enough to stop within milliseconds, many enough to amortise scheduling.
inline constexpr std::size_t kGrain = 1U << 14;

/// Calls `function(begin, end)` on pieces of [0, count) on all threads of the arena; checks for a stop before each.
/// @throws Cancelled
template <class Function>
void forEachRange(std::size_t count, const JobControl& control, Function&& function, std::size_t grain = kGrain) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
        control.throwIfStopped();
        function(range.begin(), range.end());
    });
}

/// Calls `function(i)` for every i in [0, count), in parallel.
/// @throws Cancelled
template <class Function>
void forEachIndex(std::size_t count, const JobControl& control, Function&& function, std::size_t grain = kGrain) {
    forEachRange(
        count, control,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i != end; ++i) {
                function(i);
            }
        },
        grain);
}

/// Exclusive prefix sum, in place.
/// @return the total
inline std::uint32_t toOffsets(std::span<std::uint32_t> counts) noexcept {
    std::uint32_t sum = 0;
    for (std::uint32_t& count : counts) {
        const std::uint32_t next = sum + count;
        count = sum;
        sum = next;
    }
    return sum;
}

} // namespace pollard
