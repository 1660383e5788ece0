#pragma once

#include "cuda/components/strips/object_record.hpp"
#include "cuda/components/strips/strip_state.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Output of the measurements, and their parameters.
template <class Part> struct StripMeasures {
    ObjectRecord* records;    ///< record i belongs to label i + 1
    Part* parts;              ///< capacity for StripTotals::parts
    std::uint32_t* partCount; ///< 0 at the start
    StripRoom room;           ///< capacity of both
    const StripTotals* totals;
    std::uint32_t capacity; ///< largest number of components measured per round
    std::uint32_t slotBits; ///< log2 of the places in the hash table of parts
};

} // namespace pollard::cuda
