#include "hierarchy/hierarchy.hpp"

#include "base/disjoint_sets.hpp"
#include "base/parallel.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace pollard {

namespace {

constexpr std::size_t kStopEvery = std::size_t{1} << 16;
constexpr std::array<std::pair<Strength, std::string_view>, 4> kStrengths{{{Strength::altitude, "altitude"},
                                                                           {Strength::dynamics, "dynamics"},
                                                                           {Strength::area, "area"},
                                                                           {Strength::volume, "volume"}}};
constexpr std::array<std::pair<EdgeWeight, std::string_view>, 2> kWeights{
    {{EdgeWeight::difference, "difference"}, {EdgeWeight::maximum, "maximum"}}};

template <class Name, std::size_t N>
std::string_view nameIn(const std::array<std::pair<Name, std::string_view>, N>& names, Name wanted) noexcept {
    return std::ranges::find(names, wanted, &std::pair<Name, std::string_view>::first)->second;
}
template <class Name, std::size_t N> std::optional<Name>
namedIn(const std::array<std::pair<Name, std::string_view>, N>& names, std::string_view wanted) noexcept {
    const auto* found = std::ranges::find(names, wanted, &std::pair<Name, std::string_view>::second);
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

/// Sorts by strength, then by basins: into buckets by the upper bits of the strength, then each bucket.
void sortByStrength(std::vector<Hierarchy::Merge>& merges, const JobControl& control) {
    using Merge = Hierarchy::Merge;
    constexpr int kBucketBits = 14;
    std::uint64_t bits = 0; // of the strengths
    for (const Merge& merge : merges) {
        bits |= merge.strength;
    }
    const int shift = std::max(static_cast<int>(std::bit_width(bits)) - kBucketBits, 0);
    std::vector<std::uint32_t> begin((std::size_t{1} << kBucketBits) + 1);
    for (const Merge& merge : merges) {
        ++begin[merge.strength >> shift];
    }
    toOffsets(begin);
    Buffer<Merge> sorted(merges.size());
    std::vector<std::uint32_t> next = begin;
    for (const Merge& merge : merges) {
        sorted[next[merge.strength >> shift]++] = merge;
    }
    forEachIndex(
        begin.size() - 1, control,
        [&](std::size_t bucket) {
            tbb::parallel_sort(
                sorted.data() + begin[bucket], sorted.data() + begin[bucket + 1], [](const Merge& a, const Merge& b) {
                    return std::tie(a.strength, a.basin, a.other) < std::tie(b.strength, b.basin, b.other);
                });
        },
        1);
    std::ranges::copy(sorted, merges.begin());
}

} // namespace

std::string_view nameOf(Strength strength) noexcept { return nameIn(kStrengths, strength); }
std::optional<Strength> strengthOf(std::string_view name) noexcept { return namedIn(kStrengths, name); }
std::string_view nameOf(EdgeWeight weight) noexcept { return nameIn(kWeights, weight); }
std::optional<EdgeWeight> edgeWeightOf(std::string_view name) noexcept { return namedIn(kWeights, name); }

Hierarchy::Hierarchy(const Extent& extent, Buffer<std::uint32_t> basins, const Counts& counts,
                     std::vector<Merge> merges, const JobControl& control, std::shared_ptr<const Regions> regions)
    : extent_(extent), basins_(std::move(basins)), joins_(counts.basins), withData_(counts.withData),
      regions_(std::move(regions)) {
    control.throwIfStopped();
    sortByStrength(merges, control);
    for (std::uint32_t basin = 0; basin < joins_.size(); ++basin) {
        joins_[basin] = {basin, 1}; // the number of basins, while the basin stands for a region
    }
    strengths_.reserve(merges.size());
    edges_.reserve(merges.size());
    constexpr std::size_t kAhead = 16;
    DisjointSets sets(joins_.size()); // with shortened ways
    for (std::uint32_t i = 0; i < merges.size(); ++i) {
        if (i % kStopEvery == 0) {
            control.throwIfStopped();
        }
        if (i + kAhead < merges.size()) {
            sets.prefetch(merges[i + kAhead].basin);
            sets.prefetch(merges[i + kAhead].other);
        }
        std::uint32_t a = sets.find(merges[i].basin);
        std::uint32_t b = sets.find(merges[i].other);
        const std::uint32_t sizeA = joins_[a].merge;
        const std::uint32_t sizeB = joins_[b].merge;
        if (sizeA < sizeB || (sizeA == sizeB && b < a)) { // joining the smaller one keeps the ways along `into` short
            std::swap(a, b);
        }
        sets.join(b, a);
        joins_[b] = {a, i};
        joins_[a].merge = sizeA + sizeB;
        strengths_.push_back(merges[i].strength);
        edges_.push_back({merges[i].basin, merges[i].other});
    }
    for (std::uint32_t basin = 0; basin < joins_.size(); ++basin) {
        joins_[basin].merge = joins_[basin].into == basin ? kNoMerge : joins_[basin].merge;
    }
}

std::uint32_t Hierarchy::mergeOf(std::uint32_t basin, std::uint32_t other) const noexcept {
    std::uint32_t merge = kNoMerge;
    while (basin != other) {
        std::uint32_t& earlier = joins_[basin].merge <= joins_[other].merge ? basin : other;
        merge = joins_[earlier].merge;
        if (merge == kNoMerge) {
            break;
        }
        earlier = joins_[earlier].into;
    }
    return merge;
}

std::uint32_t Hierarchy::mergesUpTo(std::uint64_t strength) const noexcept {
    return static_cast<std::uint32_t>(std::ranges::upper_bound(strengths_, strength) - strengths_.begin());
}

std::uint64_t Hierarchy::between(std::uint32_t basin, std::uint32_t other) const noexcept {
    if (basin == other) {
        return 0;
    }
    const std::uint32_t merge = mergeOf(basin, other);
    return merge == kNoMerge ? kNever : strengths_[merge];
}

std::uint32_t Hierarchy::regionAfter(std::uint32_t basin, std::uint32_t merges) const noexcept {
    while (joins_[basin].merge < merges) {
        basin = joins_[basin].into;
    }
    return basin;
}

std::size_t Hierarchy::regionsAt(std::uint64_t strength) const noexcept { return withData_ - mergesUpTo(strength); }

std::uint64_t Hierarchy::strengthFor(std::size_t regions) const noexcept {
    if (regions >= withData_ || strengths_.empty()) {
        return 0;
    }
    return strengths_[std::min(withData_ - regions, strengths_.size()) - 1];
}

} // namespace pollard
