#include "learn/rank_scale.hpp"

#include "attributes/grey_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kOctaves = 65;
constexpr std::size_t kNodesPerCheck = std::size_t{1} << 20;

std::size_t octaveOf(std::uint64_t area) noexcept { return static_cast<std::size_t>(std::bit_width(area)); }

/// Calls @p visit(node, octave) for all nodes in ascending order.
template <class Visit> void forEachOctave(const AttributeColumn& area, const JobControl& control, const Visit& visit) {
    std::visit(
        [&](const auto& values) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (i % kNodesPerCheck == 0) {
                    control.throwIfStopped();
                }
                visit(static_cast<std::uint32_t>(i), octaveOf(static_cast<std::uint64_t>(values[i])));
            }
        },
        area.values);
}

} // namespace

NodeSample sampleNodes(const AttributeColumn& area, const JobControl& control) {
    std::array<std::uint64_t, kOctaves> counts{};
    forEachOctave(area, control, [&](std::uint32_t, std::size_t octave) { ++counts[octave]; });
    const auto used = static_cast<double>(std::ranges::count_if(counts, [](std::uint64_t n) { return n != 0; }));
    NodeSample sample;
    std::array<std::uint64_t, kOctaves> seen{};
    forEachOctave(area, control, [&](std::uint32_t node, std::size_t octave) {
        const std::uint64_t taken = std::min<std::uint64_t>(counts[octave], NodeSample::kNodesPerOctave);
        const std::uint64_t at = seen[octave]++;
        if ((at + 1) * taken / counts[octave] != at * taken / counts[octave]) {
            sample.nodes.push_back(node);
            sample.weights.push_back(1 / (used * static_cast<double>(taken)));
        }
    });
    return sample;
}

RankScale::RankScale(const AttributeColumn& column, const NodeSample& sample,
                     const std::optional<ValueMapping>& mapping) {
    std::vector<std::pair<double, double>> weighted;
    for (std::size_t i = 0; i < sample.nodes.size(); ++i) {
        const double value = columnValue(column.id, column.at(sample.nodes[i]), mapping);
        if (!std::isnan(value)) {
            weighted.emplace_back(value, sample.weights[i]);
        }
    }
    std::ranges::sort(weighted);
    double sum = 0;
    for (const auto& [value, weight] : weighted) {
        if (values_.empty() || values_.back() != value) {
            values_.push_back(value);
            below_.push_back(sum);
        }
        sum += weight;
    }
    below_.push_back(sum);
}

double RankScale::rankOf(double value) const noexcept {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(values_, value) - values_.begin());
    const bool isSampled = at < values_.size() && values_[at] == value;
    return below_.empty() ? 0 : isSampled ? std::midpoint(below_[at], below_[at + 1]) : below_[at];
}

double RankScale::valueAbove(double rank) const noexcept {
    const auto found = std::ranges::partition_point(values_, [&](double value) { return rankOf(value) <= rank; });
    return found == values_.end() ? std::numeric_limits<double>::quiet_NaN() : *found;
}

double RankScale::valueBelow(double rank) const noexcept {
    const auto found = std::ranges::partition_point(values_, [&](double value) { return rankOf(value) < rank; });
    return found == values_.begin() ? std::numeric_limits<double>::quiet_NaN() : *std::prev(found);
}

} // namespace pollard
