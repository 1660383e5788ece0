#pragma once

#include "cuda/components/device_mask.hpp"
#include "cuda/components/strips/object_record.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Counters of a strip, in a cache line of their own: many threads update its links at once.
struct StripCounts {
    std::uint32_t components; ///< components of the strip
    std::uint32_t links;      ///< components found to belong to an earlier one, of this or an earlier strip
    std::uint32_t pixels;
    std::uint32_t objectsBefore; ///< objects that start in earlier strips
    std::uint32_t runs;
    std::uint32_t unused[27];
};

/// Counters of the whole image.
struct StripTotals {
    std::uint64_t foreground; ///< pixels
    std::uint32_t objects;
    std::uint32_t parts; ///< components of strips that are not the first of their object
};

/// Capacity for measurements; if exceeded, nothing is measured.
struct StripRoom {
    std::uint32_t objects = 0;
    std::uint32_t parts = 0;

    [[nodiscard]] POLLARD_HOST_DEVICE bool holds(const StripTotals& totals) const {
        return totals.objects <= objects && totals.parts <= parts;
    }
};

/// Arrays shared by the passes of "strips". A node is a component of a strip. The nodes of strip s are numbered from
/// s * runsOfStrip, in raster order of their first pixels.
/// @tparam Number_ counts the runs of a strip
template <class Number_> struct StripState {
    using Number = Number_;

    DeviceMask mask;
    std::uint32_t rowBits;    ///< a strip has 2^rowBits rows
    std::uint32_t strips;     ///< in the image
    std::uint32_t wordsOfRow; ///< with pixels
    std::uint32_t runsOfStrip;
    std::uint32_t threads;    ///< per block
    std::uint32_t* firstRuns; ///< per word of the mask, without padding: strip-wide number of the first run that starts
                              ///< in it or later
    Number* components;       ///< per run of a strip (runsOfStrip each): its component in the strip
    std::uint32_t* parents;   ///< per node; the first of an object points to itself, others to an earlier node
    std::uint32_t* labels;    ///< per node
    StripCounts* counts;      ///< per strip

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rows() const { return 1U << rowBits; }
    /// Rows of a strip; the last one may have fewer.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t rowsOf(std::uint32_t strip) const {
        const std::uint32_t left = mask.height - (strip << rowBits);
        return left < rows() ? left : rows();
    }
    [[nodiscard]] POLLARD_HOST_DEVICE RowWord at(std::uint32_t x, std::uint32_t y) const {
        return {mask.word(x, y), x == 0 ? 0 : mask.word(x - 1, y)};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::size_t wordAt(std::uint32_t x, std::uint32_t y) const {
        return std::size_t{y} * wordsOfRow + x;
    }
    /// Whether a node is the first part of its object.
    [[nodiscard]] POLLARD_HOST_DEVICE bool isFirst(std::uint32_t node) const { return parents[node] == node; }
    /// Node of a run in row @p y.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t nodeOf(std::uint32_t y, std::uint32_t run) const {
        const std::uint32_t first = (y >> rowBits) * runsOfStrip;
        return first + components[std::size_t{first} + run];
    }
};

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
