#pragma once

#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <cstddef>
#include <cstdint>

// Pass 8 for a tree: numbers the nodes in depth-first preorder, the children of a node ordered by canonical pixel.
// Along a branch, the children of a node are the next run, if any, and the branches attached to the node. A node's
// number and the size of its subtree are therefore sums over the branches attached to a range of its branch, and such
// sums are differences of prefix sums over the *list of branches*, sorted by the run they are attached to and then by
// canonical pixel. Only the tree of branches, which is shallow, is climbed.
//
// Sums are modulo 2^32; every difference that is used is a number of nodes.

namespace pollard::cuda {

constexpr std::uint32_t kNoNode = 0xffff'ffff;

/// Results of the numbering passes, as sums and maxima over branches.
struct NumberingFacts {
    unsigned long long aliases;     ///< branches whose lowest run is an alias
    unsigned long long branchDepth; ///< largest number of branches between a branch and the root's
    unsigned long long listed;      ///< branches in the list: all with a node except the root's
    unsigned long long ridges;      ///< branches with another attached to their highest run
    unsigned long long depth;       ///< of the tree: largest number of edges between a node and the root
    unsigned long long rootLevel;   ///< in the image
};

/// A branch of the list as a sort key: the run it is attached to, and the canonical image pixel of its lowest node.
struct ListKey {
    std::uint32_t pixelBits;

    [[nodiscard]] POLLARD_HOST_DEVICE std::uint64_t make(std::uint32_t run, std::uint32_t pixel) const noexcept {
        return std::uint64_t{run} << pixelBits | pixel;
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t run(std::uint64_t key) const noexcept {
        return static_cast<std::uint32_t>(key >> pixelBits);
    }
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t pixel(std::uint64_t key) const noexcept {
        return static_cast<std::uint32_t>(key & ((std::uint64_t{1} << pixelBits) - 1));
    }
};

/// Writes the depth of each branch in the tree of branches, and returns it. One thread per branch.
struct MeasureBranchDepths {
    const std::uint32_t* branchOfRun;
    const std::uint32_t* attach;
    std::uint8_t* depth;

    POLLARD_DEVICE std::uint32_t operator()(std::size_t b) const {
        std::uint32_t steps = 0;
        for (std::uint32_t run = attach[b]; run != kNoRun; run = attach[branchOfRun[run]]) {
            ++steps;
        }
        depth[b] = static_cast<std::uint8_t>(steps);
        return steps;
    }
};

/// Counts the nodes of each branch, and lists the branches that have any; others sort to the end. Returns 1 if the
/// branch is listed. One thread per branch.
struct ListBranches {
    const std::uint32_t* pixelOfRun;
    BranchTable branches;
    std::uint32_t lastPixel;
    ListKey key;
    std::uint32_t* size; ///< per branch: its own nodes
    std::uint64_t* list; ///< per branch: ListKey

    POLLARD_DEVICE std::uint32_t operator()(std::size_t i) const {
        const auto b = static_cast<std::uint32_t>(i);
        const bool hasRun = branches.first[b] != kNoRun;
        const std::uint32_t lowest = hasRun ? branches.lowest(b) : 0;
        const std::uint32_t own = hasRun ? branches.end[b] - lowest : 0;
        size[b] = own;
        const bool isListed = own != 0 && branches.attach[b] != kNoRun;
        list[b] = isListed ? key.make(branches.attach[b], lastPixel - pixelOfRun[lowest]) : ~std::uint64_t{0};
        return isListed ? 1 : 0;
    }
};

/// Reads the sorted list: the branch and depth of each entry, and for each run the end of its entries. Returns 1 if the
/// entry is the last of a run that is the highest of its branch. One thread per entry.
struct ReadList {
    const std::uint64_t* list;
    std::uint32_t listed;
    ListKey key;
    const std::uint32_t* runOfPixel; ///< by image pixel, not rotated
    const std::uint32_t* branchOfRun;
    const std::uint32_t* endOfBranch;
    const std::uint8_t* depth; ///< per branch
    std::uint32_t* branch;     ///< per entry
    std::uint8_t* depthOfEntry;
    std::uint32_t* entriesBelow; ///< per run, 0 at the start; an exclusive running maximum follows

