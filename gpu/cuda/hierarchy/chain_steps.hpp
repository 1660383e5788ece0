#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/hierarchy/edge_grid.hpp"
#include "cuda/kernels/kernel_threads.hpp"
#include "hierarchy/hierarchy.hpp"

#include <cstddef>
#include <cstdint>

// Strengths of the merges of a hierarchy. Each basin but the last is joined to others by one edge of the minimum
// spanning tree, its hook. The basin is a branch of the binary partition tree: a chain of the merges of its component
// before that edge. At each merge of a chain another branch ends. Branches form a tree with few levels, from whose
// leaves to its root the measures of components are summed up: all chains of a level by one segmented scan.

namespace pollard::cuda {

/// Per basin the edge by which it is joined, and a basin that it is joined to. Along `into` edges come later.
struct BasinLinks {
    const std::uint64_t* hook; ///< FirstEdge, or another number that is larger for an earlier edge; 0 for a last basin
    std::uint32_t* into;       ///< itself for a last basin
};

/// Replaces the component that each basin was hooked to by the branch on which the hook lies. One thread per basin.
struct LinkBranchOfHook {
    const std::uint64_t* hook;
    const std::uint32_t* joined;
    std::uint32_t* into;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        std::uint32_t at = joined[i];
        while (hook[at] > hook[i]) {
            at = joined[at];
        }
        into[i] = at;
    }
};

/// Marks the edges of the minimum spanning tree at their first pixels. One thread per basin.
struct MarkHooks {
    const std::uint64_t* hook;
    std::uint32_t* marks; ///< per pixel a bit for each way; 0 at the start

    POLLARD_DEVICE void operator()(std::size_t i) const {
        if (hook[i] != 0) {
            static_cast<void>(withBitsSet(&marks[FirstEdge::first(hook[i])], 1U << FirstEdge::way(hook[i])));
        }
    }
};

/// One thread per pixel.
struct CountMarks {
    const std::uint32_t* marks;
    std::uint32_t* counts;

    POLLARD_DEVICE void operator()(std::size_t i) const { counts[i] = countBits(marks[i]); }
};

/// Sort keys of merges: level of the branch below the root, branch, weight.
struct MergeKey {
    static constexpr std::uint32_t kMostLevels = 64;

    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint64_t make(std::uint32_t level, std::uint32_t branch,
                                                                std::uint32_t weight, int branchBits) noexcept {
        return (std::uint64_t{level} << branchBits | branch) << kWeightBits | weight;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE static std::uint32_t weight(std::uint64_t key) noexcept {
        return static_cast<std::uint32_t>(key) & 0xffffU;
    }

    static constexpr int kWeightBits = 16;
    static constexpr int kLevelBits = 6;
};

/// Lists the merges in the order of their pixels. One thread per basin.
struct ListMerges {
    BasinLinks links;
    const std::uint32_t* marks;
    const std::uint32_t* places; ///< per pixel the number of marks at earlier pixels
    int branchBits;
    std::uint64_t* keys;
    std::uint32_t* basins; ///< whose hooks they are

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint64_t hook = links.hook[i];
        if (hook == 0) {
            return;
        }
        const std::uint32_t branch = links.into[i];
        std::uint32_t level = 0;
        for (std::uint32_t at = branch; links.hook[at] != 0; at = links.into[at]) {
            ++level;
        }
        const std::uint32_t pixel = FirstEdge::first(hook);
        const std::uint32_t place = places[pixel] + countBits(marks[pixel] & ((1U << FirstEdge::way(hook)) - 1));
        keys[place] = MergeKey::make(level, branch, FirstEdge::weight(hook), branchBits);
        basins[place] = static_cast<std::uint32_t>(i);
    }
};

/// Merges in the order of their keys.
struct MergeChains {
    const std::uint64_t* keys;
    const std::uint32_t* basins; ///< that end at the merges
    std::uint32_t* first;        ///< per basin the range of the merges of its chain; 0 at the start
    std::uint32_t* end;
    std::uint32_t count;
    int branchBits;

    [[nodiscard]] POLLARD_DEVICE std::uint32_t weight(std::size_t merge) const { return MergeKey::weight(keys[merge]); }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t branch(std::size_t merge) const {
        const std::uint64_t ones = (std::uint64_t{1} << branchBits) - 1;
        return static_cast<std::uint32_t>(keys[merge] >> MergeKey::kWeightBits & ones);
    }
    [[nodiscard]] POLLARD_DEVICE std::uint32_t level(std::size_t merge) const {
        return static_cast<std::uint32_t>(keys[merge] >> (MergeKey::kWeightBits + branchBits));
    }
};

