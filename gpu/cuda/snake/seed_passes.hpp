#pragma once

#include "cuda/snake/node_moves.hpp"
#include "cuda/snake/prefix_image.hpp"
#include "cuda/snake/snake_input.hpp"
#include "cuda/snake/snake_team.hpp"
#include "cuda/snake/state_trail.hpp"

#include <cstddef>
#include <cstdint>

// The kernels of "seed-gpu" (Perrot, "GPU-accelerated snake"): one thread per row of a segment, a two-stage reduction,
// and the evaluation of all moves.

namespace pollard::cuda {

/// A contour in device memory and its sums.
struct SeedContour {
    unsigned char* memory;  ///< of a BlockContour
    std::uint32_t capacity; ///< nodes
    std::uint32_t count;
    RegionSums inside;
    double energy;
    std::int64_t length; ///< see fineLength()

    [[nodiscard]] POLLARD_DEVICE BlockContour view() const {
        BlockContour contour = BlockContour::in(memory, capacity);
        contour.count = count;
        contour.inside = inside;
        contour.energy = energy;
        contour.length = length;
        return contour;
    }
};

/// Nodes that move together. If their number is odd, the last one is a class of its own.
struct NodeClass {
    std::uint32_t number; ///< 0: even, 1: odd, 2: the last

    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t of(std::uint32_t node, std::uint32_t count) noexcept {
        return count % 2 == 1 && node + 1 == count ? 2 : node % 2;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t size(std::uint32_t count) const noexcept {
        return number == 2 ? 1 : count / 2;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t node(std::uint32_t i, std::uint32_t count) const noexcept {
        return number == 2 ? count - 1 : 2 * i + number;
    }
};

/// kernel1: one thread per row of a segment; a block sums as many rows as it has threads. Segments are the edges of the
/// contour, or kEdgesOfNode per node of a class: from the previous node to its eight places, and from these to the next
/// node.
template <class Image> struct MeasureSegments {
    PassThreads state;
    SnakeInput<Image> input;
    SeedContour contour;
    NodeClass nodes;
    std::uint32_t reach;  ///< px; 0: measures the edges
    std::uint32_t chunks; ///< blocks per segment
    RegionSums* parts;    ///< one per block

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const SnakeScratch scratch(shared, state.threads);
        const BlockContour of = contour.view();
        const std::uint32_t segment = blockOfGrid() / chunks;
        const std::uint32_t chunk = blockOfGrid() % chunks;
        ContourNode from{};
        ContourNode to{};
        bool isIn = true;
        if (reach == 0) {
            from = of.nodes[segment];
            to = of.nodes[nodeAfter(segment, of.count)];
        } else {
            const std::uint32_t node = nodes.node(segment / (2 * kPlaces), of.count);
            const std::uint32_t edge = segment % (2 * kPlaces);
            const ContourNode place = placeAround(of.nodes[node], reach, edge % kPlaces);
            from = edge < kPlaces ? of.nodes[nodeBefore(node, of.count)] : place;
            to = edge < kPlaces ? place : of.nodes[nodeAfter(node, of.count)];
            isIn = input.rules.isInImage(place);
        }
        RegionSums sum;
        if (isIn) {
            sum = input.image.leftOf(from, to, chunk * state.threads + threadOfBlock(), chunks * state.threads);
        }
        sum = sumOfBlock(sum, scratch);
        if (threadOfBlock() == 0) {
            parts[blockOfGrid()] = sum;
        }
    }
};

/// kernel2: sums the parts of each segment.
struct SumSegments {
    const RegionSums* parts;
    std::uint32_t chunks;
    RegionSums* sums;

    POLLARD_HOST_DEVICE void operator()(std::size_t segment) const {
        RegionSums sum;
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            sum += parts[segment * chunks + chunk];
        }
        sums[segment] = sum;
    }
};

/// kernel3: one warp per node of the class evaluates its places.
template <class Image> struct EvaluateMoves {
    PassThreads state;
    SnakeInput<Image> input;
    SeedContour contour;
    NodeClass nodes;
    std::uint32_t reach;
    const RegionSums* sums; ///< kEdgesOfNode per node of the class
    SnakePick* picks;       ///< of all nodes

    POLLARD_DEVICE void operator()(std::uint32_t* /*shared*/) const {
        const BlockContour of = contour.view();
        const std::uint32_t i = blockOfGrid() * SnakeScratch::warpsOf(state.threads) + warpOfBlock();
        if (i >= nodes.size(of.count)) {
            return;
        }
        const std::uint32_t node = nodes.node(i, of.count);
        const SnakePick pick =
            bestMove(input.rules, input.forbidden, of, node, reach, sums + std::size_t{kEdgesOfNode} * i);
        if (laneOfWarp() == 0) {
            picks[node] = pick;
        }
    }
};

/// Moves the nodes of a class that gain together, in one block, and writes the state for the host if any moved.
template <class Image> struct MoveClass {
    PassThreads state;
    SnakeInput<Image> input;
    SeedContour contour;
    NodeClass nodes;
    std::uint32_t reach;
    std::uint32_t round; ///< of the next state
    const SnakePick* picks;
    std::uint64_t* trail; ///< host memory

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const SnakeScratch scratch(shared, state.threads);
        BlockContour of = contour.view();
        bool moves = false;
        for (std::uint32_t i = threadOfBlock(); i < of.count; i += state.threads) {
            of.rank[i] = BlockContour::kNone;
            if (NodeClass::of(i, of.count) == nodes.number && picks[i].place >= 0) {
                of.takePick(i, picks[i]);
                of.rank[i] = 0;
                moves = true;
            }
        }
        if (!anyThread(moves)) {
            return;
        }
        BlockTeam team;
        if (moveJointly(input.rules, team, of, picks, scratch) != 0) {
            writeState(trail, {SnakeStep::move, round, reach, of.count, of.energy, of.inside}, of.nodes, state.threads);
        }
    }
};

/// Sums the edges of a new contour and writes its state for the host.
template <class Image> struct WriteNewContour {
    PassThreads state;
    SnakeInput<Image> input;
    SeedContour contour;
    SnakeStep kind;
    std::uint32_t round;
    std::uint64_t* trail;

    POLLARD_DEVICE void operator()(std::uint32_t* shared) const {
        const SnakeScratch scratch(shared, state.threads);
        const BlockContour of = contour.view();
        RegionSums own;
        for (std::uint32_t i = threadOfBlock(); i < of.count; i += state.threads) {
            own += of.edges[i];
        }
        const RegionSums inside = sumOfBlock(own, scratch);
        const double energy = input.rules.energyOf(inside, contour.length);
        writeState(trail, {kind, round, 0, of.count, energy, inside}, of.nodes, state.threads);
    }
};

} // namespace pollard::cuda