    POLLARD_DEVICE std::uint32_t operator()(std::size_t j) const {
        const std::uint32_t b = branchOfRun[runOfPixel[key.pixel(list[j])]];
        branch[j] = b;
        depthOfEntry[j] = depth[b];
        const std::uint32_t run = key.run(list[j]);
        if (j + 1 != listed && key.run(list[j + 1]) == run) {
            return 0;
        }
        entriesBelow[run] = static_cast<std::uint32_t>(j + 1);
        return run + 1 == endOfBranch[branchOfRun[run]] ? 1 : 0;
    }
};

/// Adds the sizes of the branches of one depth to the branches they are attached to. One thread per entry.
struct AddSizes {
    const std::uint64_t* list;
    ListKey key;
    const std::uint32_t* branch;
    const std::uint8_t* depthOfEntry;
    std::uint32_t depth;
    const std::uint32_t* branchOfRun;
    std::uint32_t* size; ///< per branch

    POLLARD_DEVICE void operator()(std::size_t j) const {
        if (depthOfEntry[j] == depth) {
            addTogether(&size[branchOfRun[key.run(list[j])]], size[branch[j]]);
        }
    }
};

/// Writes the summands of ListSums. One thread per entry.
struct ListSizes {
    const std::uint64_t* list;
    ListKey key;
    const std::uint32_t* branch;
    const std::uint32_t* size; ///< per branch
    const std::uint32_t* pixelOfRun;
    BranchTable branches;
    const std::uint32_t* branchOfRun;
    std::uint32_t lastPixel;
    std::uint32_t* sizes;   ///< per entry: nodes of the branch and all attached to it
    std::uint32_t* earlier; ///< per entry: the same if it precedes the next run of the branch it is attached to, else 0

    POLLARD_DEVICE void operator()(std::size_t j) const {
        const std::uint32_t run = key.run(list[j]);
        const std::uint32_t nodes = size[branch[j]];
        const std::uint32_t next = run + 1;
        const bool isEarlier =
            next < branches.end[branchOfRun[run]] && key.pixel(list[j]) < lastPixel - pixelOfRun[next];
        sizes[j] = nodes;
        earlier[j] = isEarlier ? nodes : 0;
    }
};

/// Exclusive prefix sums over the list, with one more element for the total.
struct ListSums {
    const std::uint32_t* entriesBelow; ///< per run, and one more: number of entries attached to lower runs
    const std::uint32_t* sizes;
    const std::uint32_t* earlier;

    /// Number of nodes before a run in preorder, up to a constant of its branch.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t before(std::uint32_t run) const noexcept {
        return run + earlier[entriesBelow[run]];
    }
    /// Number of nodes in the runs below a run and in all branches attached to these, up to a constant of the branch.
    [[nodiscard]] POLLARD_HOST_DEVICE std::uint32_t below(std::uint32_t run) const noexcept {
        return run + sizes[entriesBelow[run]];
    }
};

/// Distance of each listed branch's lowest node from the lowest node of the branch it is attached to: in preorder
/// numbers, and in edges. One thread per entry.
struct PlaceBranches {
    const std::uint64_t* list;
    ListKey key;
    const std::uint32_t* branch;
    const std::uint32_t* pixelOfRun;
    const std::uint32_t* branchOfRun;
    BranchTable branches;
    std::uint32_t lastPixel;
    ListSums sums;
    std::uint32_t* numbers; ///< per branch
    std::uint32_t* edges;   ///< per branch

    POLLARD_DEVICE void operator()(std::size_t j) const {
        const std::uint32_t run = key.run(list[j]);
        const std::uint32_t below = branchOfRun[run];
        const std::uint32_t lowest = branches.lowest(below);
        const std::uint32_t next = run + 1;
        const std::uint32_t end = branches.end[below];
        std::uint32_t number = sums.before(run) - sums.before(lowest) + 1;
        number += sums.sizes[j] - sums.sizes[sums.entriesBelow[run]];
        if (next < end && lastPixel - pixelOfRun[next] < key.pixel(list[j])) {
            number += sums.below(end) - sums.below(next);
        }
        numbers[branch[j]] = number;
        edges[branch[j]] = run - lowest + 1;
    }
};

/// Sums these distances up to the root's branch. Returns the largest depth of a node of the branch. One thread per
/// branch.
struct NumberBranches {
    const std::uint32_t* branchOfRun;
    BranchTable branches;
    const std::uint32_t* numbers;
    const std::uint32_t* edges;
    ListSums sums;
    std::uint32_t* offset; ///< per branch: the number of a run minus ListSums::before()
    std::uint32_t* total;  ///< per branch: ListSums::below() past its highest run

