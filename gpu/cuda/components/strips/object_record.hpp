#pragma once

#include "components/components.hpp"
#include "cuda/components/object_atomics.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// A ComponentRecord during accumulation by kernels. Both have the same bytes on little-endian machines.
struct alignas(16) ObjectRecord { // stored in six pieces
    std::uint64_t area;
    std::uint32_t left, top, right, bottom;
    std::uint64_t sumX, sumY, sumXX, sumXY, sumYY;
    std::uint64_t greySum;
    std::uint32_t greyRange; ///< smallest level in the lower half, largest in the upper half
    std::uint32_t unused;
    std::uint64_t perimeter; ///< modulo 2^64 until all parts are added
    std::uint64_t holes;     ///< modulo 2^64 until all parts are added
};
static_assert(sizeof(ObjectRecord) == sizeof(ComponentRecord) &&
              offsetof(ObjectRecord, bottom) == offsetof(ComponentRecord, bottom) &&
              offsetof(ObjectRecord, sumYY) == offsetof(ComponentRecord, sumYY) &&
              offsetof(ObjectRecord, greyRange) == offsetof(ComponentRecord, greyMin) &&
              offsetof(ObjectRecord, greyRange) + 2 == offsetof(ComponentRecord, greyMax) &&
              offsetof(ObjectRecord, holes) == offsetof(ComponentRecord, holes));

/// A part of an object other than its first, in a strip of one row.
struct ObjectPart {
    ObjectRecord sums;
    std::uint32_t label;

    [[nodiscard]] POLLARD_HOST_DEVICE const ObjectRecord& record() const { return sums; }
};

/// Union of two grey ranges: the smallest level, and the largest in the upper half.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t joinedRange(std::uint32_t one, std::uint32_t other) {
    const std::uint32_t smallest = (one & 0xffffU) < (other & 0xffffU) ? one & 0xffffU : other & 0xffffU;
    const std::uint32_t largest = one >> 16U > other >> 16U ? one >> 16U : other >> 16U;
    return largest << 16U | smallest;
}

/// Extends a grey range atomically.
POLLARD_DEVICE inline void widenRange(std::uint32_t* range, std::uint32_t by) {
    std::uint32_t known = loadFresh(range);
    while (true) {
        const std::uint32_t wanted = joinedRange(known, by);
        const std::uint32_t before = wanted == known ? known : replaced(range, known, wanted);
        if (before == known) {
            return;
        }
        known = before;
    }
}

} // namespace pollard::cuda
