#include "tree/component_tree.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>
#include <utility>

namespace pollard {

Connectivity connectivityIn(const Extent& extent, Connectivity connectivity) {
    if (extent.isVolume()) {
        if (isPlanar(connectivity)) {
            throw Error(ErrorCode::invalidArgument, "connectivity: " + std::to_string(static_cast<int>(connectivity)) +
                                                        " neighbours are for images; a volume has 6, 18 or 26");
        }
        return connectivity;
    }
    return isPlanar(connectivity)              ? connectivity
           : connectivity == Connectivity::six ? Connectivity::four
                                               : Connectivity::eight;
}

Connectivity correspondingConnectivity(const Extent& extent, Connectivity connectivity) noexcept {
    if (!extent.isVolume()) {
        return connectivityIn(extent, connectivity);
    }
    return !isPlanar(connectivity)              ? connectivity
           : connectivity == Connectivity::four ? Connectivity::six
                                                : Connectivity::twentySix;
}

Buffer<std::uint32_t> canonicalParentImage(const ComponentTree& tree) {
    Buffer<std::uint32_t> parent(tree.pixelCount());
    for (std::size_t p = 0; p < tree.pixelCount(); ++p) {
        const std::uint32_t node = tree.pixelNode[p];
        const std::uint32_t own = tree.canonical[node];
        parent[p] = own == p ? tree.canonical[tree.parent[node]] : own;
    }
    return parent;
}

namespace {

/// Calls `function(node, begin, end)` for every run of pixels of one node: a run costs one atomic operation.
template <class Function>
void forEachStretch(const ComponentTree& tree, const JobControl& control, Function&& function) {
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p != end;) {
            const std::uint32_t node = tree.pixelNode[p];
            std::size_t q = p + 1;
            while (q != end && tree.pixelNode[q] == node) {
                ++q;
            }
            function(node, static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(q));
            p = q;
        }
    });
}

} // namespace

Buffer<std::uint32_t> countOwnPixels(const ComponentTree& tree, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    if (n > tree.pixelCount() / threads) { // counts of each thread would take more memory than the pixels' nodes
        Buffer<std::uint32_t> own(n);
        fillAll(own.span(), 0U, control);
        forEachStretch(tree, control, [&](std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
            std::atomic_ref(own[node]).fetch_add(end - begin, std::memory_order_relaxed);
        });
        return own;
    }
    tbb::enumerable_thread_specific<Buffer<std::uint32_t>> parts([n] {
        Buffer<std::uint32_t> counts(n);
        std::ranges::fill(counts, 0U);
        return counts;
    });
    forEachRange(tree.pixelCount(), control, [&](std::size_t begin, std::size_t end) {
        std::uint32_t* const counts = parts.local().data();
        for (std::size_t p = begin; p != end; ++p) {
            ++counts[tree.pixelNode[p]];
        }
    });
    auto part = parts.begin();
    Buffer<std::uint32_t> own = std::move(*part);
    while (++part != parts.end()) {
        forEachIndex(n, control, [&](std::size_t node) { own[node] += (*part)[node]; });
    }
    return own;
}

PixelList listPixels(const ComponentTree& tree, const Buffer<std::uint32_t>& own, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    PixelList list{Buffer<std::uint32_t>(n + 1), Buffer<std::uint32_t>(tree.pixelCount())};
    // Starts as the end of every node's section and moves to its start while the section fills.
    copyAll(own.span(), list.start.span().first(n), control);
    list.start[n] = toOffsets(list.start.span().first(n), control);
    forEachIndex(n, control, [&](std::size_t i) { list.start[i] += own[i]; });
    // Atomic operations wait for earlier writes, so the counters of later runs are prefetched.
    constexpr std::uint32_t kAhead = 16;
    const auto last = static_cast<std::uint32_t>(tree.pixelCount() - 1);
    const auto startOf = [&](std::uint32_t pixel) -> std::uint32_t& {
        return list.start[tree.pixelNode[std::min(pixel, last)]];
    };
    forEachStretch(tree, control, [&](std::uint32_t node, std::uint32_t begin, std::uint32_t end) {
        __builtin_prefetch(&startOf(begin + 2 * kAhead), 1);
        const std::uint32_t next = std::atomic_ref(startOf(begin + kAhead)).load(std::memory_order_relaxed);
        __builtin_prefetch(list.pixels.data() + next, 1);
        const std::uint32_t count = end - begin;
        std::uint32_t* to = list.pixels.data() +
                            (std::atomic_ref(list.start[node]).fetch_sub(count, std::memory_order_relaxed) - count);
        for (std::uint32_t p = begin; p != end; ++p) {
            *to++ = p;
        }
    });
    return list;
}

} // namespace pollard
