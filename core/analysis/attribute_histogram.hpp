#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"

#include <cstdint>
#include <vector>

namespace pollard {

/// How many nodes of a tree have which value of an attribute.
struct AttributeHistogram {
    AttributeId attribute = AttributeId::area;
    Bins bins;
    std::vector<std::uint64_t> counts; ///< nodes per bin
    std::uint64_t below = 0;           ///< nodes under the first edge; on a log scale those of value 0 or less as well
    std::uint64_t above = 0;           ///< nodes beyond the last edge
    std::uint64_t nan = 0;             ///< nodes without a value

    bool operator==(const AttributeHistogram&) const = default;
};

/// Counts the nodes of a column, the root among them. Integral attributes get bins of at least one unit on a linear
/// scale, so there may be fewer bins than the request has. O(nodes), parallel; the same for any number of threads.
/// @throws Error(invalidArgument) as makeBins(); Cancelled
[[nodiscard]] AttributeHistogram attributeHistogram(const AttributeColumn& column, const BinSpec& spec,
                                                    const JobControl& control = {});

/// The bins of a histogram for values of this range (of log bins: those above 0).
/// @throws Error(invalidArgument) as makeBins()
[[nodiscard]] Bins histogramBins(AttributeId attribute, const BinSpec& spec, const ColumnRange& range);
/// A histogram from its counts, for engines that count themselves.
/// @param sums as many as bins, then what lies below, above, and what has no value
[[nodiscard]] AttributeHistogram histogramOf(AttributeId attribute, Bins bins, std::vector<std::uint64_t> sums);

/// The same with every node of the column, in so many bins from its smallest to its largest value.
[[nodiscard]] inline AttributeHistogram attributeHistogram(const AttributeColumn& column, std::uint32_t bins,
                                                           BinScale scale, const JobControl& control = {}) {
    return attributeHistogram(column, BinSpec{.count = bins, .scale = scale, .low = {}, .high = {}}, control);
}

} // namespace pollard
