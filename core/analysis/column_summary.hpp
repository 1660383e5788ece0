#pragma once

#include "attributes/attribute.hpp"
#include "base/job_control.hpp"
#include "tree/node_set.hpp"

#include <cstdint>

namespace pollard {

/// The values of some nodes as a column of their own, in the order of the set; its range is theirs.
/// @param set of the tree that @p column is of
/// @throws Cancelled
[[nodiscard]] AttributeColumn columnOfNodes(const AttributeColumn& column, const NodeSet& set,
                                            const JobControl& control = {});

/// What the values of a column are like. Without any value all numbers are 0.
struct ColumnSummary {
    std::uint64_t count = 0;   ///< values that are numbers
    std::uint64_t missing = 0; ///< NaN
    double sum = 0;
    double mean = 0;
    double deviation = 0; ///< square root of the mean squared difference to the mean
    double minimum = 0;
    double median = 0; ///< of an even number the mean of the middle two
    double maximum = 0;
};

/// O(n).
/// @throws Cancelled
[[nodiscard]] ColumnSummary summarise(const AttributeColumn& column, const JobControl& control = {});

} // namespace pollard
