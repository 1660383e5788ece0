#pragma once

#include "analysis/bins.hpp"
#include "analysis/spectrum.hpp"
#include "cuda/nodes/bin_steps.hpp"
#include "cuda/tree/ranked_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace pollard::cuda {

/// Smallest and largest finite value of the nodes [first, size), like columnRange(). Waits.
/// @param positive only values above 0 count
template <class Machine, class Column>
[[nodiscard]] ColumnRange finiteRangeOf(Machine& machine, const Column& column, std::size_t first, bool positive) {
    constexpr std::size_t kEnds = 2;
    auto ends = machine.template make<unsigned long long>(kEnds, "a range");
    machine.fill(ends.data(), kEnds, 0);
    std::visit(
        [&](const auto& values) {
            const std::size_t count = values.size() - std::min(first, values.size());
            machine.maximum(RangeKey{values.data() + first, positive, true}, count, ends.data());
            machine.maximum(RangeKey{values.data() + first, positive, false}, count, ends.data() + 1);
        },
        column);
    unsigned long long read[kEnds];
    machine.readBack(read, ends.data(), kEnds);
    return read[1] == 0 ? ColumnRange{} : ColumnRange{valueOfOrderedKey(~read[0]), valueOfOrderedKey(read[1])};
}

/// One axis of bins: an attribute column and its bins.
template <class Column> struct BinAxis {
    const Column& column;
    const Bins& bins;
};
template <class Column> BinAxis(const Column&, const Bins&) -> BinAxis<Column>;

/// Sums of the nodes [first, size) per bin, as for spectrumOf(). Waits.
/// @param area exclusive prefix sum of the nodes' own pixels
/// @param y null for one attribute
template <class Machine, class Column>
[[nodiscard]] std::vector<SpectrumShare> sharesInBins(Machine& machine, const NodePlan& plan,
                                                      const ComponentSum<std::uint32_t>& area, std::uint32_t first,
                                                      const BinAxis<Column>& x, const BinAxis<Column>* y = nullptr) {
    using Numbers = typename Machine::template Buffer<std::uint32_t>;
    const auto binsOf = [&](const BinAxis<Column>& axis) {
        const auto edges = machine.upload(std::span<const double>(axis.bins.edges), "bins");
        Numbers bins = machine.template make<std::uint32_t>(plan.nodeCount, "bins");
        std::visit(
            [&]<class Values>(const Values& values) {
                machine.each(BinOfNode{BinFinder(axis.bins).withEdges(edges.data()), values.data(), bins.data()},
                             plan.nodeCount);
            },
            axis.column);
        return bins;
    };
    const Numbers binX = binsOf(x);
    const Numbers binY = y == nullptr ? machine.template make<std::uint32_t>(1, "bins") : binsOf(*y);
    const BinPlaces places{binX.data(), y == nullptr ? nullptr : binY.data(),
                           static_cast<std::uint32_t>(x.bins.count()),
                           y == nullptr ? 1 : static_cast<std::uint32_t>(y->bins.count())};
    constexpr std::uint32_t kMostLists = 64;
    constexpr std::uint32_t kMostSums = 1U << 17; // a few MiB
    const std::uint32_t size = places.size();
    const std::uint32_t lists = std::clamp(kMostSums / size, 1U, kMostLists);
    auto sums = machine.template make<std::uint64_t>(std::size_t{2} * size * lists, "bins");
    machine.fill(sums.data(), sums.size(), 0);
    machine.each(AddShares{plan, places, area, sums.data(), size, lists, first},
                 plan.nodeCount - std::min(first, plan.nodeCount));
    machine.each(JoinLists{sums.data(), std::size_t{2} * size, lists}, std::size_t{2} * size);
    std::vector<std::uint64_t> read(std::size_t{2} * size);
    machine.readBack(read.data(), sums.data(), read.size());
    std::vector<SpectrumShare> shares(size);
    for (std::size_t i = 0; i < size; ++i) {
        shares[i] = {read[2 * i], read[2 * i + 1]};
    }
    return shares;
}

/// Counts the nodes in the cells of an attribute plane, as for planeOf(). Waits.
template <class Machine, class Column> [[nodiscard]] std::vector<std::uint32_t>
sumsInPlane(Machine& machine, const BinAxis<Column>& x, const BinAxis<Column>& y) {
    constexpr std::uint32_t kMostLists = 64;
    constexpr std::size_t kMostSums = std::size_t{1} << 20; // 4 MiB
    const PlaneSums places(x.bins.count(), y.bins.count());
    const std::size_t size = places.size();
    const auto lists = static_cast<std::uint32_t>(std::clamp<std::size_t>(kMostSums / size, 1, kMostLists));
    const auto edgesX = machine.upload(std::span<const double>(x.bins.edges), "bins");
    const auto edgesY = machine.upload(std::span<const double>(y.bins.edges), "bins");
    auto sums = machine.template make<std::uint32_t>(size * lists, "bins");
    machine.fill(sums.data(), sums.size(), 0);
    const auto valuesOf = [](const Column& column) {
        return std::visit([](const auto& values) { return AnyValues(values.data()); }, column);
    };
    const std::size_t nodes = std::visit([](const auto& values) { return values.size(); }, x.column);
    machine.each(CountInPlane{BinFinder(x.bins).withEdges(edgesX.data()), BinFinder(y.bins).withEdges(edgesY.data()),
                              valuesOf(x.column), valuesOf(y.column), places, sums.data(), size, lists},
                 nodes);
    machine.each(JoinLists{sums.data(), size, lists}, size);
    std::vector<std::uint32_t> read(size);
    machine.readBack(read.data(), sums.data(), size);
    return read;
}

/// Upper bound of the memory of sumsInPlane() for a plane of @p cells cells, bytes.
[[nodiscard]] constexpr std::uint64_t estimatePlaneBytes(std::uint64_t cells) noexcept {
    return 4 * cells + (std::uint64_t{5} << 20);
}

/// Upper bound of the memory of sharesInBins(), bytes.
[[nodiscard]] constexpr std::uint64_t estimateBinBytes(std::uint64_t nodeCount, std::uint64_t bins) noexcept {
    return 8 * nodeCount + 16 * (bins + 3) + (std::uint64_t{8} << 20);
}

} // namespace pollard::cuda
