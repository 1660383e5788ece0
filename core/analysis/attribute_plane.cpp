#include "analysis/attribute_plane.hpp"

#include "analysis/attribute_histogram.hpp"
#include "analysis/bin_sums.hpp"
#include "analysis/column_range.hpp"
#include "analysis/plane_bins.hpp"
#include "base/error.hpp"
#include "filter/criterion_bounds.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kNodesPerTask = std::size_t{1} << 15;

/// Sums behind the cells: below, above and no number of x, then those of y, then nodes without a cell.
constexpr std::size_t kSumsBehind = 7;

std::size_t binlessSum(std::uint32_t bin) noexcept { return bin == kBelowBins ? 0 : bin == kAboveBins ? 1 : 2; }

Bins binsOf(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    return planeBins(column.id, spec, columnRange(column, 0, spec.scale == BinScale::log, control));
}

} // namespace

Bins planeBins(AttributeId attribute, const BinSpec& spec, const ColumnRange& range) {
    Bins bins = histogramBins(attribute, spec, range);
    if (!attributeInfo(attribute).integral || spec.scale == BinScale::linear) {
        return bins;
    }
    std::ranges::transform(bins.edges, bins.edges.begin(), [](double edge) { return std::ceil(edge); });
    bins.edges.erase(std::unique(bins.edges.begin(), bins.edges.end()), bins.edges.end());
    if (bins.count() == 0) { // no whole number lies between the bounds
        bins.edges.push_back(bins.edges.front() + 1);
    }
    return bins;
}

AttributePlane attributePlane(const AttributeColumn& columnX, const BinSpec& specX, const AttributeColumn& columnY,
                              const BinSpec& specY, const JobControl& control) {
    requireSameTree(columnX, columnY);
    AttributePlane plane;
    plane.attributeX = columnX.id;
    plane.attributeY = columnY.id;
    plane.x = binsOf(columnX, specX, control);
    plane.y = binsOf(columnY, specY, control);
    const std::size_t binsX = plane.x.count();
    const std::size_t binsY = plane.y.count();
    const std::size_t cells = binsX * binsY;
    if (cells > AttributePlane::kMostCells) {
        throw Error(ErrorCode::invalidArgument, "attribute plane: " + std::to_string(binsX) + " x " +
                                                    std::to_string(binsY) + " cells are more than " +
                                                    std::to_string(AttributePlane::kMostCells));
    }
    plane.counts = std::visit(
        [&]<class X, class Y>(const Buffer<X>& valuesX, const Buffer<Y>& valuesY) {
            const TabledFinder<X> findX(plane.x, valuesX.size());
            const TabledFinder<Y> findY(plane.y, valuesY.size());
            return sumInBins<std::uint32_t>(cells + kSumsBehind, 0, valuesX.size(), control,
                                            [&](std::vector<std::uint32_t>& part, std::size_t begin, std::size_t end) {
                                                for (std::size_t i = begin; i != end; ++i) {
                                                    const std::uint32_t binX = findX(valuesX[i]);
                                                    const std::uint32_t binY = findY(valuesY[i]);
                                                    if (binX < binsX && binY < binsY) {
                                                        ++part[binY * binsX + binX];
                                                        continue;
                                                    }
                                                    ++part[cells + 6];
                                                    if (binX >= binsX) {
                                                        ++part[cells + binlessSum(binX)];
                                                    }
                                                    if (binY >= binsY) {
                                                        ++part[cells + 3 + binlessSum(binY)];
                                                    }
                                                }
                                            });
        },
        columnX.values, columnY.values);
    const std::uint32_t* behind = plane.counts.data() + cells;
    plane.binlessX = {behind[0], behind[1], behind[2]};
    plane.binlessY = {behind[3], behind[4], behind[5]};
    plane.outside = behind[6];
    plane.counts.resize(cells);
    return plane;
}

std::vector<std::uint64_t> columnSums(const AttributePlane& plane) {
    std::vector<std::uint64_t> sums(plane.x.count());
    for (std::size_t i = 0; i < plane.counts.size(); ++i) {
        sums[i % sums.size()] += plane.counts[i];
    }
    return sums;
}

std::vector<std::uint64_t> rowSums(const AttributePlane& plane) {
    std::vector<std::uint64_t> sums(plane.y.count());
    for (std::size_t i = 0; i < plane.counts.size(); ++i) {
        sums[i / plane.x.count()] += plane.counts[i];
    }
    return sums;
}

PlaneAxis PlaneAxis::of(AttributeId attribute, const Bins& bins) {
    return {attribute,
            {bins.edges.front(), bins.edges.back(), bins.scale == BinScale::log},
            attributeInfo(attribute).integral,
            bins.lastClosed};
}

double PlaneAxis::placeOf(double value) const noexcept {
    return integral ? (values.placeOf(value) + values.placeOf(value + 1)) / 2 : values.placeOf(value);
}

std::uint64_t countMeetingBoth(const AttributeColumn& columnX, const Criterion& x, const AttributeColumn& columnY,
                               const Criterion& y, const JobControl& control) {
    requireSameTree(columnX, columnY);
    return std::visit(
        [&]<class X, class Y>(const Buffer<X>& valuesX, const Buffer<Y>& valuesY) {
            const CriterionBounds<X> boundsX = boundsOf<X>(x);
            const CriterionBounds<Y> boundsY = boundsOf<Y>(y);
            if (boundsX.empty || boundsY.empty) {
                return std::uint64_t{0};
            }
            return tbb::parallel_reduce(
                tbb::blocked_range<std::size_t>(0, valuesX.size(), kNodesPerTask), std::uint64_t{0},
                [&](const auto& nodes, std::uint64_t count) {
                    control.throwIfStopped();
                    for (std::size_t i = nodes.begin(); i != nodes.end(); ++i) {
                        const bool meets = valuesX[i] >= boundsX.minimum && valuesX[i] <= boundsX.maximum &&
                                           valuesY[i] >= boundsY.minimum && valuesY[i] <= boundsY.maximum;
                        count += meets ? 1U : 0U;
                    }
                    return count;
                },
                std::plus<>());
        },
        columnX.values, columnY.values);
}

} // namespace pollard