/// Finds where chains and levels begin and end. One thread per merge.
struct FindChains {
    MergeChains chains;
    std::uint32_t* levelBegins; ///< per level; all ones at the start

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t branch = chains.branch(i);
        if (i == 0 || chains.branch(i - 1) != branch) {
            chains.first[branch] = static_cast<std::uint32_t>(i);
        }
        if (i + 1 == chains.count || chains.branch(i + 1) != branch) {
            chains.end[branch] = static_cast<std::uint32_t>(i + 1);
        }
        if (i == 0 || chains.level(i - 1) != chains.level(i)) {
            levelBegins[chains.level(i)] = static_cast<std::uint32_t>(i);
        }
    }
};

/// Pixels by the merges before which they join a chain; after the last merge of all chains come the pixels that join a
/// branch after its own merges, by branch.
struct OwnWeightSums {
    std::uint32_t* area;
    std::uint64_t* weight; ///< sum of own weights; null if only areas count
};

/// Adds each pixel before the first merge that is above its own weight. One thread per pixel.
struct AddPixels {
    const std::uint32_t* basinOfPixel;
    const std::uint16_t* ownWeight;
    BasinLinks links;
    MergeChains chains;
    OwnWeightSums sums;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t own = ownWeight[i];
        std::uint32_t branch = basinOfPixel[i];
        while (FirstEdge::weight(links.hook[branch]) <= own) {
            branch = links.into[branch];
        }
        std::uint32_t from = chains.first[branch];
        const std::uint32_t end = chains.end[branch];
        std::uint32_t to = from < end && chains.weight(from) > own ? from : end;
        while (from < to) {
            const std::uint32_t middle = from + (to - from) / 2;
            if (chains.weight(middle) > own) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        const std::size_t slot = to < end ? to : std::size_t{chains.count} + branch;
        addTogether(&sums.area[slot], 1);
        if (sums.weight != nullptr) {
            addTogether(&sums.weight[slot], own);
        }
    }
};

/// Measures of the pixels of a component, and whether a chain begins with it.
struct ChainSums {
    std::uint64_t weight;
    std::uint32_t area;
    std::uint16_t lowest; ///< own weight of a pixel
    std::uint16_t starts;

    [[nodiscard]] POLLARD_HOST_DEVICE static ChainSums join(const ChainSums& a, const ChainSums& b) {
        if (b.starts != 0) {
            return b;
        }
        return {a.weight + b.weight, a.area + b.area, a.lowest < b.lowest ? a.lowest : b.lowest, a.starts};
    }
    /// Extinction value of the component just below a weight.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t measured(Strength strength, std::uint32_t at) const {
        return strength == Strength::dynamics ? at - lowest
               : strength == Strength::area   ? area
                                              : std::uint64_t{area} * at - weight;
    }
};

/// The largest extinction value of the components that meet at one weight; with a bit for the first merge of a weight.
struct RunMaximum {
    std::uint64_t value;

    static constexpr std::uint64_t kStarts = std::uint64_t{1} << 63;

    [[nodiscard]] POLLARD_HOST_DEVICE static RunMaximum join(const RunMaximum& a, const RunMaximum& b) {
        if ((b.value & kStarts) != 0) {
            return b;
        }
        return {(a.value & kStarts) | ((a.value & ~kStarts) < b.value ? b.value : a.value & ~kStarts)};
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t largest() const { return value & ~kStarts; }
};

/// A branch with all its merges.
struct BranchTotal {
    ChainSums sums;
    std::uint64_t largest;    ///< RunMaximum after its last merge
    std::uint32_t lastWeight; ///< of its last merge; 0 without one

    /// The largest extinction value of the components just below a weight.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t largestAt(Strength strength, std::uint32_t weight) const {
        return lastWeight == weight ? largest : sums.measured(strength, weight);
    }
};

/// Notes the pixels that join a branch after its merges. One thread per basin.
struct StartTotals {
    OwnWeightSums sums;
    std::uint32_t merges;
    const std::uint16_t* ownWeight; ///< of basins
    BranchTotal* totals;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const std::uint32_t area = sums.area == nullptr ? 0 : sums.area[merges + i];
        const std::uint64_t weight = sums.weight == nullptr ? 0 : sums.weight[merges + i];
        totals[i] = {{weight, area, ownWeight[i], 1}, 0, 0};
    }
};

/// Steps over the merges of a level. One thread per merge.
struct LevelOfChains {
    MergeChains chains;
    OwnWeightSums sums;
    const std::uint16_t* ownWeight; ///< of basins
    Strength strength;
    BranchTotal* totals;
    std::uint32_t begin;      ///< first merge of the level
    ChainSums* sumsUpTo;      ///< per merge of the level
    RunMaximum* largestUpTo;  ///< per merge of the level
    std::uint64_t* strengths; ///< per merge

