#include "analysis/attribute_histogram.hpp"

#include "analysis/bin_sums.hpp"
#include "analysis/column_range.hpp"

#include <algorithm>
#include <utility>

namespace pollard {

Bins histogramBins(bool integral, const BinSpec& spec, const ColumnRange& range) {
    BinSpec used = spec;
    if (integral && spec.scale == BinScale::linear) {
        const Bins whole = makeBins(BinSpec{1, spec.scale, spec.low, spec.high}, range.minimum, range.maximum, true);
        const double units = std::max(1.0, whole.edges.back() - whole.edges.front());
        used.count = static_cast<std::uint32_t>(std::min<double>(spec.count, units));
    }
    return makeBins(used, range.minimum, range.maximum, integral);
}

AttributeHistogram attributeHistogram(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    Bins made = histogramBins(isIntegral(column), spec, columnRange(column, 0, spec.scale == BinScale::log, control));
    const BinFinder find(made);
    const std::size_t bins = made.count();
    // Three additional sums for values outside all bins.
    std::vector<std::uint64_t> sums = std::visit(
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
    AttributeHistogram histogram;
    histogram.attribute = column.id;
    histogram.bins = std::move(made);
    histogram.below = sums[bins];
    histogram.above = sums[bins + 1];
    histogram.nan = sums[bins + 2];
    sums.resize(bins);
    histogram.counts = std::move(sums);
    return histogram;
}

} // namespace pollard
