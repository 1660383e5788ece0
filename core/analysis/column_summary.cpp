#include "analysis/column_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace pollard {

namespace {

/// Sets the column's range; NaN is ignored, 0 and 0 without values.
void setRange(AttributeColumn& column) {
    std::visit(
        [&](const auto& values) {
            bool any = false;
            for (const auto each : values) {
                const auto value = static_cast<double>(each);
                if (std::isnan(value)) {
                    continue;
                }
                column.minimum = any ? std::min(column.minimum, value) : value;
                column.maximum = any ? std::max(column.maximum, value) : value;
                any = true;
            }
        },
        column.values);
}

} // namespace

AttributeColumn columnOfNodes(const AttributeColumn& column, const NodeSet& set, const JobControl& control) {
    AttributeColumn result{column.id, {}, 0, 0};
    std::visit(
        [&]<class Values>(const Values& values) {
            Values chosen(set.size());
            std::ranges::transform(set, chosen.begin(), [&](std::uint32_t node) { return values[node]; });
            result.values = std::move(chosen);
        },
        column.values);
    control.throwIfStopped();
    setRange(result);
    return result;
}

ColumnSummary summarise(const AttributeColumn& column, const JobControl& control) {
    std::vector<double> numbers;
    numbers.reserve(column.size());
    std::visit(
        [&](const auto& values) {
            for (const auto each : values) {
                const auto value = static_cast<double>(each);
                if (!std::isnan(value)) {
                    numbers.push_back(value);
                }
            }
        },
        column.values);
    ColumnSummary summary;
    summary.count = numbers.size();
    summary.missing = column.size() - numbers.size();
    if (numbers.empty()) {
        return summary;
    }
    control.throwIfStopped();
    const auto count = static_cast<double>(numbers.size());
    summary.sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    summary.mean = summary.sum / count;
    const double squares = std::accumulate(numbers.begin(), numbers.end(), 0.0, [&](double sum, double value) {
        return sum + (value - summary.mean) * (value - summary.mean);
    });
    summary.deviation = std::sqrt(squares / count);
    const auto [least, most] = std::ranges::minmax(numbers);
    summary.minimum = least;
    summary.maximum = most;
    control.throwIfStopped();
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    summary.median = numbers.size() % 2 != 0 ? *middle : (*middle + *std::max_element(numbers.begin(), middle)) / 2;
    return summary;
}

} // namespace pollard
