#pragma once

#include "cuda/snake/block_contour.hpp"
#include "cuda/snake/warp_sums.hpp"
#include "snake/contour/contour_way.hpp"
#include "snake/place_steps.hpp"

#include <cstddef>
#include <cstdint>

// What the threads of a warp find out together about the moves of one node. All of them call these functions with the
// same arguments and get the same answers.

namespace pollard::cuda {

/// Places around a node, and the edges that lead to them and from them.
inline constexpr std::uint32_t kPlaces = PlaceSteps::kCount;
inline constexpr std::uint32_t kEdgesOfNode = 2 * kPlaces;

/// Which of four edges are not apart from a box, a bit each: @p first and those kWarpThreads further on each.
inline constexpr std::uint32_t kEdgesAtOnce = 4;
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t closeEdges(const ContourBox& box, const ContourNode* nodes,
                                                             std::uint32_t count, std::uint32_t first) {
    std::uint32_t close = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (std::uint32_t k = 0; k < kEdgesAtOnce; ++k) {
        const std::uint32_t i = first + k * kWarpThreads;
        const std::uint32_t edge = i < count ? i : 0; // so that all four are read before the first is looked at
        const bool isApart = box.isApartFrom(ContourBox::around(nodes[edge], nodes[nodeAfter(edge, count)]));
        close |= i < count && !isApart ? 1U << k : 0;
    }
    return close;
}

/// Whether a way touches the contour of @p count nodes that it belongs to.
[[nodiscard]] POLLARD_DEVICE inline bool touches(const ContourWay& way, const ContourNode* nodes, std::uint32_t count) {
    bool found = way.isNone();
    for (std::uint32_t first = laneOfWarp(); first < count && !found; first += kEdgesAtOnce * kWarpThreads) {
        for (std::uint32_t close = closeEdges(way.box(), nodes, count, first); close != 0; close &= close - 1) {
            found = found || way.touchesEdge(first + static_cast<std::uint32_t>(lowestBit(close)) * kWarpThreads);
        }
    }
    return ballot(found) != 0;
}

/// Whether joining node @p before to node @p after over @p place brings in forbidden pixels.
[[nodiscard]] POLLARD_DEVICE inline bool bringsIn(const RowCountsView& forbidden, const ContourNode* nodes,
                                                  std::uint32_t count, std::uint32_t before, std::uint32_t after,
                                                  ContourNode place) {
    if (forbidden.words == nullptr) {
        return false;
    }
    const auto part = static_cast<std::int32_t>(laneOfWarp());
    constexpr auto kParts = static_cast<std::int32_t>(kWarpThreads);
    std::int64_t brought =
        forbidden.leftOf(nodes[before], place, part, kParts) + forbidden.leftOf(place, nodes[after], part, kParts);
    for (std::uint32_t i = before; i != after; i = nodeAfter(i, count)) {
        brought -= forbidden.leftOf(nodes[i], nodes[nodeAfter(i, count)], part, kParts);
    }
    return sumOfLanes({brought, 0, 0}, 1).pixels != 0;
}

/// Whether node @p before may be joined to node @p after over @p place: it touches nothing and brings in nothing
/// forbidden.
[[nodiscard]] POLLARD_DEVICE inline bool mayJoin(const RowCountsView& forbidden, const ContourNode* nodes,
                                                 std::uint32_t count, std::uint32_t before, std::uint32_t after,
                                                 ContourNode place) {
    return !touches(ContourWay(nodes, count, before, after, place), nodes, count) &&
           !bringsIn(forbidden, nodes, count, before, after, place);
}

/// To which of its places a node cannot move without touching the contour, a bit each. Only edges near all of the ways
/// are looked at closely, four at once with eight places each.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t touchingPlaces(const ContourNode* nodes, std::uint32_t count,
                                                                 std::uint32_t node, std::uint32_t reach) {
    const std::uint32_t lane = laneOfWarp();
    const std::uint32_t before = nodeBefore(node, count);
    const std::uint32_t after = nodeAfter(node, count);
    const auto distance = static_cast<std::int32_t>(reach);
    ContourBox around = ContourBox::around(nodes[before], nodes[after]);
    around.add({nodes[node].x - distance, nodes[node].y - distance});
    around.add({nodes[node].x + distance, nodes[node].y + distance});
    const ContourWay way(nodes, count, before, after, placeAround(nodes[node], reach, lane % kPlaces));
    bool found = way.isNone();
    for (std::uint32_t first = 0; first < count; first += kEdgesAtOnce * kWarpThreads) {
        const std::uint32_t closeOfLane = closeEdges(around, nodes, count, first + lane);
        for (std::uint32_t k = 0; k < kEdgesAtOnce; ++k) {
            const std::uint32_t base = first + k * kWarpThreads;
            const std::uint32_t edge = base + lane;
            std::uint32_t close = ballot((closeOfLane >> k & 1U) != 0 && edge != before && edge != node);
            for (; close != 0;) {
                std::uint32_t own = kWarpThreads;
                for (std::uint32_t i = 0; i < kWarpThreads / kPlaces && close != 0; ++i, close &= close - 1) {
                    own = i == lane / kPlaces ? static_cast<std::uint32_t>(lowestBit(close)) : own;
                }
                found = found || (own < kWarpThreads && way.touchesEdge(base + own));
            }
        }
    }
    std::uint32_t places = ballot(found);
    places |= places >> 16U;
    return (places | places >> kPlaces) & 0xffU;
}

