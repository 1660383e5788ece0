#pragma once

#include "cuda/components/block_sum.hpp"
#include "cuda/components/strips/strip_joining.hpp"
#include "cuda/components/strips/strip_state.hpp"

#include <cstdint>

namespace pollard::cuda {

/// Destination of the totals.
struct StripReport {
    StripTotals* ofHost;      ///< readable by the host
    StripTotals* ofDevice;    ///< for later passes
    std::uint32_t* partCount; ///< set to 0; list index for parts

    POLLARD_DEVICE void write(const StripTotals& totals) const {
        *ofHost = totals;
        *ofDevice = totals;
        *partCount = 0;
    }
};

/// Pass 3, one block: counts the objects that start before each strip, and the totals. The first component of an object
/// lies in the strip where it starts, so a strip has as many objects as components that are linked to no other.
template <class Number> struct CountObjects {
    static constexpr std::uint32_t kScratchWords = 3 * kBlockSumWords;

    StripState<Number> state;
    StripReport report;

    /// @param scratch kScratchWords words
    POLLARD_DEVICE void operator()(std::uint32_t* scratch) const {
        const std::uint32_t share = (state.strips + state.threads - 1) / state.threads;
        const std::uint64_t begin = std::uint64_t{threadOfBlock()} * share;
        const std::uint64_t end = begin + share < state.strips ? begin + share : state.strips;
        std::uint32_t objects = 0;
        std::uint32_t parts = 0;
        std::uint32_t pixels = 0; // below 2^32, as is their total
        for (std::uint64_t strip = begin; strip < end; ++strip) {
            const StripCounts& counts = state.counts[strip];
            objects += counts.components - counts.links;
            parts += counts.links;
            pixels += counts.pixels;
        }
        const std::uint32_t own[] = {objects, parts, pixels};
        const auto sums = sumsOfEarlierThreads(own, state.threads, scratch);
        std::uint32_t before = sums.of[0].before;
        for (std::uint64_t strip = begin; strip < end; ++strip) {
            StripCounts& counts = state.counts[strip];
            counts.objectsBefore = before;
            before += counts.components - counts.links;
        }
        if (threadOfBlock() == 0) {
            report.write({sums.of[2].all, sums.of[0].all, sums.of[1].all});
        }
    }
};

/// Pass 4, one block per strip: labels the first component of each object, in raster order.
/// @tparam kCounts whether it does the work of CountObjects too: every block sums the earlier strips, at most one per
/// thread
template <class Number, bool kCounts> struct LabelFirstParts {
    static constexpr std::uint32_t kAtOnce = 4; ///< nodes per thread, loaded together
    static constexpr std::uint32_t kScratchWords = 3 * kBlockSumWords;

    StripState<Number> state;
    StripReport report; ///< used only if kCounts

    /// @param scratch kScratchWords words
    POLLARD_DEVICE void operator()(std::uint32_t* scratch) const {
        const std::uint32_t strip = blockOfGrid();
        const std::uint32_t count = state.counts[strip].components;
        const std::uint32_t first = strip * state.runsOfStrip;
        std::uint32_t label = (kCounts ? countBefore(strip, scratch) : state.counts[strip].objectsBefore) + 1;
        for (std::uint32_t begin = 0; begin < count; begin += kAtOnce * state.threads) {
            const std::uint32_t i = begin + kAtOnce * threadOfBlock();
            FourWords nodes{};
            if (i < count) { // a strip has a multiple of 4 entries; entries from count on are undefined
                nodes = loadFour(reinterpret_cast<const FourWords*>(state.parents + first + i));
            }
            std::uint32_t kinds = 0; // roots; in the upper half, children of nodes of this strip
            for (std::uint32_t k = 0; k < kAtOnce; ++k) {
                const std::uint32_t node = first + i + k;
                if (i + k < count && nodes.words[k] >= first) {
                    kinds += nodes.words[k] == node ? 1U : 0x1'0000U;
                }
            }
            const BlockSum sum = sumOfEarlierThreads(kinds, state.threads, scratch);
            const std::uint32_t those =
                count - begin < kAtOnce * state.threads ? count - begin : kAtOnce * state.threads;
            if (2 * (sum.all >> 16U) > those) {
                for (std::uint32_t k = 0; k < kAtOnce && i + k < count; ++k) {
                    shortenInStrip(first, first + i + k, nodes.words[k]);
                }
            }
            std::uint32_t next = label + (sum.before & 0xffffU);
            for (std::uint32_t k = 0; k < kAtOnce; ++k) {
                nodes.words[k] = i + k < count && nodes.words[k] == first + i + k ? next++ : 0;
            }
            if (i < count) {
                storeFour(reinterpret_cast<FourWords*>(state.labels + first + i), nodes);
            }
            label += sum.all & 0xffffU;
        }
    }

private:
    /// Halves the path from a node towards its root within the strip. Worthwhile if most nodes are children of others
    /// in their strip, as where an object re-enters the strip repeatedly: all its parts would walk past them.
    POLLARD_DEVICE void shortenInStrip(std::uint32_t first, std::uint32_t node, std::uint32_t parent) const {
        while (parent != node && parent >= first) {
            const std::uint32_t above = loadFresh(state.parents + parent);
            if (above == parent) {
                return;
            }
            storeFresh(state.parents + node, above); // any ancestor is correct, so concurrent stores need no order
            node = above;
            parent = loadFresh(state.parents + node);
        }
    }

    /// Number of objects that start in earlier strips; the last block reports the totals.
    [[nodiscard]] POLLARD_DEVICE std::uint32_t countBefore(std::uint32_t strip, std::uint32_t* scratch) const {
        const std::uint32_t thread = threadOfBlock();
        const StripCounts counts = thread <= strip ? state.counts[thread] : StripCounts{};
        const std::uint32_t objects = counts.components - counts.links;
        std::uint32_t upTo = 0;
        if (strip + 1 == state.strips) {
            const std::uint32_t own[] = {objects, counts.links, counts.pixels};
            const auto sums = sumsOfEarlierThreads(own, state.threads, scratch);
            upTo = sums.of[0].all;
            if (thread == 0) {
                report.write({sums.of[2].all, upTo, sums.of[1].all});
            }
        } else {
            upTo = sumOfEarlierThreads(objects, state.threads, scratch).all;
        }
        return upTo - (state.counts[strip].components - state.counts[strip].links);
    }
};

/// Pass 5, one block per strip: gives other parts the label of their object's first part.
template <class Number> struct LabelOtherParts {
    StripState<Number> state;

    POLLARD_DEVICE void operator()(std::uint32_t*) const {
        const std::uint32_t strip = blockOfGrid();
        if (state.counts[strip].links == 0) {
            return;
        }
        const std::uint32_t first = strip * state.runsOfStrip;
        const std::uint32_t count = state.counts[strip].components;
        for (std::uint32_t i = kAtOnce * threadOfBlock(); i < count; i += kAtOnce * state.threads) {
            label(first + i, count - i < kAtOnce ? count - i : kAtOnce);
        }
    }

private:
    static constexpr std::uint32_t kAtOnce = 4; ///< nodes per thread, whose paths are walked together

    /// The loads of a path depend on each other: four paths overlap theirs.
    POLLARD_DEVICE void label(std::uint32_t first, std::uint32_t count) const {
        const FourWords parents = loadFour(reinterpret_cast<const FourWords*>(state.parents + first));
        std::uint32_t nodes[kAtOnce];
        std::uint32_t roots[kAtOnce];
        bool isMoving = false;
        forFour([&](std::uint32_t k) {
            nodes[k] = first + (k < count ? k : 0);
            roots[k] = k < count ? parents.words[k] : parents.words[0];
            isMoving |= roots[k] != nodes[k];
        });
        if (!isMoving) {
            return;
        }
        while (isMoving) {
            isMoving = false;
            std::uint32_t above[kAtOnce];
            forFour([&](std::uint32_t k) { above[k] = loadCached(state.parents + roots[k]); });
            forFour([&](std::uint32_t k) {
                if (above[k] != roots[k]) { // path halving, as in rootByHalving()
                    storeFresh(state.parents + nodes[k], above[k]);
                    nodes[k] = above[k];
                    isMoving = true;
                }
            });
            if (isMoving) {
                forFour([&](std::uint32_t k) { roots[k] = loadCached(state.parents + nodes[k]); });
            }
        }
        std::uint32_t labels[kAtOnce];
        forFour([&](std::uint32_t k) { labels[k] = state.labels[roots[k]]; });
        forFour([&](std::uint32_t k) {
            if (k < count && roots[k] != first + k) {
                state.labels[first + k] = labels[k];
            }
        });
    }
    template <class Visit> POLLARD_DEVICE static void forFour(const Visit& visit) {
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
        for (std::uint32_t k = 0; k < kAtOnce; ++k) {
            visit(k);
        }
    }
};

} // namespace pollard::cuda
