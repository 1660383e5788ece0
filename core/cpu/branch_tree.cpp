#include "cpu/branch_tree.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <tbb/parallel_sort.h>
#include <utility>
#include <vector>

namespace pollard::cpu {

namespace {

constexpr std::size_t kTileGrain = 16;
constexpr std::size_t kBranchGrain = 2048;
constexpr std::size_t kManyKeys = 1U << 12; ///< from which sorting uses all threads
constexpr std::uint32_t kNoTable = 0xffff'ffff;
constexpr std::uint32_t kNoLevel = 0xffff'ffff;

/// A run as a sort key, in which ascending keys are descending levels.
class RunKey {
public:
    RunKey() = default;
    RunKey(std::uint16_t level, std::size_t tile, std::size_t inTile) noexcept
        : key_(std::uint64_t{static_cast<std::uint16_t>(~level)} << 48 | std::uint64_t{tile} << kBits | inTile) {}

    [[nodiscard]] std::uint16_t level() const noexcept { return static_cast<std::uint16_t>(~(key_ >> 48)); }
    [[nodiscard]] std::size_t tile() const noexcept { return key_ << 16 >> (16 + kBits); }
    /// Index among the runs of the tile.
    [[nodiscard]] std::size_t inTile() const noexcept { return key_ % kTilePixels; }
    [[nodiscard]] bool operator<(const RunKey& other) const noexcept { return key_ < other.key_; }
    [[nodiscard]] static bool byLevel(const RunKey& a, const RunKey& b) noexcept { return a.key_ >> 48 < b.key_ >> 48; }

private:
    static constexpr unsigned kBits = 12;
    static_assert(kTilePixels == 1U << kBits);

    std::uint64_t key_;
};

/// The runs of every branch: in a section of keys or, for a branch with many runs, in a table of levels.
struct RunGroups {
    Buffer<std::uint32_t> branchOf; ///< per run, in the whole image
    Buffer<std::uint32_t> start;    ///< per branch, and the total: start of its section of `keys`
    Buffer<RunKey> keys;
    std::size_t levels = 0;            ///< size of a table
    Buffer<std::uint32_t> table;       ///< per branch: number of its table or kNoTable
    std::vector<std::uint32_t> tabled; ///< per table: its branch
    Buffer<std::uint32_t> entries; ///< per table and level: canonical pixel plus one, 0 without a run; then the node

