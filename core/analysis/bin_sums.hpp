#pragma once

#include "base/job_control.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <cstddef>
#include <vector>

namespace pollard {

/// Calls `add(sums, begin, end)` on pieces of [first, last) in parallel, each with a thread's own list of @p size sums,
/// and returns the sum of the lists. Independent of the number of threads if Sum is an integer.
/// @throws Cancelled
template <class Sum, class Add> [[nodiscard]] std::vector<Sum>
sumInBins(std::size_t size, std::size_t first, std::size_t last, const JobControl& control, Add&& add) {
    constexpr std::size_t kNodesPerTask = std::size_t{1} << 16;
    tbb::enumerable_thread_specific<std::vector<Sum>> parts([size] { return std::vector<Sum>(size); });
    tbb::parallel_for(tbb::blocked_range<std::size_t>(first, last, kNodesPerTask), [&](const auto& range) {
        control.throwIfStopped();
        add(parts.local(), range.begin(), range.end());
    });
    std::vector<Sum> sums(size);
    for (const std::vector<Sum>& part : parts) {
        for (std::size_t i = 0; i < size; ++i) {
            sums[i] += part[i];
        }
    }
    return sums;
}

} // namespace pollard
