#include "analysis/attribute_histogram.hpp"

#include "analysis/bin_sums.hpp"
#include "analysis/column_range.hpp"

#include <algorithm>

namespace pollard {

AttributeHistogram attributeHistogram(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    const bool integral = attributeInfo(column.id).integral;
    const bool log = spec.scale == BinScale::log;
    const ColumnRange range = columnRange(column, 0, log, control);
    AttributeHistogram histogram;
    histogram.attribute = column.id;
    BinSpec used = spec;
    if (integral && !log) {
        const Bins whole = makeBins(BinSpec{1, spec.scale, spec.low, spec.high}, range.minimum, range.maximum, true);
        const double units = std::max(1.0, whole.edges.back() - whole.edges.front());
        used.count = static_cast<std::uint32_t>(std::min<double>(spec.count, units));
    }
    histogram.bins = makeBins(used, range.minimum, range.maximum, integral);

    const BinFinder find(histogram.bins);
    const std::size_t bins = histogram.bins.count();
    // Three further sums for what is in no bin.
    const std::vector<std::uint64_t> sums = std::visit(
        [&](const auto& values) {
            return sumInBins<std::uint64_t>(
                bins + 3, 0, values.size(), control,
                [&](std::vector<std::uint64_t>& part, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i != end; ++i) {
                        const std::uint32_t bin = find(static_cast<double>(values[i]));
                        const std::size_t apart = bin == kBelowBins ? bins : bin == kAboveBins ? bins + 1 : bins + 2;
                        ++part[bin < bins ? bin : apart];
                    }
                });
        },
        column.values);
    histogram.counts.assign(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(bins));
    histogram.below = sums[bins];
    histogram.above = sums[bins + 1];
    histogram.nan = sums[bins + 2];
    return histogram;
}

} // namespace pollard
