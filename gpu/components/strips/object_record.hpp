#pragma once

#include "components/components.hpp"
#include "components/object_atomics.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// A ComponentRecord as kernels add to it. Both have the same bytes where the lower half of a word comes first.
struct alignas(16) ObjectRecord { // stored in six pieces
    std::uint64_t area;
    std::uint32_t left, top, right, bottom;
    std::uint64_t sumX, sumY, sumXX, sumXY, sumYY;
    std::uint64_t greySum;
    std::uint32_t greyRange; ///< smallest level, and the largest in the upper half
    std::uint32_t unused;
    std::uint64_t perimeter; ///< modulo 2^64 until all parts are added
    std::uint64_t holes;     ///< the same
};
static_assert(sizeof(ObjectRecord) == sizeof(ComponentRecord) &&
              offsetof(ObjectRecord, bottom) == offsetof(ComponentRecord, bottom) &&
              offsetof(ObjectRecord, sumYY) == offsetof(ComponentRecord, sumYY) &&
              offsetof(ObjectRecord, greyRange) == offsetof(ComponentRecord, greyMin) &&
              offsetof(ObjectRecord, greyRange) + 2 == offsetof(ComponentRecord, greyMax) &&
              offsetof(ObjectRecord, holes) == offsetof(ComponentRecord, holes));

/// A part of an object that is not its first, in a strip of one row.
struct ObjectPart {
    ObjectRecord sums;
    std::uint32_t label;

    [[nodiscard]] POLLARD_HOST_DEVICE const ObjectRecord& record() const { return sums; }
};

/// Widens a range of grey levels while other threads do the same.
POLLARD_DEVICE inline void widenRange(std::uint32_t* range, std::uint32_t by) {
    std::uint32_t known = loadFresh(range);
    while (true) {
        const std::uint32_t smallest = (by & 0xffffU) < (known & 0xffffU) ? by & 0xffffU : known & 0xffffU;
        const std::uint32_t largest = by >> 16U > known >> 16U ? by >> 16U : known >> 16U;
        const std::uint32_t wanted = largest << 16U | smallest;
        const std::uint32_t before = wanted == known ? known : replaced(range, known, wanted);
        if (before == known) {
            return;
        }
        known = before;
    }
}

/// Adds the parts of objects to the records of the first ones, a step for each.
/// @tparam Part has label and record()
template <class Part> struct AddParts {
    const Part* parts;
    ObjectRecord* records; ///< record i is of label i + 1
    bool grey;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const Part listed = loadByFour(parts + i);
        const ObjectRecord part = listed.record();
        ObjectRecord& to = records[listed.label - 1];
        addWide(&to.area, part.area);
        if (loadFresh(&to.left) > part.left) { // it only falls; the first part has the first row
            lowerTo(&to.left, part.left);
        }
        raiseTo(&to.right, part.right);
        raiseTo(&to.bottom, part.bottom);
        addWide(&to.sumX, part.sumX);
        addWide(&to.sumY, part.sumY);
        addWide(&to.sumXX, part.sumXX);
        addWide(&to.sumXY, part.sumXY);
        addWide(&to.sumYY, part.sumYY);
        addWide(&to.perimeter, part.perimeter);
        if (part.holes != 0) {
            addWide(&to.holes, part.holes);
        }
        if (grey) {
            addWide(&to.greySum, part.greySum);
            widenRange(&to.greyRange, part.greyRange);
        }
    }
};

} // namespace pollard::cuda
