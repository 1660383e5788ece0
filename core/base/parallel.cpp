#include "base/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace pollard {

void forEachRange(std::size_t count, const JobControl& control, RangeFunction function, std::size_t grain) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
        control.throwIfStopped();
        function(range.begin(), range.end());
    });
}

} // namespace pollard
