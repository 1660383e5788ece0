#pragma once

#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_team.hpp"
#include "snake/contour/contour.hpp"
#include "snake/snake_rules.hpp"

#include <cstddef>
#include <cstdint>

// Functions in which the threads of a warp evaluate the moves of one node. All threads of the warp call them with equal
// arguments and get equal results.

namespace pollard::cuda {

/// Positions around a node, and the edges to them from the previous node and from them to the next one.
inline constexpr std::uint32_t kPlaces = PlaceSteps::kCount;
inline constexpr std::uint32_t kEdgesOfNode = 2 * kPlaces;

/// Which of four edges, @p first + k * kWarpThreads, are not apart from a box: bit k.
inline constexpr std::uint32_t kEdgesAtOnce = 4;
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t closeEdges(const ContourBox& box, const ContourNode* nodes,
                                                             std::uint32_t count, std::uint32_t first) {
    std::uint32_t close = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (std::uint32_t k = 0; k < kEdgesAtOnce; ++k) {
        const std::uint32_t i = first + k * kWarpThreads;
        const std::uint32_t edge = i < count ? i : 0; // so that all four loads are issued before the first is used
        const bool isApart = box.isApartFrom(ContourBox::around(nodes[edge], nodes[nodeAfter(edge, count)]));
        close |= i < count && !isApart ? 1U << k : 0;
    }
    return close;
}

/// Whether a path touches the contour of @p count nodes that it belongs to.
[[nodiscard]] POLLARD_DEVICE inline bool touches(const ContourPath& way, const ContourNode* nodes,
                                                 std::uint32_t count) {
    bool found = way.isNone();
    for (std::uint32_t first = laneOfWarp(); first < count && !found; first += kEdgesAtOnce * kWarpThreads) {
        for (std::uint32_t close = closeEdges(way.box(), nodes, count, first); close != 0; close &= close - 1) {
            found = found || way.touchesEdge(first + static_cast<std::uint32_t>(lowestBit(close)) * kWarpThreads);
        }
    }
    return ballot(found) != 0;
}

/// Whether the path from node @p before over @p place to node @p after encloses forbidden pixels.
[[nodiscard]] POLLARD_DEVICE inline bool enclosesForbidden(const RowCountsView& forbidden, const ContourNode* nodes,
                                                           std::uint32_t count, std::uint32_t before,
                                                           std::uint32_t after, ContourNode place) {
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

/// Whether the path from node @p before over @p place to node @p after touches nothing and encloses no forbidden
/// pixels.
[[nodiscard]] POLLARD_DEVICE inline bool mayJoin(const RowCountsView& forbidden, const ContourNode* nodes,
                                                 std::uint32_t count, std::uint32_t before, std::uint32_t after,
                                                 ContourNode place) {
    return !touches(ContourPath(nodes, count, before, after, place), nodes, count) &&
           !enclosesForbidden(forbidden, nodes, count, before, after, place);
}

/// The places to which a node cannot move without touching the contour, one bit each. Only edges near the box of all
/// paths are tested, four at once against eight places each.
[[nodiscard]] POLLARD_DEVICE inline std::uint32_t touchingPlaces(const ContourNode* nodes, std::uint32_t count,
                                                                 std::uint32_t node, std::uint32_t reach) {
    const std::uint32_t lane = laneOfWarp();
    const std::uint32_t before = nodeBefore(node, count);
    const std::uint32_t after = nodeAfter(node, count);
    const auto distance = static_cast<std::int32_t>(reach);
    ContourBox around = ContourBox::around(nodes[before], nodes[after]);
    around.add({nodes[node].x - distance, nodes[node].y - distance});
    around.add({nodes[node].x + distance, nodes[node].y + distance});
    const ContourPath way(nodes, count, before, after, placeAround(nodes[node], reach, lane % kPlaces));
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

/// The place of lowest energy that is a gain, touches nothing and encloses no forbidden pixels; negative if there is
/// none.
/// @param sums of the kPlaces edges from the previous node to the places, then of the edges from the places to the next
/// node
[[nodiscard]] POLLARD_DEVICE inline SnakePick bestMove(const SnakeRules& rules, const RowCountsView& forbidden,
                                                       const BlockContour& contour, std::uint32_t node,
                                                       std::uint32_t reach, const RegionSums* sums) {
    const ContourNode* const nodes = contour.nodes;
    const std::uint32_t count = contour.count;
    const std::uint32_t lane = laneOfWarp();
    const std::uint32_t own = lane % kPlaces;
    const std::uint32_t before = nodeBefore(node, count);
    const RegionSums toOrFrom = sums[lane % kEdgesOfNode];
    const RegionSums both = toOrFrom + fromLane(toOrFrom, lane ^ kPlaces);
    const RegionSums in = contour.inside + (both - contour.edges[before] - contour.edges[node]);
    const RegionSums out = rules.all - in;
    const ContourNode place = placeAround(nodes[node], reach, own);
    const bool isPlace = rules.isInImage(place) && in.pixels >= rules.minPixels && out.pixels >= rules.minPixels;
    // One half of the lanes computes the energy inside, the other half the energy outside.
    RegionSums one = in;
    if (lane % kEdgesOfNode >= kPlaces) {
        one = out;
    }
    const double half = isPlace ? rules.energy(one) : 0;
    const std::int64_t length = rules.lengthPrice != 0 ? contour.length + contour.lengthening(node, place) : 0;
    const double found = half + fromLane(half, lane ^ kPlaces) + rules.othersEnergy + rules.lengthEnergy(length);
    std::uint32_t open = ballot(isPlace && found < SnakeRules::limitBelow(contour.energy)) & 0xffU;
    if (open != 0) {
        open &= ~touchingPlaces(nodes, count, node, reach);
    }
    while (open != 0) {
        auto lowest = static_cast<std::uint32_t>(lowestBit(open));
        double least = fromLane(found, lowest);
        for (std::uint32_t left = open & (open - 1); left != 0; left &= left - 1) {
            const auto next = static_cast<std::uint32_t>(lowestBit(left));
            const double other = fromLane(found, next);
            lowest = other < least ? next : lowest;
            least = other < least ? other : least;
        }
        if (!enclosesForbidden(forbidden, nodes, count, before, nodeAfter(node, count),
                               placeAround(nodes[node], reach, lowest))) {
            return {static_cast<std::int32_t>(lowest), reach, least, sums[lowest], sums[kPlaces + lowest]};
        }
        open &= ~(1U << lowest);
    }
    return {-1, 0, 0, {}, {}};
}

/// The best of a node's picks at several step lengths, sorted from the longest, which wins ties; one length per lane.
/// @param picks of the lengths, @p stride apart
/// @return index of the length; kWarpThreads if none is a gain
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

/// Whether the contour `tried` touches itself at a moved node, one with a rank below @p kept. Each warp takes chunks of
/// 32 nodes. Small jobs are repeated by every block, which saves a barrier of the team.
/// @param moving number of moved nodes
template <class Team> [[nodiscard]] POLLARD_DEVICE bool touchesWhereMoved(Team& team, const BlockContour& contour,
                                                                          std::uint32_t kept, std::uint32_t moving,
                                                                          const SnakeScratch& scratch) {
    constexpr std::uint32_t kLittle = 64; // in units of 32 edges per warp
    const std::uint32_t count = contour.count;
    const std::uint32_t chunks = (count + kWarpThreads - 1) / kWarpThreads;
    const bool isShared = std::uint64_t{moving} * chunks > kLittle * scratch.warps();
    bool touching = false;
    for (std::uint32_t chunk = warpOfBlock(); chunk < chunks; chunk += scratch.warps()) {
        const std::uint32_t own = chunk * kWarpThreads + laneOfWarp();
        std::uint32_t open =
            ballot(own < count && contour.rank[own] < kept && (!isShared || own % team.blocks() == team.block()));
        for (; open != 0 && !touching; open &= open - 1) {
            const std::uint32_t i = chunk * kWarpThreads + static_cast<std::uint32_t>(lowestBit(open));
            touching =
                touches(ContourPath(contour.tried, count, nodeBefore(i, count), nodeAfter(i, count), contour.tried[i]),
                        contour.tried, count);
        }
    }
    return isShared ? team.anyOf(touching, scratch) : anyThread(touching);
}

/// Moves the nodes that have a rank to their picks if the energy falls and no edges touch; else tries the better half
/// of the nodes, and so on. Computes true ranks after the first failure.
/// @param contour has picks and rank 0 for the nodes to move, at least one, and rank kNone for the others
/// @param picks of all nodes
/// @return the nodes with a rank below this have moved; 0 for none
template <class Team>
[[nodiscard]] POLLARD_DEVICE std::uint32_t moveJointly(const SnakeRules& rules, Team& team, BlockContour& contour,
                                                       const SnakePick* picks, const SnakeScratch& scratch) {
    const std::uint32_t count = contour.count;
    const std::uint32_t thread = threadOfBlock();
    const double limit = SnakeRules::limitBelow(contour.energy);
    bool ranked = false;
    for (std::uint32_t kept = count; kept != 0; kept /= 2) {
        CountedSums change;
        std::int64_t longer = 0;
        for (std::uint32_t i = thread; i < count; i += scratch.threads) {
            const bool moves = contour.rank[i] < kept;
            contour.tried[i] = moves ? contour.placeOf(i) : contour.nodes[i];
            if (moves) {
                change.sums += contour.changes[i];
                ++change.count;
                longer += rules.lengthPrice != 0 ? contour.lengthening(i, contour.tried[i]) : 0;
            }
        }
        change = sumOfBlock(change, scratch);
        const RegionSums inside = contour.inside + change.sums;
        const std::int64_t length = rules.lengthPrice != 0 ? contour.length + sumOfBlock(longer, scratch) : 0;
        const double energy = rules.energyOf(inside, length);
        if (energy < limit && !touchesWhereMoved(team, contour, kept, change.count, scratch)) {
            for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                if (contour.rank[i] < kept) { // no two moved nodes are adjacent
                    contour.edges[nodeBefore(i, count)] = picks[i].to;
                    contour.edges[i] = picks[i].from;
                }
                contour.nodes[i] = contour.tried[i];
            }
            contour.inside = inside;
            contour.energy = energy;
            contour.length = length;
            meetThreads();
            return kept;
        }
        if (!ranked) {
            ranked = true;
            std::uint32_t* const ranks = contour.triedSlots;
            for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                std::uint32_t rank = contour.rank[i];
                if (rank != BlockContour::kNone) {
                    rank = 0;
                    for (std::uint32_t j = 0; j < count; ++j) {
                        rank += contour.rank[j] != BlockContour::kNone && contour.isBetter(j, i) ? 1 : 0;
                    }
                }
                ranks[i] = rank;
            }
            contour.triedSlots = contour.rank;
            contour.rank = ranks;
            kept = change.count;
            meetThreads();
        }
    }
    return 0;
}

} // namespace pollard::cuda