/// The place with the lowest energy that is a gain, touches nothing and brings in nothing forbidden.
/// @param edges sums of the contour's edges
/// @param sums to the left of the edges from the node before to the places, and of those to the node after
[[nodiscard]] POLLARD_DEVICE inline SnakePick bestMove(const SnakeRules& rules, const RowCountsView& forbidden,
                                                       const ContourNode* nodes, std::uint32_t count,
                                                       std::uint32_t node, std::uint32_t reach, const RegionSums* edges,
                                                       const RegionSums* sums, const RegionSums& inside,
                                                       double energy) {
    const std::uint32_t lane = laneOfWarp();
    const std::uint32_t own = lane % kPlaces;
    const std::uint32_t before = nodeBefore(node, count);
    const RegionSums toOrFrom = sums[lane % kEdgesOfNode];
    const RegionSums both = toOrFrom + fromLane(toOrFrom, lane ^ kPlaces);
    const RegionSums in = inside + (both - edges[before] - edges[node]);
    const RegionSums out = rules.all - in;
    const bool isPlace = rules.isInImage(placeAround(nodes[node], reach, own)) && in.pixels >= rules.minPixels &&
                         out.pixels >= rules.minPixels;
    // One half of the lanes has the region's energy, the other one that of what is around it.
    RegionSums one = in;
    if (lane % kEdgesOfNode >= kPlaces) {
        one = out;
    }
    const double half = isPlace ? rules.energy(one) : 0;
    const double found = half + fromLane(half, lane ^ kPlaces) + rules.othersEnergy;
    std::uint32_t open = ballot(isPlace && found < SnakeRules::limitBelow(energy)) & 0xffU;
    if (open != 0) {
        open &= ~touchingPlaces(nodes, count, node, reach);
    }
    while (open != 0) {
        auto lowest = static_cast<std::uint32_t>(lowestBit(open));
        double least = fromLane(found, lowest);
        for (std::uint32_t left = open & (open - 1); left != 0; left &= left - 1) {
            const auto place = static_cast<std::uint32_t>(lowestBit(left));
            const double other = fromLane(found, place);
            lowest = other < least ? place : lowest;
            least = other < least ? other : least;
        }
        if (!bringsIn(forbidden, nodes, count, before, nodeAfter(node, count),
                      placeAround(nodes[node], reach, lowest))) {
            return {static_cast<std::int32_t>(lowest), reach, least, sums[lowest], sums[kPlaces + lowest]};
        }
        open &= ~(1U << lowest);
    }
    return {-1, 0, 0, {}, {}};
}

/// The best of what a node would do with several lengths of steps, the longest first, which wins of equals; each lane
/// looks at one.
/// @param picks of the lengths, @p stride from one to the next
/// @return number of its length; kWarpThreads if none is a gain
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t bestLength(const SnakePick* picks, std::uint32_t lengths,
                                                             std::uint32_t stride) {
    const std::uint32_t lane = laneOfWarp();
    const SnakePick* const own = picks + std::size_t{lane} * stride;
    const bool isGain = lane < lengths && own->place >= 0;
    const double energy = isGain ? own->energy : SnakeRules::kTooSmall;
    double least = energy;
    for (std::uint32_t distance = 1; distance < kWarpThreads; distance *= 2) {
        const double other = fromLane(least, lane ^ distance);
        least = other < least ? other : least;
    }
    const std::uint32_t best = ballot(isGain && energy == least);
    return best != 0 ? static_cast<std::uint32_t>(lowestBit(best)) : kWarpThreads;
}

} // namespace pollard::cuda
