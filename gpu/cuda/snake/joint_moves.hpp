#pragma once

#include "cuda/snake/block_contour.hpp"
#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/snake_scratch.hpp"
#include "cuda/snake/snake_team.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

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
/// of them, and so on. True ranks are computed after the first failure.
/// @param contour has the picks of the nodes that are to move, at least one; their rank is 0, that of other nodes kNone
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
                if (contour.rank[i] < kept) { // no two of them are adjacent
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