    /// What joins a chain between two merges.
    POLLARD_DEVICE void gather(std::size_t i) const {
        const std::size_t merge = begin + i;
        const std::uint32_t branch = chains.branch(merge);
        ChainSums own{sums.weight == nullptr ? 0 : sums.weight[merge], sums.area == nullptr ? 0 : sums.area[merge], 0,
                      0};
        if (chains.first[branch] == merge) {
            own.lowest = ownWeight[branch];
            own.starts = 1;
        } else {
            const ChainSums& other = totals[chains.basins[merge - 1]].sums;
            own.weight += other.weight;
            own.area += other.area;
            own.lowest = other.lowest;
        }
        sumsUpTo[i] = own;
    }
    POLLARD_DEVICE void startRuns(std::size_t i) const {
        const std::size_t merge = begin + i;
        const std::uint32_t weight = chains.weight(merge);
        const bool starts = chains.first[chains.branch(merge)] == merge || chains.weight(merge - 1) != weight;
        largestUpTo[i] = {starts ? RunMaximum::kStarts | sumsUpTo[i].measured(strength, weight)
                                 : totals[chains.basins[merge - 1]].largestAt(strength, weight)};
    }
    POLLARD_DEVICE void end(std::size_t i) const {
        const std::size_t merge = begin + i;
        const std::uint32_t weight = chains.weight(merge);
        const std::uint32_t branch = chains.branch(merge);
        const BranchTotal& ended = totals[chains.basins[merge]];
        const std::uint64_t own = largestUpTo[i].largest();
        const std::uint64_t other = ended.largestAt(strength, weight);
        strengths[merge] = own < other ? own : other;
        if (chains.end[branch] == merge + 1) {
            BranchTotal& total = totals[branch];
            ChainSums sum = ChainSums::join(total.sums, {ended.sums.weight, ended.sums.area, ended.sums.lowest, 0});
            sum = ChainSums::join(sum, {sumsUpTo[i].weight, sumsUpTo[i].area, sumsUpTo[i].lowest, 0});
            total = {sum, own < other ? other : own, weight};
        }
    }
};

struct GatherLevel {
    LevelOfChains level;
    POLLARD_DEVICE void operator()(std::size_t i) const { level.gather(i); }
};
struct StartRuns {
    LevelOfChains level;
    POLLARD_DEVICE void operator()(std::size_t i) const { level.startRuns(i); }
};
struct EndLevel {
    LevelOfChains level;
    POLLARD_DEVICE void operator()(std::size_t i) const { level.end(i); }
};

/// Edges between basins with the ranks of the merges' strengths. One thread per merge, in the order of strengths.
template <class Level> struct ListRanks {
    EdgeGrid<Level> grid;
    const std::uint32_t* basinOfPixel;
    const std::uint64_t* hook;   ///< of basins
    const std::uint32_t* basins; ///< whose hooks the merges are
    std::uint32_t merges;
    EdgeList list;
    std::uint32_t* count; ///< of the list

    POLLARD_DEVICE void operator()(std::size_t i) const {
        if (i == 0) {
            *count = merges;
        }
        const std::uint64_t edge = hook[basins[i]];
        const std::uint32_t first = FirstEdge::first(edge);
        list.one[i] = basinOfPixel[first];
        list.other[i] = basinOfPixel[grid.secondOf(first, FirstEdge::way(edge))];
        list.key[i] = merges - i;
    }
};

/// Notes the strength at which each basin is joined. One thread per basin.
struct NoteStrengths {
    const std::uint64_t* hook; ///< ListRanks::list.key, or 0
    const std::uint64_t* strengths;
    std::uint32_t merges;
    std::uint64_t* joinedAt;

    POLLARD_DEVICE void operator()(std::size_t i) const {
        joinedAt[i] = hook[i] == 0 ? Hierarchy::kNever : strengths[merges - hook[i]];
    }
};

/// As NoteStrengths if strengths are weights. Lists the weights, too. One thread per basin.
struct NoteAltitudes {
    const std::uint64_t* hook; ///< FirstEdge
    std::uint64_t* joinedAt;
    std::uint64_t* listed;
    std::uint32_t* count; ///< of listed; 0 at the start

    POLLARD_DEVICE void operator()(std::size_t i) const {
        joinedAt[i] = hook[i] == 0 ? Hierarchy::kNever : FirstEdge::weight(hook[i]);
        if (hook[i] != 0) {
            listed[takePlace(count)] = joinedAt[i];
        }
    }
};

} // namespace pollard::cuda
