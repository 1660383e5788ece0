#pragma once

#include "snake/block_contour.hpp"
#include "snake/node_moves.hpp"
#include "snake/snake_team.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Moves the nodes that have a rank as their picks say, if the energy falls and nothing touches; else the better half
/// of them, and so on. On the way nodes get their true ranks, if that matters.
/// @param contour has taken the picks of the nodes that are to move; their rank is 0, that of the others kNone
/// @param picks of all nodes
/// @return whether any moved
template <class Team, class Image>
[[nodiscard]] POLLARD_DEVICE bool moveJointly(const SnakeInput<Image>& input, Team& team, BlockContour& contour,
                                              const SnakePick* picks, std::uint32_t reach,
                                              const SnakeScratch& scratch) {
    const std::uint32_t count = contour.count;
    const std::uint32_t thread = threadOfBlock();
    const double limit = SnakeRules::limitBelow(contour.energy);
    bool ranked = false;
    for (std::uint32_t kept = count; kept != 0;) {
        RegionSums change;
        bool moves = false;
        for (std::uint32_t i = thread; i < count; i += scratch.threads) {
            if (contour.rank[i] < kept) {
                change += contour.changes[i];
                moves = true;
            }
        }
        if (!ranked && !anyThread(moves)) {
            return false;
        }
        const RegionSums inside = contour.inside + sumOfBlock(change, scratch);
        const double energy = input.rules.energyOf(inside);
        if (energy < limit) {
            for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                contour.tried[i] = contour.rank[i] < kept ? placeAround(contour.nodes[i], reach,
                                                                        static_cast<std::size_t>(contour.places[i]))
                                                          : contour.nodes[i];
            }
            meetThreads();
            bool touching = false;
            for (std::uint32_t i = team.block() + team.blocks() * warpOfBlock(); i < count && !touching;
                 i += team.blocks() * scratch.warps()) {
                if (contour.rank[i] < kept) {
                    touching = touches(
                        ContourWay(contour.tried, count, nodeBefore(i, count), nodeAfter(i, count), contour.tried[i]),
                        count);
                }
            }
            if (!team.anyOf(touching)) {
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
            std::int64_t moving = 0;
            for (std::uint32_t i = thread; i < count; i += scratch.threads) {
                if (contour.rank[i] != BlockContour::kNone) {
                    std::uint32_t better = 0;
                    for (std::uint32_t j = 0; j < count; ++j) {
                        better += contour.rank[j] != BlockContour::kNone && contour.isBetter(j, i) ? 1 : 0;
                    }
                    contour.rank[i] = better;
                    ++moving;
                }
            }
            kept = static_cast<std::uint32_t>(sumOfBlock({moving, 0, 0}, scratch).pixels);
        }
        kept /= 2;
    }
    return false;
}

} // namespace pollard::cuda
