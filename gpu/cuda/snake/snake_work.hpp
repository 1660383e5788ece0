#pragma once

#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_team.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// State of a run between kernels, in device memory. The nodes are stored separately.
struct SnakeProgress {
    std::uint32_t count;    ///< nodes
    std::uint32_t round;    ///< accepted changes
    std::uint32_t halvings; ///< of the longest step; when they make it 0, splitting is next
    std::uint32_t moved;    ///< a node has moved since the last split
    std::uint32_t isNew;    ///< the start has not been reported
    std::uint32_t finished; ///< no node moves and no edge is split
    std::uint32_t wanted;   ///< capacity needed to continue
    std::uint32_t shortest; ///< shortest step tried before the next split, px
};

/// Device memory shared by the blocks of a team.
struct SnakeTeamMemory {
    SnakeProgress* progress;
    ContourNode* nodes;         ///< at the start and at the end of the kernel
    RegionSums* edges;          ///< sums of new edges, exchanged between blocks
    RegionSums* candidates;     ///< kEdgesOfNode per node, `capacity` nodes for each of `steps`; private to the block
    RegionSums* shares;         ///< kEdgesOfNode per block and step: partial sums of a node shared by several blocks
    SnakePick* picks;           ///< `capacity` of this round and of the last one; then for each of `steps`
    std::int32_t* marks;        ///< decisions on edges to be split
    std::uint32_t* flags;       ///< of GridTeam
    unsigned char* contours;    ///< a BlockContour per block; null: in shared memory
    std::uint32_t capacity = 0; ///< nodes
    std::uint32_t steps = 0;    ///< number of step lengths, at least

    /// Number of picks of a contour.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t picksOf(std::size_t capacity,
                                                                           std::uint32_t steps) noexcept {
        return (2 + std::size_t{steps}) * capacity;
    }
    /// Number of step lengths: a step and its halvings.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t stepsOf(std::uint32_t step) noexcept {
        std::uint32_t steps = 0;
        for (; step != 0; step /= 2) {
            ++steps;
        }
        return steps;
    }
};

/// State of a block while a contour evolves.
template <class Image, class Team> struct SnakeWork {
    const SnakeInput<Image>& input;
    SnakeRules rules; ///< the input's, with the table in shared memory
    const SnakeTeamMemory& memory;
    SnakeScratch scratch;
    Team team;
    BlockContour contour;

    /// Measures the sums left of @p edges edges, numbered edgeOf(0), edgeOf(1), ..., and updates the contour's sums,
    /// length and energy. One group of warps per edge; meets the team.
    template <class EdgeOf> POLLARD_DEVICE void measureEdges(std::uint32_t edges, const EdgeOf& edgeOf) {
        const std::uint32_t count = contour.count;
        const std::uint32_t first = team.block();
        const std::uint32_t own = first < edges ? (edges - first - 1) / team.blocks() + 1 : 0;
        std::uint32_t group = 1; // warps
        while (2 * group * own <= scratch.warps() && own != 0) {
            group *= 2;
        }
        for (std::uint32_t item = warpOfBlock() / group; item < own; item += scratch.warps() / group) {
            const std::uint32_t edge = edgeOf(first + item * team.blocks());
            const RegionSums sum = sumOfLanes(
                input.image.leftOf(contour.nodes[edge], contour.nodes[nodeAfter(edge, count)],
                                   warpOfBlock() % group * kWarpThreads + laneOfWarp(), group * kWarpThreads),
                1);
            if (laneOfWarp() == 0) {
                (group == 1 ? memory.edges[edge] : scratch.parts[warpOfBlock()]) = sum;
            }
        }
        if (group > 1) {
            meetThreads();
            if (threadOfBlock() < own) {
                RegionSums sum;
                for (std::uint32_t warp = 0; warp < group; ++warp) {
                    sum += scratch.parts[threadOfBlock() * group + warp];
                }
                memory.edges[edgeOf(first + threadOfBlock() * team.blocks())] = sum;
            }
        }
        team.meet();
        for (std::uint32_t i = threadOfBlock(); i < edges; i += scratch.threads) {
            contour.edges[edgeOf(i)] = memory.edges[edgeOf(i)];
        }
        meetThreads();
        RegionSums inside;
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch.threads) {
            inside += contour.edges[i];
        }
        contour.inside = sumOfBlock(inside, scratch);
        if (rules.lengthPrice != 0) {
            std::int64_t length = 0;
            for (std::uint32_t i = threadOfBlock(); i < count; i += scratch.threads) {
                length += fineLength(contour.nodes[i], contour.nodes[nodeAfter(i, count)]);
            }
            contour.length = sumOfBlock(length, scratch);
        }
        contour.energy = rules.energyOf(contour.inside, contour.length);
    }
};

} // namespace pollard::cuda
