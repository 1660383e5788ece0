#pragma once

#include "cuda/snake/snake_work.hpp"

#include <cstddef>
#include <cstdint>

namespace pollard::cuda {

/// Splits the long edges of a contour. The result equals that of splitting one after the other, each only if no edges
/// of the contour then touch.
///
/// A split that touches nothing for any choice of other splits does not depend on their order; the blocks share the
/// search for these. Every block then decides on the others one after another.
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
        if (bringsIn(work_.input.forbidden, contour_.nodes, count, i, next(i), middle(i))) {
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

    /// Makes `tried` the contour; rank tells which edges were split.
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
