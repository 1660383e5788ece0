#include "cpu/branch_nodes.hpp"

#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <vector>

namespace pollard::cpu {

namespace {

// A run as a sort key, in which ascending keys are descending levels.
constexpr std::uint64_t pack(std::uint16_t level, std::uint32_t run) noexcept {
    return std::uint64_t{static_cast<std::uint16_t>(~level)} << 32 | run;
}
constexpr std::uint16_t levelOf(std::uint64_t key) noexcept { return static_cast<std::uint16_t>(~(key >> 32)); }
constexpr std::uint32_t runOf(std::uint64_t key) noexcept { return static_cast<std::uint32_t>(key); }

/// Calls `visit(branch, first, last)` for ranges of consecutive runs of one branch.
template <class Visit>
void forEachStretch(std::span<const std::uint32_t> branchOfRun, std::size_t begin, std::size_t end, Visit&& visit) {
    while (begin < end) {
        std::size_t last = begin + 1;
        while (last < end && branchOfRun[last] == branchOfRun[begin]) {
            ++last;
        }
        visit(branchOfRun[begin], begin, last);
        begin = last;
    }
}

/// Sorts the runs of one branch. Runs of one tile are sorted already; long branches have more runs than levels and use
/// counting sort.
void sortByLevel(std::span<std::uint64_t> keys, std::vector<std::uint64_t>& scratch) {
    const auto byLevel = [](std::uint64_t a, std::uint64_t b) { return a >> 32 < b >> 32; };
    if (std::is_sorted(keys.begin(), keys.end(), byLevel)) {
        return;
    }
    constexpr std::size_t kCountingPays = 2048;
    if (keys.size() < kCountingPays) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    std::uint64_t first = keys[0] >> 32;
    std::uint64_t last = first;
    for (const std::uint64_t key : keys) {
        first = std::min(first, key >> 32);
        last = std::max(last, key >> 32);
    }
    std::vector<std::uint32_t> start(last - first + 1);
    for (const std::uint64_t key : keys) {
        ++start[(key >> 32) - first];
    }
    toOffsets(start);
    scratch.resize(keys.size());
    for (const std::uint64_t key : keys) {
        scratch[start[(key >> 32) - first]++] = key;
    }
    std::copy(scratch.begin(), scratch.end(), keys.begin());
}

} // namespace

BranchNodes collectNodes(BranchRuns& runs, const JobControl& control) {
    const std::size_t branchCount = runs.forest.size();
    const std::size_t runCount = runs.runLevel.size();
    Buffer<std::uint32_t>& branchOf = runs.runBranch;

    // Runs per branch. Consecutive runs of a tile often share their branch, so each such range takes one atomic
    // addition.
    Buffer<std::uint32_t> runStart(branchCount + 1);
    std::memset(runStart.data(), 0, runStart.bytes());
    forEachRange(runCount, control, [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r != end; ++r) {
            branchOf[r] = runs.forest.representative(branchOf[r], runs.runLevel[r]);
        }
        forEachStretch(branchOf.span(), begin, end, [&](std::uint32_t branch, std::size_t first, std::size_t last) {
            std::atomic_ref(runStart[branch + 1])
                .fetch_add(static_cast<std::uint32_t>(last - first), std::memory_order_relaxed);
        });
    });
    control.report(0.6, "nodes");

    // Gathers the runs of every branch. runStart[b + 1] is the fill mark of b and ends as the start of b + 1.
    Buffer<std::uint64_t> keys(runCount);
    toOffsets(runStart.span().subspan(1));
    runStart[0] = 0;
    forEachRange(runCount, control, [&](std::size_t begin, std::size_t end) {
        forEachStretch(branchOf.span(), begin, end, [&](std::uint32_t branch, std::size_t first, std::size_t last) {
            std::uint32_t slot = std::atomic_ref(runStart[branch + 1])
                                     .fetch_add(static_cast<std::uint32_t>(last - first), std::memory_order_relaxed);
            for (std::size_t r = first; r != last; ++r) {
                keys[slot++] = pack(runs.runLevel[r], static_cast<std::uint32_t>(r));
            }
        });
    });
    runs.runLevel.reset();
    control.report(0.66, "nodes");

    BranchNodes nodes;
    nodes.offset = Buffer<std::uint32_t>(branchCount + 1);
    constexpr std::size_t kBranchGrain = 2048;
    forEachRange(
        branchCount, control,
        [&](std::size_t begin, std::size_t end) {
            std::vector<std::uint64_t> scratch;
            for (std::size_t b = begin; b != end; ++b) {
                const std::span<std::uint64_t> mine = keys.span().subspan(runStart[b], runStart[b + 1] - runStart[b]);
                std::uint32_t levels = 0;
                if (!mine.empty()) {
                    sortByLevel(mine, scratch);
                    levels = 1;
                    for (std::size_t k = 1; k < mine.size(); ++k) {
                        levels += mine[k] >> 32 != mine[k - 1] >> 32 ? 1 : 0;
                    }
                }
                nodes.offset[b] = levels;
            }
        },
        kBranchGrain);
    control.report(0.72, "nodes");

    nodes.offset[branchCount] = 0;
    const std::uint32_t nodeCount = toOffsets(nodes.offset.span());
    nodes.level = Buffer<std::uint16_t>(nodeCount);
    nodes.canonical = Buffer<std::uint32_t>(nodeCount);
    nodes.ofRun = std::move(branchOf); // overwritten completely: each run belongs to exactly one branch
    forEachRange(
        branchCount, control,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b != end; ++b) {
                std::uint32_t node = nodes.offset[b] - 1;
                for (std::size_t k = runStart[b]; k != runStart[b + 1]; ++k) {
                    const std::uint32_t run = runOf(keys[k]);
                    if (k == runStart[b] || keys[k] >> 32 != keys[k - 1] >> 32) {
                        ++node;
                        nodes.level[node] = levelOf(keys[k]);
                        nodes.canonical[node] = runs.runCanonical[run];
                    } else {
                        nodes.canonical[node] = std::max(nodes.canonical[node], runs.runCanonical[run]);
                    }
                    nodes.ofRun[run] = node;
                }
            }
        },
        kBranchGrain);
    runs.runCanonical.reset();
    return nodes;
}

} // namespace pollard::cpu
