#pragma once

#include "analysis/bins.hpp"
#include "attributes/attribute.hpp"
#include "base/job_control.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pollard {

/// Range of the finite values of the nodes [first, size), or of the finite values above 0 if @p positive.
/// @throws Cancelled
[[nodiscard]] inline ColumnRange columnRange(const AttributeColumn& column, std::size_t first, bool positive,
                                             const JobControl& control) {
    constexpr std::size_t kNodesPerTask = std::size_t{1} << 16;
    return std::visit(
        [&](const auto& values) {
            return tbb::parallel_reduce(
                tbb::blocked_range<std::size_t>(std::min(first, values.size()), values.size(), kNodesPerTask),
                ColumnRange{},
                [&](const auto& nodes, ColumnRange range) {
                    control.throwIfStopped();
                    for (std::size_t i = nodes.begin(); i != nodes.end(); ++i) {
                        const auto value = static_cast<double>(values[i]);
                        if (std::isfinite(value) && (!positive || value > 0)) {
                            range.minimum = std::min(range.minimum, value);
                            range.maximum = std::max(range.maximum, value);
                        }
                    }
                    return range;
                },
                [](const ColumnRange& a, const ColumnRange& b) {
                    return ColumnRange{std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
                });
        },
        column.values);
}

} // namespace pollard
