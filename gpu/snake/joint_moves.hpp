#pragma once

#include "snake/block_contour.hpp"
#include "snake/snake_team.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// A contour in memory that one block alone uses; arrays have a place for every node.
struct BlockContour {
    static constexpr std::uint32_t kNone = 0xffff'ffffU;

    ContourNode* nodes;
    ContourNode* tried;   ///< nodes after a change that may not come
    RegionSums* edges;    ///< edge i leads from node i to the next
    std::uint32_t* rank;  ///< of a node's pick among those that move, from 0 on; kNone: it stays
    std::uint32_t* known; ///< not 0: what measureNode() found of the node still holds
    std::uint32_t count;
    RegionSums inside;
    double energy;

    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t bytes(std::uint64_t nodes) noexcept {
        return nodes * (sizeof(RegionSums) + 2 * sizeof(ContourNode) + 2 * sizeof(std::uint32_t));
    }
    /// @param memory bytes(capacity), aligned to 8
    [[nodiscard]] POLLARD_HOST_DEVICE static BlockContour in(unsigned char* memory, std::uint64_t capacity) {
        BlockContour contour{};
        contour.edges = reinterpret_cast<RegionSums*>(memory);
        contour.nodes = reinterpret_cast<ContourNode*>(contour.edges + capacity);
        contour.tried = contour.nodes + capacity;
        contour.rank = reinterpret_cast<std::uint32_t*>(contour.tried + capacity);
        contour.known = contour.rank + capacity;
        return contour;
    }
};

/// Moves the nodes that have a rank as their picks say, if the energy falls and nothing touches; else the better half
/// of them, and so on. On the way nodes get their true ranks, if that matters.
/// @param contour rank is 0 for the nodes that are to move
/// @param picks of all nodes
/// @return whether any moved
template <class Team, class Image>
[[nodiscard]] POLLARD_DEVICE bool moveJointly(const SnakeInput<Image>& input, Team& team, BlockContour& contour,
                                              const SnakePick* picks, std::uint32_t reach,
                                              const SnakeScratch& scratch) {
    const std::uint32_t count = contour.count;
    const std::uint32_t thread = threadOfBlock();
    const double limit = SnakeRules::limitBelow(contour.energy);
    std::int64_t own = 0;
    for (std::uint32_t i = thread; i < count; i += scratch.threads) {
        own += contour.rank[i] != BlockContour::kNone ? 1 : 0;
    }
    bool ranked = false;
    for (auto kept = static_cast<std::uint32_t>(sumOfBlock({own, 0, 0}, scratch).pixels); kept != 0; kept /= 2) {
        RegionSums change;
        for (std::uint32_t i = thread; i < count; i += scratch.threads) {
            if (contour.rank[i] < kept) {
                change += picks[i].to + picks[i].from - contour.edges[nodeBefore(i, count)] - contour.edges[i];
            }
        }
        const RegionSums inside = contour.inside + sumOfBlock(change, scratch);
        const double energy = input.rules.energyOf(inside);
        if (energy < limit) {
            for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                contour.tried[i] = contour.rank[i] < kept
                                       ? placeAround(contour.nodes[i], reach, static_cast<std::size_t>(picks[i].place))
                                       : contour.nodes[i];
            }
            meetThreads();
            bool touches = false;
            for (std::uint32_t i = team.block(); i < count; i += team.blocks()) {
                if (contour.rank[i] < kept) {
                    const ContourWay way(contour.tried, count, nodeBefore(i, count), nodeAfter(i, count),
                                         contour.tried[i]);
                    touches = touches || touchesInThread(way, count, scratch.threads);
                }
            }
            if (!team.anyOf(touches)) {
                for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                    if (contour.rank[i] < kept) { // no two of them are neighbours
                        contour.edges[nodeBefore(i, count)] = picks[i].to;
                        contour.edges[i] = picks[i].from;
                        contour.known[nodeBefore(i, count)] = 0;
                        contour.known[i] = 0;
                        contour.known[nodeAfter(i, count)] = 0;
                    }
                    contour.nodes[i] = contour.tried[i];
                }
                contour.inside = inside;
                contour.energy = energy;
                meetThreads();
                return true;
            }
        }
        if (!ranked) {
            ranked = true;
            for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                if (contour.rank[i] != BlockContour::kNone) {
                    std::uint32_t better = 0;
                    for (std::uint32_t j = 0; j < count; ++j) {
                        better +=
                            contour.rank[j] != BlockContour::kNone && SnakePick::isBetter(picks[j], j, picks[i], i) ? 1
                                                                                                                    : 0;
                    }
                    contour.rank[i] = better;
                }
            }
            meetThreads();
        }
    }
    return false;
}

} // namespace pollard::cuda
