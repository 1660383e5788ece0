#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// Number of nodes of a tree per bin of an attribute.
struct AttributeHistogram {
    AttributeId attribute = AttributeId::area;
    Bins bins;
    std::vector<std::uint64_t> counts; ///< nodes per bin
    std::uint64_t below = 0;           ///< nodes below the first edge; on a log scale including values <= 0
    std::uint64_t above = 0;           ///< nodes above the last edge
    std::uint64_t nan = 0;             ///< nodes with value NaN

    bool operator==(const AttributeHistogram&) const = default;
};

/// Counts the nodes of a column, including the root. On a linear scale, bins of integral attributes are at least 1
/// wide, so there may be fewer bins than requested. O(nodes), parallel; independent of the number of threads.
/// @throws Error(invalidArgument) as makeBins(); Cancelled
[[nodiscard]] AttributeHistogram attributeHistogram(const AttributeColumn& column, const BinSpec& spec,
                                                    const JobControl& control = {});

/// Bins of a histogram over this range of values (for log bins of the values above 0).
/// @param integral whether the values are whole numbers
/// @throws Error(invalidArgument) as makeBins()
[[nodiscard]] Bins histogramBins(bool integral, const BinSpec& spec, const ColumnRange& range);

/// Histogram of all values of a column in @p bins bins between its smallest and largest value.
[[nodiscard]] inline AttributeHistogram attributeHistogram(const AttributeColumn& column, std::uint32_t bins,
                                                           BinScale scale, const JobControl& control = {}) {
    return attributeHistogram(column, BinSpec{.count = bins, .scale = scale, .low = {}, .high = {}}, control);
}

} // namespace pollard
