#pragma once

#include "base/job_control.hpp"

#include <cstddef>
#include <cstdint>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <utility>
#include <vector>

namespace pollard {

/// Calls `take(make(i))` for every i in [0, count): `make` in parallel on the threads of the arena, `take` for one i
/// after another in ascending order. Two values per thread exist at a time; a value is default-constructible and
/// movable. Checks for a stop before each.
/// @throws Cancelled; exceptions of both functions, after which `take` has had the first values
template <class Value, class Make, class Take>
void makeInOrder(std::uint64_t count, const JobControl& control, Make&& make, Take&& take) {
    const auto atOnce = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) * 2;
    // The pipeline passes on numbers alone, because it loses values when it is stopped. As it has at most atOnce of
    // them and the last stage keeps their order, each has a place of its own.
    std::vector<Value> values(atOnce);
    std::uint64_t next = 0;
    const auto number = [&](tbb::flow_control& flow) -> std::uint64_t {
        if (next == count) {
            flow.stop();
            return 0;
        }
        control.throwIfStopped();
        return next++;
    };
    const auto made = [&](std::uint64_t i) {
        values[i % atOnce] = make(i);
        return i;
    };
    const auto taken = [&](std::uint64_t i) { take(std::exchange(values[i % atOnce], Value{})); };
    using Mode = tbb::filter_mode;
    tbb::parallel_pipeline(atOnce, tbb::make_filter<void, std::uint64_t>(Mode::serial_in_order, number) &
                                       tbb::make_filter<std::uint64_t, std::uint64_t>(Mode::parallel, made) &
                                       tbb::make_filter<std::uint64_t, void>(Mode::serial_in_order, taken));
}

} // namespace pollard