    [[nodiscard]] std::span<RunKey> keysOf(std::size_t branch) noexcept {
        return keys.span().subspan(start[branch], start[branch + 1] - start[branch]);
    }
    [[nodiscard]] std::span<std::uint32_t> entriesOf(std::size_t number) noexcept {
        return entries.span().subspan(number * levels, levels);
    }
};

/// Calls `visit(branch, runs, first)` for stretches of consecutive runs of a tile in one branch; @p branchOf and
/// `first` count runs of the tile.
template <class Visit>
void forEachStretch(std::span<const TileRun> runs, const std::uint32_t* branchOf, Visit&& visit) {
    for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
        do {
            ++end;
        } while (end < runs.size() && branchOf[end] == branchOf[begin]);
        visit(branchOf[begin], runs.subspan(begin, end - begin), begin);
    }
}

/// Finds the branch of every run, and counts the runs of each branch b in start[b + 1].
void findBranches(const BranchRuns& runs, RunGroups& groups, const JobControl& control) {
    const std::size_t branchCount = runs.forest.size();
    groups.branchOf = Buffer<std::uint32_t>(runs.runBase.back());
    groups.start = Buffer<std::uint32_t>(branchCount + 1);
    fillAll(groups.start.span(), 0U, control);
    const auto add = [&](std::uint32_t branch, std::size_t count) {
        std::atomic_ref(groups.start[branch + 1])
            .fetch_add(static_cast<std::uint32_t>(count), std::memory_order_relaxed);
    };
    forEachIndex(
        runs.grid.count(), control,
        [&](std::size_t t) {
            const std::span<const TileRun> mine = runs.runs[t];
            std::uint32_t* const branchOf = groups.branchOf.data() + runs.runBase[t];
            // Per branch of the tile: its representative at the last level. Levels descend, so the next representative
            // is further along the chain.
            std::array<std::uint32_t, kTilePixels> latest;
            std::iota(latest.begin(), latest.begin() + (runs.branchBase[t + 1] - runs.branchBase[t]),
                      runs.branchBase[t]);
            for (std::size_t k = 0; k < mine.size(); ++k) {
                std::uint32_t& branch = latest[mine[k].branch];
                branch = runs.forest.representative(branch, mine[k].level);
                branchOf[k] = branch;
            }
            // Many tiles share the branch of the last run: one atomic addition per tile.
            const std::uint32_t shared = branchOf[mine.size() - 1];
            std::size_t inShared = 0;
            forEachStretch(mine, branchOf, [&](std::uint32_t branch, std::span<const TileRun> stretch, std::size_t) {
                if (branch == shared) {
                    inShared += stretch.size();
                } else {
                    add(branch, stretch.size());
                }
            });
            add(shared, inShared);
        },
        kTileGrain);
}

/// Lays out sections and tables. start[b + 1] becomes the fill mark of b, which ends as the start of b + 1.
void layOut(RunGroups& groups, std::size_t levels, const JobControl& control) {
    const std::size_t many = levels / 2; // so a table takes at most 8 bytes a run, as keys do
    const std::size_t branchCount = groups.start.size() - 1;
    groups.table = Buffer<std::uint32_t>(branchCount);
    std::mutex adding;
    forEachRange(branchCount, control, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b != end; ++b) {
            groups.table[b] = kNoTable;
            if (groups.start[b + 1] >= many) {
                const std::scoped_lock lock(adding);
                groups.table[b] = static_cast<std::uint32_t>(groups.tabled.size());
                groups.tabled.push_back(static_cast<std::uint32_t>(b));
                groups.start[b + 1] = 0; // no keys
            }
        }
    });
    groups.keys = Buffer<RunKey>(toOffsets(groups.start.span().subspan(1), control));
    groups.levels = levels;
    groups.entries = Buffer<std::uint32_t>(groups.tabled.size() * levels);
    fillAll(groups.entries.span(), 0U, control);
}

void raiseTo(std::uint32_t& value, std::uint32_t wanted) noexcept {
    std::atomic_ref shared(value);
    std::uint32_t seen = shared.load(std::memory_order_relaxed);
    while (seen < wanted && !shared.compare_exchange_weak(seen, wanted, std::memory_order_relaxed)) {
    }
}

void fillGroups(const BranchRuns& runs, RunGroups& groups, const JobControl& control) {
    const std::size_t tiles = runs.grid.count();
    forEachIndex(
        tiles, control,
        [&](std::size_t k) {
            const std::size_t t = tiles - 1 - k; // last pixels first, so that entries change rarely
            const Tile tile = runs.grid.tile(t);
            const auto insert = [&](std::uint32_t branch, std::span<const TileRun> stretch, std::size_t first) {
                if (const std::uint32_t number = groups.table[branch]; number != kNoTable) {
                    const std::span<std::uint32_t> entries = groups.entriesOf(number);
                    for (const TileRun& run : stretch) {
                        raiseTo(entries[run.level], runs.grid.pixelOf(run.canonical, tile) + 1);
                    }
                    return;
                }
                std::uint32_t slot =
                    std::atomic_ref(groups.start[branch + 1])
                        .fetch_add(static_cast<std::uint32_t>(stretch.size()), std::memory_order_relaxed);
                for (const TileRun& run : stretch) {
                    groups.keys[slot++] = RunKey(run.level, t, first++);
                }
            };
            forEachStretch(runs.runs[t], groups.branchOf.data() + runs.runBase[t], insert);
        },
        kTileGrain);
}

