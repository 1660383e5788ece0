#pragma once

#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/strip_state.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Where the measurements go, and what they are made of.
template <class Part> struct StripMeasures {
    ObjectRecord* records;    ///< record i is of label i + 1
    Part* parts;              ///< room for StripTotals::parts
    std::uint32_t* partCount; ///< 0 at first
    StripRoom room;           ///< of both
    const StripTotals* totals;
    std::uint32_t capacity; ///< components that are measured at a time, at most
    std::uint32_t slotBits; ///< of the table that finds parts of one object
};

} // namespace pollard::cuda
