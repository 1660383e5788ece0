#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/node_set.hpp"

#include <cstdint>

namespace pollard {

/// Values of a set of nodes as a column, in the order of the set, with their own range.
/// @param set nodes of the column's tree
/// @throws Cancelled
[[nodiscard]] AttributeColumn columnOfNodes(const AttributeColumn& column, const NodeSet& set,
                                            const JobControl& control = {});

/// Statistics of a column's values except NaN; all 0 without values.
struct ColumnSummary {
    std::uint64_t count = 0;   ///< values other than NaN
    std::uint64_t missing = 0; ///< NaN
    double sum = 0;
    double mean = 0;
    double deviation = 0; ///< population standard deviation
    double minimum = 0;
    double median = 0; ///< mean of the middle two for an even count
    double maximum = 0;
};

/// Computes the statistics. O(n).
/// @throws Cancelled
[[nodiscard]] ColumnSummary summarise(const AttributeColumn& column, const JobControl& control = {});

} // namespace pollard