/// Sorts every section by level, and writes the number of nodes of each branch.
void countNodes(RunGroups& groups, Buffer<std::uint32_t>& count, const JobControl& control) {
    forEachIndex(
        count.size() - 1, control,
        [&](std::size_t b) {
            const std::span<RunKey> keys = groups.keysOf(b);
            if (!std::is_sorted(keys.begin(), keys.end(), RunKey::byLevel)) { // the keys of one tile are sorted
                if (keys.size() > kManyKeys) {
                    tbb::parallel_sort(keys.begin(), keys.end());
                } else {
                    std::sort(keys.begin(), keys.end());
                }
            }
            std::uint32_t levels = keys.empty() ? 0 : 1;
            for (std::size_t k = 1; k < keys.size(); ++k) {
                levels += RunKey::byLevel(keys[k - 1], keys[k]) ? 1 : 0;
            }
            count[b] = levels;
        },
        kBranchGrain);
    forEachIndex(
        groups.tabled.size(), control,
        [&](std::size_t number) {
            const std::span<const std::uint32_t> entries = groups.entriesOf(number);
            count[groups.tabled[number]] =
                static_cast<std::uint32_t>(groups.levels - std::count(entries.begin(), entries.end(), 0U));
        },
        1);
}

/// Writes the nodes of the branches with tables, and the node of each of their runs over its branch.
void nodesOfTables(const BranchRuns& runs, RunGroups& groups, BranchNodes& nodes, const JobControl& control) {
    forEachIndex(
        groups.tabled.size(), control,
        [&](std::size_t number) {
            const std::span<std::uint32_t> entries = groups.entriesOf(number);
            std::uint32_t node = nodes.offset[groups.tabled[number]];
            for (std::size_t level = entries.size(); level-- != 0;) {
                if (entries[level] != 0) {
                    nodes.level[node] = static_cast<std::uint16_t>(level);
                    nodes.canonical[node] = entries[level] - 1;
                    entries[level] = node++;
                }
            }
        },
        1);
    forEachIndex(
        runs.grid.count(), control,
        [&](std::size_t t) {
            std::uint32_t* const branchOf = groups.branchOf.data() + runs.runBase[t];
            const auto replace = [&](std::uint32_t branch, std::span<const TileRun> stretch, std::size_t first) {
                if (const std::uint32_t number = groups.table[branch]; number != kNoTable) {
                    const std::span<const std::uint32_t> entries = groups.entriesOf(number);
                    std::transform(stretch.begin(), stretch.end(), branchOf + first,
                                   [&](const TileRun& run) { return entries[run.level]; });
                }
            };
            forEachStretch(runs.runs[t], branchOf, replace);
        },
        kTileGrain);
}

/// Writes the nodes of the branches with sections, and the node of each of their runs over its branch.
void nodesOfSections(const BranchRuns& runs, RunGroups& groups, BranchNodes& nodes, const JobControl& control) {
    forEachRange(
        nodes.branchCount(), control,
        [&](std::size_t begin, std::size_t end) {
            std::size_t lastTile = 0;
            Tile tile = runs.grid.tile(lastTile);
            for (std::size_t b = begin; b != end; ++b) {
                std::uint32_t node = nodes.offset[b] - 1;
                std::uint32_t levelAbove = kNoLevel;
                for (const RunKey& key : groups.keysOf(b)) {
                    if (std::exchange(lastTile, key.tile()) != key.tile()) {
                        tile = runs.grid.tile(lastTile);
                    }
                    const std::uint32_t canonical =
                        runs.grid.pixelOf(runs.runs[lastTile][key.inTile()].canonical, tile);
                    if (std::exchange(levelAbove, key.level()) != key.level()) {
                        ++node;
                        nodes.level[node] = key.level();
                        nodes.canonical[node] = canonical;
                    } else {
                        nodes.canonical[node] = std::max(nodes.canonical[node], canonical);
                    }
                    groups.branchOf[runs.runBase[lastTile] + key.inTile()] = node;
                }
            }
        },
        kBranchGrain);
}

} // namespace

BranchNodes collectNodes(BranchRuns& runs, std::size_t levels, const JobControl& control) {
    RunGroups groups;
    findBranches(runs, groups, control);
    control.report(0.6, "nodes");
    layOut(groups, levels, control);
    fillGroups(runs, groups, control);
    control.report(0.66, "nodes");

    BranchNodes nodes;
    nodes.offset = Buffer<std::uint32_t>(runs.forest.size() + 1);
    countNodes(groups, nodes.offset, control);
    control.report(0.72, "nodes");
    nodes.offset[nodes.branchCount()] = 0;
    const std::uint32_t nodeCount = toOffsets(nodes.offset.span(), control);
    nodes.level = Buffer<std::uint16_t>(nodeCount);
    nodes.canonical = Buffer<std::uint32_t>(nodeCount);
    // Sections come last: the branch of another run must not be mistaken for a node.
    nodesOfTables(runs, groups, nodes, control);
    nodesOfSections(runs, groups, nodes, control);
    nodes.ofRun = std::move(groups.branchOf);
    runs.runs = {};
    return nodes;
}

