#pragma once

#include "device/kernel_threads.hpp"
#include "snake/contour_way.hpp"
#include "snake/place_steps.hpp"
#include "snake/region_sums.hpp"
#include "snake/snake_input.hpp"

#include <cstddef>
#include <cstdint>

// What the threads of a block do together to a contour. All of them call these functions with the same arguments and
// get the same answers; shared memory may be used again at once.

namespace pollard::cuda {

/// Memory of a block that works on a contour.
struct SnakeScratch {
    RegionSums* sums;      ///< one a thread
    double* energies;      ///< of eight places
    std::uint32_t threads; ///< of the block, a power of two, 16 or more

    static constexpr std::size_t kPlaces = PlaceSteps::kCount;
    [[nodiscard]] POLLARD_HOST_DEVICE static std::size_t bytes(std::uint32_t threads) noexcept {
        return threads * sizeof(RegionSums) + kPlaces * sizeof(double);
    }
    POLLARD_DEVICE SnakeScratch(std::uint32_t* memory, std::uint32_t threadsOfBlock)
        : sums(reinterpret_cast<RegionSums*>(memory)), energies(reinterpret_cast<double*>(sums + threadsOfBlock)),
          threads(threadsOfBlock) {}
};

[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t nodeBefore(std::uint32_t i, std::uint32_t count) {
    return (i == 0 ? count : i) - 1;
}
[[nodiscard]] POLLARD_HOST_DEVICE inline std::uint32_t nodeAfter(std::uint32_t i, std::uint32_t count) {
    return i + 1 < count ? i + 1 : 0;
}

/// Sums what every @p group consecutive threads have; the first of them gets the sum.
/// @param group a power of two
POLLARD_DEVICE inline RegionSums sumOfGroup(const RegionSums& value, std::uint32_t group, const SnakeScratch& scratch) {
    const std::uint32_t thread = threadOfBlock();
    scratch.sums[thread] = value;
    meetThreads();
    for (std::uint32_t half = group / 2; half > 0; half /= 2) {
        if (thread % group < half) {
            scratch.sums[thread] += scratch.sums[thread + half];
        }
        meetThreads();
    }
    const RegionSums sum = scratch.sums[thread - thread % group];
    meetThreads();
    return sum;
}
[[nodiscard]] POLLARD_DEVICE inline RegionSums sumOfBlock(const RegionSums& value, const SnakeScratch& scratch) {
    return sumOfGroup(value, scratch.threads, scratch);
}

/// Whether the way from a node over a place to the next one or the one after that touches the contour.
[[nodiscard]] POLLARD_DEVICE inline bool touchesInThread(const ContourWay& way, std::uint32_t count,
                                                         std::uint32_t threads) {
    bool touches = way.isNone();
    for (std::uint32_t i = threadOfBlock(); i < count && !touches; i += threads) {
        touches = way.touchesEdge(i);
    }
    return touches;
}

/// Whether node @p before may be joined to node @p after over @p place: it touches nothing and brings in nothing
/// forbidden.
[[nodiscard]] POLLARD_DEVICE inline bool mayJoin(const RowCountsView& forbidden, const ContourNode* nodes,
                                                 std::uint32_t count, std::uint32_t before, std::uint32_t after,
                                                 ContourNode place, const SnakeScratch& scratch) {
    const ContourWay way(nodes, count, before, after, place);
    if (anyThread(touchesInThread(way, count, scratch.threads))) {
        return false;
    }
    if (forbidden.words == nullptr) {
        return true;
    }
    const auto part = static_cast<std::int32_t>(threadOfBlock());
    const auto parts = static_cast<std::int32_t>(scratch.threads);
    std::int64_t brought =
        forbidden.leftOf(nodes[before], place, part, parts) + forbidden.leftOf(place, nodes[after], part, parts);
    for (std::uint32_t i = before; i != after; i = nodeAfter(i, count)) {
        brought -= forbidden.leftOf(nodes[i], nodes[nodeAfter(i, count)], part, parts);
    }
    return sumOfBlock({brought, 0, 0}, scratch).pixels == 0;
}

/// The sums to the left of the edges from the node before to the eight places around a node, and from those to the
/// node after, into @p sums: 16 groups of threads, one an edge.
template <class Image> POLLARD_DEVICE void measureNode(const SnakeInput<Image>& input, const ContourNode* nodes,
                                                       std::uint32_t count, std::uint32_t node, std::uint32_t reach,
                                                       RegionSums* sums, const SnakeScratch& scratch) {
    constexpr std::uint32_t kEdges = 2 * SnakeScratch::kPlaces;
    const std::uint32_t group = scratch.threads / kEdges;
    const std::uint32_t edge = threadOfBlock() / group;
    const std::uint32_t part = threadOfBlock() % group;
    const ContourNode place = placeAround(nodes[node], reach, edge % SnakeScratch::kPlaces);
    RegionSums sum;
    if (input.rules.isInImage(place)) {
        sum = edge < SnakeScratch::kPlaces ? input.image.leftOf(nodes[nodeBefore(node, count)], place, part, group)
                                           : input.image.leftOf(place, nodes[nodeAfter(node, count)], part, group);
    }
    sum = sumOfGroup(sum, group, scratch);
    if (part == 0) {
        sums[edge] = sum;
    }
    meetThreads();
}

/// The place with the lowest energy that is a gain, touches nothing and brings in nothing forbidden.
/// @param edges sums of the contour's edges
/// @param sums of measureNode()
template <class Image>
[[nodiscard]] POLLARD_DEVICE SnakePick bestMove(const SnakeInput<Image>& input, const ContourNode* nodes,
                                                std::uint32_t count, std::uint32_t node, std::uint32_t reach,
                                                const RegionSums* edges, const RegionSums* sums,
                                                const RegionSums& inside, double energy, const SnakeScratch& scratch) {
    constexpr std::uint32_t kPlaces = SnakeScratch::kPlaces;
    const std::uint32_t before = nodeBefore(node, count);
    const std::uint32_t after = nodeAfter(node, count);
    const double limit = SnakeRules::limitBelow(energy);
    if (const std::uint32_t k = threadOfBlock(); k < kPlaces) {
        double found = SnakeRules::kTooSmall;
        if (input.rules.isInImage(placeAround(nodes[node], reach, k))) {
            found = input.rules.energyOf(inside + (sums[k] + sums[kPlaces + k] - edges[before] - edges[node]));
        }
        scratch.energies[k] = found;
    }
    meetThreads();
    SnakePick pick{-1, 0, {}, {}};
    for (;;) {
        std::uint32_t lowest = 0;
        for (std::uint32_t k = 1; k < kPlaces; ++k) {
            lowest = scratch.energies[k] < scratch.energies[lowest] ? k : lowest;
        }
        const double found = scratch.energies[lowest];
        if (!(found < limit)) {
            break;
        }
        if (mayJoin(input.forbidden, nodes, count, before, after, placeAround(nodes[node], reach, lowest), scratch)) {
            pick = {static_cast<std::int32_t>(lowest), found, sums[lowest], sums[kPlaces + lowest]};
            break;
        }
        if (threadOfBlock() == 0) {
            scratch.energies[lowest] = SnakeRules::kTooSmall;
        }
        meetThreads();
    }
    meetThreads();
    return pick;
}

} // namespace pollard::cuda
