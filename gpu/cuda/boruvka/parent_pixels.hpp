#pragma once

#include "cuda/boruvka/build_state.hpp"
#include "cuda/boruvka/edge_key.hpp"
#include "cuda/boruvka/sorted_pixels.hpp"
#include "cuda/boruvka/trunk.hpp"
#include "cuda/kernels/kernel_threads.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

// Passes 6 to 8 for a parent image. A run, the sorted pixels of one branch and level, is a node, and its first pixel
// the canonical one, so the order of the pixels gives the parents, and runs need no numbers. The lowest runs of
// branches are the exception: they are attached to the node of their saddle, or are *aliases*, a part of that node.
//
// Pixels of the parent image are image pixels, not rotated.

namespace pollard::cuda {

/// The first pixels of runs that are aliases, as a bit set.
struct AliasPixels {
    std::uint32_t* words; ///< 0 at the start

    [[nodiscard]] static constexpr std::size_t wordCount(std::size_t pixels) noexcept { return (pixels + 31) / 32; }

    [[nodiscard]] POLLARD_DEVICE bool contains(std::uint32_t pixel) const {
        return (words[pixel / 32] >> (pixel % 32) & 1U) != 0;
    }
    POLLARD_DEVICE void add(std::uint32_t pixel) const {
        static_cast<void>(withBitsSet(&words[pixel / 32], std::uint32_t{1} << (pixel % 32)));
    }
};

/// Pass 6, one block per stretch of the sorted pixels: links the pixels of a run to its first one, and that to the
/// first pixel of the branch's previous run. The first pixel of a branch is linked to itself and stored in firstPixel.
template <std::uint32_t kThreads_> struct LinkRuns {
    using Shape = ListStretch<kThreads_>;
    struct Memory {
        std::uint32_t lastStart[Shape::kWarps]; ///< start of the warp's last run, or kNone
        std::uint32_t before;                   ///< start of the run that contains the place before the block's first
    };

    SortedPixels sorted;
    std::uint32_t count;
    std::uint32_t lastPixel;
    std::uint32_t* parents;
    std::uint32_t* firstPixel; ///< per branch, kNoPixel at the start

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
    static constexpr std::uint32_t kNone = 0xffff'ffff; // no valid place

    /// The place of the highest set bit of a turn, or @p otherwise.
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
    /// @param before start of the previous place's run, if there is one
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

/// Pass 7: links the first pixel of each branch to the first pixel of its saddle's run, and collects aliases. One
/// thread per branch. Links that other threads write meanwhile may be read old or new: a new link of an alias leads
/// further along the same path.
template <class Level> struct LinkBranchPixels {
    const Level* levels; ///< of the image
    const std::uint64_t* frozenHook;
    const std::uint32_t* closedSaddles;
    std::uint32_t frozenCount;
    std::uint32_t lastPixel;
    const std::uint32_t* firstPixel; ///< per branch, kNoPixel if it has no pixel
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

/// Links the first pixels of branches past chains of aliases. One thread per branch; the tree of branches is shallow.
struct SkipAliases {
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

/// Pass 8: replaces links to aliases by links to their nodes. One thread per pixel.
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