namespace {

/// Gives every island a place among the children of its node. Many islands of a tile have the same node: they are
/// counted in the tile first.
/// @param count `(node, children)` -> number of children before
/// @param position receives the place of every island
template <class Count> void countIslands(const BranchNodes& nodes, const BranchRuns& runs, Count&& count,
                                         std::span<std::uint32_t> position, const JobControl& control) {
    forEachRange(
        runs.grid.count(), control,
        [&](std::size_t begin, std::size_t end) {
            std::array<std::uint32_t, kTilePixels> next{}; // per run of the tile
            for (std::size_t t = begin; t != end; ++t) {
                const std::span<const TileIsland> islands =
                    runs.islands.span().subspan(runs.islandBase[t], runs.islandBase[t + 1] - runs.islandBase[t]);
                for (const TileIsland& island : islands) {
                    ++next[island.run];
                }
                const std::uint32_t runCount = runs.runBase[t + 1] - runs.runBase[t];
                for (std::uint32_t r = 0; r < runCount; ++r) {
                    if (next[r] != 0) {
                        next[r] = count(nodes.ofRun[runs.runBase[t] + r], next[r]);
                    }
                }
                for (std::size_t k = 0; k < islands.size(); ++k) {
                    position[runs.islandBase[t] + k] = next[islands[k].run]++;
                }
                std::fill_n(next.begin(), runCount, 0U);
            }
        },
        kTileGrain);
}

/// Attaches every branch to the node at which it joins another, every island to the node that contains it, and lists
/// the children of every node.
void hangBranches(const BranchNodes& nodes, const BranchRuns& runs, BranchTree& tree, const JobControl& control) {
    const BranchForest& forest = runs.forest;
    const std::size_t branchCount = nodes.branchCount();
    tree.parent = Buffer<std::uint32_t>(branchCount);
    tree.attachNode = Buffer<std::uint32_t>(branchCount);
    tree.childStart = Buffer<std::uint32_t>(nodes.nodeCount() + 1);
    fillAll(tree.childStart.span(), 0U, control);
    // Per branch, then per island: its position among the children of its node.
    Buffer<std::uint32_t> position(branchCount + runs.islands.size());
    const auto count = [&](std::uint32_t node, std::uint32_t children) {
        return std::atomic_ref(tree.childStart[node]).fetch_add(children, std::memory_order_relaxed);
    };
    std::atomic<std::uint32_t> root{0};
    forEachIndex(branchCount, control, [&](std::size_t b) {
        const auto branch = static_cast<std::uint32_t>(b);
        tree.parent[b] = BranchForest::kNone;
        if (nodes.count(branch) == 0) {
            return;
        }
        const Attachment attachment = attachmentOf(branch, nodes, forest);
        if (attachment.branch == BranchForest::kNone) {
            root = branch;
            return;
        }
        tree.parent[b] = attachment.branch;
        tree.attachNode[b] = attachment.node;
        position[b] = count(attachment.node, 1);
    });
    tree.root = root;
    countIslands(nodes, runs, count, position.span().subspan(branchCount), control);

    const std::uint32_t childCount = toOffsets(tree.childStart.span(), control);
    tree.children = Buffer<Child>(childCount);
    forEachIndex(branchCount, control, [&](std::size_t b) {
        if (tree.parent[b] != BranchForest::kNone) {
            const auto branch = static_cast<std::uint32_t>(b);
            tree.children[tree.childStart[tree.attachNode[b]] + position[b]] =
                Child::branch(branch, nodes.canonical[nodes.lowest(branch)]);
        }
    });
    forEachIndex(
        runs.grid.count(), control,
        [&](std::size_t t) {
            const Tile tile = runs.grid.tile(t);
            for (std::uint32_t k = runs.islandBase[t]; k != runs.islandBase[t + 1]; ++k) {
                const TileIsland& island = runs.islands[k];
                const std::uint32_t node = nodes.ofRun[runs.runBase[t] + island.run];
                tree.children[tree.childStart[node] + position[branchCount + k]] =
                    Child::island(k, runs.grid.pixelOf(runs.nodes[t][island.node].canonical, tile));
            }
        },
        kTileGrain);
}

/// Starts at the branches without children, in the order of their indices, i.e. by tiles; the thread that adds the last
/// child of a branch continues with the branch.
void sizeSubtrees(const BranchNodes& nodes, const BranchRuns& runs, BranchTree& tree, const JobControl& control) {
    const std::size_t branchCount = nodes.branchCount();
    Buffer<std::uint64_t> pending(branchCount); // branches on it that are not yet added << 32 | nodes so far
    Buffer<std::uint8_t> isLeaf(branchCount);
    constexpr std::uint64_t kBranch = std::uint64_t{1} << 32;
    forEachIndex(branchCount, control, [&](std::size_t b) {
        const std::uint32_t begin = tree.childStart[nodes.offset[b]];
        const std::uint32_t count = nodes.count(static_cast<std::uint32_t>(b));
        const auto sizeOf = [&](std::size_t from, std::size_t to) {
            std::uint64_t sum = 0;
            for (std::size_t c = begin + from; c != begin + to; ++c) {
                const Child child = tree.children[c];
                sum += child.isIsland() ? runs.islands[child.number()].size : kBranch;
            }
            return sum;
        };
        const std::uint64_t size = count + sumOfParts(tree.childStart[nodes.offset[b + 1]] - begin, control, sizeOf);
        pending[b] = size;
        isLeaf[b] = count != 0 && size < kBranch ? 1 : 0;
    });
    forEachRange(branchCount, control, [&](std::size_t begin, std::size_t end) {
        std::uint64_t ofRoot = 0; // many branches are attached to it: one atomic addition for all
        for (std::size_t leaf = begin; leaf != end; ++leaf) {
            if (isLeaf[leaf] == 0) {
                continue;
            }
            std::uint64_t size = pending[leaf]; // a leaf has no children to add
            for (std::uint32_t b = tree.parent[leaf]; b != BranchForest::kNone; b = tree.parent[b]) {
                const std::uint64_t report = size - kBranch;
                if (b == tree.root) {
                    ofRoot += report;
                    break;
                }
                size = std::atomic_ref(pending[b]).fetch_add(report, std::memory_order_acq_rel) + report;
                if (size >= kBranch) {
                    break;
                }
            }
        }
        std::atomic_ref(pending[tree.root]).fetch_add(ofRoot, std::memory_order_relaxed);
    });
    tree.size = Buffer<std::uint32_t>(branchCount);
    forEachIndex(branchCount, control, [&](std::size_t b) { tree.size[b] = static_cast<std::uint32_t>(pending[b]); });
}

} // namespace

Attachment attachmentOf(std::uint32_t branch, const BranchNodes& nodes, const BranchForest& forest) {
    const std::uint32_t saddlePlusOne = forest.saddlePlusOne(branch);
    if (saddlePlusOne == 0) {
        return {BranchForest::kNone, 0};
    }
    const std::uint32_t saddle = saddlePlusOne - 1;
    const std::uint32_t other = forest.representative(forest.into(branch), saddle);
    // The saddle pixel is in the component, so the branch has a node of exactly this level.
    const auto* first = nodes.level.data() + nodes.offset[other];
    const auto* last = nodes.level.data() + nodes.offset[other + 1];
    const auto* at = std::lower_bound(first, last, saddle, std::greater<>{});
    return {other, static_cast<std::uint32_t>(at - nodes.level.data())};
}

BranchTree buildBranchTree(const BranchNodes& nodes, const BranchRuns& runs, const JobControl& control) {
    BranchTree tree;
    hangBranches(nodes, runs, tree, control);
    sizeSubtrees(nodes, runs, tree, control);
    return tree;
}

} // namespace pollard::cpu
