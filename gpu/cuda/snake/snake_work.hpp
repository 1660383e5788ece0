#pragma once

#include "cuda/snake/block_contour.hpp"
#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_scratch.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Where a run stands, kept in device memory between kernels. The nodes are kept beside it.
struct SnakeProgress {
    std::uint32_t count;    ///< nodes
    std::uint32_t round;    ///< accepted changes
    std::uint32_t halvings; ///< of the longest step; as many as make it 0: split next
    std::uint32_t moved;    ///< since the last split
    std::uint32_t isNew;    ///< nobody has been told of the start
    std::uint32_t finished; ///< nothing moves and nothing is split
    std::uint32_t wanted;   ///< nodes that there has to be room for before it goes on
    std::uint32_t shortest; ///< step that nodes choose among up to the next split, px
};

/// What the blocks of a team share, in device memory.
struct SnakeTeamMemory {
    SnakeProgress* progress;
    ContourNode* nodes;         ///< at the start and at the end of the kernel
    RegionSums* edges;          ///< sums of new edges on their way to all blocks
    RegionSums* candidates;     ///< kEdgesOfNode a node, `capacity` times for each of `steps`; only its block uses them
    RegionSums* shares;         ///< kEdgesOfNode a block and step: what it measured of a node that several share
    SnakePick* picks;           ///< `capacity` of this round and of the one before; then for each of `steps`
    std::int32_t* marks;        ///< what became of an edge that is to be split
    std::uint32_t* flags;       ///< of the GridTeam
    unsigned char* contours;    ///< a BlockContour for every block; null: in shared memory
    std::uint32_t capacity = 0; ///< nodes
    std::uint32_t steps = 0;    ///< lengths of steps that there are, at least

    /// Picks of a contour.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::size_t picksOf(std::size_t capacity,
                                                                           std::uint32_t steps) noexcept {
        return (2 + std::size_t{steps}) * capacity;
    }
    /// A step and its halves that there are.
    [[nodiscard]] POLLARD_HOST_DEVICE static constexpr std::uint32_t stepsOf(std::uint32_t step) noexcept {
        std::uint32_t steps = 0;
        for (; step != 0; step /= 2) {
            ++steps;
        }
        return steps;
    }
};

/// What a block has at hand while a contour evolves.
template <class Image, class Team> struct SnakeWork {
    const SnakeInput<Image>& input;
    SnakeRules rules; ///< the input's, with a table that is near
    const SnakeTeamMemory& memory;
    SnakeScratch scratch;
    Team team;
    BlockContour contour;

    /// The sums to the left of @p edges edges, those that edgeOf(0), edgeOf(1) ... name, and what depends on them. A
    /// group of warps an edge.
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
        contour.energy = rules.energyOf(contour.inside);
    }
};

} // namespace pollard::cuda
