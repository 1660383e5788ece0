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

/// Sums of the pixels left of the edges to and from the eight places around each node. A block measures its own nodes
/// and keeps the sums while they are valid.
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

/// Splits the long edges of a contour. The result is the same as after splitting one edge after the other, each only if
/// no edges of the contour touch afterwards.
///
/// A split that touches nothing for any choice of other splits does not depend on their order; the blocks share the
/// search for such splits. Every block then decides on the remaining splits one after another.
template <class Image, class Team> class EdgeSplits {
public:
    POLLARD_DEVICE explicit EdgeSplits(SnakeWork<Image, Team>& work) : work_(work), contour_(work.contour) {}

    /// Splits all long edges into `tried`, as many as allowed and as fit. @return number of nodes, whether they fit or
    /// not
    [[nodiscard]] POLLARD_DEVICE std::uint32_t tryAll() {
        return place([this](std::uint32_t i) { return isLong(i); });
    }

    /// @param most result of tryAll(), at most the capacity
    /// @return whether nodes were added; if not, the contour is unchanged
    [[nodiscard]] POLLARD_DEVICE bool split(std::uint32_t most) {
        const std::uint32_t count = contour_.count;
        const RegionSums inside = contour_.inside;
        const double energy = contour_.energy;
        const std::int64_t length = contour_.length;
        const std::uint32_t split = most == count || isFree(most) ? most : splitInTurn();
        if (split == count) {
            return false;
        }
        take(split);
        if (contour_.energy < SnakeRules::kTooSmall) {
            return true;
        }
        changePlaces(); // rounding removed the last pixels of a small region
        contour_.count = count;
        contour_.inside = inside;
        contour_.energy = energy;
        contour_.length = length;
        return false;
    }

private:
    /// Decision on the split of an edge; kInTurn: depends on earlier splits.
    enum Mark : std::int32_t { kFree, kInTurn, kRefused };

    [[nodiscard]] POLLARD_DEVICE std::uint32_t next(std::uint32_t i) const { return nodeAfter(i, contour_.count); }
    [[nodiscard]] POLLARD_DEVICE ContourNode middle(std::uint32_t i) const {
        return middleOf(contour_.nodes[i], contour_.nodes[next(i)]);
    }
    [[nodiscard]] POLLARD_DEVICE bool isLong(std::uint32_t i) const {
        return extentOf(contour_.nodes[i], contour_.nodes[next(i)]) > static_cast<std::int64_t>(work_.input.minLength);
    }

    /// Inserts midpoints into the edges that @p splits selects, as many as allowed and as fit; rank becomes twice the
    /// new number of each node, plus 1 if a midpoint follows. @return number of nodes, whether they fit or not
    template <class Splits> [[nodiscard]] POLLARD_DEVICE std::uint32_t place(const Splits& splits) {
        const SnakeScratch& scratch = work_.scratch;
        const std::uint32_t count = contour_.count;
        const std::uint32_t most = work_.input.maxNodes - count;
        std::uint32_t before = 0; // edges split so far
        for (std::uint32_t base = 0; base < count; base += scratch.threads) {
            const std::uint32_t i = base + threadOfBlock();
            const bool isOneOfThem = i < count && splits(i);
            const std::uint32_t ofWarp = ballot(isOneOfThem);
            if (laneOfWarp() == 0) {
                scratch.counts[warpOfBlock()] = countBits(ofWarp);
            }
            meetThreads();
            std::uint32_t own = before + countBits(ofWarp & ((1U << laneOfWarp()) - 1));
            for (std::uint32_t warp = 0; warp < scratch.warps(); ++warp) {
                own += warp < warpOfBlock() ? scratch.counts[warp] : 0;
                before += scratch.counts[warp];
            }
            meetThreads();
            if (i < count) {
                const bool isSplit = isOneOfThem && own < most;
                const std::uint32_t at = i + (own < most ? own : most);
                contour_.rank[i] = 2 * at + (isSplit ? 1 : 0);
                if (at < work_.memory.capacity) {
                    contour_.tried[at] = contour_.nodes[i];
                }
                if (isSplit && at + 1 < work_.memory.capacity) {
                    contour_.tried[at + 1] = middle(i);
                }
            }
        }
        meetThreads();
        return count + (before < most ? before : most);
    }

    /// Whether all splits are free. If not, memory.marks holds the mark of each long edge. Meets the team.
    [[nodiscard]] POLLARD_DEVICE bool isFree(std::uint32_t split) {
        const std::uint32_t count = contour_.count;
        bool isFree = true;
        for (std::uint32_t i = work_.team.block() + work_.team.blocks() * warpOfBlock(); i < count;
             i += work_.team.blocks() * work_.scratch.warps()) {
            if (isLong(i)) {
                const Mark mark = markOf(i, split);
                if (laneOfWarp() == 0) {
                    work_.memory.marks[i] = mark;
                }
                isFree = isFree && mark == kFree;
            }
        }
        return !work_.team.anyOf(!isFree, work_.scratch);
    }
    /// Called by all threads of a warp.
    [[nodiscard]] POLLARD_DEVICE Mark markOf(std::uint32_t i, std::uint32_t split) const {
        const std::uint32_t count = contour_.count;
        if (enclosesForbidden(work_.input.forbidden, contour_.nodes, count, i, next(i), middle(i))) {
            return kRefused;
        }
        const std::uint32_t rank = contour_.rank[i];
        if (rank % 2 == 0) { // the node limit is reached if all earlier edges are split
            return kInTurn;
        }
        const std::uint32_t at = rank / 2;
        const bool isFree =
            !touches(ContourPath(contour_.nodes, count, i, next(i), middle(i)), contour_.nodes, count) &&
            !touches(ContourPath(contour_.tried, split, at, nodeAfter(at + 1, split), middle(i)), contour_.tried,
                     split);
        return isFree ? kFree : kInTurn;
    }

    /// Decides on the splits that are not free, and rebuilds `tried` and rank. @return number of nodes
    [[nodiscard]] POLLARD_DEVICE std::uint32_t splitInTurn() {
        const std::uint32_t count = contour_.count;
        const SnakeScratch& scratch = work_.scratch;
        std::int32_t* const marks = contour_.places; // of all edges; short ones are refused
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch.threads) {
            marks[i] = isLong(i) ? work_.memory.marks[i] : kRefused;
            contour_.rank[i] = static_cast<std::uint32_t>(marks[i]);
        }
        meetThreads();
        // Most of these touch a decided edge, or no undecided one: one warp per edge decides them.
        std::uint32_t found = 0;
        for (std::uint32_t base = 0; base < count; base += kWarpThreads) {
            const std::uint32_t own = base + laneOfWarp();
            for (std::uint32_t open = ballot(own < count && marks[own] == kInTurn); open != 0; open &= open - 1) {
                if (found++ % scratch.warps() == warpOfBlock()) {
                    const std::uint32_t i = base + static_cast<std::uint32_t>(lowestBit(open));
                    const Mark mark = markBefore(i);
                    if (laneOfWarp() == 0) {
                        contour_.rank[i] = static_cast<std::uint32_t>(mark);
                    }
                }
            }
        }
        meetThreads();
        for (std::uint32_t i = threadOfBlock(); i < count; i += scratch.threads) {
            marks[i] = static_cast<std::int32_t>(contour_.rank[i]);
        }
        meetThreads();
        const std::uint32_t most = work_.input.maxNodes - count;
        std::uint32_t splits = 0;
        for (std::uint32_t base = 0; base < count && splits < most; base += kWarpThreads) {
            const std::uint32_t own = base + laneOfWarp();
            splits += countBits(ballot(own < count && marks[own] == kFree));
            for (std::uint32_t open = ballot(own < count && marks[own] == kInTurn); open != 0; open &= open - 1) {
                const std::uint32_t i = base + static_cast<std::uint32_t>(lowestBit(open));
                const bool isRefused = anyThread(touchesInTurn(i));
                if (threadOfBlock() == i % scratch.threads) { // the only thread that reads this mark again
                    marks[i] = isRefused ? kRefused : kFree;
                }
                splits += isRefused ? 0 : 1;
            }
        }
        meetThreads();
        return place([this](std::uint32_t i) { return contour_.places[i] == kFree; });
    }
    /// Decision on a split while the undecided splits before it are open. Called by all threads of a warp.
    [[nodiscard]] POLLARD_DEVICE Mark markBefore(std::uint32_t split) const {
        const ContourPath way(contour_.nodes, contour_.count, split, next(split), middle(split));
        bool touches = way.isNone();
        bool mayTouch = false;
        // The midpoint of an edge lies inside the edge's box.
        for (std::uint32_t first = laneOfWarp(); first < contour_.count; first += kEdgesAtOnce * kWarpThreads) {
            std::uint32_t close = closeEdges(way.box(), contour_.nodes, contour_.count, first);
            for (; close != 0; close &= close - 1) {
                const std::uint32_t i = first + static_cast<std::uint32_t>(lowestBit(close)) * kWarpThreads;
                if (i < split && contour_.places[i] == kInTurn) {
                    mayTouch = mayTouch || touchesEdge(way, split, i, false) || touchesEdge(way, split, i, true);
                } else if (i != split) {
                    touches = touches || touchesEdge(way, split, i, i < split && contour_.places[i] == kFree);
                }
            }
        }
        return ballot(touches) != 0 ? kRefused : ballot(mayTouch) != 0 ? kInTurn : kFree;
    }
    /// Whether a split touches one of this thread's edges. Edges before it count as split if marked kFree, edges after
    /// it as not split.
    [[nodiscard]] POLLARD_DEVICE bool touchesInTurn(std::uint32_t split) const {
        const ContourPath way(contour_.nodes, contour_.count, split, next(split), middle(split));
        bool found = way.isNone();
        for (std::uint32_t i = threadOfBlock(); i < contour_.count; i += work_.scratch.threads) {
            found = found || (i != split && touchesEdge(way, split, i, i < split && contour_.places[i] == kFree));
        }
        return found;
    }
    /// Whether the path of a split touches another edge, split or not.
    [[nodiscard]] POLLARD_DEVICE bool touchesEdge(const ContourPath& way, std::uint32_t split, std::uint32_t i,
                                                  bool isSplit) const {
        const bool leadsToFrom = next(i) == split;
        const bool followsTo = i == next(split);
        const ContourNode from = contour_.nodes[i];
        const ContourNode to = contour_.nodes[next(i)];
        return isSplit
                   ? way.touches(from, middle(i), false, followsTo) || way.touches(middle(i), to, leadsToFrom, false)
                   : way.touches(from, to, leadsToFrom, followsTo);
    }

    /// Makes `tried` the contour; `rank` marks the split edges.
    POLLARD_DEVICE void take(std::uint32_t split) {
        const std::uint32_t count = contour_.count;
        std::int32_t* const places = contour_.places; // number of the first half of each split edge
        for (std::uint32_t i = threadOfBlock(); i < count; i += work_.scratch.threads) {
            const std::uint32_t at = contour_.rank[i] / 2;
            contour_.triedSlots[at] = contour_.slots[i];
            if (contour_.rank[i] % 2 == 0) {
                contour_.changes[at] = contour_.edges[i];
            } else {
                const std::uint32_t number = at - i;
                places[number] = static_cast<std::int32_t>(at);
                contour_.triedSlots[at + 1] = count + number;
                contour_.known[count + number] = 0;
                storeSame(contour_.known + contour_.slots[i], 0U); // neighbours write the same
                storeSame(contour_.known + contour_.slots[next(i)], 0U);
            }
        }
        meetThreads();
        changePlaces();
        contour_.count = split;
        work_.measureEdges(2 * (split - count), [places](std::uint32_t edge) {
            return static_cast<std::uint32_t>(places[edge / 2]) + edge % 2;
        });
    }
    /// Swaps the contour with `tried`.
    POLLARD_DEVICE void changePlaces() {
        ContourNode* const nodes = contour_.nodes;
        contour_.nodes = contour_.tried;
        contour_.tried = nodes;
        RegionSums* const edges = contour_.edges;
        contour_.edges = contour_.changes;
        contour_.changes = edges;
        std::uint32_t* const slots = contour_.slots;
        contour_.slots = contour_.triedSlots;
        contour_.triedSlots = slots;
    }

    SnakeWork<Image, Team>& work_;
    BlockContour& contour_;
};

} // namespace pollard::cuda
