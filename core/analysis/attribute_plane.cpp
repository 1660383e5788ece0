#include "analysis/attribute_plane.hpp"

#include "analysis/attribute_histogram.hpp"
#include "analysis/bin_sums.hpp"
#include "analysis/column_range.hpp"
#include "analysis/plane_bins.hpp"
#include "analysis/plane_sums.hpp"
#include "base/error.hpp"
#include "filter/criterion_bounds.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kNodesPerTask = std::size_t{1} << 15;

Bins binsOf(const AttributeColumn& column, const BinSpec& spec, const JobControl& control) {
    const bool isInValues = attributeInfo(column.id).integral && !isIntegral(column);
    return planeBins(column.id, spec, columnRange(column, 0, spec.scale == BinScale::log, control), isInValues);
}

} // namespace

Bins planeBins(AttributeId attribute, const BinSpec& spec, const ColumnRange& range, bool isInValues) {
    const bool integral = attributeInfo(attribute).integral && !isInValues;
    Bins bins = histogramBins(integral, spec, range);
    if (!integral || spec.scale == BinScale::linear) {
        return bins;
    }
    std::ranges::transform(bins.edges, bins.edges.begin(), [](double edge) { return std::ceil(edge); });
    bins.edges.erase(std::unique(bins.edges.begin(), bins.edges.end()), bins.edges.end());
    if (bins.count() == 0) { // no integer lies between the bounds
        bins.edges.push_back(bins.edges.front() + 1);
    }
    return bins;
}

AttributePlane attributePlane(const AttributeColumn& columnX, const BinSpec& specX, const AttributeColumn& columnY,
                              const BinSpec& specY, const JobControl& control) {
    requireSameTree(columnX, columnY);
    Bins x = binsOf(columnX, specX, control);
    Bins y = binsOf(columnY, specY, control);
    requireFewCells(x, y);
    const PlaneSums sums(x.count(), y.count());
    std::vector<std::uint32_t> counts = std::visit(
        [&]<class X, class Y>(const Buffer<X>& valuesX, const Buffer<Y>& valuesY) {
            const TabledFinder<X> findX(x, valuesX.size());
            const TabledFinder<Y> findY(y, valuesY.size());
            return sumInBins<std::uint32_t>(sums.size(), 0, valuesX.size(), control,
                                            [&](std::vector<std::uint32_t>& part, std::size_t begin, std::size_t end) {
                                                for (std::size_t i = begin; i != end; ++i) {
                                                    sums.count(findX(valuesX[i]), findY(valuesY[i]),
                                                               [&](std::uint32_t place) { ++part[place]; });
                                                }
                                            });
        },
        columnX.values, columnY.values);
    return planeOf(columnX.id, columnY.id, std::move(x), std::move(y), std::move(counts));
}

AttributePlane planeOf(AttributeId attributeX, AttributeId attributeY, Bins x, Bins y,
                       std::vector<std::uint32_t> sums) {
    const std::size_t cells = x.count() * y.count();
    const std::uint32_t* behindX = sums.data() + cells;
    const std::uint32_t* behindY = behindX + PlaneSums::kOfY;
    AttributePlane plane;
    plane.attributeX = attributeX;
    plane.attributeY = attributeY;
    plane.x = std::move(x);
    plane.y = std::move(y);
    plane.binlessX = {behindX[0], behindX[1], behindX[2]};
    plane.binlessY = {behindY[0], behindY[1], behindY[2]};
    plane.outside = behindX[PlaneSums::kOutside];
    sums.resize(cells);
    plane.counts = std::move(sums);
    return plane;
}

void requireFewCells(const Bins& x, const Bins& y) {
    if (x.count() * y.count() > AttributePlane::kMostCells) {
        throw Error(ErrorCode::invalidArgument, "attribute plane: " + std::to_string(x.count()) + " x " +
                                                    std::to_string(y.count()) + " cells are more than " +
                                                    std::to_string(AttributePlane::kMostCells));
    }
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

std::uint64_t nodesInCells(const AttributePlane& plane, std::array<std::size_t, 2> columns,
                           std::array<std::size_t, 2> rows) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t row = rows[0]; row <= rows[1]; ++row) {
        const std::uint32_t* cells = plane.counts.data() + row * plane.x.count();
        sum = std::accumulate(cells + columns[0], cells + columns[1] + 1, sum);
    }
    return sum;
}

PlaneAxis PlaneAxis::of(AttributeId attribute, const Bins& bins) {
    return {attribute,
            {bins.edges.front(), bins.edges.back(), bins.scale == BinScale::log},
            attributeInfo(attribute).integral,
            bins.lastClosed};
}

PlaneAxis PlaneAxis::of(const AttributeColumn& column, const Bins& bins) {
    PlaneAxis axis = of(column.id, bins);
    axis.integral = isIntegral(column);
    return axis;
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
