#pragma once

#include "snake/snake_work.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Lengths of steps that a round looks at: the longest one halved `first` times, and so on.
struct RoundSteps {
    std::uint32_t first;
    std::uint32_t count;
};

/// The nodes that a block looks after, each with the lengths of steps of a round.
struct OwnPlaces {
    std::uint32_t first;  ///< node
    std::uint32_t stride; ///< to the next one
    std::uint32_t nodes;
    RoundSteps steps;

    [[nodiscard]] POLLARD_DEVICE std::uint32_t count() const { return nodes * steps.count; }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t node(std::uint32_t i) const { return first + i / steps.count * stride; }
    /// Number of its length among those of the round.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t step(std::uint32_t i) const { return i % steps.count; }
};

/// The sums to the left of the edges to and from the eight places around each node, which a block measures of its own
/// nodes and keeps as long as they hold.
template <class Image, class Team> class PlaceMeasures {
public:
    POLLARD_DEVICE explicit PlaceMeasures(const SnakeWork<Image, Team>& work) : work_(work) {}

    /// The round will look at steps from @p first on.
    POLLARD_DEVICE void prepare(std::uint32_t first) {
        if (first < kept_ || first >= kept_ + work_.memory.steps) {
            kept_ = first;
            work_.contour.forget(work_.scratch.threads);
        }
    }
    /// How many lengths of steps there is memory for from @p first on.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t roomFrom(std::uint32_t first) const {
        return work_.memory.steps - (first - kept_);
    }

    /// Of a node: kPlaces from the node before, and as many to the node after.
    /// @param step number of the length of the step among those of the round
    [[nodiscard]] POLLARD_DEVICE RegionSums* at(std::uint32_t node, const RoundSteps& steps, std::uint32_t step) const {
        const std::size_t kept = steps.first + step - kept_;
        return work_.memory.candidates + kEdgesOfNode * (kept * work_.memory.capacity + node);
    }

    /// Measures what is not known: a group of warps a node, length and side, its lanes four parts of the rows of eight
    /// edges.
    /// @param shares blocks that measure a node together, a power of two; more than 1: one length of steps
    POLLARD_DEVICE void measure(const OwnPlaces& own, std::uint32_t shares) const {
        constexpr std::uint32_t kParts = kWarpThreads / kPlaces;
        const SnakeScratch& scratch = work_.scratch;
        const std::uint32_t* const known = work_.contour.known;
        const std::uint32_t share = work_.team.block() % shares;
        const std::uint32_t lane = laneOfWarp();
        const std::uint32_t slot = own.steps.first - kept_; // of the first length
        RegionSums* const shared = work_.memory.shares + std::size_t{kEdgesOfNode} * work_.team.block();
        bool measured = false;
        for (std::uint32_t base = 0; base < own.count(); base += kWarpThreads) {
            const std::uint32_t place = base + lane;
            const std::uint32_t open =
                ballot(place < own.count() && (known[own.node(place)] >> (slot + own.step(place)) & 1U) == 0);
            const std::uint32_t items = 2 * countBits(open);
            std::uint32_t group = 1; // warps
            while (2 * group * items <= scratch.warps() && items != 0) {
                group *= 2;
            }
            const auto sumsOf = [&](std::uint32_t item) {
                const std::uint32_t of = base + setBitAfter(open, item / 2);
                return (shares == 1 ? at(own.node(of), own.steps, own.step(of)) : shared) + item % 2 * kPlaces;
            };
            for (std::uint32_t item = warpOfBlock() / group; item < items; item += scratch.warps() / group) {
                const std::uint32_t of = base + setBitAfter(open, item / 2);
                const std::uint32_t reach = work_.input.maxStep >> (own.steps.first + own.step(of));
                const std::uint32_t part = (share * group + warpOfBlock() % group) * kParts + lane / kPlaces;
                const RegionSums sum = sumOfLanes(
                    partOfEdge(own.node(of), reach, item % 2 == 0, lane % kPlaces, part, shares * group * kParts),
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
            measured = measured || items != 0;
        }
        for (std::uint32_t i = threadOfBlock(); i < own.nodes; i += scratch.threads) {
            work_.contour.known[own.first + i * own.stride] |= ((1U << own.steps.count) - 1) << slot;
        }
        if (shares > 1) {
            work_.team.meet();
            if (share == 0 && measured && threadOfBlock() < kEdgesOfNode) {
                RegionSums sum;
                for (std::uint32_t i = 0; i < shares; ++i) {
                    sum += shared[i * kEdgesOfNode + threadOfBlock()];
                }
                at(own.first, own.steps, 0)[threadOfBlock()] = sum;
            }
            meetThreads();
        }
    }

private:
    /// What one thread measures of an edge to or from a place around a node.
    [[nodiscard]] POLLARD_DEVICE RegionSums partOfEdge(std::uint32_t node, std::uint32_t reach, bool to,
                                                       std::uint32_t place, std::uint32_t part,
                                                       std::uint32_t parts) const {
        const BlockContour& contour = work_.contour;
        const ContourNode around = placeAround(contour.nodes[node], reach, place);
        if (!work_.rules.isInImage(around)) {
            return {};
        }
        const ContourNode other = contour.nodes[to ? nodeBefore(node, contour.count) : nodeAfter(node, contour.count)];
        return work_.input.image.leftOf(to ? other : around, to ? around : other, part, parts);
    }

    const SnakeWork<Image, Team>& work_;
    std::uint32_t kept_ = 0; ///< halvings of the first length of steps that there is memory for
};

} // namespace pollard::cuda
