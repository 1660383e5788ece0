#pragma once

#include "base/job_control.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace pollard {

/// Items per task: few enough to stop within milliseconds, many enough to amortise scheduling.
inline constexpr std::size_t kGrain = 1U << 14;

/// Refers to a function of a range [begin, end), which outlives the call. One type for all functions: the scheduler is
/// instantiated once for all loops.
class RangeFunction {
public:
    template <class Function> RangeFunction(const Function& function) noexcept
        : function_(&function), call_([](const void* called, std::size_t begin, std::size_t end) {
              (*static_cast<const Function*>(called))(begin, end);
          }) {}

    void operator()(std::size_t begin, std::size_t end) const { call_(function_, begin, end); }

private:
    const void* function_;
    void (*call_)(const void*, std::size_t, std::size_t);
};

/// Calls `function(begin, end)` on pieces of [0, count) on all threads of the arena; checks for a stop before each.
/// @throws Cancelled
void forEachRange(std::size_t count, const JobControl& control, RangeFunction function, std::size_t grain = kGrain);

/// Calls `function(i)` for every i in [0, count), in parallel.
/// @throws Cancelled
template <class Function>
void forEachIndex(std::size_t count, const JobControl& control, Function&& function, std::size_t grain = kGrain) {
    const auto callEach = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i != end; ++i) {
            function(i);
        }
    };
    forEachRange(count, control, callEach, grain);
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
