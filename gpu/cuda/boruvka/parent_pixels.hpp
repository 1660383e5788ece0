#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/list_stretch.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/boruvka/trunk.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Passes 6 to 8 where a parent image is wanted. A run, the sorted pixels of one branch and level, is a node, and its
// first pixel the canonical one; so parents are known from the order of the pixels, and runs need no numbers. But for
// the lowest runs of the branches: they hang on the node of their saddle, or are *aliases*, a part of it.
//
// Pixels of the parent image are those of the image itself, not turned.

namespace pollard::cuda {

/// Pixels that are first in a run that is an alias, a bit each.
struct AliasPixels {
    std::uint32_t* words; ///< all 0

    [[nodiscard]] static constexpr std::size_t wordCount(std::size_t pixels) noexcept { return (pixels + 31) / 32; }

    [[nodiscard]] POLLARD_DEVICE bool contains(std::uint32_t pixel) const {
        return (words[pixel / 32] >> (pixel % 32) & 1U) != 0;
    }
    POLLARD_DEVICE void add(std::uint32_t pixel) const {
        static_cast<void>(withBitsSet(&words[pixel / 32], std::uint32_t{1} << (pixel % 32)));
    }
};

/// Pass 6, a block a stretch of the sorted pixels: links the pixels of a run to its first one, and that to the first of
/// the run before it in the branch. The first pixel of a branch is linked to itself, and noted.
template <std::uint32_t kThreads_> struct LinkRuns {
    using Shape = ListStretch<kThreads_>;
    struct Memory {
        std::uint32_t lastStart[Shape::kWarps]; ///< where the warp's last run starts, or kNone
        std::uint32_t before;                   ///< where the run starts to which the place before the block's belongs
    };

    SortedPixels sorted;
    std::uint32_t count;
    std::uint32_t lastPixel;
    std::uint32_t* parents;
    std::uint32_t* firstPixel; ///< per branch, kNoPixel before

    POLLARD_DEVICE void operator()(Memory& memory) const {
        const Shape stretch(count, blockOfGrid());
        std::uint32_t starts[Shape::kTurns];
        std::uint32_t lastStart = kNone;
#ifdef __CUDACC__
#pragma unroll
#endif
        for (std::uint32_t turn = 0; turn < Shape::kTurns; ++turn) {
            const std::uint32_t first = stretch.firstOf(turn);
            starts[turn] = ballot(stretch.hasPlace(turn) && sorted.startsRun(first + stretch.lane));
            lastStart = lastOf(starts[turn], first, lastStart);
        }
        if (stretch.lane == 0) {
            memory.lastStart[stretch.warp] = lastStart;
        }
        if (threadOfBlock() == 0) {
            memory.before = stretch.begin > 0 ? sorted.startOfRun(stretch.begin - 1) : 0;
        }
        meetThreads();
        std::uint32_t before = memory.before;
        for (std::uint32_t warp = 0; warp < stretch.warp; ++warp) {
            before = memory.lastStart[warp] != kNone ? memory.lastStart[warp] : before;
        }
#ifdef __CUDACC__
#pragma unroll
#endif
        for (std::uint32_t turn = 0; turn < Shape::kTurns; ++turn) {
            const std::uint32_t first = stretch.firstOf(turn);
            if (stretch.hasPlace(turn)) {
                link(first + stretch.lane, (starts[turn] >> stretch.lane & 1U) != 0,
                     lastOf(starts[turn] & stretch.earlierLanes(), first, before));
            }
            before = lastOf(starts[turn], first, before);
        }
    }

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff; // there are less pixels

    /// The place of the last one of a turn's bits, if any is set.
    [[nodiscard]] POLLARD_DEVICE static std::uint32_t lastOf(std::uint32_t bits, std::uint32_t first,
                                                             std::uint32_t otherwise) {
        if (bits == 0) {
            return otherwise;
        }
#ifdef __CUDACC__
        return first + 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(bits)));
#else
        return first + 31 - static_cast<std::uint32_t>(std::countl_zero(bits));
#endif
    }
    /// @param before where the run of the place before starts, if there is one
    POLLARD_DEVICE void link(std::uint32_t place, bool startsRun, std::uint32_t before) const {
        const std::uint32_t pixel = lastPixel - sorted.pixel(place);
        if (startsRun && sorted.startsBranch(place)) {
            firstPixel[sorted.branch(place)] = pixel;
            parents[pixel] = pixel;
        } else {
            parents[pixel] = lastPixel - sorted.pixel(before);
        }
    }
};

/// Pass 7: links the first pixel of every branch to the first one of its saddle's run, and notes aliases. A thread a
/// branch. Others' links may or may not be made meanwhile; a link that is, of an alias, leads further on the same way.
template <class Level> struct LinkBranchPixels {
    const Level* levels; ///< of the image
    const std::uint64_t* frozenHook;
    const std::uint32_t* closedSaddles;
    std::uint32_t frozenCount;
    std::uint32_t lastPixel;
    const std::uint32_t* firstPixel; ///< per branch, kNoPixel if it has none
    std::uint32_t* parents;
    AliasPixels aliases;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        const std::uint32_t pixel = firstPixel[b];
        const bool isFrozen = b < frozenCount;
        if (pixel == kNoPixel || (isFrozen && frozenHook[b] == EdgeKey::kNone)) {
            return;
        }
        const std::uint32_t turned = isFrozen ? EdgeKey::saddle(frozenHook[b]) : closedSaddles[b - frozenCount];
        const std::uint32_t saddle = lastPixel - turned;
        const Level level = levels[saddle];
        const std::uint32_t linked = loadFresh(&parents[saddle]);
        storeFresh(&parents[pixel], levels[linked] == level ? linked : saddle);
        if (levels[pixel] == level) {
            aliases.add(pixel);
        }
    }
};

/// Lets the first pixels of the branches see through aliases of aliases. A thread a branch; the tree of branches is
/// shallow.
struct SeeThroughAliases {
    const std::uint32_t* firstPixel;
    std::uint32_t* parents;
    AliasPixels aliases;

    POLLARD_DEVICE void operator()(std::size_t b) const {
        const std::uint32_t pixel = firstPixel[b];
        if (pixel == kNoPixel) {
            return;
        }
        const std::uint32_t linked = loadFresh(&parents[pixel]);
        std::uint32_t parent = linked;
        while (aliases.contains(parent)) {
            parent = loadFresh(&parents[parent]);
        }
        if (parent != linked) {
            storeFresh(&parents[pixel], parent);
        }
    }
};

/// Pass 8: links to aliases become links to what these are part of. A thread a pixel.
struct ReplaceAliases {
    std::uint32_t* parents;
    AliasPixels aliases;

    POLLARD_DEVICE void operator()(std::size_t pixel) const {
        const std::uint32_t parent = parents[pixel];
        if (aliases.contains(parent)) {
            parents[pixel] = parents[parent];
        }
    }
};

} // namespace pollard::cuda
