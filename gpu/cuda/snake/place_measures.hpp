#pragma once

#include "cuda/snake/snake_work.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Step lengths tried in a round: the longest one halved `first` times, and the next halvings.
struct RoundSteps {
    std::uint32_t first;
    std::uint32_t count;
};

/// The nodes of a block, each combined with the step lengths of a round.
struct OwnPlaces {
    std::uint32_t first;  ///< node
    std::uint32_t stride; ///< to the next one
    std::uint32_t nodes;
    RoundSteps steps;

    [[nodiscard]] POLLARD_DEVICE std::uint32_t count() const { return nodes * steps.count; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t node(std::uint32_t i) const { return first + i / steps.count * stride; }
    /// Index of the step length in the round.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t step(std::uint32_t i) const { return i % steps.count; }
};

/// Sums left of the edges to and from the eight places around each node. A block measures its own nodes and keeps the
/// sums while they are valid.
struct PlaceMeasures {
    /// Sums of the node with slot @p slot: kPlaces edges from the previous node, then as many to the next one.
    /// @param step index of the step length in the round
    [[nodiscard]] POLLARD_DEVICE static RegionSums* at(const SnakeTeamMemory& memory, std::uint32_t slot,
                                                       const RoundSteps& steps, std::uint32_t step) {
        const std::size_t halvings = steps.first + step;
        return memory.candidates + kEdgesOfNode * (halvings * memory.capacity + slot);
    }

    /// Measures the places that are not valid: a group of warps per node, step length and side, whose lanes are four
    /// interleaved parts of the rows of eight edges.
    /// @param shares blocks that measure a node together, a power of two; if more than 1, a block has one node
    template <class Work> POLLARD_DEVICE static void measure(Work& work, const OwnPlaces& own, std::uint32_t shares) {
        constexpr std::uint32_t kParts = kWarpThreads / kPlaces;
        const SnakeScratch& scratch = work.scratch;
        const BlockContour& contour = work.contour;
        const std::uint32_t share = work.team.block() % shares;
        const std::uint32_t lane = laneOfWarp();
        const std::size_t ofBlock = std::size_t{kEdgesOfNode} * work.memory.steps;
        RegionSums* const shared = work.memory.shares + ofBlock * work.team.block();
        std::uint32_t open = 0;
        for (std::uint32_t base = 0; base < own.count(); base += kWarpThreads) {
            const std::uint32_t place = base + lane;
            open = ballot(place < own.count() &&
                          (contour.known[contour.slots[own.node(place)]] >> (own.steps.first + own.step(place)) & 1U) ==
                              0);
            const std::uint32_t items = 2 * countBits(open);
            std::uint32_t group = 1; // warps
            while (2 * group * items <= scratch.warps() && items != 0) {
                group *= 2;
            }
            const auto sumsOf = [&](std::uint32_t item) {
                const std::uint32_t of = base + setBitAfter(open, item / 2);
                RegionSums* const sums = shares == 1
                                             ? at(work.memory, contour.slots[own.node(of)], own.steps, own.step(of))
                                             : shared + std::size_t{kEdgesOfNode} * of;
                return sums + item % 2 * kPlaces;
            };
            for (std::uint32_t item = warpOfBlock() / group; item < items; item += scratch.warps() / group) {
                const std::uint32_t of = base + setBitAfter(open, item / 2);
                const std::uint32_t reach = work.input.maxStep >> (own.steps.first + own.step(of));
                const std::uint32_t part = (share * group + warpOfBlock() % group) * kParts + lane / kPlaces;
                const RegionSums sum = sumOfLanes(
                    partOfEdge(work, own.node(of), reach, item % 2 == 0, lane % kPlaces, part, shares * group * kParts),
                    kPlaces);
                if (lane < kPlaces) {
                    (group == 1 ? sumsOf(item) : scratch.parts + warpOfBlock() * kPlaces)[lane] = sum;
                }
            }
            meetThreads();
            if (group > 1) {
                for (std::uint32_t i = threadOfBlock(); i < items * kPlaces; i += scratch.threads) {
                    RegionSums sum;
                    for (std::uint32_t warp = 0; warp < group; ++warp) {
                        sum += scratch.parts[(i / kPlaces * group + warp) * kPlaces + i % kPlaces];
                    }
                    sumsOf(i / kPlaces)[i % kPlaces] = sum;
                }
                meetThreads();
            }
        }
        // All slots become valid: the other blocks measure their own nodes.
        for (std::uint32_t i = threadOfBlock(); i < contour.count; i += scratch.threads) {
            contour.known[i] |= ((1U << own.steps.count) - 1) << own.steps.first;
        }
        if (shares > 1) {
            work.team.meet();
            for (std::uint32_t i = threadOfBlock(); share == 0 && i < own.count() * kEdgesOfNode;
                 i += scratch.threads) {
                const std::uint32_t of = i / kEdgesOfNode;
                if ((open >> of & 1U) != 0) {
                    RegionSums sum;
                    for (std::uint32_t from = 0; from < shares; ++from) {
                        sum += shared[from * ofBlock + i];
                    }
                    at(work.memory, contour.slots[own.node(of)], own.steps, own.step(of))[i % kEdgesOfNode] = sum;
                }
            }
            meetThreads();
        }
    }

private:
    /// One thread's part of the sums of an edge to or from a place around a node.
    template <class Work>
    [[nodiscard]] POLLARD_DEVICE static RegionSums partOfEdge(const Work& work, std::uint32_t node, std::uint32_t reach,
                                                              bool to, std::uint32_t place, std::uint32_t part,
                                                              std::uint32_t parts) {
        const BlockContour& contour = work.contour;
        const ContourNode around = placeAround(contour.nodes[node], reach, place);
        if (!work.rules.isInImage(around)) {
            return {};
        }
        const ContourNode other = contour.nodes[to ? nodeBefore(node, contour.count) : nodeAfter(node, contour.count)];
        return work.input.image.leftOf(to ? other : around, to ? around : other, part, parts);
    }
};

} // namespace pollard::cuda