    POLLARD_DEVICE std::uint32_t operator()(std::size_t i) const {
        const auto b = static_cast<std::uint32_t>(i);
        if (branches.first[b] == kNoRun) {
            return 0;
        }
        const std::uint32_t lowest = branches.lowest(b);
        const std::uint32_t end = branches.end[b];
        if (lowest == end) {
            return 0;
        }
        std::uint32_t number = 0;
        std::uint32_t depth = end - lowest - 1;
        std::uint32_t at = b;
        for (std::uint32_t run = branches.attach[at]; run != kNoRun; run = branches.attach[at]) {
            number += numbers[at];
            depth += edges[at];
            at = branchOfRun[run];
        }
        offset[b] = number - sums.before(lowest);
        total[b] = sums.below(end);
        return depth;
    }
};

/// Numbers the nodes. One thread per run.
struct NumberRuns {
    const std::uint32_t* branchOfRun;
    BranchTable branches;
    ListSums sums;
    const std::uint32_t* offset;
    const std::uint32_t* total;
    std::uint32_t* number;     ///< per run; kNoNode for aliases; may alias sums.entriesBelow
    std::uint32_t* subtreeEnd; ///< per node

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto run = static_cast<std::uint32_t>(i);
        const std::uint32_t b = branchOfRun[run];
        if (branches.isAliasRun(run, b)) {
            number[run] = kNoNode;
            return;
        }
        const std::uint32_t size = total[b] - sums.below(run);
        const std::uint32_t node = sums.before(run) + offset[b];
        number[run] = node;
        subtreeEnd[node] = node + size;
    }
};

/// Writes the parents. One thread per run.
struct WriteNodeParents {
    const std::uint32_t* branchOfRun;
    BranchTable branches;
    const std::uint32_t* number;
    std::uint32_t* parent; ///< per node

    POLLARD_DEVICE void operator()(std::size_t i) const {
        const auto run = static_cast<std::uint32_t>(i);
        const std::uint32_t node = number[run];
        if (node == kNoNode) {
            return;
        }
        const std::uint32_t b = branchOfRun[run];
        const bool isLowest = run == branches.lowest(b);
        const std::uint32_t attach = isLowest ? branches.attach[b] : run - 1;
        parent[node] = attach != kNoRun ? number[attach] : node;
    }
};

/// Writes canonical pixels and levels as in the image. One thread per run.
template <class Level> struct WriteNodeLevels {
    RunTable<Level> runs;
    const std::uint32_t* number;
    std::uint32_t lastPixel;
    Level flip;
    std::uint32_t* canonical; ///< per node
    std::uint16_t* level;     ///< per node
    NumberingFacts* facts;

    POLLARD_DEVICE void operator()(std::size_t run) const {
        const std::uint32_t node = number[run];
        if (node == kNoNode) {
            return;
        }
        const auto own = static_cast<Level>(runs.level[run] ^ flip);
        canonical[node] = lastPixel - runs.pixel[run];
        level[node] = own;
        if (node == 0) {
            facts->rootLevel = own;
        }
    }
};

/// Gives each alias the number of its node. One thread per branch.
struct NumberAliases {
    BranchTable branches;
    std::uint32_t* number;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        if (branches.first[b] != kNoRun && branches.isAlias[b] != 0) {
            number[branches.first[b]] = number[branches.attach[b]];
        }
    }
};

/// Replaces each pixel's run by its node. One thread per pixel.
struct WriteNodesOfPixels {
    const std::uint32_t* number;
    std::uint32_t* runThenNode;

    POLLARD_DEVICE void operator()(std::size_t pixel) const { runThenNode[pixel] = number[runThenNode[pixel]]; }
};

} // namespace pollard::cuda
