#include "analysis/column_summary.hpp"

#include "analysis/bins.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "tree/tree_sweeps.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
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

namespace {

void requireExtent(const ComponentTree& tree, const Image& image) {
    if (image.extent() != tree.extent()) {
        throw Error(ErrorCode::invalidArgument, "means of components: an image of " + text(image.extent()) +
                                                    " px for a tree of " + text(tree.extent()) + " px");
    }
}

} // namespace

ComponentMeans::ComponentMeans(std::shared_ptr<const ComponentTree> tree, const Image& image, const Mask* valid,
                               const JobControl& control)
    : tree_(std::move(tree)), type_(image.type()), mean_(tree_->nodeCount()) {
    requireExtent(*tree_, image);
    if (valid != nullptr && Extent{valid->width(), valid->height()} != tree_->extent()) {
        throw Error(ErrorCode::invalidArgument, "means of components: a mask of " + std::to_string(valid->width()) +
                                                    " x " + std::to_string(valid->height()) + " px for a tree of " +
                                                    text(tree_->extent()) + " px");
    }
    Buffer<std::uint32_t> count(tree_->nodeCount());
    Buffer<std::uint64_t> sum(tree_->nodeCount());
    std::ranges::fill(count.span(), 0U);
    std::ranges::fill(sum.span(), std::uint64_t{0});
    const std::uint32_t width = tree_->extent().width;
    forEachIndex(tree_->pixelCount(), control, [&](std::size_t p) {
        const auto x = static_cast<std::uint32_t>(p % width);
        if (valid == nullptr || valid->test(x, static_cast<std::uint32_t>(p / width))) {
            const std::uint32_t node = tree_->pixelNode[p];
            std::atomic_ref(sum[node]).fetch_add(image.level(p), std::memory_order_relaxed);
            std::atomic_ref(count[node]).fetch_add(1, std::memory_order_relaxed);
        }
    });
    sweepUp(*tree_, control, [&](std::uint32_t node, std::uint32_t parent) {
        sum[parent] += sum[node];
        count[parent] += count[node];
    });
    forEachIndex(tree_->nodeCount(), control, [&](std::size_t node) {
        const std::uint64_t pixels = count[node];
        mean_[node] =
            pixels == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>((2 * sum[node] + pixels) / (2 * pixels));
    });
}

void ComponentMeans::paint(std::span<const std::uint8_t> keep, Image& out, const JobControl& control) const {
    requireExtent(*tree_, out);
    if (keep.size() != tree_->nodeCount() || out.type() != type_) {
        throw Error(ErrorCode::invalidArgument, "means of components: decisions on " + std::to_string(keep.size()) +
                                                    " of " + std::to_string(tree_->nodeCount()) +
                                                    " nodes, for an image of " + std::to_string(bitsOf(out.type())) +
                                                    " bits");
    }
    Buffer<std::uint16_t> shown(tree_->nodeCount());
    shown[0] = mean_[0];
    sweepDown(*tree_, control, [&](std::uint32_t node, std::uint32_t parent) {
        shown[node] = keep[node] != 0 ? mean_[node] : shown[parent];
    });
    dispatch(type_, [&]<class Pixel>(Pixel) {
        const std::span<Pixel> pixels = out.pixels<Pixel>();
        forEachIndex(pixels.size(), control,
                     [&](std::size_t p) { pixels[p] = static_cast<Pixel>(shown[tree_->pixelNode[p]]); });
    });
}

} // namespace pollard
