#include "hierarchy/hierarchy.hpp"

#include "base/disjoint_sets.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <numeric>
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

} // namespace

std::string_view nameOf(Strength strength) noexcept { return nameIn(kStrengths, strength); }
std::optional<Strength> strengthOf(std::string_view name) noexcept { return namedIn(kStrengths, name); }
std::string_view nameOf(EdgeWeight weight) noexcept { return nameIn(kWeights, weight); }
std::optional<EdgeWeight> edgeWeightOf(std::string_view name) noexcept { return namedIn(kWeights, name); }

Hierarchy::Hierarchy(const Extent& extent, Buffer<std::uint32_t> basins, const Counts& counts,
                     std::vector<Merge> merges, const JobControl& control)
    : extent_(extent), basins_(std::move(basins)), links_{Buffer<std::uint32_t>(counts.basins),
                                                          Buffer<std::uint64_t>(counts.basins),
                                                          {},
                                                          counts.withData} {
    control.throwIfStopped();
    tbb::parallel_sort(merges.begin(), merges.end(), [](const Merge& a, const Merge& b) {
        return std::tie(a.strength, a.basin, a.other) < std::tie(b.strength, b.basin, b.other);
    });
    auto& [into, joinedAt, strengths, withData] = links_;
    std::iota(into.begin(), into.end(), 0U);
    std::ranges::fill(joinedAt, kNever);
    strengths.reserve(merges.size());
    DisjointSets sets(into.size());                  // with shortened paths
    std::vector<std::uint32_t> size(into.size(), 1); // joining the smaller one keeps the paths of into short
    for (const Merge& merge : merges) {
        if (strengths.size() % kStopEvery == 0) {
            control.throwIfStopped();
        }
        std::uint32_t a = sets.find(merge.basin);
        std::uint32_t b = sets.find(merge.other);
        if (size[a] < size[b] || (size[a] == size[b] && b < a)) {
            std::swap(a, b);
        }
        sets.join(b, a);
        into[b] = a;
        joinedAt[b] = merge.strength;
        size[a] += size[b];
        strengths.push_back(merge.strength);
    }
}

Hierarchy::Hierarchy(const Extent& extent, Buffer<std::uint32_t> basins, Links links,
                     std::shared_ptr<const Regions> regions) noexcept
    : extent_(extent), basins_(std::move(basins)), links_(std::move(links)), regions_(std::move(regions)) {}

std::uint64_t Hierarchy::between(std::uint32_t basin, std::uint32_t other) const noexcept {
    std::uint64_t strength = 0;
    while (basin != other) {
        std::uint32_t& earlier = links_.joinedAt[basin] <= links_.joinedAt[other] ? basin : other;
        strength = links_.joinedAt[earlier];
        if (strength == kNever) {
            break;
        }
        earlier = links_.into[earlier];
    }
    return strength;
}

std::uint32_t Hierarchy::regionOf(std::uint32_t basin, std::uint64_t strength) const noexcept {
    while (links_.joinedAt[basin] <= strength && links_.into[basin] != basin) {
        basin = links_.into[basin];
    }
    return basin;
}

std::size_t Hierarchy::regionsAt(std::uint64_t strength) const noexcept {
    return links_.withData -
           static_cast<std::size_t>(std::ranges::upper_bound(links_.strengths, strength) - links_.strengths.begin());
}

std::uint64_t Hierarchy::strengthFor(std::size_t regions) const noexcept {
    if (regions >= links_.withData || links_.strengths.empty()) {
        return 0;
    }
    return links_.strengths[std::min(links_.withData - regions, links_.strengths.size()) - 1];
}

} // namespace pollard
